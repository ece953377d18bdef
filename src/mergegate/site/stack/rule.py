"""What gives a technology away, read from the rule files beside this module."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from mergegate.core.data_table import read_tables

_VERSION = re.compile(r"[vVr]?(\d[\w.+-]{0,39})", re.ASCII)
_GROUP = re.compile(r"\\(\d)(?:\?([^:]*):(.*))?", re.ASCII)
_MARK = r"\;"


@dataclass(frozen=True, slots=True)
class Name:
    """Something that is there or not (a selector, a host, a technology), and what that means."""

    text: str
    version: str = ""
    """The version that its presence tells."""
    confidence: int = 100
    """1–100."""

    @classmethod
    def parse(cls, written: str) -> "Name":
        """The name of ``written``. Raises ValueError when its tags are none."""
        text, *tags = written.split(_MARK)
        return cls(text, *_meaning(written, tags))


@dataclass(frozen=True, slots=True)
class Pattern:
    r"""An expression with tags behind it: ``jquery-([\d.]+)\;version:\1\;confidence:50``."""

    expression: re.Pattern[str]
    """Matches within lines: ``^``, ``$`` and ``.`` keep to one; addresses stand one a line."""
    version: str = ""
    r"""How to write the version: ``\1``, a constant, or a choice such as ``\1?2:1``."""
    confidence: int = 100
    """1–100."""

    @classmethod
    def parse(cls, written: str) -> "Pattern":
        """The pattern of ``written``. Raises ValueError when it is none."""
        text, *tags = written.split(_MARK)
        try:
            expression = re.compile(text, re.ASCII | re.IGNORECASE | re.MULTILINE)
        except re.error as error:
            raise ValueError(f"{written!r}: {error}") from error
        return cls(expression, *_meaning(written, tags))

    def version_in(self, match: re.Match[str]) -> str:
        """The version that ``match`` tells; empty when it tells none."""
        return clean_version(_GROUP.sub(lambda mark: _written(mark, match), self.version))


def clean_version(text: str) -> str:
    """``text`` without a leading ``v`` when it is a plain version, else nothing.

    Pages are hostile: a version is a digit and up to 39 letters, digits, dots, plus signs, hyphens.
    """
    match = _VERSION.fullmatch(text.strip())
    return match[1].rstrip(".-+") if match else ""


def _meaning(written: str, tags: list[str]) -> tuple[str, int]:
    """Version and confidence that ``tags`` tell."""
    said = {name: value for name, _, value in (tag.partition(":") for tag in tags)}
    if unknown := said.keys() - {"version", "confidence"}:
        raise ValueError(f"{written!r}: unknown tags {sorted(unknown)}")
    confidence = int(said.get("confidence", "100"))
    if not 1 <= confidence <= 100:
        raise ValueError(f"{written!r}: confidence is 1-100")
    return said.get("version", ""), confidence


def _written(mark: re.Match[str], match: re.Match[str]) -> str:
    number, present, absent = mark.groups()
    value = (match[int(number)] if int(number) <= match.re.groups else "") or ""
    return value if present is None else (present if value else absent)


FOLDER = Path(__file__).with_name("rules")
_WHOLE_VALUE = Pattern.parse(r"(.*)\;version:\1")
_ANY = Pattern.parse("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """Something to read of the elements that a selector matches."""

    selector: str
    attribute: str = ""
    path: str = ""
    """Properties, such as ``__vue_app__.version``; a last ``*`` is any ending of the name."""
    pattern: Pattern = _ANY

    @property
    def key(self) -> str:
        """The key of the reading in the traces."""
        kind = f"@{self.attribute}" if self.attribute else f"!{self.path}"
        return self.selector + kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """The evidence for one technology; any piece of it is enough."""

    name: str
    categories: tuple[str, ...] = ()
    website: str = ""
    headers: Mapping[str, Pattern] = field(default_factory=dict)
    """Patterns of the main document's headers, by name in small letters."""
    cookies: tuple[Pattern, ...] = ()
    """Patterns of whole cookie names."""
    metas: Mapping[str, Pattern] = field(default_factory=dict)
    addresses: tuple[Pattern, ...] = ()
    """Patterns of the addresses of everything loaded, from any host."""
    paths: tuple[Pattern, ...] = ()
    """Patterns of what the site itself served: a file of another host tells nothing."""
    hosts: tuple[Name, ...] = ()
    """Domains from which something was loaded; sub-domains count."""
    sites: tuple[Name, ...] = ()
    """Domains under which the site itself lives."""
    html: tuple[Pattern, ...] = ()
    globals: Mapping[str, Pattern] = field(default_factory=dict)
    """Patterns by JavaScript path; an empty expression asks for existence."""
    versions: tuple[str, ...] = ()
    """JavaScript paths that hold the version."""
    selectors: tuple[Name, ...] = ()
    elements: tuple[Element, ...] = ()
    implies: tuple[Name, ...] = ()
    """Names of what comes with it."""
    requires: tuple[str, ...] = ()
    """Names; without one of them this is no evidence."""
    excludes: tuple[str, ...] = ()
    """Names of what it looks like but is not."""

    @property
    def told(self) -> Mapping[str, Pattern]:
        """Every JavaScript path that is asked for, those of versions first."""
        return {**dict.fromkeys(self.versions, _WHOLE_VALUE), **self.globals}


@cache
def rules() -> Mapping[str, Signature]:
    """All rules by name, in the order of the files.

    Raises ValueError on a name that stands twice, or on a pattern that is none.
    """
    return read_tables(FOLDER, Signature, "name")
