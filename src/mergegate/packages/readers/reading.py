"""What a reader of one file format gets, and what it hands back."""

import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from mergegate.core.tree import Role
from mergegate.packages.dependencies import Package, Unresolved, Why
from mergegate.packages.readers.documents import sanitised

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
    """As the lock states it."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Who needs whom; node ids are the lock format's own."""

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
    """The whole line when the exact version may be edited there."""


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
