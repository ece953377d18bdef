"""Package.resolved: what Swift's package manager resolved, a repository each."""

import re

from mergegate.packages.dependencies import Unresolved, Why
from mergegate.packages.readers.documents import (
    Unreadable,
    items,
    json_document,
    lines_of,
    table,
    text_of,
)
from mergegate.packages.readers.reading import Graph, Node, Reading, Source, loose

_ADDRESS = re.compile(
    r"^(?:[a-z+]+://(?:[^/@]*@)?|[\w.-]+@)?([\w.-]+)(?::\d+)?[:/](.+?)(?:\.git)?/?$"
)
_LINE = r'^\s*"(?:location|repositoryURL)"\s*:\s*"([^"]+)"'


def package_name(address: str) -> str:
    """``github.com/apple/swift-nio`` of any address of that repository, as OSV names it."""
    found = _ADDRESS.match(address.strip())
    name = f"{found[1]}/{found[2]}" if found else address.strip()
    return name.lower()


def read(source: Source) -> Reading:
    """Versions 1 to 3 of the file; it does not say what is direct."""
    document = json_document(source.text)
    pins = items(table(document.get("object")).get("pins")) or items(document.get("pins"))
    if not pins and "pins" not in source.text:
        raise Unreadable("it is not a Package.resolved")
    lines = lines_of(source.text, _LINE)
    nodes: dict[str, Node] = {}
    unresolved: list[Unresolved] = []
    for pin in map(table, pins):
        address = text_of(pin.get("location")) or text_of(pin.get("repositoryURL"))
        name = package_name(address) if address else text_of(pin.get("identity"))
        version = text_of(table(pin.get("state")).get("version"))
        line = lines.get(address, 0)
        if not name:
            raise Unreadable("a package in it has no address")
        if version:
            nodes[name] = Node(name, version, line)
        else:
            unresolved.append(loose(source, name, Why.GIT, name=name, line=line))
    return Reading(graph=Graph(nodes, rooted=False), loose=tuple(unresolved))
