"""composer.lock, which Composer resolved, and composer.json."""

import re
from collections.abc import Iterator

from mergegate.packages.dependencies import Unresolved, Why
from mergegate.packages.readers.documents import (
    Unreadable,
    items,
    json_document,
    lines_in,
    lines_of,
    table,
    text_of,
    words,
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

_Entry = dict[str, object]
_BRANCH = re.compile(r"^dev-|-dev$")
_PLATFORM = re.compile(r"^(?:php(?:-\w+)?|hhvm|(?:ext|lib)-.+|composer(?:-\w+)*)$")
"""What composer.json names beside packages: the interpreter, its extensions, Composer itself."""
_NAME = r'^\s*"name"\s*:\s*"([^"]+)"'
_REQUIRED = r'^\s*"([^"/]+/[^"]+)"\s*:\s*"'
_EXACT = re.compile(r"^=?\s*(v?\d+(?:\.\d+){1,3}(?:-[0-9A-Za-z.]+)?)$")
_RANGE = re.compile(r"(?:\^|~|>=)\s*(v?\d+(?:\.\d+){0,3}(?:-[0-9A-Za-z.]+)?)")


def read_lock(source: Source) -> Reading:
    """The lock keeps development's packages apart; composer.json beside it tells what is direct."""
    document = json_document(source.text)
    if "packages" not in document and "packages-dev" not in document:
        raise Unreadable("it is not a composer.lock")
    lines = lines_of(source.text, _NAME)
    nodes: dict[str, Node] = {}
    edges: dict[str, tuple[str, ...]] = {}
    unresolved: list[Unresolved] = []
    local: set[str] = set()
    for section, dev in (("packages", False), ("packages-dev", True)):
        for entry in map(table, items(document.get(section))):
            name, version = text_of(entry.get("name")), text_of(entry.get("version"))
            if not name or not version:
                raise Unreadable("a package in it has no name or version")
            line = lines.get(name, 0)
            edges[name] = tuple(table(entry.get("require")))
            if why := _outside(entry, version):
                text = f"{name} {version}"
                unresolved.append(loose(source, text, why, name=name, line=line))
            elif _is_local(entry):
                local.add(name)
            else:
                licence = " OR ".join(words(entry.get("license")))
                nodes[name] = Node(name, version, line, dev, licence)
    roots, dev_roots = _wanted(source.sibling("composer.json"))
    known = bool(roots or dev_roots)
    return Reading(
        graph=Graph(nodes, edges, roots, dev_roots, known),
        loose=tuple(unresolved),
        local_names=frozenset(local),
    )


def _outside(entry: _Entry, version: str) -> Why | None:
    return Why.GIT if _BRANCH.search(version) and not _is_local(entry) else None


def _is_local(entry: _Entry) -> bool:
    """Whether it is a folder of the repository or beside it."""
    return any(table(entry.get(kind)).get("type") == "path" for kind in ("dist", "source"))


def _wanted(text: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names wanted for production and for development; none when they cannot be read."""
    try:
        document = json_document(text or "{}")
    except Unreadable:
        return (), ()  # reported on its own account
    return tuple(table(document.get("require"))), tuple(table(document.get("require-dev")))


def read_manifest(source: Source) -> ManifestReading:
    """What ``require`` and ``require-dev`` name of packages."""
    document = json_document(source.text)
    return ManifestReading(
        requirements=tuple(_requirements(document, source.text)),
        name=text_of(document.get("name")),
        licence=text_of(document.get("license")),
        library=document.get("type", "library") == "library" and "name" in document,
    )


def _requirements(document: _Entry, text: str) -> Iterator[Requirement]:
    lines, numbers = lines_in(text), lines_of(text, _REQUIRED)
    for section, dev in (("require", False), ("require-dev", True)):
        for name, value in table(document.get(section)).items():
            if _PLATFORM.match(name):
                continue
            constraint, line = text_of(value), numbers.get(name, 0)
            pinned = _EXACT.match(constraint)
            version = pinned[1] if pinned else ""
            yield Requirement(
                name=name,
                text=f"{name}: {constraint}",
                version=version,
                why=Why.GIT if _BRANCH.search(constraint) else Why.RANGE,
                line=line,
                dev=dev,
                **editable(lines[line - 1] if line else "", version, constraint, _RANGE),
            )
