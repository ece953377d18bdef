"""Statements of AWS's access policies as resources of their own, whatever holds the policy.

A ``policy.rights`` grants rights to its holder, a ``policy.trust`` says who takes on a role,
and a ``policy.resource`` who may use a resource; a ``policy.document`` is such a resource's whole
policy. Of CloudFormation they are ``Policy::Rights`` and so on.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from mergegate.repo.facts.documents import Form, Node
from mergegate.repo.facts.resources import DOCUMENT, UNKNOWN, Dialect, Resource, is_known

_DEEPEST: Final = 4
"""Settings within one another in which a policy is looked for."""
_BOUNDARIES: Final = frozenset({"aws_organizations_policy", "AWS::Organizations::Policy"})
"""What limits rights and grants none."""
_DATA: Final = "data.aws_iam_policy_document"
_TRUST: Final = "sts:"


def statements(found: Iterable[Resource]) -> Iterator[Resource]:
    """Every statement of every policy.

    What a data block grants or entrusts stands there alone; what it says of a resource, at that.
    """
    for resource in found:
        if resource.kind not in _BOUNDARIES and _is_of_aws(resource.kind):
            for policy in _policies(resource.properties, 0):
                yield from _described(resource, policy)


def _is_of_aws(kind: str) -> bool:
    return kind.startswith(("aws_", "AWS::")) or kind == _DATA


def _policies(node: Node, depth: int) -> Iterator[Node]:
    if any(one["Effect"].present for one in node["Statement"].each if one.form is Form.MAP):
        yield node
    elif depth < _DEEPEST:
        for child in node.children:
            yield from _policies(child, depth + 1)


def _described(resource: Resource, policy: Node) -> Iterator[Resource]:
    told = [one for one in policy["Statement"].each if one.form is Form.MAP]
    asked = [_asked(one["Condition"]) for one in told]
    uses = [_use(one) for one in told]
    for one, use, keys in zip(told, uses, asked, strict=True):
        if _is_told_here(resource, policy, use):
            yield _made(resource, use, one, keys)
    if "resource" in uses and resource.kind != _DATA:
        of_all: dict[str, list[Node]] = defaultdict(list)
        for keys in asked:
            for key, value in keys.entries:
                of_all[key] += value.each
        is_whole = len(told) == len(policy["Statement"].each)
        known = is_whole and not any(one.is_open for one in asked)
        yield _made(resource, "document", Node(policy.line, Form.MAP), _keys(policy, of_all, known))


def _is_told_here(resource: Resource, policy: Node, use: str) -> bool:
    if resource.kind == _DATA:
        return use != "resource"
    return policy.tag != DOCUMENT or use == "resource"


def _use(statement: Node) -> str:
    if not (statement["Principal"].present or statement["NotPrincipal"].present):
        return "rights"
    actions = statement["Action"].each
    is_trust = bool(actions) and all(one.text.lower().startswith(_TRUST) for one in actions)
    return "trust" if is_trust else "resource"


def _made(resource: Resource, use: str, statement: Node, asked: Node) -> Resource:
    is_template = resource.dialect is Dialect.CLOUDFORMATION
    told = {
        **dict(statement.entries),
        "asked": asked,
        "of": Node(statement.line, text=resource.kind),
    }
    properties = Node(
        statement.line, Form.MAP, tag=statement.tag, keys=tuple(told), children=tuple(told.values())
    )
    kind = f"Policy::{use.title()}" if is_template else f"policy.{use}"
    return replace(resource, kind=kind, line=statement.line, properties=properties)


def _asked(condition: Node) -> Node:
    """The keys that a statement's conditions ask of, in small letters, with the values they name.

    Policies say them by operator and key, data blocks as ``test``, ``variable`` and ``values``.
    """
    found: dict[str, list[Node]] = defaultdict(list)
    known = not condition.present or is_known(condition)
    for one in condition.each:
        variable = one["variable"]
        if variable.present:
            found[variable.text.lower()] += one["values"].each
            known &= is_known(variable)
            continue
        known &= one.form is Form.MAP and not one.is_open
        for _, operator in one.entries:
            known &= operator.form is Form.MAP and not operator.is_open
            for key, value in operator.entries:
                known &= "${" not in key
                found[key.lower()] += value.each
    return _keys(condition, found, known)


def _keys(at: Node, found: dict[str, list[Node]], known: bool) -> Node:
    children = tuple(Node(at.line, Form.LIST, children=tuple(one)) for one in found.values())
    tag = "" if known else UNKNOWN
    return Node(at.line or 1, Form.MAP, tag=tag, keys=tuple(found), children=children)
