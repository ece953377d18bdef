"""What a reader of a file gets and hands back, and the packages of a lock file's graph."""

import posixpath
import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from mergegate.core.tree import Role
from mergegate.packages.dependencies import Package, Unresolved, Why
from mergegate.packages.readers.documents import Unreadable, sanitised

MAX_PACKAGES = 100_000
MAX_EDGES = 1_000_000


class Neighbours(Protocol):
    """The other files of the repository, for locks that do not say what is direct."""

    def text(self, path: str) -> str | None:
        """The text at ``path``; None when it is absent, too large or not text."""
        ...

    def named(self, name: str, folder: str) -> tuple[str, ...]:
        """Paths of files called ``name`` in and below ``folder``, sorted."""
        ...


@dataclass(frozen=True, slots=True)
class Source:
    """The file that is read."""

    path: str
    text: str
    neighbours: Neighbours
    role: Role = Role.SOURCE
    ecosystem: str = ""
    """OSV's name."""
    key: Callable[[str], str] = str
    """The spelling under which two names of one package are equal."""

    @property
    def folder(self) -> str:
        """The path of its folder; empty at the root."""
        return posixpath.dirname(self.path)

    def sibling(self, name: str) -> str | None:
        """The text of ``name`` in the same folder."""
        return self.neighbours.text(posixpath.join(self.folder, name))


@dataclass(frozen=True, slots=True)
class Node:
    """One package in a lock file."""

    name: str
    version: str
    line: int = 0
    dev: bool | None = None
    """What the lock itself says; None leaves it to the graph."""
    licence: str = ""
    """The licence as the lock states it."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Which package depends on which; node ids are the lock format's own."""

    nodes: Mapping[str, Node] = field(default_factory=dict)
    edges: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    roots: tuple[str, ...] = ()
    """What the manifest names for production."""
    dev_roots: tuple[str, ...] = ()
    rooted: bool = True
    """Whether the roots are known at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a lock file says."""

    graph: Graph
    loose: tuple[Unresolved, ...] = ()
    """Entries without a version that an advisory could be compared with."""
    dev: bool = False
    """Whether its own name says that production does not need it."""
    members: frozenset[str] = frozenset()
    """Folders of other projects that it locks too, relative to its own."""
    local_names: frozenset[str] = frozenset()
    """Names of the projects that it locks."""
    includes: tuple[str, ...] = ()
    """Paths of further files of the repository that are part of it, in the same format."""
    packages: tuple[Package, ...] = ()
    """Set by formats that state directness line by line; then the graph is empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One line of a manifest."""

    name: str
    text: str
    """The constraint as written."""
    version: str = ""
    """Empty unless exact."""
    why: Why = Why.RANGE
    line: int = 0
    dev: bool = False
    pin_text: str = ""
    """The whole line when the version may be edited there."""
    floor: str = ""
    """The version in a range that has one and no upper end but what its operator means."""
    range: str = ""
    """That range, as it is written."""


def editable(whole: str, version: str, constraint: str, simple: re.Pattern[str]) -> dict[str, str]:
    """``pin_text``, ``floor`` and ``range`` of a requirement, as far as its line may be edited.

    ``simple`` matches a range with one version, which is its group.
    """
    if version:
        return {"pin_text": whole} if whole.count(version) == 1 else {}
    found = simple.fullmatch(constraint)
    if found is None or whole.count(constraint) != 1 or whole.count(found[1]) != 1:
        return {}
    return {"pin_text": whole, "floor": found[1], "range": constraint}


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestReading:
    """What a manifest says."""

    requirements: tuple[Requirement, ...] = ()
    name: str = ""
    licence: str = ""
    """The project's own, as it states it."""
    library: bool = False
    dev: bool = False
    members: tuple[str, ...] = ()
    """Glob patterns of workspace folders."""
    loose: tuple[Unresolved, ...] = ()
    """What stays unresolved even beside a lock file."""


LockReader = Callable[[Source], Reading]
ManifestReader = Callable[[Source], ManifestReading]


def loose(source: Source, text: str, why: Why, *, name: str = "", line: int = 0) -> Unresolved:
    """An unresolved entry of ``source``, made harmless."""
    return Unresolved(
        file=source.path,
        line=line,
        text=sanitised(text),
        why=why,
        ecosystem=source.ecosystem,
        name=source.key(sanitised(name)),
        role=source.role,
    )


MAX_PATH = 40


@dataclass(frozen=True, slots=True)
class _Ways:
    """How each node is reached: from production's roots and from development's."""

    production: Mapping[str, str | None]
    development: Mapping[str, str | None]


def packages(graph: Graph, source: Source) -> tuple[Package, ...]:
    """One package a name and version, by its shortest way in; raises Unreadable over a limit."""
    _refuse_excess(graph)
    ways = _Ways(_ways(graph, graph.roots), _ways(graph, graph.dev_roots))
    best: dict[tuple[str, str], Package] = {}
    for ref in graph.nodes:
        found = _package(ref, graph, ways, source)
        key = (found.name, found.version)
        if key not in best or _rank(found) < _rank(best[key]):
            best[key] = found
    return tuple(best[key] for key in sorted(best))


def _refuse_excess(graph: Graph) -> None:
    if len(graph.nodes) > MAX_PACKAGES:
        raise Unreadable(f"it holds more than {MAX_PACKAGES} packages")
    if sum(map(len, graph.edges.values())) > MAX_EDGES:
        raise Unreadable(f"it holds more than {MAX_EDGES} requirements")


def _ways(graph: Graph, roots: Iterable[str]) -> Mapping[str, str | None]:
    """Reached node → the node it was first reached from, breadth first; None for roots."""
    came_from: dict[str, str | None] = {ref: None for ref in sorted(roots) if ref in graph.nodes}
    queue = deque(came_from)
    while queue:
        here = queue.popleft()
        for there in sorted(graph.edges.get(here, ())):
            if there in graph.nodes and there not in came_from:
                came_from[there] = here
                queue.append(there)
    return came_from


def _package(ref: str, graph: Graph, ways: _Ways, source: Source) -> Package:
    node = graph.nodes[ref]
    only_dev = ref in ways.development and ref not in ways.production
    way = ways.development if only_dev else ways.production
    return Package(
        ecosystem=source.ecosystem,
        name=source.key(sanitised(node.name)),
        written=sanitised(node.name),
        version=sanitised(node.version),
        file=source.path,
        line=node.line,
        role=source.role,
        direct=_direct(ref, ways) if graph.rooted else None,
        dev=only_dev if node.dev is None else node.dev,
        path=_path(ref, way, graph.nodes),
        licence=sanitised(node.licence),
    )


def _direct(ref: str, ways: _Ways) -> bool:
    both = (ways.production, ways.development)
    return any(ref in way and way[ref] is None for way in both)


def _path(ref: str, ways: Mapping[str, str | None], nodes: Mapping[str, Node]) -> tuple[str, ...]:
    names: list[str] = []
    here: str | None = ref if ref in ways else None
    while here is not None and len(names) < MAX_PATH:
        names.append(sanitised(nodes[here].name))
        here = ways[here]
    return tuple(reversed(names))


def _rank(package: Package) -> tuple[bool, bool, bool, int, int]:
    """Smaller is the more telling of two entries of one version."""
    return (
        package.dev,
        package.direct is not True,
        not package.path,
        len(package.path),
        package.line,
    )
