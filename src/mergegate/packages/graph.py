"""From a lock file's graph to packages that know how they came in."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mergegate.packages.dependencies import Package
from mergegate.packages.readers.documents import Unreadable, sanitised
from mergegate.packages.readers.reading import MAX_EDGES, MAX_PACKAGES, Graph, Node, Source

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
