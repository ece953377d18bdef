"""Sections of Apache's HTTP server, each with the directives that stand in it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mergegate.repo.checks.infrastructure.dialects.parts import (
    any_text,
    evaluated,
    mapping,
    resource,
    says,
)
from mergegate.repo.checks.infrastructure.dialects.web_servers import (
    PLACEHOLDER,
    blocks,
    directives,
    headers,
    title,
)
from mergegate.repo.facts.documents import ABSENT, DocumentFile, DocumentKind, Documents, Node
from mergegate.repo.facts.resources import Dialect, Resource

_ACCESS = frozenset({"requireall", "requireany", "requirenone", "limit", "limitexcept"})
"""Sections that decide who may come in."""
_GUARDS = _ACCESS | {"require", "deny", "authtype"}
_PLAIN = re.compile(r"(?!127\.|localhost|\[::1\]).*:80")
_SAME = {
    "directorymatch": "directory",
    "locationmatch": "location",
    "filesmatch": "files",
    "proxymatch": "proxy",
}


def resources(documents: Documents) -> Iterator[Resource]:
    """Every section of every file, and the file itself, as `main`."""
    for file, root in documents.of(DocumentKind.APACHE):
        settings = evaluated(root, PLACEHOLDER)
        at = _File(file, _guards_proxies(settings))
        yield from _section(at, "main", settings, _Around())


@dataclass(frozen=True, slots=True)
class _File:
    """A file, and what is known of it as a whole."""

    file: DocumentFile
    proxies_guarded: bool
    """Whether it says somewhere who may use it as a proxy."""


@dataclass(frozen=True, slots=True)
class _Around:
    """What the sections around one decide for it."""

    guarded: bool = False
    """Whether they say who may come in."""
    plain: bool = False
    """Whether they are reached without encryption from everywhere."""


def _section(at: _File, name: str, node: Node, around: _Around) -> Iterator[Resource]:
    own = dict(directives(node))
    inside = {inner for inner, _ in blocks(node)}
    guarded = around.guarded or "require" in own or not _ACCESS.isdisjoint(inside)
    guarded = guarded or ("deny" in own and any_text(own["deny"], lambda one: "all" in one.lower()))
    plain = around.plain or (name == "virtualhost" and _is_plain(node["argument"].text, own))
    settings = {
        **own,
        "block": Node(node.line, text=name),
        "guarded": says(node.line, guarded),
        "plain": says(node.line, plain),
        "proxies_guarded": says(node.line, at.proxies_guarded),
        "header": headers(own["header"]) if "header" in own else ABSENT,
    }
    address, found = title(name, node), mapping(node.line, settings)
    yield resource(at.file, Dialect.APACHE, "block", address, found)
    yield resource(at.file, Dialect.APACHE, _SAME.get(name, name), address, found)
    for inner, block in blocks(node):
        yield from _section(at, inner, block, _Around(guarded, plain))


def _is_plain(addresses: str, own: Mapping[str, Node]) -> bool:
    """Whether a host is on the port of plain HTTP, and not only of the machine itself."""
    encrypts = "sslengine" in own and own["sslengine"].text.lower() != "off"
    return not encrypts and any(_PLAIN.fullmatch(one) for one in addresses.split())


def _guards_proxies(node: Node) -> bool:
    return any(
        (_SAME.get(name, name) == "proxy" and _guards(block)) or _guards_proxies(block)
        for name, block in blocks(node)
    )


def _guards(block: Node) -> bool:
    """Whether a section asks for more than is granted to all."""
    if block["require"].text.lower() == "all granted":
        return not (_GUARDS - {"require"}).isdisjoint(block.keys)
    return not _GUARDS.isdisjoint(block.keys)
