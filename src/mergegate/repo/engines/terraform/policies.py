"""Access policies in configurations: JSON text as what it says, and policy documents as JSON."""

import re

from mergegate.repo.engines.documents.nodes import masked_pairs
from mergegate.repo.engines.terraform.functions import said
from mergegate.repo.engines.terraform.values import Budget, listed, mapped, scalar, unknown
from mergegate.repo.facts.documents import Form, Node
from mergegate.repo.facts.resources import DOCUMENT, GAP, UNKNOWN

_NAMES = {
    "actions": "Action",
    "not_actions": "NotAction",
    "resources": "Resource",
    "not_resources": "NotResource",
    "condition": "Condition",
}
_EVERYONE = "*"
_JSON = re.compile(r'\s*(?:\{\s*"|\[\s*[{"])')


def written_out(value: Node, budget: Budget) -> Node:
    """``value`` with texts of JSON in it replaced by what they say, and secrets masked.

    A secret may have come by a variable whose own name says nothing.
    """
    budget.spend()
    if value.form is Form.SCALAR:
        return _decoded(value) if value.tag in {"", UNKNOWN} else value
    children = tuple(written_out(one, budget) for one in value.children)
    if value.form is Form.MAP:
        pairs = masked_pairs(list(zip(value.keys, children, strict=True)))
        children = tuple(one for _, one in pairs)
    if all(new is old for new, old in zip(children, value.children, strict=True)):
        return value
    return Node(value.line, value.form, value.text, value.tag, value.keys, children)


def _decoded(value: Node) -> Node:
    if not _JSON.match(value.text):
        return value
    read = said(value.line, value.text)
    if read is None:
        return value
    return _with_gaps(read) if value.tag else read


def _with_gaps(value: Node) -> Node:
    """Texts that are not known in full are marked as such."""
    if value.form is Form.SCALAR:
        return unknown(value.line, value.text) if GAP in value.text else value
    children = tuple(map(_with_gaps, value.children))
    return Node(value.line, value.form, value.text, value.tag, value.keys, children)


def document(block: Node) -> Node:
    """The policy that a block ``aws_iam_policy_document`` makes, as a map."""
    statements = block["statement"]
    made = [
        _statement(one) if one.form is Form.MAP else unknown(one.line) for one in statements.items
    ]
    found = mapped(block.line, {"Statement": listed(statements.line or block.line, made)})
    return Node(found.line, found.form, tag=DOCUMENT, keys=found.keys, children=found.children)


def _statement(block: Node) -> Node:
    effect = block["effect"]
    entries = {"Effect": effect if effect.present else scalar(block.line, "Allow")}
    entries |= {new: block[old] for old, new in _NAMES.items() if block[old].present}
    for old, new in (("principals", "Principal"), ("not_principals", "NotPrincipal")):
        if block[old].present:
            entries[new] = _principal(block[old])
    return mapped(block.line, entries)


def _principal(blocks: Node) -> Node:
    named: dict[str, Node] = {}
    for one in blocks.items:
        kind = one["type"]
        if one.form is not Form.MAP or not kind.is_literal:
            return unknown(blocks.line)
        named["AWS" if kind.text == _EVERYONE else kind.text] = one["identifiers"]
    return mapped(blocks.line, named)
