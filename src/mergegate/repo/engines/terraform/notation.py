"""Terraform's JSON notation as the same nodes that HCL is read into."""

from collections.abc import Iterator

from mergegate.repo.engines.documents import nodes
from mergegate.repo.engines.terraform.syntax import BLOCK, Unreadable, template
from mergegate.repo.facts.documents import Form, Node

_LABELS = {
    "resource": 2, "data": 2, "variable": 1, "output": 1, "module": 1, "provider": 1,
    "locals": 0, "terraform": 0,
}  # fmt: skip
"""How many levels of names stand above a block of that kind."""


def body(content: bytes) -> Node:
    """A file's body, as :func:`syntax.body` makes it. Raises Unreadable."""
    try:
        roots = nodes.parse(content.decode("utf-8-sig")).roots
    except UnicodeDecodeError as error:
        raise Unreadable("it is not valid UTF-8") from error
    except nodes.Unreadable as error:
        raise Unreadable(error.what) from error
    kinds: dict[str, list[Node]] = {}
    for root in roots:
        for kind, value in root.entries:
            if kind in _LABELS:
                kinds.setdefault(kind, []).extend(_blocks(value, _LABELS[kind], ()))
            else:
                kinds.setdefault(kind, [_expression(value)])
    values = [
        Node(each[0].line, Form.LIST, children=tuple(each)) if kind in _LABELS else each[0]
        for kind, each in kinds.items()
        if each
    ]
    keys = tuple(kind for kind, each in kinds.items() if each)
    return Node(1, Form.MAP, keys=keys, children=tuple(values))


def _blocks(value: Node, levels: int, labels: tuple[str, ...]) -> Iterator[Node]:
    for one in value.each:
        if levels:
            for name, below in one.entries:
                yield from _blocks(below, levels - 1, (*labels, name))
        elif one.form is Form.MAP:
            inner = _expression(one)
            yield Node(one.line, Form.MAP, " ".join(labels), BLOCK, inner.keys, inner.children)


def _expression(value: Node) -> Node:
    if value.form is Form.SCALAR:
        return template(value.text, value.line)
    if value.form is Form.LIST:
        return Node(value.line, Form.LIST, children=tuple(map(_expression, value.children)))
    read = [(key, _dynamic(one) if key == "dynamic" else _expression(one))
            for key, one in value.entries if key != "//"]  # fmt: skip
    keys, children = tuple(key for key, _ in read), tuple(one for _, one in read)
    return Node(value.line, Form.MAP, keys=keys, children=children)


def _dynamic(value: Node) -> Node:
    """``dynamic`` blocks, their content as the one block that HCL has there."""
    made = []
    for block in _blocks(value, 1, ()):
        children = tuple(
            Node(one.line, Form.LIST, children=(one,)) if name == "content" else one
            for name, one in block.entries
        )
        made.append(Node(block.line, Form.MAP, block.text, BLOCK, block.keys, children))
    return Node(value.line, Form.LIST, children=tuple(made))
