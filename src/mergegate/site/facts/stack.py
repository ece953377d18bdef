"""What a site is built with, and the traces that tell."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Technology:
    """Something the site is built with or served by."""

    name: str
    categories: tuple[str, ...] = ()
    version: str = ""
    """Empty when the page does not tell."""
    confidence: int = 100
    """1–100."""
    website: str = ""


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Traces:
    """What of a loaded page can give away its technology; all of it is hostile text, cut short."""

    url: str
    html: str = ""
    """The HTML of the rendered page."""
    headers: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Headers of the main document, names in small letters; values of cookies are left out."""
    cookies: tuple[str, ...] = ()
    """Names alone."""
    metas: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Content of ``meta`` elements by name or property in small letters."""
    scripts: tuple[str, ...] = ()
    """Addresses of external scripts."""
    styles: tuple[str, ...] = ()
    """Addresses of external style sheets."""
    requests: tuple[str, ...] = ()
    """Addresses of all that was loaded."""
    globals: Mapping[str, str] = field(default_factory=_nothing)
    """JavaScript paths that exist, such as ``React.version``, with their value as text."""
    selectors: frozenset[str] = frozenset()
    """The CSS selectors, of those asked for, that matched."""
    readings: Mapping[str, str] = field(default_factory=_nothing)
    """What elements hold: ``selector@attribute`` and ``selector!property`` of those asked for that
    were there, with their value as text."""


@dataclass(frozen=True, slots=True)
class Stack:
    """The technologies of a page, most certain first, then by name."""

    technologies: tuple[Technology, ...] = ()
