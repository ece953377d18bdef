"""Expressions of Terraform → values, as far as the tree decides them; pure, under a budget."""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from mergegate.repo.engines.documents.nodes import masked_text
from mergegate.repo.engines.terraform import files, syntax
from mergegate.repo.engines.terraform.functions import call
from mergegate.repo.engines.terraform.values import (
    TEXT_BUDGET,
    Budget,
    instances,
    is_null,
    is_open,
    listed,
    mapped,
    number,
    same,
    scalar,
    shown_number,
    unknown,
)
from mergegate.repo.facts.documents import Form, Node
from mergegate.repo.facts.resources import GAP, REFERENCE, UNKNOWN

DEPTH_BUDGET = 80
"""Expressions within expressions, through all names: what is deeper is unknown."""

Steps = Sequence[Node]
"""What follows a name: ATTRIBUTE and INDEX expressions, innermost first."""


class Names(Protocol):
    """Looks names of a module up."""

    def value(self, name: str, steps: Steps, line: int, depth: int) -> tuple[Node, Steps]:
        """What a name and the first of its steps stand for, and the steps that are left."""
        ...

    def places(self, line: int) -> Node:
        """What ``path`` stands for where a file is read."""
        ...

    def text(self, path: str) -> str | None:
        """The text of a file; None where the tree has none of that name."""
        ...


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an expression stands."""

    names: Names
    budget: Budget
    bound: Mapping[str, Node] = field(default_factory=dict)
    """What loops bind: ``each``, ``count``, iterators."""
    depth: int = 0

    def binding(self, **bound: Node) -> "Scope":
        """With these names as well."""
        return replace(self, bound={**self.bound, **bound})

    def evaluate(self, one: Node) -> Node:
        """The value of an expression."""
        self.budget.spend()
        if self.depth > DEPTH_BUDGET:
            return unknown(one.line)
        below = replace(self, depth=self.depth + 1)
        if not one.tag:
            return below._plain(one)
        evaluated = _TAGS.get(one.tag)
        return evaluated(below, one) if evaluated else one

    def body(self, block: Node) -> Node:
        """A block with its values, ``dynamic`` blocks written out, without what is null."""
        pairs: dict[str, list[Node] | Node] = {}
        for name, value in block.entries:
            if name == "dynamic" and value.form is Form.LIST and not value.tag:
                for kind, made in self._dynamic(value.items):
                    here = pairs.setdefault(kind, [])
                    if isinstance(here, list):
                        here.append(made)
            elif _is_blocks(value):
                here = pairs.setdefault(name, [])
                if isinstance(here, list):
                    here.extend(self.body(one) for one in value.items)
            elif not is_null(read := self.evaluate(value)):
                pairs[name] = read
        self.budget.spend(len(pairs))
        return mapped(
            block.line,
            {
                name: listed(one[0].line, one) if isinstance(one, list) else one
                for name, one in pairs.items()
            },
        )

    def loop(self, over: Node) -> Iterator[tuple[str, Node]]:
        """Keys and values of a loop over ``over``, which is known."""
        for one in instances(over):
            self.budget.spend()
            yield one

    def _dynamic(self, blocks: Sequence[Node]) -> Iterator[tuple[str, Node]]:
        for block in blocks:
            kind = block.text
            content = next(iter(block["content"].items), None)
            over = self.evaluate(block["for_each"])
            if content is None or is_open(over):
                yield kind, unknown(block.line)
                continue
            named = block["iterator"]
            iterator = named.text or kind
            for key, value in self.loop(over):
                entry = mapped(value.line, {"key": scalar(value.line, key), "value": value})
                yield kind, self.binding(**{iterator: entry}).body(content)

    def _plain(self, one: Node) -> Node:
        if not one.children:
            return one
        children = tuple(map(self.evaluate, one.children))
        if one.form is Form.LIST:
            return listed(one.line, children)
        pairs = zip(one.keys, children, strict=True)
        return mapped(one.line, {key: value for key, value in pairs if not is_null(value)})

    def _traversal(self, one: Node) -> Node:
        steps: list[Node] = []
        root = one
        while root.tag in {syntax.ATTRIBUTE, syntax.INDEX}:
            steps.append(root)
            root = root.children[0]
        steps.reverse()
        left: Steps = steps
        if root.tag != syntax.NAME:
            value = self.evaluate(root)
        elif root.text in self.bound:
            value = self.budget.moved(self.bound[root.text], one.line)
        else:
            found, left = self.names.value(root.text, steps, one.line, self.depth)
            value = self.budget.moved(found, one.line)
        for step in left:
            value = self._step(value, step)
        return value

    def _step(self, value: Node, step: Node) -> Node:
        if value.tag == REFERENCE:
            return value
        if step.tag == syntax.ATTRIBUTE:
            key = step.text
        else:
            by = self.evaluate(step.children[1])
            if is_open(by):
                return unknown(step.line)
            key = by.text
        if value.form is Form.LIST and (at := number(Node(1, text=key))) is not None:
            return value.items[int(at)] if 0 <= at < len(value.items) else unknown(step.line)
        inner = value[key] if value.form is Form.MAP else None
        return inner if inner is not None and inner.present else unknown(step.line)

    def _splat(self, one: Node) -> Node:
        value = self.evaluate(one.children[0])
        if is_open(value):
            return value
        bound = (self.binding(**{syntax.ITEM: item}) for item in value.each)
        return listed(one.line, (scope.evaluate(one.children[1]) for scope in bound))

    def _template(self, one: Node) -> Node:
        parts = [self.evaluate(part) for part in one.children]
        if len(parts) == 1:
            return parts[0]
        known = all(part.form is Form.SCALAR and not part.tag for part in parts)
        text = "".join(
            part.text if part.form is Form.SCALAR and part.tag in {"", UNKNOWN} else GAP
            for part in parts
        )
        if len(text) > TEXT_BUDGET:
            return unknown(one.line)
        self.budget.spend(len(text) // 256)
        return scalar(one.line, text) if known else unknown(one.line, masked_text(text))

    def _object(self, one: Node) -> Node:
        entries: dict[str, Node] = {}
        for key, value in zip(one.children[::2], one.children[1::2], strict=True):
            name, read = self.evaluate(key), self.evaluate(value)
            if name.form is not Form.SCALAR:
                return unknown(one.line)
            if not is_null(read):
                entries[name.text] = read
        return mapped(one.line, entries)

    def _call(self, one: Node) -> Node:
        if one.text == "can":
            return unknown(one.line)
        if one.text in files.FUNCTIONS:
            return self._file(one)
        given: list[Node] = []
        for argument in one.children:
            if argument.tag == syntax.SPREAD:
                more = self.evaluate(argument.children[0])
                given += [more] if is_open(more) else more.items
            else:
                given.append(self.evaluate(argument))
        answer = call(one.text, one.line, given)
        self.budget.spend(len(answer.children) + len(answer.text) // 256)
        return answer

    def _file(self, one: Node) -> Node:
        """The text of a file of the tree, with what a template is given in its places."""
        scope = self.binding(path=self.names.places(one.line))
        given = [scope.evaluate(argument) for argument in one.children]
        text = self.names.text(given[0].text) if given and given[0].is_literal else None
        if text is None:
            return unknown(one.line)
        self.budget.spend(1 + len(text) // 64)
        if one.text == "file":
            return scalar(one.line, text)
        expression = files.template(text)
        if not expression.present or len(given) < 2 or is_open(given[1]):
            return unknown(one.line)
        filled = replace(self, bound=dict(given[1].entries)).evaluate(expression)
        return self.budget.moved(filled, one.line)

    def _operation(self, one: Node) -> Node:
        values = [self.evaluate(part) for part in one.children]
        answer = operated(one.text, values)
        if answer is None:
            return unknown(one.line)
        if isinstance(answer, bool):
            return scalar(one.line, answer)
        return shown_number(one.line, answer)

    def _condition(self, one: Node) -> Node:
        decided = self.evaluate(one.children[0])
        if decided.is_true or decided.is_false:
            return self.evaluate(one.children[1 if decided.is_true else 2])
        return unknown(one.line)

    def _for(self, one: Node) -> Node:
        over = self.evaluate(one.children[0])
        if is_open(over):
            return unknown(one.line)
        names, made = one.text.split(), one.children[1:]
        by_key = one.tag == syntax.FOR_MAP
        entries: dict[str, Node] = {}
        items: list[Node] = []
        for key, value in self._pairs(over):
            bound = dict(zip(names, (key, value) if len(names) > 1 else (value,), strict=False))
            scope = self.binding(**bound)
            if len(made) > 1 + by_key:
                wanted = scope.evaluate(made[1 + by_key])
                if is_open(wanted):
                    return unknown(one.line)
                if not wanted.is_true:
                    continue
            if by_key:
                entries[scope.evaluate(made[0]).text] = scope.evaluate(made[1])
            else:
                items.append(scope.evaluate(made[0]))
        return mapped(one.line, entries) if by_key else listed(one.line, items)

    def _pairs(self, over: Node) -> Iterator[tuple[Node, Node]]:
        """Keys and values; a list's keys are numbers."""
        for at, (key, value) in enumerate(self.loop(over)):
            yield scalar(over.line, key if over.form is Form.MAP else at), value


_TAGS: Mapping[str, Callable[[Scope, Node], Node]] = {
    syntax.NAME: Scope._traversal,
    syntax.ATTRIBUTE: Scope._traversal,
    syntax.INDEX: Scope._traversal,
    syntax.SPLAT: Scope._splat,
    syntax.TEMPLATE: Scope._template,
    syntax.OBJECT: Scope._object,
    syntax.CALL: Scope._call,
    syntax.OPERATION: Scope._operation,
    syntax.CONDITION: Scope._condition,
    syntax.FOR_LIST: Scope._for,
    syntax.FOR_MAP: Scope._for,
}


def _is_blocks(value: Node) -> bool:
    """Whether blocks of one kind stand there, rather than a list of maps."""
    return (
        value.form is Form.LIST
        and not value.tag
        and bool(value.items)
        and all(one.tag == syntax.BLOCK for one in value.items)
    )


_ARITHMETIC: Mapping[str, Callable[[float, float], float | bool]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "%": operator.mod, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def operated(sign: str, values: Sequence[Node]) -> float | bool | None:
    """What an operator makes of its operands; None where that is not known."""
    if sign in {"&&", "||"}:
        deciding = sign == "||"
        truths = [True if one.is_true else False if one.is_false else None for one in values]
        return deciding if deciding in truths else None if None in truths else not deciding
    if sign == "!":
        return None if not (values[0].is_true or values[0].is_false) else values[0].is_false
    if sign in {"==", "!="}:
        equal = same(*values)
        return equal if equal is None or sign == "==" else not equal
    numbers = [number(one) for one in values]
    if len(numbers) == 1:
        return None if numbers[0] is None else -numbers[0]
    left, right = numbers
    if left is None or right is None or (not right and sign in {"/", "%"}):
        return None
    return _ARITHMETIC[sign](left, right)
