"""Sections of HAProxy and blocks of Caddy, each with the directives that stand in it."""

from collections.abc import Iterator

from mergegate.repo.checks.infrastructure.dialects.parts import (
    any_text,
    beside,
    evaluated,
    mapping,
    resource,
    says,
)
from mergegate.repo.checks.infrastructure.dialects.web_servers import (
    PLACEHOLDER,
    blocks,
    directives,
    title,
)
from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Documents, Node
from mergegate.repo.facts.resources import Dialect, Resource

_LOCAL = ("127.", "localhost:", "[::1]:", "unix@", "/")
_SHOWS = ("enable", "uri", "admin")
_ASKS = ("auth", "http-request")
_BLOCK = "block"


def resources(documents: Documents) -> Iterator[Resource]:
    """Every section and block, under its name and as a `block`."""
    for file, root in documents.of(DocumentKind.HAPROXY):
        for name, block in blocks(evaluated(root, PLACEHOLDER)):
            found = beside(mapping(block.line, directives(block)), _stats(block))
            for kind in (name, _BLOCK):
                yield resource(file, Dialect.HAPROXY, kind, title(name, block), found)
    for file, root in documents.of(DocumentKind.CADDY):
        yield from _caddy(file, "main", evaluated(root, PLACEHOLDER))


def _stats(block: Node) -> dict[str, Node]:
    """Whether a section shows statistics to everyone, and lets servers be changed there."""
    said = block["stats"]
    is_shown = any_text(said, lambda text: text.startswith(_SHOWS))
    is_asked = any(one.text.startswith(_ASKS) for one in said.each)
    is_asked = is_asked or block["http-request"].present
    bound = block["bind"].each
    is_local = bool(bound) and all(one.text.startswith(_LOCAL) for one in bound)
    line = said.line or block.line
    return {
        "stats_open": says(line, is_shown and not is_asked and not is_local),
        "stats_admin": says(line, any_text(said, lambda text: text.startswith("admin"))),
    }


def _caddy(file: DocumentFile, name: str, node: Node) -> Iterator[Resource]:
    own, inside = directives(node), list(blocks(node))
    found = mapping(node.line, {**dict(inside), **own})
    for kind in (name, _BLOCK):
        yield resource(file, Dialect.CADDY, kind, title(name, node), found)
    for inner, block in inside:
        yield from _caddy(file, inner, block)
