"""Values of Terraform as nodes: how they are made, compared, and copied under a budget."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mergegate.repo.engines.documents.nodes import masked_text
from mergegate.repo.facts.documents import Form, Node
from mergegate.repo.facts.resources import GAP, NULL, REFERENCE, UNKNOWN

TEXT_BUDGET = 64 * 1024
"""Characters of one text: a longer one is not known."""


class Spent(Exception):
    """A folder takes more steps than any honest one."""


class Budget:
    """Counts what an evaluation does, so that a small text cannot stand for a large one."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int = 1) -> None:
        """Raises Spent when nothing is left."""
        self.left -= steps
        if self.left < 0:
            raise Spent

    def moved(self, value: Node, line: int) -> Node:
        """``value`` as if all of it stood at ``line``."""
        self.spend()
        children = tuple(self.moved(one, line) for one in value.children)
        return type(value)(line, value.form, value.text, value.tag, value.keys, children)


def unknown(line: int, text: str = GAP) -> Node:
    """What is decided elsewhere."""
    return Node(line, text=text, tag=UNKNOWN)


@dataclass(frozen=True, slots=True)
class _Unset(Node):
    """What is null unless somebody decides otherwise."""


def unset(line: int) -> Node:
    """The value of a variable that is null by default."""
    return _Unset(line, text=GAP, tag=UNKNOWN)


def may_be_null(value: Node) -> bool:
    """Whether it is null where nobody decides otherwise."""
    return is_null(value) or isinstance(value, _Unset)


def scalar(line: int, value: object) -> Node:
    """A text, number or truth; a secret that was put together of parts is masked as one is."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return Node(line, text=masked_text(text)) if len(text) <= TEXT_BUDGET else unknown(line)


def listed(line: int, items: Iterable[Node]) -> Node:
    """A list."""
    return Node(line, Form.LIST, children=tuple(items))


def mapped(line: int, entries: Mapping[str, Node]) -> Node:
    """A map."""
    return Node(line, Form.MAP, keys=tuple(entries), children=tuple(entries.values()))


def is_open(value: Node) -> bool:
    """Whether the value is not known here."""
    return value.tag in {UNKNOWN, REFERENCE}


def is_null(value: Node) -> bool:
    """Whether it is left to the provider, or not there."""
    return value.tag == NULL or not value.present


def number(value: Node) -> float | None:
    """The number that a text says; None for none."""
    if value.form is not Form.SCALAR or value.tag or len(value.text) > 40:
        return None
    try:
        found = float(value.text)
    except ValueError:
        return None
    return found if abs(found) < 1e15 else None


def shown_number(line: int, value: float) -> Node:
    """A number as Terraform writes it."""
    return scalar(line, int(value) if value == int(value) else value)


def same(one: Node, other: Node) -> bool | None:
    """Whether both say the same, wherever they stand; None where that is not known."""
    if is_open(one) or is_open(other):
        return None
    if one.form is not other.form or one.tag != other.tag:
        return False
    if one.form is Form.SCALAR:
        return one.text == other.text
    if one.form is Form.MAP and set(one.keys) != set(other.keys):
        return False
    if len(one.children) != len(other.children):
        return False
    pairs = (
        [(value, other[key]) for key, value in one.entries]
        if one.form is Form.MAP
        else list(zip(one.children, other.children, strict=True))
    )
    verdicts = {same(left, right) for left, right in pairs}
    return False if False in verdicts else None if None in verdicts else True


def instances(value: Node) -> Iterator[tuple[str, Node]]:
    """Keys and values of what ``for_each`` goes through: of a list each item is its own key."""
    if value.form is Form.MAP:
        yield from value.entries
    else:
        for one in value.items:
            yield one.text, one
