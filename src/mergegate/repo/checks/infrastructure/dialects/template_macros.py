"""What macros of AWS make of a template before it is evaluated: SAM's globals, and loops."""

from collections.abc import Iterator, Mapping
from typing import Final

from mergegate.repo.facts.documents import Form, Node

LOOP: Final = "Fn::ForEach::"
_MOST: Final = 200
"""What one template's loops may make."""
_DEEPEST: Final = 5
"""Loops within one another."""
_GLOBALS: Final = {
    "AWS::Serverless::Api": "Api",
    "AWS::Serverless::CapacityProvider": "CapacityProvider",
    "AWS::Serverless::Function": "Function",
    "AWS::Serverless::HttpApi": "HttpApi",
    "AWS::Serverless::LayerVersion": "LayerVersion",
    "AWS::Serverless::SimpleTable": "SimpleTable",
    "AWS::Serverless::StateMachine": "StateMachine",
}
"""The section of SAM's globals that holds for each resource of a kind."""


def described(root: Node) -> Iterator[tuple[str, Node]]:
    """Each resource of a template by its name, loops written out and globals filled in.

    A loop that makes more than a budget allows stands there too, by its own name.
    """
    shared = root["Globals"]
    for name, node in _unrolled(root, root["Resources"], {}, iter(range(_MOST))):
        section = shared[_GLOBALS.get(node["Type"].text, "")]
        if section.form is not Form.MAP:
            yield name, node
            continue
        properties = _merged(section, node["Properties"])
        told = {**dict(node.entries), "Properties": properties}
        yield name, Node(node.line, Form.MAP, "", node.tag, tuple(told), tuple(told.values()))


def _merged(shared: Node, own: Node) -> Node:
    """Maps are joined key by key and lists are put together; else what is said later counts."""
    if not own.present:
        return shared
    if shared.tag or own.tag or shared.form is not own.form or own.form is Form.SCALAR:
        return own
    if own.form is Form.LIST:
        return Node(own.line, Form.LIST, children=(*shared.children, *own.children))
    told = dict(shared.entries)
    for key, value in own.entries:
        told[key] = _merged(told[key], value) if key in told else value
    return Node(own.line, Form.MAP, keys=tuple(told), children=tuple(told.values()))


def _unrolled(
    root: Node, node: Node, names: Mapping[str, str], turns: Iterator[int]
) -> Iterator[tuple[str, Node]]:
    for key, value in node.entries:
        if not key.startswith(LOOP):
            yield _put(key, names), _filled(value, names) if names else value
            continue
        if len(value.items) != 3:
            continue
        if len(names) >= _DEEPEST:
            yield key, value
            continue
        name, over, body = value.items
        for one in _collection(root, over):
            if next(turns, None) is None:
                yield key, value
                return
            yield from _unrolled(root, body, {**names, name.text: one}, turns)


def _collection(root: Node, over: Node) -> Iterator[str]:
    """What a loop goes over: a list that is written out, or the default of a parameter."""
    name = over.text if over.tag == "!Ref" else over["Ref"].text
    default = root["Parameters"][name]["Default"]
    if name and default.is_literal:
        yield from (one.strip() for one in default.text.split(","))
    else:
        yield from (one.text for one in over.items if one.is_literal)


def _put(text: str, names: Mapping[str, str]) -> str:
    for name, value in names.items():
        text = text.replace(f"${{{name}}}", value).replace(f"&{{{name}}}", value)
    return text


def _filled(node: Node, names: Mapping[str, str]) -> Node:
    keys = tuple(_put(one, names) for one in node.keys)
    children = tuple(_filled(one, names) for one in node.children)
    if node.form is Form.SCALAR and node.tag == "!Ref" and node.text in names:
        return Node(node.line, text=names[node.text])
    if node.keys == ("Ref",) and node.children[0].text in names:
        return Node(node.line, text=names[node.children[0].text])
    return Node(node.line, node.form, _put(node.text, names), node.tag, keys, children)
