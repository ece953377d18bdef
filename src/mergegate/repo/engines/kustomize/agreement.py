"""What of a resource holds in every overlay that uses it."""

from collections.abc import Sequence
from dataclasses import replace

from mergegate.repo.engines.kustomize.patches import identity, map_of
from mergegate.repo.engines.terraform.values import Budget
from mergegate.repo.facts.documents import ABSENT, UNDECIDED, Form, Node


def agreed(base: Node, outcomes: Sequence[Node], budget: Budget, line: int, key: str = "") -> Node:
    """``base`` as it is written, but for what no outcome leaves so: that is decided by patches.

    A value that stands in a patch is told of there.
    """
    budget.spend(len(outcomes) + len(base.children))
    if any(one is base or one == base for one in outcomes):
        return base
    if not any(one.present for one in outcomes):
        return ABSENT
    line = base.line or line
    forms = {one.form for one in outcomes if one.present}
    if not all(one.present for one in outcomes):
        return Node(line, tag=UNDECIDED)
    if forms == {Form.MAP} and base.form in {Form.MAP, ABSENT.form} and not base.text:
        return _maps(base, outcomes, budget, line)
    if forms == {Form.LIST} and base.form is Form.LIST and _are_named(base, key):
        return _lists(base, outcomes, budget, key)
    return Node(line, tag=UNDECIDED)


def _maps(base: Node, outcomes: Sequence[Node], budget: Budget, line: int) -> Node:
    own, others = dict(base.entries), [dict(one.entries) for one in outcomes]
    names = [*own, *(name for name in others[0] if name not in own)]
    pairs: dict[str, Node] = {}
    for name in names:
        values = [one.get(name, ABSENT) for one in others]
        made = agreed(own.get(name, ABSENT), values, budget, line, name)
        if made.present:
            pairs[name] = made
    return map_of(line, pairs, base.tag)


def _are_named(base: Node, key: str) -> bool:
    names = [identity(one, key) for one in base.items]
    return all(names) and len({*names}) == len(names)


def _lists(base: Node, outcomes: Sequence[Node], budget: Budget, key: str) -> Node:
    """The items of the base; those that a patch adds are told of there."""
    others = [{identity(one, key): one for one in outcome.items} for outcome in outcomes]
    made = [
        agreed(item, [one.get(identity(item, key), ABSENT) for one in others], budget, item.line)
        for item in base.items
    ]
    return replace(base, children=tuple(one for one in made if one.present))
