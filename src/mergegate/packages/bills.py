"""Packages of bills of materials in the tree, by the ecosystems that their package URLs name."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from packageurl import PackageURL

from mergegate.core.tree import Role
from mergegate.packages.dependencies import Package
from mergegate.packages.ecosystems import ECOSYSTEMS, Ecosystem
from mergegate.packages.readers import bills
from mergegate.packages.readers import reading as graphs
from mergegate.packages.readers.reading import Graph, Neighbours, Node, Source


def packages(path: str, text: str, role: Role, neighbours: Neighbours) -> tuple[Package, ...]:
    """One a name and version, of all ecosystems that are looked up; raises Unreadable."""
    bill = bills.read(text)
    found: dict[str, dict[str, Node]] = {}
    for ref, part in bill.parts.items():
        if named := _named(part.purl):
            ecosystem, name, version = named
            node = Node(name, version, part.line, part.dev or None)
            found.setdefault(ecosystem.name, {})[ref] = node
    return tuple(
        package
        for name, nodes in sorted(found.items())
        for package in graphs.packages(
            Graph(nodes, bill.edges, bill.roots, rooted=bool(bill.roots)),
            Source(path, text, neighbours, role, name, ECOSYSTEMS[name].key),
        )
    )


def _named(purl: str) -> tuple[Ecosystem, str, str] | None:
    """Ecosystem, name and version; None for other kinds, and where one is missing."""
    try:
        parsed = PackageURL.from_string(purl)
    except ValueError:
        return None
    ecosystem = _by_type().get(parsed.type)
    if ecosystem is None or not parsed.version:
        return None
    parts = (parsed.namespace, parsed.name) if ecosystem.purl_namespace else (parsed.name,)
    return ecosystem, ecosystem.namespace_mark.join(filter(None, parts)), parsed.version


@cache
def _by_type() -> dict[str, Ecosystem]:
    known = (one for one in ECOSYSTEMS.values() if not one.for_building)
    return {one.purl_type: one for one in known}


def unfixed(listed: tuple[Package, ...], fixed: tuple[Package, ...]) -> Iterator[Package]:
    """What of ``listed`` no lock file or manifest of the tree has in that version.

    A bill does not say what to edit, and what is built from may be of another time.
    """
    known = {(one.ecosystem, one.name, one.version.removeprefix("v")) for one in fixed}
    for one in listed:
        if (one.ecosystem, one.name, one.version.removeprefix("v")) not in known:
            yield replace(one, pin=None)
