"""package.json: what a JavaScript project names directly."""

import re
from collections.abc import Iterator
from functools import lru_cache

from mergegate.packages.dependencies import Why
from mergegate.packages.readers.documents import (
    Unreadable,
    json_document,
    lines_in,
    lines_of,
    table,
    text_of,
    words,
)
from mergegate.packages.readers.reading import ManifestReading, Requirement, Source, editable

_SECTIONS = (("dependencies", False), ("optionalDependencies", False), ("devDependencies", True))
_EXACT = re.compile(r"^[=v]*(\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?)$")
_RANGE = re.compile(r"(?:\^|~|>=)\s*(\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z.-]+)?)")
_ALIAS = re.compile(r"^npm:(@?[^@]+)@(.*)$")
_LOCAL = re.compile(r"^(file|link|workspace|portal):|^\.{0,2}/")
_GIT = re.compile(
    r"^(git[+:@]|github:|gitlab:|bitbucket:|gist:)|^[\w.-]+/[\w.-]+(#.*)?$|\.git(#|$)"
)
_URL = re.compile(r"^https?:")
_PUBLISHED = ("files", "main", "exports", "module", "bin", "types")


def read(source: Source) -> ManifestReading:
    """All sections but peerDependencies, which the project itself does not install."""
    document = json_document(source.text)
    numbers = lines_of(source.text, r'^\s*"([^"]+)"\s*:\s*"')
    lines = lines_in(source.text)
    found = [
        requirement
        for section, dev in _SECTIONS
        for name, constraint in table(document.get(section)).items()
        for requirement in _requirement(name, text_of(constraint), dev, numbers, lines)
    ]
    return ManifestReading(
        requirements=tuple(found),
        name=text_of(document.get("name")),
        licence=text_of(document.get("license")),
        library=_is_library(document),
        members=_workspaces(document),
    )


def names(text: str | None) -> tuple[frozenset[str], frozenset[str]]:
    """Names wanted for production and for development; none when it cannot be read."""
    found = wishes(text or "")
    production = frozenset(name for name, _, dev in found if not dev)
    return production, frozenset(name for name, _, dev in found if dev) - production


@lru_cache(maxsize=4096)
def wishes(text: str) -> frozenset[tuple[str, str, bool]]:
    """Name, constraint and whether for development; nothing when it cannot be read."""
    try:
        document = json_document(text)
    except Unreadable:
        return frozenset()  # reported on its own account
    return frozenset(
        (name, text_of(constraint), dev)
        for section, dev in _SECTIONS
        for name, constraint in table(document.get(section)).items()
    )


def alias(name: str, constraint: str) -> tuple[str, str]:
    """The package and constraint that ``npm:other@constraint`` really means."""
    found = _ALIAS.match(constraint)
    return (found.group(1), found.group(2)) if found else (name, constraint)


def _requirement(
    name: str, written: str, dev: bool, numbers: dict[str, int], lines: list[str]
) -> Iterator[Requirement]:
    real, constraint = alias(name, written)
    if _LOCAL.match(constraint):
        return
    pinned = _EXACT.match(constraint)
    line = numbers.get(name, 0)
    whole = lines[line - 1] if line else ""
    version = pinned.group(1) if pinned else ""
    yield Requirement(
        name=real,
        text=f"{name}: {written}",
        version=version,
        why=_why(constraint),
        line=line,
        dev=dev,
        **editable(whole, version, constraint, _RANGE),
    )


def _why(constraint: str) -> Why:
    if _GIT.search(constraint):
        return Why.GIT
    return Why.URL if _URL.match(constraint) else Why.RANGE


def _is_library(document: dict[str, object]) -> bool:
    private = document.get("private") is True
    return not private and any(key in document for key in _PUBLISHED)


def _workspaces(document: dict[str, object]) -> tuple[str, ...]:
    value = document.get("workspaces")
    return tuple(words(value) or words(table(value).get("packages")))
