"""What the values of a template are, as far as its parameters' defaults and variables decide."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from mergegate.repo.checks.infrastructure.dialects.arm.expressions import expression
from mergegate.repo.checks.infrastructure.dialects.arm.functions import (
    FUNCTIONS,
    MOST_ITEMS,
    listed,
    nothing,
    scalar,
    truth,
    unknown,
)
from mergegate.repo.facts.documents import ABSENT, Form, Node
from mergegate.repo.facts.resources import GAP, NULL, REFERENCE, is_known
from mergegate.repo.facts.templates import CALL, LOOP, SPREAD

_DEEPEST = 60
"""Values within one another, and what they refer to."""
_NAMES = frozenset({"parameters", "variables", "lambdavariables", "symbol"})
_LETTERS = 256
"""How many of a text count as one step."""
Scope = Mapping[str, Node]
"""The items and numbers of the loops that a value stands in, by name."""


@dataclass
class Steps:
    """What an evaluation may still take; without any left, nothing more is known."""

    left: int
    is_cut: bool = False
    """Whether something was left out whatever steps there are left."""

    @property
    def are_spent(self) -> bool:
        """Whether not all is known that could be."""
        return self.is_cut or self.left < 0

    def spend(self, value: Node) -> bool:
        """Count all that a value holds; False where that is more than is left.

        What stands once in the memory may stand in a thousand places of a resource.
        """
        waiting = [value]
        while waiting and self.left >= 0:
            one = waiting.pop()
            self.left -= 1 + len(one.text) // _LETTERS
            waiting.extend(one.children)
        return self.left >= 0


class Values:
    """Evaluates what stands in one template."""

    def __init__(self, root: Node, given: Scope | None, steps: Steps) -> None:
        self._root = root
        self._given = given
        """What a deployment passes; None for a template that is deployed by itself."""
        self._steps = steps
        self._named: dict[tuple[str, str], Node] = {}

    def value(self, node: Node, scope: Scope, depth: int = 0) -> Node:
        """What a value says; what the template does not decide is unknown."""
        self._steps.left -= 1
        if depth > _DEEPEST or self._steps.left < 0:
            self._steps.is_cut = True
            return unknown(node.line)
        if node.tag == CALL:
            called = self._call(node, scope, depth + 1)
            return _at(called, node) if self._steps.spend(called) else unknown(node.line)
        if node.tag == LOOP:
            items = [
                self.value(one, inner, depth + 1) for one, inner in self.each(node, scope, depth)
            ]
            return listed(node.line, items)
        if node.form is Form.SCALAR:
            return self._scalar(node, scope, depth)
        if node.form is Form.LIST:
            return listed(node.line, list(self._items(node, scope, depth)))
        return self._map(node, scope, depth)

    def _scalar(self, node: Node, scope: Scope, depth: int) -> Node:
        text = node.text
        if node.tag or not node.present:
            return node
        if text == "null":
            return nothing(node.line)
        if text.startswith("[["):
            return replace(node, text=text[1:])
        if text.startswith("[") and text.endswith("]"):
            read = expression(text[1:-1], node.line)
            return unknown(node.line) if read is None else self.value(read, scope, depth + 1)
        return node

    def _items(self, node: Node, scope: Scope, depth: int) -> Iterator[Node]:
        for one in node.children:
            if one.tag == SPREAD:
                value = self.value(one.children[0], scope, depth + 1)
                yield from value.items if value.form is Form.LIST else (unknown(one.line),)
            else:
                yield self.value(one, scope, depth + 1)

    def _map(self, node: Node, scope: Scope, depth: int) -> Node:
        entries: dict[str, Node] = {}
        for key, one in node.entries:
            if one.tag == SPREAD:
                value = self.value(one.children[0], scope, depth + 1)
                if value.form is not Form.MAP:
                    return unknown(node.line)
                entries |= dict(value.entries)
            elif key == "copy" and one.form is Form.LIST and one.tag != LOOP:
                for loop in one.children:
                    entries[loop["name"].text] = self._copied(loop, scope, depth)
            else:
                entries[key] = self.value(one, scope, depth + 1)
        kept = {key: one for key, one in entries.items() if one.tag != NULL}
        return Node(node.line, Form.MAP, keys=tuple(kept), children=tuple(kept.values()))

    def _copied(self, loop: Node, scope: Scope, depth: int) -> Node:
        """A property that is made of copies."""
        name = loop["name"].text
        made = [self.value(loop["input"], inner, depth + 1)
                for inner in self.copies(name, loop["count"], scope, depth)]  # fmt: skip
        return listed(loop.line, made)

    def copies(self, name: str, count: Node, scope: Scope, depth: int = 0) -> Iterator[Scope]:
        """The scope of each copy; of an unknown count one, whose number is not known."""
        told = self.value(count, scope, depth + 1)
        numbers = FUNCTIONS["range"][1](count.line, (scalar(count.line, 0), told))
        self._steps.is_cut |= is_known(told) and not is_known(numbers)
        for index in numbers.items if is_known(numbers) else (unknown(count.line),):
            yield {**scope, "copyindex": index, f"copyindex {name.lower()}": index}

    def each(self, loop: Node, scope: Scope, depth: int = 0) -> Iterator[tuple[Node, Scope]]:
        """What a loop makes, with the scope of each; of an unknown collection one."""
        collection, body = loop.children
        told = self.value(collection, scope, depth + 1)
        is_list = is_known(told) and told.form is Form.LIST
        items = told.items[:MOST_ITEMS] if is_list else (unknown(loop.line),)
        self._steps.is_cut |= len(told.items) > MOST_ITEMS
        item, _, index = loop.text.partition(" ")
        for number, one in enumerate(items):
            at = scalar(loop.line, number) if is_list else unknown(loop.line)
            inner = {**scope, f"local {item}": one}
            yield body, {**inner, f"local {index}": at} if index else inner

    def _call(self, node: Node, scope: Scope, depth: int) -> Node:
        if node.text in _NAMES:
            wanted = node.children[0].text if node.children else ""
            return self._of_name(node.text, wanted, node.line, scope, depth)
        if node.text == "copyindex":
            return self._index(node.children, node.line, scope, depth)
        if node.text == "if" and len(node.children) == 3:
            decided = truth(self.value(node.children[0], scope, depth))
            if decided is None:
                return unknown(node.line)
            return self.value(node.children[1 if decided else 2], scope, depth)
        if node.text == "reference" or node.text.startswith("list"):
            return Node(node.line, text=GAP, tag=REFERENCE)
        values = [self.value(one, scope, depth) for one in node.children]
        fewest, function = FUNCTIONS.get(node.text, (0, None))
        known = function is not None and len(values) >= fewest
        return function(node.line, values) if function and known else unknown(node.line)

    def _index(self, arguments: tuple[Node, ...], line: int, scope: Scope, depth: int) -> Node:
        named = [one for one in arguments if not one.text.lstrip("-").isdigit()]
        key = f"copyindex {named[0].text.lower()}" if named else "copyindex"
        index = scope.get(key, unknown(line))
        moved = [self.value(one, scope, depth) for one in arguments if one not in named]
        return FUNCTIONS["add"][1](line, (index, moved[0])) if moved else index

    def _of_name(self, family: str, name: str, line: int, scope: Scope, depth: int) -> Node:
        if family == "symbol":
            family = self._family(name, scope)
        if family == "resources":
            return Node(line, text=name, tag=REFERENCE)
        if family == "lambdavariables":
            return scope.get(f"local {name}", unknown(line))
        if (family, name) not in self._named:
            self._named[family, name] = unknown(line)  # what depends on itself is not known
            of = self._parameter if family == "parameters" else self._variable
            self._named[family, name] = of(name, line, depth)
        return self._named[family, name]

    def _family(self, name: str, scope: Scope) -> str:
        """What a name of Bicep is the name of."""
        if f"local {name}" in scope:
            return "lambdavariables"
        families = ("parameters", "variables", "resources")
        return next((one for one in families if self._root[one][name].present), "parameters")

    def _parameter(self, name: str, line: int, depth: int) -> Node:
        passed = (one for key, one in (self._given or {}).items() if key.lower() == name.lower())
        if (given := next(passed, None)) is not None:
            return _moved(given, line)
        declared = _entry(self._root["parameters"], name)
        default = declared["defaultValue"]
        if default.present:
            return self.value(default, {}, depth)
        is_left_out = self._given is not None and declared["nullable"].is_true
        return nothing(line) if is_left_out else unknown(line)

    def _variable(self, name: str, line: int, depth: int) -> Node:
        variables = self._root["variables"]
        value = _entry(variables, name)
        if value.present:
            return self.value(value, {}, depth)
        copied = (one for one in variables["copy"].items if one["name"].text == name)
        loop = next(copied, ABSENT)
        return self._copied(loop, {}, depth) if loop.present else unknown(line)


def _entry(holder: Node, name: str) -> Node:
    found = (one for key, one in holder.entries if key.lower() == name.lower())
    return next(found, ABSENT)


def _moved(value: Node, line: int) -> Node:
    """What a deployment passes, as if all of it stood where it is used."""
    children = tuple(_moved(one, line) for one in value.children)
    return replace(value, line=line, children=children)


def _at(value: Node, node: Node) -> Node:
    """A text stands where it is used; what a map or list holds stands where it is written."""
    return replace(value, line=node.line) if value.form is Form.SCALAR else value
