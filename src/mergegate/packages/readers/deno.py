"""deno.lock: what Deno took from npm. Packages of JSR and modules by address have no advisories."""

import re

from mergegate.packages.dependencies import Unresolved, Why
from mergegate.packages.readers.documents import (
    Unreadable,
    json_document,
    lines_of,
    table,
    text_of,
    words,
)
from mergegate.packages.readers.reading import Graph, Node, Reading, Source, loose

_VERSIONS = ("1", "2", "3", "4", "5")
_REFERENCE = re.compile(r"((?:@[^/@]+/)?[^/@_]+)@([^_]+)(?:_.*)?")
"""What follows an underscore are the peers that it was resolved with."""


def read(source: Source) -> Reading:
    """Specifiers are what the project itself names."""
    document = json_document(source.text)
    if text_of(document.get("version")) not in _VERSIONS:
        raise Unreadable("it is of no known version of deno.lock")
    inner = table(document.get("packages"))
    npm = table(document.get("npm")) or table(inner.get("npm"))
    packages = table(npm.get("packages")) or npm
    specifiers = table(document.get("specifiers")) or table(inner.get("specifiers"))
    specifiers = specifiers or table(npm.get("specifiers"))
    lines = lines_of(source.text, r'^\s*"((?:@[^/"]+/)?[^@"]+@[^"]+)": \{')
    nodes: dict[str, Node] = {}
    edges: dict[str, tuple[str, ...]] = {}
    named = {key[: key.find("@", 1)]: key for key in packages}
    for key, value in packages.items():
        found = _REFERENCE.fullmatch(key)
        if found is None:
            raise Unreadable(f"{key[:80]!r} is no package of npm's")
        nodes[key] = Node(found[1], found[2], lines.get(key, 0))
        edges[key] = _needs(table(value).get("dependencies"), packages, named)
    roots = _roots(specifiers, packages)
    return Reading(
        graph=Graph(nodes, edges, roots, rooted=bool(roots)), loose=_by_address(source, document)
    )


def _needs(stated: object, packages: dict[str, object], named: dict[str, str]) -> tuple[str, ...]:
    """Keys of what is needed; a name alone stands for the only version of it."""
    wanted = [text_of(one) for one in table(stated).values()] or words(stated)
    return tuple(one if one in packages else named.get(one, "") for one in wanted)


def _roots(specifiers: dict[str, object], packages: dict[str, object]) -> tuple[str, ...]:
    """``npm:chalk@5`` → ``5.3.0``, or → ``npm:chalk@5.3.0`` in older versions."""
    found = []
    for wanted, value in specifiers.items():
        resolved = text_of(value).removeprefix("npm:")
        name = wanted.removeprefix("npm:")
        name = name[: name.find("@", 1)] if "@" in name[1:] else name
        found += [key for key in (resolved, f"{name}@{resolved}") if key in packages]
    return tuple(found)


def _by_address(source: Source, document: dict[str, object]) -> tuple[Unresolved, ...]:
    addresses = len(table(document.get("remote")))
    text = f"modules by address: {addresses:,}"
    return (loose(source, text, Why.URL),) if addresses else ()
