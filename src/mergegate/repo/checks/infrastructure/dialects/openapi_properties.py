"""Properties of the schemas of an OpenAPI description, and which of them answers hold."""

from collections.abc import Callable, Iterator

from mergegate.repo.checks.infrastructure.dialects.parts import beside, says
from mergegate.repo.facts.documents import Form, Node

_PAYLOADS = frozenset({"example", "examples", "default", "enum", "const"})
"""What holds values in place of schemas."""


def properties(root: Node, resolved: Callable[[Node], Node]) -> Iterator[tuple[str, Node]]:
    """Each property with what it is called, its ``name``, and whether it is ``answered``."""
    answered = _answered(root["paths"], resolved)
    for name, holder in _holders(root):
        for schema in _walk(holder):
            for key, found in schema["properties"].entries:
                if found.keys:
                    is_answered = says(found.line, id(found) in answered)
                    more = {"name": Node(found.line, text=key), "answered": is_answered}
                    yield f"{key} of {name}", beside(found, more)


def _holders(root: Node) -> Iterator[tuple[str, Node]]:
    """What schemas stand in: those with a name of their own first."""
    old = root["swagger"].present
    parts = root if old else root["components"]
    yield from (root["definitions"] if old else parts["schemas"]).entries
    for section in ("responses", "requestBodies", "parameters"):
        yield from parts[section].entries
    for path, item in root["paths"].entries:
        for key, one in item.entries:
            yield f"{key} {path}", one


def _walk(node: Node) -> Iterator[Node]:
    """The maps of a node and below it, without values that are given as examples."""
    pending = [node]
    while pending:
        one = pending.pop()
        if one.form is Form.MAP:
            yield one
            inner = [(key, child) for key, child in one.entries if not _is_payload(key)]
            pending.extend(child for _, child in reversed(inner))
        else:
            pending.extend(reversed(one.children))


def _is_payload(key: str) -> bool:
    return key in _PAYLOADS or key.startswith("x-")


def _answered(paths: Node, resolved: Callable[[Node], Node]) -> frozenset[int]:
    """The identities of the nodes that an answer leads to, through references as well."""
    pending = [one["responses"] for _, item in paths.entries for _, one in item.entries if one.keys]
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        pending.extend(node.children)
        if "$ref" in node.keys:
            pending.append(resolved(node))
    return frozenset(seen)
