"""Recognise JavaScript libraries by address and content, and say what is known against them.

The patterns and advisories stand in ``data/`` (``NOTICE.md`` there says where they come from).
Searching hostile text is for the worker: some of the patterns can be made to take long.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import islice, zip_longest
from typing import Any
from urllib.parse import unquote, urlsplit

from mergegate.core.severity import Severity
from mergegate.site.security.facts import LibraryAdvisory, UsedLibrary

SHAPE = r"\d{1,4}(?:\.\d{1,6}){1,3}(?:[.-]?(?:alpha|beta|rc|pre|dev|a|b)[.-]?\d{0,4})?"
"""Numbers between dots, with a mark of a preview: the digest in a file's name has no dots."""
_BREAK = re.compile(r"[.-]")


def at_or_above(version: str, bound: str) -> bool:
    """Whether ``version`` is ``bound`` or newer; a preview is older than its release."""
    parts = zip_longest(_BREAK.split(version), _BREAK.split(bound), fillvalue="0")
    for mine, theirs in parts:
        if mine.isdigit() != theirs.isdigit():
            return mine.isdigit()
        order = _order(mine, theirs)
        if order:
            return order > 0
    return True


def is_between(version: str, lowest: str, below: str) -> bool:
    """Whether ``version`` is ``lowest`` (empty: any) or newer, and older than ``below``."""
    return (not lowest or at_or_above(version, lowest)) and not at_or_above(version, below)


def _order(mine: str, theirs: str) -> int:
    if mine.isdigit() and theirs.isdigit():
        return int(mine) - int(theirs)
    return (mine > theirs) - (mine < theirs)


_DATA = ("libraries.json", "more.json")
_VERSION = "§§version§§"
_LONGEST_PATH = 500
_MOST_VERSIONS = 5
"""The most versions of one library in one text."""
_COMMON_WORDS = {"bootstrap": "bootstrap", "prototypejs": "prototype"}
"""Libraries whose file is called as other scripts are, too: their folder has to say so as well."""

Recognised = tuple[str, str]
"""Name and version."""


@dataclass(frozen=True, slots=True)
class _Advisory:
    lowest: str
    below: str
    advisory: LibraryAdvisory


@dataclass(frozen=True, slots=True)
class _Library:
    name: str
    url: tuple[re.Pattern[str], ...]
    file: tuple[re.Pattern[str], ...]
    content: tuple[tuple[str, re.Pattern[str]], ...]
    """What every match holds, and the pattern."""
    advisories: tuple[_Advisory, ...]


def in_text(text: str) -> Iterator[Recognised]:
    """Every library that ``text`` holds, by its own banner or code, in order of name."""
    for library in _libraries():
        versions = dict.fromkeys(_versions(library, text))
        for version in islice(versions, _MOST_VERSIONS):
            yield library.name, version


def by_address(url: str) -> tuple[Recognised, str] | None:
    """The library that the address of a script names, and by what: ``url`` or ``file name``."""
    path = _path(url)
    name = path.rpartition("/")[2]
    for library in _libraries():
        for found_by, patterns, where in (
            ("url", library.url, path),
            ("file name", library.file, name),
        ):
            found = next(filter(None, (one.search(where) for one in patterns)), None)
            if found:
                return (library.name, found["version"]), found_by
    return None


def used(recognised: Recognised, url: str, found_by: str) -> UsedLibrary:
    """The fact of it, advisories included."""
    name, version = recognised
    return UsedLibrary(
        name=name,
        version=version,
        url=url,
        found_by=found_by,
        advisories=tuple(_against(name, version)),
    )


def _versions(library: _Library, text: str) -> Iterator[str]:
    for needed, pattern in library.content:
        if needed in text:
            yield from (found["version"] for found in islice(pattern.finditer(text), 20))


def _against(name: str, version: str) -> Iterable[LibraryAdvisory]:
    """The advisories, each once, worst first: one may have several ranges of versions."""
    known = next((one.advisories for one in _libraries() if one.name == name), ())
    hits = [one.advisory for one in known if is_between(version, one.lowest, one.below)]
    return sorted(dict.fromkeys(hits), key=lambda one: (-one.severity, one.ids, one.summary))


def _path(url: str) -> str:
    """The path without host, query and escapes; empty when it cannot be read."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return unquote(parts.path)[:_LONGEST_PATH] if parts.scheme in {"http", "https"} else ""


@cache
def _libraries() -> tuple[_Library, ...]:
    folder = files("mergegate.site.security.gather") / "data"
    entries = [one for name in _DATA for one in json.loads((folder / name).read_text("utf-8"))]
    return tuple(_library(one) for one in sorted(entries, key=lambda one: one["name"].lower()))


def _library(entry: dict[str, Any]) -> _Library:
    name, package = entry["name"], entry["package"]
    hosted = (rf"/{re.escape(package)}@({_VERSION})(?:/|$)",) if package else ()
    return _Library(
        name=name,
        url=tuple(_compiled(_in_folder(name, one)) for one in (*entry["url"], *hosted)),
        file=tuple(_compiled(f"^{one}$") for one in entry["file"]),
        content=tuple((needed, _compiled(one)) for needed, one in entry["content"]),
        advisories=tuple(map(_advisory, entry["advisories"])),
    )


def _in_folder(name: str, pattern: str) -> str:
    folder = _COMMON_WORDS.get(name, "")
    generic = folder and pattern.startswith(f"/({_VERSION})/")
    return rf"/[^/]{{0,40}}{folder}[^/]{{0,40}}{pattern}" if generic else pattern


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(f"({_VERSION})", rf"(?P<version>{SHAPE})", 1))


def _advisory(entry: dict[str, Any]) -> _Advisory:
    advisory = LibraryAdvisory(
        ids=tuple(entry["ids"]),
        severity=Severity.named(entry["severity"]),
        summary=entry["summary"],
        fixed_in=entry["below"],
        cwe=entry["cwe"],
        reference=entry["reference"],
    )
    return _Advisory(entry["from"], entry["below"], advisory)
