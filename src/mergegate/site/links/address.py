"""Read a link: what to ask for, which anchor is meant, and what is never asked for."""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urldefrag

import httpx

from mergegate.core.data_table import read_table
from mergegate.sandbox.web.address import objection

_HOSTLESS = re.compile(
    r"(?:mailto|tel|sms|data|blob|about|javascript|file|geo|callto|skype):", re.IGNORECASE
)
_ROUTE = re.compile(r"[/!?]|[^=]*=")
_LINES = re.compile(r"L?\d+(?:C\d+)?-L?\d+(?:C\d+)?")
"""Lines of a source, which scripts show: ``#L10-L20`` on forges, ``#10-20`` of rustdoc."""
"""What scripts put behind the sign: ``#/route``, ``#!route``, ``#tab=2``."""
_TEXT_DIRECTIVE = ":~:"


@dataclass(frozen=True, slots=True)
class _Verbs:
    """The one entry of ``verbs.toml``."""

    id: str
    ends: tuple[str, ...]
    changes: tuple[str, ...]
    manuals: tuple[str, ...]
    orders: tuple[str, ...]


_VERBS = read_table(Path(__file__).with_name("verbs.toml"), _Verbs)["address"]
_CHANGES = (*_VERBS.ends, *_VERBS.changes)


@dataclass(frozen=True, slots=True)
class Address:
    """A link that can be asked for."""

    link: str
    """The link as written in the page."""
    url: httpx.URL
    """Without fragment."""
    fragment: str
    """Still percent-encoded."""


@dataclass(frozen=True, slots=True)
class Unasked:
    """A link that is never asked for, or not by us."""

    link: str
    reason: str


def read(link: str, longest: int) -> Address | Unasked:
    """``link`` in its parts, or why it is not asked for."""
    if len(link) > longest:
        return Unasked(link, "the address is too long")
    if _HOSTLESS.match(link):
        return Unasked(link, "it is not a web address")
    try:
        url = httpx.URL(link)
        bare = without_fragment(url)
    except (httpx.InvalidURL, ValueError):
        return Unasked(link, "the address cannot be read")
    reason = objection(bare)
    return Unasked(link, reason) if reason else Address(link, bare, fragment_of(link))


def fragment_of(url: str) -> str:
    """That of ``url``, still percent-encoded: an id may hold ``%27`` itself, and httpx decodes."""
    return urldefrag(url).fragment


def without_fragment(url: httpx.URL) -> httpx.URL:
    """``url`` itself when it has none, for a copy is read anew."""
    return url.copy_with(fragment=None) if "#" in str(url) else url


def changes_state(url: httpx.URL) -> bool:
    """Whether asking for ``url`` may end a session or change something, by the words in it.

    HTTP forbids that of a GET (RFC 9110, 9.2.1), and sites do it all the same.
    """
    parts = [part.lower().replace("_", "-") for part in unquote(url.path).split("/") if part]
    stems = {re.sub(r"\.(?:php|aspx?|jsp|do|html?)$", "", part) for part in parts}
    verbs = _VERBS.ends if stems.intersection(_VERBS.manuals) else _CHANGES
    return not stems.isdisjoint(verbs) or any(
        _orders(*pair) for pair in parse_qsl(url.query.decode())
    )


def anchor(fragment: str) -> str:
    """The anchor that ``fragment`` means, still encoded; empty when it means none.

    ``#top`` and text directives scroll without one (HTML, "indicated part of the document").
    """
    name = fragment.partition(_TEXT_DIRECTIVE)[0]
    shown = name.lower() == "top" or _ROUTE.match(name) or _LINES.fullmatch(name)
    return "" if shown else name


def is_held(name: str, anchors: frozenset[str]) -> bool:
    """Whether a page that holds ``anchors`` has ``name``, as it stands or decoded."""
    decoded = unquote(name)
    return not anchors.isdisjoint({name, decoded, f"user-content-{decoded}"})


def _orders(key: str, value: str) -> bool:
    name, verb = (text.lower().replace("_", "-") for text in (key, value))
    return name in _CHANGES or (name.replace("-", "_") in _VERBS.orders and _is_verb(verb))


def _is_verb(value: str) -> bool:
    return value in _CHANGES or value.partition("-")[0] in {"delete", "remove", "destroy"}
