"""package-lock.json and npm-shrinkwrap.json, versions 1 to 3."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from mergegate.packages.dependencies import Package, Unresolved, Why
from mergegate.packages.readers import addresses, package_json
from mergegate.packages.readers import reading as graphs
from mergegate.packages.readers.documents import (
    MAX_DEPTH,
    Unreadable,
    json_document,
    lines_in,
    table,
    text_of,
)
from mergegate.packages.readers.reading import Graph, Node, Reading, Source, loose

_Entry = dict[str, object]
_MODULES = "node_modules/"
_OPENED = re.compile(r'^\s*"([^"]*)"\s*:\s*\{')
_VERSION = re.compile(r'^\s*"version"\s*:\s*"([^"]*)"')


def read(source: Source) -> Reading:
    """Version 2 and 3 by their ``packages``, version 1 by its tree of ``dependencies``."""
    document = json_document(source.text)
    entries, tree = table(document.get("packages")), table(document.get("dependencies"))
    if "packages" not in document and not tree and document.get("lockfileVersion") != 1:
        raise Unreadable("it is not an npm lock file of a known version")
    if not any(_MODULES in path for path in entries):
        return _nested(source, tree) if tree or not entries else _flat(source, entries)
    flat = _flat(source, entries)
    return _joined(source, flat, _nested(source, tree)) if tree else flat


def _joined(source: Source, flat: Reading, nested: Reading) -> Reading:
    """Version 2 tells all twice: old clients install what ``dependencies`` says."""
    said = graphs.packages(flat.graph, source)
    known = {(one.name, one.version) for one in said}
    more = (one for one in graphs.packages(nested.graph, source) if _key(one) not in known)
    texts = {one.text for one in flat.loose}
    loose_too = (one for one in nested.loose if one.text not in texts)
    return replace(flat, packages=(*said, *more), loose=(*flat.loose, *loose_too))


def _key(package: Package) -> tuple[str, str]:
    return package.name, package.version


def _flat(source: Source, entries: dict[str, object]) -> Reading:
    numbers = _lines(source.text)
    judged = (
        (path, _judged(source, _name(path, entry), entry, numbers.get(path, 0)))
        for path, value in entries.items()
        if _MODULES in path and (entry := table(value)).get("link") is not True
    )
    nodes, unresolved = _sorted_out(judged)
    members = [path for path in entries if _MODULES not in path]
    return Reading(
        graph=_flat_graph(entries, nodes, members),
        loose=unresolved,
        members=frozenset(members),
    )


def _judged(source: Source, name: str, entry: _Entry, line: int) -> Node | Unresolved | None:
    """The package, the reason why it has no version, or None for the repository's own."""
    version, resolved = text_of(entry.get("version")), text_of(entry.get("resolved"))
    for address in (version, resolved):
        if why := addresses.outside(name, version, address):
            return loose(source, f"{name} {address}", why, name=name, line=line)
    if version.startswith("file:"):
        return None
    if not version:
        return loose(source, name, Why.RANGE, name=name, line=line)
    return Node(name, version, line, entry.get("dev") is True, text_of(entry.get("license")))


def _sorted_out(
    judged: Iterable[tuple[str, Node | Unresolved | None]],
) -> tuple[dict[str, Node], tuple[Unresolved, ...]]:
    nodes: dict[str, Node] = {}
    unresolved: list[Unresolved] = []
    for ref, verdict in judged:
        if isinstance(verdict, Node):
            nodes[ref] = verdict
        elif verdict is not None:
            unresolved.append(verdict)
    return nodes, tuple(unresolved)


def _flat_graph(entries: dict[str, object], nodes: dict[str, Node], members: list[str]) -> Graph:
    edges = {ref: tuple(_targets(ref, table(entries[ref]), entries)) for ref in nodes}
    roots: list[str] = []
    dev_roots: list[str] = []
    for member in members:
        entry = table(entries[member])
        roots += _targets(member, entry, entries)
        dev_roots += _resolved(member, table(entry.get("devDependencies")), entries)
    return Graph(nodes, edges, tuple(roots), tuple(dev_roots), rooted=bool(members))


def _targets(ref: str, entry: _Entry, entries: dict[str, object]) -> Iterator[str]:
    for section in ("dependencies", "optionalDependencies", "peerDependencies"):
        yield from _resolved(ref, table(entry.get(section)), entries)


def _resolved(ref: str, wanted: dict[str, object], entries: dict[str, object]) -> Iterator[str]:
    """Where node looks: in the package's own folder, then in each folder above it."""
    for name in wanted:
        folder = ref
        for _ in range(MAX_DEPTH):
            candidate = f"{folder}/{_MODULES}{name}" if folder else f"{_MODULES}{name}"
            if candidate in entries:
                yield _through_link(candidate, entries)
                break
            if not folder:
                break
            folder = _above(folder)


def _above(folder: str) -> str:
    before, modules, _ = folder.rpartition(f"/{_MODULES}")
    if modules:
        return before
    return "" if folder.startswith(_MODULES) else folder.rpartition("/")[0]


def _through_link(ref: str, entries: dict[str, object]) -> str:
    entry = table(entries[ref])
    return text_of(entry.get("resolved")) if entry.get("link") is True else ref


def _name(path: str, entry: _Entry) -> str:
    return text_of(entry.get("name")) or path.rpartition(_MODULES)[2]


def _nested(source: Source, tree: dict[str, object]) -> Reading:
    numbers = _lines(source.text)
    edges: dict[str, tuple[str, ...]] = {}
    judged: list[tuple[str, Node | Unresolved | None]] = []
    for ref, name, entry in _walk(tree):
        real, version = package_json.alias(name, text_of(entry.get("version")))
        shown = {**entry, "version": version}
        line = numbers.get(f"{name}@{version}", numbers.get(name, 0))
        judged.append((ref, _judged(source, real, shown, line)))
        edges[ref] = tuple(table(entry.get("requires")))
    nodes, unresolved = _sorted_out(judged)
    graph = _nested_graph(nodes, edges, package_json.names(source.sibling("package.json")))
    return Reading(graph=graph, loose=unresolved)


def _walk(tree: dict[str, object]) -> Iterator[tuple[str, str, _Entry]]:
    """Place, name and entry of every package, at any depth within the limit."""
    stack = [("", tree)]
    while stack:
        above, level = stack.pop()
        if above.count(_MODULES) > MAX_DEPTH:
            raise Unreadable(f"it is nested deeper than {MAX_DEPTH} levels")
        for name, value in level.items():
            entry, ref = table(value), f"{above}{_MODULES}{name}"
            yield ref, name, entry
            stack.append((f"{ref}/", table(entry.get("dependencies"))))


def _nested_graph(
    nodes: dict[str, Node],
    requires: dict[str, tuple[str, ...]],
    wanted: tuple[frozenset[str], frozenset[str]],
) -> Graph:
    entries: dict[str, object] = dict.fromkeys(requires)
    edges = {ref: tuple(_resolved(ref, dict.fromkeys(requires[ref]), entries)) for ref in nodes}
    production, development = wanted
    return Graph(
        nodes,
        edges,
        tuple(f"{_MODULES}{name}" for name in production),
        tuple(f"{_MODULES}{name}" for name in development),
        rooted=bool(production or development),
    )


def _lines(text: str) -> dict[str, int]:
    """Key of an object, alone and as ``key@version`` → its first line."""
    numbers: dict[str, int] = {}
    key, at = "", 0
    for number, line in enumerate(lines_in(text), start=1):
        opened = _OPENED.match(line)
        version = _VERSION.match(line)
        if opened:
            key, at = opened.group(1), number
            numbers.setdefault(key, at)
        elif version and key:
            numbers.setdefault(f"{key}@{version.group(1)}", at)
    return numbers
