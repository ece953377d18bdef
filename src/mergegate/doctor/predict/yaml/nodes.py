"""A YAML value with its place in the text."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

_MERGE = "<<"


class Form(StrEnum):
    """What a node is."""

    SCALAR = "scalar"
    LIST = "list"
    MAP = "map"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Node:
    """One value. Places are offsets into the text, counted in characters from 0."""

    form: Form = Form.SCALAR
    text: str = ""
    """A scalar's text."""
    tag: str = ""
    """A tag as written, ``!reference``; empty for plain YAML."""
    plain: bool = True
    """Whether a scalar stands without quotes."""
    start: int = 0
    end: int = 0
    """Just behind its last visible character."""
    line: int = 0
    """From 1; 0: the value is absent."""
    column: int = 0
    flow: bool = False
    """Whether a collection is written in brackets."""
    pairs: tuple[tuple["Node", "Node"], ...] = ()
    """A map's keys and values as written."""
    items: tuple["Node", ...] = ()
    """A list's items."""

    def __getitem__(self, key: str) -> "Node":
        """The value of ``key``, merged maps included; ABSENT if there is none."""
        return next((value for name, value in self.entries if name == key), ABSENT)

    def at(self, *path: str) -> "Node":
        """The value at the end of a path of keys; ABSENT where the path breaks off."""
        node = self
        for key in path:
            node = node[key]
        return node

    def own(self, key: str) -> tuple["Node", "Node"] | None:
        """Key and value as they stand in this very map, merged maps aside."""
        return next((pair for pair in self.pairs if pair[0].text == key), None)

    def key_line(self, key: str) -> int:
        """The line of ``key`` where it stands here, else this node's own."""
        pair = self.own(key)
        return pair[0].line if pair else self.line

    @property
    def present(self) -> bool:
        """Whether there is anything here, be it an empty value."""
        return self.line > 0

    @property
    def is_empty(self) -> bool:
        """A key without a value, ``~``, ``null``, ``{}`` or ``[]``."""
        if self.form is Form.SCALAR:
            return self.plain and self.text in {"", "~", "null"}
        return not self.pairs and not self.items

    @property
    def entries(self) -> Iterator[tuple[str, "Node"]]:
        """A map's keys and values; its own first, then those of ``<<``."""
        yield from ((key.text, value) for key, value in self.pairs if key.text != _MERGE)
        for key, value in self.pairs:
            if key.text == _MERGE:
                for source in value.each:
                    yield from source.entries

    @property
    def keys(self) -> tuple[str, ...]:
        """A map's keys, each once."""
        return tuple(dict.fromkeys(key for key, _ in self.entries))

    @property
    def each(self) -> tuple["Node", ...]:
        """A list's items, or the value itself: many keys take one or several."""
        return self.items if self.form is Form.LIST else (self,) if self.present else ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The scalars of a list, or the one scalar."""
        return tuple(one.text for one in self.each if one.form is Form.SCALAR and not one.is_empty)

    @property
    def is_true(self) -> bool:
        """A literal true as YAML 1.1 reads it, quoted or not."""
        return self.form is Form.SCALAR and self.text.lower() in {"true", "yes", "on"}

    @property
    def is_false(self) -> bool:
        """A literal false; an absent value is neither true nor false."""
        return self.form is Form.SCALAR and self.text.lower() in {"false", "no", "off"}


ABSENT = Node()
"""What stands for a value that is not there."""
