"""pnpm-lock.yaml, lock file versions 5 to 9."""

import re
from collections.abc import Iterator

from mergegate.packages.dependencies import Unresolved, Why
from mergegate.packages.readers.documents import Unreadable, lines_of, table, text_of, yaml_document
from mergegate.packages.readers.reading import Graph, Node, Reading, Source, loose

_Entry = dict[str, object]
_PEERS = re.compile(r"\(.*$")
_V5 = re.compile(r"^/?((?:@[^/]+/)?[^/@]+)/(\d[^/_]*)(_.*)?$")
_V6 = re.compile(r"^/?((?:@[^/@]+/)?[^/@]+)@(\d[^/]*)$")
_KNOWN = {"importers", "packages", "specifiers", "dependencies", "devDependencies"}
_BESIDE = {"lockfileVersion", "settings", "overrides", "time"}
_SECTIONS = ("dependencies", "optionalDependencies")


def read(source: Source) -> Reading:
    """Importers are the projects of the workspace, ``.`` the one beside the lock."""
    document = yaml_document(source.text)
    if "lockfileVersion" not in document:
        raise Unreadable("it has no lockfileVersion")
    if not _KNOWN & document.keys() and document.keys() - _BESIDE:
        raise Unreadable("it is of no known version of pnpm-lock.yaml")
    importers = {
        folder: table(value) for folder, value in table(document.get("importers")).items()
    } or {".": document}
    entries = _entries(document)
    nodes, unresolved = _nodes(source, entries)
    edges = {ref: tuple(_targets(entries[ref], _SECTIONS, nodes)) for ref in nodes}
    roots = [ref for i in importers.values() for ref in _targets(i, _SECTIONS, nodes)]
    dev = [ref for i in importers.values() for ref in _targets(i, ("devDependencies",), nodes)]
    return Reading(
        graph=Graph(nodes, edges, tuple(roots), tuple(dev)),
        loose=unresolved,
        members=frozenset(importers) - {"."},
    )


_ELSEWHERE = frozenset({"tarball", "repo", "directory"})
"""What a resolution names beside the registry."""


def _entries(document: _Entry) -> dict[str, _Entry]:
    """Version 9 keeps what a package is apart from what it needs; joined by key here."""
    packages = {ref: table(value) for ref, value in table(document.get("packages")).items()}
    snapshots = {ref: table(value) for ref, value in table(document.get("snapshots")).items()}
    if not snapshots:
        return packages
    return {
        ref: {**packages.get(_PEERS.sub("", ref), {}), **needs} for ref, needs in snapshots.items()
    }


def _nodes(
    source: Source, entries: dict[str, _Entry]
) -> tuple[dict[str, Node], tuple[Unresolved, ...]]:
    numbers = lines_of(source.text, r"""^  ['"]?([^'"\s][^'"]*?)['"]?:\s*(?:\{\})?$""")
    nodes: dict[str, Node] = {}
    unresolved: list[Unresolved] = []
    for ref, entry in entries.items():
        line = numbers.get(_PEERS.sub("", ref), numbers.get(ref, 0))
        parts = _name_and_version(ref)
        resolution = table(entry.get("resolution"))
        if parts is not None and not _ELSEWHERE & resolution.keys():
            dev = entry["dev"] == "true" if "dev" in entry else None
            nodes[ref] = Node(*parts, line, dev)
        elif parts or (
            "directory" not in resolution and not re.match(r"^(@?[^@]+@)?(file|link):", ref)
        ):
            why = _why(ref, resolution)
            name = text_of(entry.get("name")) or f"{ref[:1]}{ref[1:].partition('@')[0]}"
            unresolved.append(loose(source, ref, why, name=name, line=line))
    return nodes, tuple(unresolved)


def _why(ref: str, resolution: _Entry) -> Why:
    tarball = text_of(resolution.get("tarball"))
    git = "repo" in resolution or "codeload." in tarball or "git" in ref.partition("@")[2][:12]
    return Why.GIT if git else Why.URL


def _name_and_version(ref: str) -> tuple[str, str] | None:
    found = _V6.match(_PEERS.sub("", ref)) or _V5.match(ref)
    return (found.group(1), found.group(2)) if found else None


def _targets(entry: _Entry, sections: tuple[str, ...], nodes: dict[str, Node]) -> Iterator[str]:
    for section in sections:
        for name, value in table(entry.get(section)).items():
            version = text_of(value) or text_of(table(value).get("version"))
            yield from (ref for ref in _spellings(name, version) if ref in nodes)


def _spellings(name: str, version: str) -> Iterator[str]:
    """The ids that a reference may mean; an alias names its package in full."""
    yield version
    yield f"{name}@{version}"
    yield f"/{name}@{version}"
    yield f"/{name}/{version}"
    yield f"/{version}"
