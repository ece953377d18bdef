"""What the reports of all site tools have in common: how they are built, and redacted.

A page may repeat in its text the secrets it was sent: stars stand in their place.
"""

import base64
import datetime as dt
import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from html import escape
from types import MappingProxyType
from typing import Any, TypeVar
from urllib.parse import quote, quote_plus, unquote

from mergegate import __version__
from mergegate.core.report import EngineRun
from mergegate.sandbox.visit import Credentials
from mergegate.site.level import RANDOM_BYTES, identifier
from mergegate.site.words import cut


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteReport:
    """What every report of a site tool says; its text is hostile."""

    id: str = ""
    """Opaque, as :func:`finished` gives it."""
    url: str
    """The address that was asked for."""
    summary: str = ""
    gaps: tuple[str, ...] = ()
    """What was asked for and could not be judged, each a clause or a sentence.

    With one the scan is incomplete: that nothing was found proves nothing. What a scan leaves out
    by its bounds is no gap; reports name that elsewhere.
    """
    engines: tuple[EngineRun, ...] = ()
    """The receipt."""
    created_at: str = ""
    """ISO 8601, UTC."""
    completed_at: str = ""
    tool_version: str = ""


R = TypeVar("R", bound=SiteReport)


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


def _random() -> bytes:
    return secrets.token_bytes(RANDOM_BYTES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolbox:
    """What every site tool works with."""

    engines: Callable[[], tuple[EngineRun, ...]] = tuple
    """The receipt, asked for when everything is over."""
    now: Callable[[], dt.datetime] = _now
    random: Callable[[], bytes] = _random


def finished(
    report: R,
    prefix: str,
    started: dt.datetime,
    toolbox: Toolbox,
    *,
    summarise: Callable[[R], str],
    credentials: Credentials,
) -> R:
    """``report`` with id, receipt, times and summary, and nothing of what opened the site.

    ``prefix`` begins the id: ``aud_``. A page may repeat anywhere what it was sent, so this is
    where every report is redacted, and the only place that gives one its id.
    """
    dated = replace(
        report,
        id=identifier(prefix, started, toolbox.random()),
        engines=toolbox.engines(),
        created_at=_stamp(started),
        completed_at=_stamp(toolbox.now()),
        tool_version=__version__,
    )
    return redact(replace(dated, summary=_summary(dated, summarise(dated))), credentials)


_LONGEST_GAP = 160
_NAMED_GAPS = 2


def _summary(report: SiteReport, text: str) -> str:
    """``text``, behind what was not judged: what it says then is of the rest alone."""
    if not report.gaps:
        return text
    named = [cut(one, _LONGEST_GAP).rstrip(".") for one in report.gaps[:_NAMED_GAPS]]
    more = len(report.gaps) - len(named)
    rest = [f"and {more:,} more"] if more else []
    return f"Incomplete, not all was judged: {'; '.join([*named, *rest])}. {text}"


def _stamp(moment: dt.datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


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
    hidden = sorted(_secrets(credentials), key=lambda one: (-len(one), one))
    found: T = _redact(value, hidden) if hidden else value
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


def _redact(value: Any, hidden: Sequence[str]) -> Any:
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return _without(value, hidden)
    if isinstance(value, tuple | frozenset):
        return type(value)(_redact(one, hidden) for one in value)
    if isinstance(value, Mapping):
        pairs = {_redact(name, hidden): _redact(held, hidden) for name, held in value.items()}
        return MappingProxyType(pairs)
    if is_dataclass(value) and not isinstance(value, type):
        held = {one.name: _redact(getattr(value, one.name), hidden) for one in fields(value)}
        return replace(value, **held)
    return value


def _without(text: str, hidden: Sequence[str]) -> str:
    for secret in hidden:
        text = text.replace(secret, _STARS)
    if not text.endswith(_CUT):
        return text
    kept = text.removesuffix(_CUT)
    begun = max((_begun(kept, secret) for secret in hidden), default=0)
    return f"{kept[:-begun]}{_STARS}{_CUT}" if begun else text


def _begun(text: str, secret: str) -> int:
    """How many letters at the end of ``text`` are the first of ``secret``; 0 for a few."""
    if secret[:_SHORTEST] not in text:
        return 0
    most = min(len(secret), len(text))
    lengths = range(most, _SHORTEST - 1, -1)
    return next((length for length in lengths if text.endswith(secret[:length])), 0)
