"""yarn.lock: the classic format (version 1) and berry's YAML."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from mergegate.packages.dependencies import Unresolved, Why
from mergegate.packages.readers import addresses, package_json
from mergegate.packages.readers.documents import (
    Unreadable,
    lines_in,
    lines_of,
    table,
    text_of,
    yaml_document,
)
from mergegate.packages.readers.reading import Graph, Node, Reading, Source, loose

_GIT = re.compile(r"(^|@)(git[+:@]|github:)|\.git(#|$)|#commit=|codeload\.|^[\w.-]+/[\w.-]+(#|$)")
_FIELD = re.compile(r'^  "?([\w.-]+)"?:? "?([^"]*)"?$')
_NEED = re.compile(r'^    "?([^"\s]+)"? "?([^"]*)"?$')
_LOCATOR = re.compile(r"(@?[^@]+)@npm:([^:]+)(.*)")
"""Berry's name of a package of a registry, with what it is bound to."""
_ARCHIVE = re.compile(r"\b__archiveUrl=([^&]+)")
MAX_WORKSPACES = 1000

_SECTIONS = ("dependencies", "optionalDependencies")


@dataclass(slots=True)
class _Entry:
    """One resolved package and the descriptors that led to it."""

    descriptors: list[str]
    line: int
    version: str = ""
    resolved: str = ""
    needs: list[str] = field(default_factory=list)


def read(source: Source) -> Reading:
    """Direct comes from workspace entries, or from the package.json beside a classic lock."""
    berry = "__metadata:" in source.text
    entries = list(_berry(source.text) if berry else _classic(source.text))
    if not entries and source.text.strip() and "yarn lockfile" not in source.text and not berry:
        raise Unreadable("it is not a yarn lock file")
    own = [entry for entry in entries if "@workspace:" in entry.resolved]
    nodes, unresolved = _nodes(source, [entry for entry in entries if entry not in own])
    by_descriptor = {d: entry.descriptors[0] for entry in entries for d in entry.descriptors}
    edges = {
        entry.descriptors[0]: tuple(by_descriptor[n] for n in entry.needs if n in by_descriptor)
        for entry in entries
    }
    roots = [ref for entry in own for ref in edges[entry.descriptors[0]]]
    graph = _graph(source, nodes, edges, roots, by_descriptor)
    return Reading(graph=graph, loose=tuple(unresolved), members=_members(own))


def _graph(
    source: Source,
    nodes: dict[str, Node],
    edges: dict[str, tuple[str, ...]],
    roots: list[str],
    by_descriptor: dict[str, str],
) -> Graph:
    """A classic lock does not say what is direct; neither format says what is for development."""
    wanted = _wanted(source)
    if not roots:
        described = sorted(f"{name}@{constraint}" for name, constraint, _ in wanted)
        roots = [by_descriptor[one] for one in described if one in by_descriptor]
    production = {name for name, _, dev in wanted if not dev}
    development = {name for name, _, dev in wanted if dev} - production
    dev = {ref for ref in roots if ref in nodes and nodes[ref].name in development}
    return Graph(
        nodes,
        edges,
        tuple(ref for ref in roots if ref not in dev),
        tuple(sorted(dev)),
        rooted=bool(roots),
    )


def _wanted(source: Source) -> set[tuple[str, str, bool]]:
    """Name, constraint and whether for development, in the project and its workspaces."""
    beside = posixpath.join(source.folder, "package.json")
    paths = (beside, *source.neighbours.named("package.json", source.folder)[:MAX_WORKSPACES])
    texts = (source.neighbours.text(path) for path in paths)
    return {wish for text in texts if text is not None for wish in package_json.wishes(text)}


def _nodes(source: Source, entries: list[_Entry]) -> tuple[dict[str, Node], list[Unresolved]]:
    nodes: dict[str, Node] = {}
    unresolved: list[Unresolved] = []
    for entry in entries:
        name, constraint = package_json.alias(*_split(entry.descriptors[0]))
        name, version, address = _installed(name, entry)
        why = addresses.outside(name, version, address) or _why(constraint)
        if _GIT.search(address) or _GIT.search(constraint):
            why = Why.GIT
        if why:
            text = f"{name} {address or constraint}"
            unresolved.append(loose(source, text, why, name=name, line=entry.line))
        elif version and not re.match(r"^(file|link|portal):", constraint):
            nodes[entry.descriptors[0]] = Node(name, version, entry.line)
        elif not version:
            raise Unreadable(f"the entry in line {entry.line} has no version")
    return nodes, unresolved


def _why(constraint: str) -> Why | None:
    """Why what is asked for comes from beside the registry; a patched release is one of it."""
    if constraint.startswith("file:"):
        return addresses.outside("", "", constraint)
    return Why.URL if constraint.startswith(("http:", "https:")) else None


def _installed(name: str, entry: _Entry) -> tuple[str, str, str]:
    """Name, version and address of what is fetched: berry says it in one, the classic apart."""
    locator = _LOCATOR.match(entry.resolved)
    if locator is None:
        return name, entry.version, entry.resolved
    archive = _ARCHIVE.search(locator[3])
    return locator[1], locator[2], unquote(archive[1]) if archive else ""


def _split(descriptor: str) -> tuple[str, str]:
    """Name and constraint; berry's own ``npm:`` before a plain constraint is dropped."""
    name, _, constraint = descriptor[1:].partition("@")
    plain = constraint.removeprefix("npm:")
    is_alias = "@" in plain[1:] and constraint.startswith("npm:")
    return descriptor[:1] + name, constraint if is_alias else plain


def _members(own: list[_Entry]) -> frozenset[str]:
    folders = (entry.resolved.rpartition("@workspace:")[2] for entry in own)
    return frozenset(folder for folder in folders if folder != ".")


def _classic(text: str) -> Iterator[_Entry]:
    entry: _Entry | None = None
    section = ""
    for number, line in enumerate(lines_in(text), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            if not line.endswith(":"):
                raise Unreadable(f"line {number} is not of yarn's format")
            if entry is not None:
                yield entry
            parts = (part.strip().strip('"') for part in line[:-1].split(","))
            entry, section = _Entry([part for part in parts if part], number), ""
        elif entry is not None:
            section = _classic_line(entry, line, section)
    if entry is not None:
        yield entry


def _classic_line(entry: _Entry, line: str, section: str) -> str:
    """Take one indented line in; returns the section that it opens or continues."""
    need = _NEED.match(line)
    if need:
        if section in _SECTIONS:
            entry.needs.append(f"{need.group(1)}@{need.group(2)}")
        return section
    if line.endswith(":"):
        return line.strip()[:-1]
    found = _FIELD.match(line)
    if found and found.group(1) == "version":
        entry.version = found.group(2)
    elif found and found.group(1) == "resolved":
        entry.resolved = found.group(2)
    return ""


def _berry(text: str) -> Iterator[_Entry]:
    numbers = lines_of(text, r'^"?([^"\s][^"]*?)"?:\s*$')
    for key, value in yaml_document(text).items():
        if key == "__metadata":
            continue
        entry = table(value)
        yield _Entry(
            descriptors=[part.strip() for part in key.split(", ")],
            line=numbers.get(key, 0),
            version=text_of(entry.get("version")),
            resolved=text_of(entry.get("resolution")),
            needs=list(_berry_needs(entry)),
        )


def _berry_needs(entry: dict[str, object]) -> Iterator[str]:
    """Both spellings: since version 4 constraints in a lock carry their protocol."""
    for section in _SECTIONS:
        for name, constraint in table(entry.get(section)).items():
            yield f"{name}@{text_of(constraint)}"
            yield f"{name}@npm:{text_of(constraint)}"
