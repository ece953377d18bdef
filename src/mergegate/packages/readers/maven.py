"""pom.xml: direct dependencies with the versions that the tree's own files give them.

Properties, parents and bills of materials count as far as they are files of the tree. Nothing is
fetched: what another file decides is named as unresolved, and so are indirect dependencies.
Plugins of the build are left out.
"""

import posixpath
import re
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from mergegate.packages.dependencies import Package, Pin, Unresolved, Why
from mergegate.packages.readers.documents import Unreadable, lines_in, sanitised
from mergegate.packages.readers.reading import Graph, Neighbours, Reading, Source, loose
from mergegate.packages.readers.xml_document import Element, xml_document

MAX_PARENTS = 20
MAX_VALUE = 200
"""Characters of a version or a property: longer ones hold no version."""
MAX_LEVELS = 8
"""Properties within properties."""
_PROPERTY = re.compile(r"\$\{([\w.-]+)\}")
_ONLY = re.compile(r"\[\s*([^\s,\[\]()]+)\s*\]")
_FLOATING = re.compile(r"[\[(,]|^(?:LATEST|RELEASE)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Value:
    """A text and where it stands."""

    text: str
    path: str
    line: int
    scope: str = ""
    """The scope that is managed with a version; empty where none is."""


@dataclass(slots=True)
class _Pom:
    """One file, and what it takes from its parents."""

    path: str
    root: Element
    properties: dict[str, _Value] = field(default_factory=dict)
    managed: dict[str, _Value] = field(default_factory=dict)
    """``group:artifact`` → its version, as the nearest file manages it."""

    @property
    def name(self) -> str:
        return f"{self.expanded(self.own('groupId'))}:{self.root.first('artifactId')}"

    def own(self, what: str) -> str:
        """What the project states of itself, or inherits."""
        return self.root.first(what) or self.root.first("parent", what)

    def expanded(self, text: str) -> str:
        """``text`` with its properties; those that are unknown stay as they are."""
        for _ in range(MAX_LEVELS):
            if "${" not in text or len(text) > MAX_VALUE:
                break
            text = _PROPERTY.sub(self._value, text)
        return text

    def _value(self, found: re.Match[str]) -> str:
        known = self.properties.get(found[1])
        return known.text if known else found[0]

    def origin(self, stated: _Value) -> _Value:
        """Where the text of ``stated`` stands: its own place, or that of its one property."""
        for _ in range(MAX_LEVELS):
            found = _PROPERTY.fullmatch(stated.text)
            if found is None or found[1] not in self.properties:
                break
            stated = self.properties[found[1]]
        return stated


class _Poms:
    """The pom.xml files of a tree, each parsed once."""

    def __init__(self, neighbours: Neighbours) -> None:
        self._neighbours: Neighbours = weakref.proxy(neighbours)
        self._known: dict[str, _Pom | None] = {}
        self._by_name: dict[str, str] | None = None
        self._lines: dict[str, list[str]] = {}

    def line(self, path: str, number: int) -> str:
        """The line of a file, from 1; empty where it has none."""
        if path not in self._lines:
            self._lines[path] = lines_in(self._neighbours.text(path) or "")
        lines = self._lines[path]
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def at(self, path: str, below: int = 0) -> _Pom | None:
        """The file at ``path`` with what it inherits; None where there is none to be read."""
        if path not in self._known:
            self._known[path] = None  # where a chain of parents is a circle, it ends here
            self._known[path] = self._read(path, below)
        return self._known[path]

    def named(self, name: str) -> _Pom | None:
        """The file that describes ``group:artifact``; None where it is in no file of the tree."""
        if self._by_name is None:
            paths = self._neighbours.named("pom.xml", "")
            poms = (self.at(path) for path in paths)
            self._by_name = {pom.name: pom.path for pom in poms if pom}
        path = self._by_name.get(name)
        return self.at(path) if path else None

    def _read(self, path: str, below: int) -> _Pom | None:
        text = self._neighbours.text(path)
        try:
            root = xml_document(text) if text is not None else None
        except Unreadable:
            return None
        if root is None or root.name != "project":
            return None
        parent = self._parent(path, root, below) if below < MAX_PARENTS else None
        pom = _Pom(path, root)
        if parent:
            pom.properties |= parent.properties
            pom.managed |= parent.managed
        pom.properties |= dict(_properties(pom))
        pom.managed |= dict(_managed(pom))
        return pom

    def _parent(self, path: str, root: Element, below: int) -> _Pom | None:
        """The parent in the tree, if it is the one that is meant."""
        for stated in root.all("parent"):
            told = next((one.text for one in stated.all("relativePath")), "../pom.xml")
            there = posixpath.normpath(posixpath.join(posixpath.dirname(path), told or "/"))
            there = there if there.endswith(".xml") else posixpath.join(there, "pom.xml")
            found = self.at(there, below + 1)
            if found and found.root.first("artifactId") == stated.first("artifactId"):
                return found
        return None


_TREES: "weakref.WeakKeyDictionary[Neighbours, _Poms]" = weakref.WeakKeyDictionary()
"""The files of each tree that is being read: one is asked for by all that it describes."""


def _properties(pom: _Pom) -> Iterator[tuple[str, _Value]]:
    """What the file defines, and what Maven defines of every project."""
    for what in ("groupId", "artifactId", "version"):
        for prefix in ("project.", "pom.", ""):
            yield f"{prefix}{what}", _Value(pom.own(what), pom.path, 0)
        yield f"project.parent.{what}", _Value(pom.root.first("parent", what), pom.path, 0)
    for group in pom.root.all("properties"):
        for one in group.children:
            if len(one.text) <= MAX_VALUE:
                yield one.name, _Value(one.text, pom.path, one.line)


def _managed(pom: _Pom) -> Iterator[tuple[str, _Value]]:
    for entry in pom.root.all("dependencyManagement", "dependencies", "dependency"):
        if version := _version(entry, pom.path):
            yield _key(entry, pom), replace(version, scope=entry.first("scope"))


def _key(entry: Element, pom: _Pom) -> str:
    return f"{pom.expanded(entry.first('groupId'))}:{pom.expanded(entry.first('artifactId'))}"


def _version(entry: Element, path: str) -> _Value | None:
    found = next(entry.all("version"), None)
    return _Value(found.text[:MAX_VALUE], path, found.line) if found else None


def read(source: Source) -> Reading:
    """Dependencies of the project and of its profiles; raises Unreadable."""
    root = xml_document(source.text)
    if root.name != "project":
        raise Unreadable("it is not a pom.xml")
    poms = _TREES.setdefault(source.neighbours, _Poms(source.neighbours))
    pom = poms.at(source.path) or _alone(source.path, root)
    imported = dict(_imported(pom, poms))
    packages: dict[tuple[str, str], Package] = {}
    unresolved: list[Unresolved] = []
    for entry in _entries(root):
        name = _key(entry, pom)
        if entry.first("scope") == "system" or poms.named(name):
            continue  # a file beside the project, or a module of it
        managed = pom.managed.get(name) or imported.get(name)
        stated = _version(entry, source.path) or managed
        scope = entry.first("scope") or (managed.scope if managed else "")
        found = _package(name, entry.line, stated, pom, source)
        if isinstance(found, Package):
            pin = _pin(pom.origin(stated), found.version, poms) if stated else None
            found = replace(found, dev=scope == "test", pin=pin)
            packages.setdefault((name, found.version), found)
        else:
            unresolved.append(found)
    if packages or unresolved:
        text = "indirect dependencies of pom.xml"
        unresolved.append(loose(source, text, Why.PARTIAL))
    return Reading(graph=Graph(), packages=tuple(packages.values()), loose=tuple(unresolved))


def _alone(path: str, root: Element) -> _Pom:
    pom = _Pom(path, root)
    pom.properties |= dict(_properties(pom))
    pom.managed |= dict(_managed(pom))
    return pom


def _entries(root: Element) -> Iterator[Element]:
    yield from root.all("dependencies", "dependency")
    yield from root.all("profiles", "profile", "dependencies", "dependency")


def _imported(pom: _Pom, poms: _Poms) -> Iterator[tuple[str, _Value]]:
    """What bills of materials in the tree manage, the first to name a package last."""
    bills = [
        bill
        for entry in pom.root.all("dependencyManagement", "dependencies", "dependency")
        if entry.first("scope") == "import"
        if (bill := poms.named(_key(entry, pom)))
    ]
    for bill in reversed(bills):
        for key, value in bill.managed.items():
            yield key, replace(value, text=bill.expanded(value.text))


def _package(
    name: str, line: int, stated: _Value | None, pom: _Pom, source: Source
) -> Package | Unresolved:
    text = pom.expanded(stated.text) if stated else ""
    only = _ONLY.fullmatch(text)
    version = only[1] if only else text
    if not version or "${" in version or _FLOATING.search(version):
        # Without a version, or with a property of another file: that is fixed elsewhere.
        is_range = bool(version) and "${" not in version
        why = Why.RANGE if is_range else Why.INCLUDE
        return loose(source, f"{name} {text}".strip(), why, name=name, line=line)
    return Package(
        ecosystem=source.ecosystem,
        name=source.key(sanitised(name)),
        written=sanitised(name),
        version=sanitised(version),
        file=source.path,
        line=line,
        role=source.role,
        direct=True,
        path=(sanitised(name),),
    )


def _pin(origin: _Value, version: str, poms: _Poms) -> Pin | None:
    """The line that states the version, where it states it once and nothing else."""
    whole = poms.line(origin.path, origin.line)
    if origin.text != version or whole.count(version) != 1:
        return None
    return Pin(origin.path, origin.line, whole)
