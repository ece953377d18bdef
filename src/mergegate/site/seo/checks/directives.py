"""What a page tells crawlers in ``meta`` elements and in ``X-Robots-Tag``.

Source: Google's "Robots meta tag, data-nosnippet, and X-Robots-Tag specifications".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from mergegate.sandbox.fetched import Fetched
from mergegate.site.facts.document import Document

SEARCH_ENGINES = frozenset({"googlebot", "bingbot", "msnbot"})
"""Whose own directives count beside those for everybody."""
_WITH_VALUE = frozenset(
    {"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"}
)
_NONE = ("noindex", "nofollow")
"""What ``none`` stands for."""
_DATE_PARTS = 3
"""Most pieces that the commas of a date cut it into."""
_AGENT = re.compile(r"[A-Za-z][\w.-]{1,60}")


@dataclass(frozen=True, slots=True)
class Directive:
    """One word for crawlers."""

    name: str
    """In small letters; ``none`` is told as what it stands for."""
    value: str = ""
    """After the colon."""
    agent: str = ""
    """Whom it is for, in small letters; empty for everybody."""
    where: str = ""
    """``meta`` or ``header``."""
    written: str = ""
    """The whole element or header it stands in."""


def told(document: Document, fetched: Fetched | None) -> tuple[Directive, ...]:
    """Every directive for everybody or for a search engine; elements first, then headers."""
    return tuple(
        one
        for one in (*_of_metas(document), *_of_headers(fetched))
        if not one.agent or one.agent in SEARCH_ENGINES
    )


def says(directives: tuple[Directive, ...], name: str) -> tuple[Directive, ...]:
    """Those called ``name``."""
    return tuple(one for one in directives if one.name == name)


def is_noindexed(document: Document, fetched: Fetched | None) -> bool:
    """Whether a page asks not to be in any index."""
    return any(not one.agent for one in says(told(document, fetched), "noindex"))


def moment(text: str) -> datetime | None:
    """The time that ``unavailable_after`` names: RFC 822, RFC 850 or ISO 8601; else None."""
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            found = read(text.strip())
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    return None


def _of_metas(document: Document) -> Iterator[Directive]:
    for meta in document.metas:
        if meta.kind == "name" and meta.name in {"robots", *SEARCH_ENGINES}:
            agent = "" if meta.name == "robots" else meta.name
            written = f'<meta name="{meta.name}" content="{meta.content}">'
            yield from _words(meta.content, agent, "meta", written)


def _of_headers(fetched: Fetched | None) -> Iterator[Directive]:
    for value in fetched.final.all("x-robots-tag") if fetched and fetched.final else ():
        agent, rest = _agent(value)
        yield from _words(rest, agent, "header", f"X-Robots-Tag: {value}")


def _agent(value: str) -> tuple[str, str]:
    """``googlebot: noindex`` → its parts; a directive with a value is for everybody."""
    name, colon, rest = value.partition(":")
    name = name.strip().lower()
    if colon and _AGENT.fullmatch(name) and name not in _WITH_VALUE:
        return name, rest
    return "", value


def _words(text: str, agent: str, where: str, written: str) -> Iterator[Directive]:
    pieces = [piece.strip() for piece in text.split(",")]
    while pieces:
        name, _, value = (part.strip() for part in pieces.pop(0).partition(":"))
        name = name.lower()
        if name == "unavailable_after":
            value = _whole_date(value, pieces)
        for one in _NONE if name == "none" else (name,) if name else ():
            yield Directive(one, value, agent, where, written)


def _whole_date(start: str, pieces: list[str]) -> str:
    """The value with as many of the next pieces as a date needs, which are taken away."""
    for taken in range(min(_DATE_PARTS, len(pieces) + 1)):
        value = ", ".join([start, *pieces[:taken]])
        if moment(value):
            del pieces[:taken]
            return value
    return start
