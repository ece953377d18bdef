"""Takes secrets out of documents that no name in them tells: what holds the value is known."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from mergegate.repo.engines.documents.nodes import STARS, is_literal_secret
from mergegate.repo.facts.documents import MASKED, DocumentKind, Form, Node
from mergegate.secrets.filters import is_random

_PASSWORD = re.compile(r"(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[^\w\s./:,;-])\S{8,128}", re.ASCII)
"""What Azure asks of an administrator's password: letters of both cases, a digit and a sign."""


def hidden(kind: DocumentKind, root: Node) -> Node:
    """The document without such values: no check rests on what they are."""
    if kind is DocumentKind.ARM:
        return _within(root, "outputs", _of_outputs)
    if kind is DocumentKind.ARM_PARAMETERS:
        return _within(root, "parameters", _of_parameters)
    if kind is DocumentKind.SERVERLESS:
        return _within(root, "provider", _of_provider)
    return root


def _of_parameters(parameters: Node) -> Node:
    """What a template is given: which of it is secret says the template, which may be any."""
    given = tuple(_within(one, "value", _without_passwords) for one in parameters.children)
    return replace(parameters, children=given)


def _without_passwords(value: Node) -> Node:
    if value.children:
        within = tuple(map(_without_passwords, value.children))
        return value if value.tag else replace(value, children=within)
    is_one = _PASSWORD.fullmatch(value.text) or is_random(value.text)
    return _starred(value) if value.is_literal and is_one else value


def _of_outputs(outputs: Node) -> Node:
    """What a template of Azure gives out, whose expressions alone tell something."""
    given = tuple(_within(one, "value", _starred) for one in outputs.children)
    return replace(outputs, children=given)


def _of_provider(provider: Node) -> Node:
    """A provider without the keys of its API, which have names of their own or none."""
    return _within(_of_gateway(provider), "apiGateway", _of_gateway)


def _of_gateway(gateway: Node) -> Node:
    return _within(gateway, "apiKeys", partial(_starred, stars=MASKED))  # they are told


def _within(node: Node, key: str, change: Callable[[Node], Node]) -> Node:
    """The map with another value under a key."""
    pairs = zip(node.keys, node.children, strict=False)
    changed = tuple(change(one) if name == key else one for name, one in pairs)
    return replace(node, children=changed) if node.form is Form.MAP else node


def _starred(value: Node, stars: str = STARS) -> Node:
    """The literal texts as stars, those of expressions aside; of a map with a ``value`` that."""
    starred = partial(_starred, stars=stars)
    if "value" in value.keys:
        return _within(value, "value", starred)
    if value.children:
        return value if value.tag else replace(value, children=tuple(map(starred, value.children)))
    # Two brackets begin a text that begins with one.
    is_expression = value.text.startswith("[") and not value.text.startswith("[[")
    is_shown = value.is_literal and not is_expression and value.text != MASKED
    return replace(value, text=stars) if is_shown and is_literal_secret(value.text) else value
