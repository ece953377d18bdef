"""Cargo.lock and Cargo.toml."""

import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache

from mergegate.packages.dependencies import Unresolved, Why
from mergegate.packages.readers.documents import (
    Unreadable,
    expect,
    items,
    lines_in,
    lines_of,
    table,
    text_of,
    toml_document,
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
_EXACT = re.compile(r"^=\s*(\d+\.\d+\.\d+\S*)$")
_RANGE = re.compile(r"(?:\^|~|>=)?\s*(\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z.-]+)?)")
_PRODUCTION = ("dependencies", "build-dependencies")


def read_lock(source: Source) -> Reading:
    """Packages without a source are the workspace's own crates: the graph's beginning."""
    entries = _entries(source.text)
    nodes: dict[str, Node] = {}
    unresolved: list[Unresolved] = []
    for entry, line in entries:
        name, version, origin = (text_of(entry.get(k)) for k in ("name", "version", "source"))
        if origin.startswith("git+"):
            text = f"{name} {version} {origin}"
            unresolved.append(loose(source, text, Why.GIT, name=name, line=line))
        elif origin:
            nodes[f"{name} {version}"] = Node(name, version, line)
    own = [entry for entry, _ in entries if not entry.get("source")]
    return Reading(
        graph=_graph(source, nodes, entries, own),
        loose=tuple(unresolved),
        local_names=frozenset(text_of(entry.get("name")) for entry in own),
    )


def read_manifest(source: Source) -> ManifestReading:
    """Every dependency table, those of targets and of the workspace too."""
    document = toml_document(source.text)
    package = table(document.get("package"))
    source_root = posixpath.join(source.folder, "src/lib.rs")
    is_library = "lib" in document or source.neighbours.text(source_root) is not None
    return ManifestReading(
        requirements=tuple(_requirements(document, source.text)),
        name=text_of(package.get("name")),
        library=bool(package) and is_library and package.get("publish") is not False,
        members=tuple(words(table(document.get("workspace")).get("members"))),
    )


def _entries(text: str) -> list[tuple[_Entry, int]]:
    document = toml_document(text)
    if "package" not in document and "version" not in document:
        raise Unreadable("it is not a Cargo.lock")
    expect(document, {"package"}, "Cargo.lock")
    starts = [n for n, line in enumerate(lines_in(text), 1) if line.strip() == "[[package]]"]
    entries = [table(entry) for entry in items(document.get("package"))]
    if any(not (text_of(e.get("name")) and text_of(e.get("version"))) for e in entries):
        raise Unreadable("a package in it has no name or version")
    told = len(starts) == len(entries)
    return [(entry, starts[i] + 1 if told else 0) for i, entry in enumerate(entries)]


def _graph(
    source: Source, nodes: dict[str, Node], entries: list[tuple[_Entry, int]], own: list[_Entry]
) -> Graph:
    versions: dict[str, list[str]] = {}
    for node in nodes.values():
        versions.setdefault(node.name, []).append(node.version)
    needs = {
        f"{text_of(e.get('name'))} {text_of(e.get('version'))}": _needs(e, versions)
        for e, _ in entries
    }
    dev_only = _dev_only(source)
    roots: list[str] = []
    dev_roots: list[str] = []
    for entry in own:
        crate = text_of(entry.get("name"))
        for ref in _needs(entry, versions):
            is_dev = ref.partition(" ")[0] in dev_only.get(crate, frozenset())
            (dev_roots if is_dev else roots).append(ref)
    return Graph(nodes, needs, tuple(roots), tuple(dev_roots), rooted=bool(own))


def _needs(entry: _Entry, versions: dict[str, list[str]]) -> tuple[str, ...]:
    """Entries are ``name``, ``name version`` or ``name version (source)``."""
    found: list[str] = []
    for text in words(entry.get("dependencies")):
        name, _, rest = text.partition(" ")
        version = rest.partition(" ")[0]
        found += [f"{name} {v}" for v in ([version] if version else versions.get(name, []))]
    return tuple(found)


def _dev_only(source: Source) -> dict[str, frozenset[str]]:
    """Crate → the names that only its ``[dev-dependencies]`` hold."""
    only: dict[str, frozenset[str]] = {}
    for path in source.neighbours.named("Cargo.toml", source.folder):
        crate, names = _dev_names(source.neighbours.text(path) or "")
        only[crate] = names
    return only


@lru_cache(maxsize=4096)
def _dev_names(text: str) -> tuple[str, frozenset[str]]:
    """A Cargo.toml's crate and what only its tests need; nothing when it cannot be read."""
    try:
        document = toml_document(text)
    except Unreadable:
        return "", frozenset()  # reported on its own account
    listed = list(_requirements(document, text))
    production = {r.name for r in listed if not r.dev}
    crate = text_of(table(document.get("package")).get("name"))
    return crate, frozenset({r.name for r in listed if r.dev} - production)


def _requirements(document: _Entry, text: str) -> Iterator[Requirement]:
    lines = lines_in(text)
    numbers = lines_of(text, r'^\s*"?([\w-]+)"?(?:\.version)?\s*=')
    tables = [document, table(document.get("workspace"))]
    tables += [table(target) for target in table(document.get("target")).values()]
    for holder in tables:
        for section, dev in (*((name, False) for name in _PRODUCTION), ("dev-dependencies", True)):
            for name, value in table(holder.get(section)).items():
                line = numbers.get(name, 0)
                yield from _requirement(name, value, dev, line, lines[line - 1] if line else "")


def _requirement(
    name: str, value: object, dev: bool, line: int, whole: str
) -> Iterator[Requirement]:
    options = table(value)
    constraint = text_of(value) or text_of(options.get("version"))
    if "path" in options or options.get("workspace") is True:
        return
    pinned = None if "git" in options else _EXACT.match(constraint)
    version = pinned.group(1) if pinned else ""
    yield Requirement(
        name=text_of(options.get("package")) or name,
        text=f"{name} = {constraint or text_of(options.get('git'))}",
        version=version,
        why=Why.GIT if "git" in options else Why.RANGE,
        line=line,
        dev=dev,
        **editable(whole, version, constraint, _RANGE),
    )
