"""Stars in place of what opened a site: a page may repeat in its text what it was sent."""

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from html import escape
from types import MappingProxyType
from typing import Any, TypeVar
from urllib.parse import quote, quote_plus, unquote

from mergegate.sandbox.visit import Credentials

T = TypeVar("T")
_STARS = "********"
_SHORTEST = 6
"""Characters: a shorter value is a word that reports are full of, such as ``1`` or ``dark``."""
_BASIC = "Basic "
_SCHEMES = ("Bearer ", _BASIC, "Token ")
"""What stands before the secret in a header (RFC 9110, 11.4)."""
_CUT = "…"
"""How a text ends of which only the first part was kept."""


def redact(value: T, credentials: Credentials) -> T:
    """``value`` with stars wherever one of its texts, however deep, holds one of those."""
    secrets = sorted(_secrets(credentials), key=lambda one: (-len(one), one))
    found: T = _redact(value, secrets) if secrets else value
    return found


def _secrets(credentials: Credentials) -> set[str]:
    """The secrets as sent, without their scheme, decoded, and in each spelling of those."""
    values = [value for _, value in (*credentials.headers, *credentials.cookies)]
    bare = [value.removeprefix(scheme) for value in values for scheme in _SCHEMES]
    decoded = [one for value in values for one in (unquote(value), *_name_and_password(value))]
    every = {one for one in (*values, *bare, *decoded) if len(one) >= _SHORTEST}
    return {spelling for one in every for spelling in _spellings(one)}


def _name_and_password(value: str) -> Iterator[str]:
    """Both, and the password alone, where ``value`` carries them (RFC 7617)."""
    if not value.startswith(_BASIC):
        return
    try:
        pair = base64.b64decode(value.removeprefix(_BASIC), validate=True).decode()
    except ValueError:  # neither base64 nor UTF-8
        return
    yield from (pair, pair.partition(":")[2])


def _spellings(secret: str) -> tuple[str, ...]:
    """The spellings of ``secret`` in a text, an address, a form's query, HTML and JSON."""
    in_json = json.dumps(secret, ensure_ascii=False)[1:-1]
    return secret, quote(secret, safe=""), quote_plus(secret), escape(secret), in_json


def _redact(value: Any, secrets: Sequence[str]) -> Any:
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return _without(value, secrets)
    if isinstance(value, tuple | frozenset):
        return type(value)(_redact(one, secrets) for one in value)
    if isinstance(value, Mapping):
        pairs = {_redact(name, secrets): _redact(held, secrets) for name, held in value.items()}
        return MappingProxyType(pairs)
    if is_dataclass(value) and not isinstance(value, type):
        held = {one.name: _redact(getattr(value, one.name), secrets) for one in fields(value)}
        return replace(value, **held)
    return value


def _without(text: str, secrets: Sequence[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, _STARS)
    if not text.endswith(_CUT):
        return text
    kept = text.removesuffix(_CUT)
    begun = max((_begun(kept, secret) for secret in secrets), default=0)
    return f"{kept[:-begun]}{_STARS}{_CUT}" if begun else text


def _begun(text: str, secret: str) -> int:
    """How many letters at the end of ``text`` are the first of ``secret``; 0 for a few."""
    if secret[:_SHORTEST] not in text:
        return 0
    most = min(len(secret), len(text))
    lengths = range(most, _SHORTEST - 1, -1)
    return next((length for length in lengths if text.endswith(secret[:length])), 0)
