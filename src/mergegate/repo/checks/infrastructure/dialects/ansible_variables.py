"""Values that a play, block or task gives its own variables, put where they are used."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mergegate.repo.checks.infrastructure.dialects.parts import LONGEST, beside
from mergegate.repo.engines.documents.nodes import is_secret_name
from mergegate.repo.facts.documents import MASKED, Form, Node

_USED = re.compile(
    r"\{\{\s*(?P<name>[A-Za-z_]\w*(?:\.\w+){0,6})"
    r"(?:\s*\|\s*default\(\s*(?P<else>'[^'{}]*'|\"[^\"{}]*\"|[\w.]+)\s*(?:,\s*true\s*)?\))?"
    r"(?:\s*\|\s*(?:bool|int|string))?\s*\}\}",
    re.IGNORECASE,
)
"""A variable alone, with its default, and made a value of a plain type."""
_ITEM = re.compile(r"\{\{\s*item\b")
_ITEMS = 300
"""Items of a loop that are looked at."""
_GROUP = "group/"


@dataclass(frozen=True, slots=True)
class Variables:
    """What variables hold; what an inventory or the command line may say instead is left out."""

    known: Mapping[str, Node] = field(default_factory=dict)

    def holding(self, node: Node) -> "Variables":
        """The same with the variables of an inner part."""
        return Variables({**self.known, **dict(node.entries)}) if node.entries else self

    def put_into(self, node: Node) -> Node:
        """The node with every variable whose value is known replaced by it.

        What is one variable alone has the line at which that is said, so that it is told once.
        """
        if node.form is Form.SCALAR:
            return self._text(node)
        children = tuple(self.put_into(one) for one in node.children)
        return Node(node.line, node.form, node.text, node.tag, node.keys, children)

    def each_of(self, arguments: Node, items: Node) -> Node:
        """The arguments; one that uses the item of a loop is the list of all that it becomes."""
        if not 0 < len(items.items) <= _ITEMS:
            return arguments
        each = [self.holding(_named("item", one)) for one in items.items]
        children = tuple(_all_of(one, each) for one in arguments.children)
        return Node(arguments.line, arguments.form, keys=arguments.keys, children=children)

    def _text(self, node: Node) -> Node:
        if node.tag or "{{" not in node.text or len(node.text) > LONGEST:
            return node
        text = _USED.sub(self._value, node.text)
        if text == node.text:
            return node
        whole = _USED.fullmatch(node.text.strip())
        said = self.known.get(whole["name"].split(".")[0]) if whole else None
        return Node(said.line if said is not None else node.line, text=text)

    def _value(self, match: re.Match[str]) -> str:
        first, *rest = match["name"].split(".")
        found = self.known.get(first)
        if is_secret_name(match["name"]):
            return match[0]
        if found is not None:
            found = found.at(*rest)
            is_plain = (
                found.present
                and found.form is Form.SCALAR
                and not found.tag
                and found.text != MASKED
            )
            return found.text if is_plain and "{" not in found.text else match[0]
        other = match["else"]
        if other is None or (other[0] not in "'\"" and not _is_literal(other)):
            return match[0]
        return other.strip("'\"")


def _all_of(node: Node, each: Sequence[Variables]) -> Node:
    if node.form is not Form.SCALAR or not _ITEM.search(node.text):
        return node
    return Node(node.line, Form.LIST, children=tuple(one.put_into(node) for one in each))


def _named(name: str, value: Node) -> Node:
    return Node(value.line, Form.MAP, keys=(name,), children=(value,))


def _is_literal(text: str) -> bool:
    return text.lower() in {"true", "false", "yes", "no"} or text.isdigit()


def default_arguments(node: Node) -> Mapping[str, Node]:
    """What `module_defaults` gives modules and groups of them, by their short names."""
    return {_short(key): value for key, value in node.entries if value.form is Form.MAP}


def _short(name: str) -> str:
    """``kms_key`` of ``amazon.aws.kms_key``, ``group/aws`` of ``group/amazon.aws.aws``."""
    last = name.rpartition(".")[2].removeprefix(_GROUP)
    return f"{_GROUP}{last}" if name.startswith(_GROUP) else last


def with_defaults(arguments: Node, defaults: Node | None) -> Node:
    """The arguments of a task, and of the defaults what it does not say itself."""
    return arguments if defaults is None else beside(defaults, dict(arguments.entries))
