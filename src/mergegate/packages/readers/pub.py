"""pubspec.lock, which Dart's and Flutter's tools resolved, and pubspec.yaml."""

import re
from collections.abc import Iterator

from mergegate.packages.dependencies import Unresolved, Why
from mergegate.packages.readers.documents import (
    Unreadable,
    lines_in,
    lines_of,
    table,
    text_of,
    yaml_document,
)
from mergegate.packages.readers.reading import (
    Graph,
    ManifestReading,
    Node,
    Reading,
    Requirement,
    Source,
    editable,
    loose,
)

_NAME = r"^  ['\"]?([A-Za-z_]\w*)['\"]?:"
_EXACT = re.compile(r"\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?")
_RANGE = re.compile(r"\^\s*(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)")
_OUTSIDE = {"git": Why.GIT, "path": None, "sdk": None}
_SECTIONS = (("dependencies", False), ("dev_dependencies", True))


def read_lock(source: Source) -> Reading:
    """The lock says what is direct, and what of it is for development; not what needs what."""
    document = yaml_document(source.text)
    if "packages" not in document:
        raise Unreadable("it is not a pubspec.lock")
    lines = lines_of(source.text, _NAME)
    nodes: dict[str, Node] = {}
    unresolved: list[Unresolved] = []
    wanted: dict[str, str] = {}
    for name, value in table(document["packages"]).items():
        entry = table(value)
        version, origin = text_of(entry.get("version")), text_of(entry.get("source"))
        wanted[name] = text_of(entry.get("dependency"))
        if origin == "git":
            unresolved.append(loose(source, f"{name} {version}", Why.GIT, name=name,
                                    line=lines.get(name, 0)))  # fmt: skip
        elif origin not in _OUTSIDE:
            if not version:
                raise Unreadable("a package in it has no version")
            nodes[name] = Node(name, version, lines.get(name, 0))
    return Reading(
        graph=Graph(
            nodes,
            roots=tuple(n for n, kind in wanted.items() if kind == "direct main"),
            dev_roots=tuple(n for n, kind in wanted.items() if kind == "direct dev"),
        ),
        loose=tuple(unresolved),
    )


def read_manifest(source: Source) -> ManifestReading:
    """What pubspec.yaml names, but what comes with an SDK or lies in the repository."""
    document = yaml_document(source.text)
    return ManifestReading(
        requirements=tuple(_requirements(document, source.text)),
        name=text_of(document.get("name")),
        library="publish_to" not in document and "version" in document,
    )


def _requirements(document: dict[str, object], text: str) -> Iterator[Requirement]:
    lines, numbers = lines_in(text), lines_of(text, _NAME)
    for section, dev in _SECTIONS:
        for name, value in table(document.get(section)).items():
            options = table(value)
            if {"path", "sdk"} & options.keys():
                continue
            constraint = text_of(value) or text_of(options.get("version"))
            version = constraint if _EXACT.fullmatch(constraint) else ""
            line = numbers.get(name, 0)
            yield Requirement(
                name=name,
                text=f"{name}: {constraint}",
                version=version,
                why=Why.GIT if "git" in options else Why.RANGE,
                line=line,
                dev=dev,
                **editable(lines[line - 1] if line else "", version, constraint, _RANGE),
            )
