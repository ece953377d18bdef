"""The language inside the brackets of a template's texts: ``[concat('a', parameters('b'))]``."""

import re
from functools import lru_cache

from mergegate.repo.facts.documents import Node
from mergegate.repo.facts.templates import call

_TOKEN = re.compile(r"\s*(?:('(?:[^']|'')*')|(-?\d+)|([A-Za-z_]\w*)|([()\[\],.])|(\Z))")
_LONGEST = 64 * 1024
_DEEPEST = 40


class _Malformed(ValueError):
    """The text is no expression."""


@lru_cache(maxsize=1 << 12)
def expression(text: str, line: int) -> Node | None:
    """What the text between the brackets says; None where it is no expression."""
    if len(text) > _LONGEST:
        return None
    try:
        return _Reader(text, line).whole()
    except _Malformed:
        return None


class _Reader:
    """Reads one expression, token by token."""

    def __init__(self, text: str, line: int) -> None:
        self._text = text
        self._line = line
        self._at = 0
        self._advance()

    def _advance(self) -> None:
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            raise _Malformed
        self._at = match.end()
        self._string, self._number, self._name, self._sign, _ = match.groups()

    def whole(self) -> Node:
        """The expression, after which nothing follows."""
        read = self._value(0)
        if any((self._string, self._number, self._name, self._sign)):
            raise _Malformed
        return read

    def _value(self, depth: int) -> Node:
        if depth > _DEEPEST:
            raise _Malformed
        if self._string:
            read = Node(self._line, text=self._string[1:-1].replace("''", "'"))
            self._advance()
        elif self._number:
            read = Node(self._line, text=self._number)
            self._advance()
        else:
            read = self._call(depth)
        return self._parts_of(read, depth)

    def _call(self, depth: int) -> Node:
        name = self._name
        if not name:
            raise _Malformed
        self._advance()
        while self._sign == ".":  # a function of the author's own, by its namespace
            self._advance()
            name = f"{name}.{self._name}"
            self._advance()
        self._take("(")
        arguments: list[Node] = []
        while self._sign != ")":
            arguments.append(self._value(depth + 1))
            if self._sign != ")":
                self._take(",")
        self._advance()
        return call(self._line, name.lower(), *arguments)

    def _parts_of(self, read: Node, depth: int) -> Node:
        while self._sign in {".", "["}:
            is_named = self._sign == "."
            self._advance()
            if is_named:
                part = Node(self._line, text=self._name or "")
                self._advance()
            else:
                part = self._value(depth + 1)
                self._take("]")
            read = call(self._line, "part", read, part)
        return read

    def _take(self, sign: str) -> None:
        if self._sign != sign:
            raise _Malformed
        self._advance()
