"""What conda's files take from PyPI: the pip part of environment.yml, conda-lock's pip packages.

Packages of conda's own channels have no advisories of their own: they are named as unresolved.
"""

from collections.abc import Iterator

from packaging.requirements import InvalidRequirement, Requirement

from mergegate.packages.dependencies import Package, Unresolved, Why
from mergegate.packages.readers.documents import (
    Unreadable,
    items,
    lines_in,
    sanitised,
    table,
    text_of,
    yaml_document,
)
from mergegate.packages.readers.reading import Graph, Reading, Source, loose


def read_environment(source: Source) -> Reading:
    """The list below ``pip:``; its lines are those of a requirements file."""
    document = yaml_document(source.text)
    if "dependencies" not in document and "name" not in document:
        raise Unreadable("it is not an environment.yml")
    wanted = items(document.get("dependencies"))
    pip = [text for one in wanted for text in items(table(one).get("pip"))]
    found = list(_pinned(pip, source))
    return Reading(
        graph=Graph(),
        packages=tuple(one for one in found if isinstance(one, Package)),
        loose=(
            *(one for one in found if isinstance(one, Unresolved)),
            *_of_channels(sum(isinstance(one, str) for one in wanted), source),
        ),
    )


def _pinned(wanted: list[object], source: Source) -> Iterator[Package | Unresolved]:
    lines = [line.strip().lstrip("- ").strip("'\"") for line in lines_in(source.text)]
    for text in map(text_of, wanted):
        line = lines.index(text) + 1 if text in lines else 0
        try:
            asked = Requirement(text)
        except InvalidRequirement:
            why = Why.INCLUDE if text.startswith("-r") else Why.UNREADABLE
            yield loose(source, text, why, line=line)
            continue
        exact = [one.version for one in asked.specifier if one.operator in ("==", "===")]
        if len(exact) != 1 or "*" in exact[0] or asked.url:
            why = Why.URL if asked.url else Why.RANGE
            yield loose(source, text, why, name=asked.name, line=line)
        else:
            yield _package(asked.name, exact[0], line, source, direct=True)


def _package(name: str, version: str, line: int, source: Source, *, direct: bool | None) -> Package:
    return Package(
        ecosystem=source.ecosystem,
        name=source.key(sanitised(name)),
        written=sanitised(name),
        version=sanitised(version),
        file=source.path,
        line=line,
        role=source.role,
        direct=direct,
        path=(sanitised(name),) if direct else (),
    )


def _of_channels(number: int, source: Source) -> Iterator[Unresolved]:
    if number:
        yield loose(source, f"packages of conda's channels: {number:,}", Why.UNADVISED)


def read_lock(source: Source) -> Reading:
    """conda-lock.yml, a package once for all platforms."""
    document = yaml_document(source.text)
    if "package" not in document:
        raise Unreadable("it is not a conda-lock.yml")
    entries = [table(one) for one in items(document["package"])]
    packages: dict[tuple[str, str], Package] = {}
    for entry in entries:
        name, version = text_of(entry.get("name")), text_of(entry.get("version"))
        if not name or not version:
            raise Unreadable("a package in it has no name or version")
        if entry.get("manager") == "pip":
            packages.setdefault((name, version), _package(name, version, 0, source, direct=None))
    others = sum(entry.get("manager") != "pip" for entry in entries)
    return Reading(
        graph=Graph(),
        packages=tuple(packages.values()),
        loose=tuple(_of_channels(others, source)),
    )
