"""Stars in place of what opened a site: a page may repeat in its text what it was sent."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar
from urllib.parse import quote

from mergegate.model.site.visit import Credentials

Noun = TypeVar("Noun")
_STARS = "********"
_SHORTEST = 6
"""Characters: a shorter value is a word that reports are full of, such as ``1`` or ``dark``."""
_SCHEMES = ("Bearer ", "Basic ", "Token ")
"""What stands before the secret in a header (RFC 9110, 11.4)."""


def veiled(noun: Noun, credentials: Credentials) -> Noun:
    """``noun`` with stars wherever one of its texts, however deep, holds a value of those."""
    secrets = sorted(_secrets(credentials), key=len, reverse=True)
    found: Noun = _veil(noun, secrets) if secrets else noun
    return found


def _secrets(credentials: Credentials) -> set[str]:
    """As they were sent, without their scheme, and as they stand in an address."""
    values = [value for _, value in (*credentials.headers, *credentials.cookies)]
    bare = [value.removeprefix(scheme) for value in values for scheme in _SCHEMES]
    every = {*values, *bare}
    return {form for one in every for form in (one, quote(one, safe="")) if len(one) >= _SHORTEST}


def _veil(value: Any, secrets: list[str]) -> Any:
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, _STARS)
        return value
    if isinstance(value, tuple | frozenset):
        return type(value)(_veil(one, secrets) for one in value)
    if isinstance(value, Mapping):
        return {_veil(name, secrets): _veil(held, secrets) for name, held in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        held = {one.name: _veil(getattr(value, one.name), secrets) for one in fields(value)}
        return replace(value, **held)
    return value
