"""The text of a Go template → runs of plain text and the tokens of its actions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto


class Malformed(Exception):
    """The text is no template that Go would take."""


class Kind(Enum):
    """What a token is."""

    TEXT = auto()
    OPEN = auto()
    CLOSE = auto()
    STRING = auto()
    NUMBER = auto()
    VARIABLE = auto()
    FIELD = auto()
    NAME = auto()
    SIGN = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """One token, and the line from 1 on which it begins."""

    kind: Kind
    text: str
    line: int


_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<string>"(?:\\.|[^"\\\n])*"|`[^`]*`)
    |(?P<char>'(?:\\.|[^'\\\n])+')
    |(?P<number>[+-]?(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?))
    |(?P<variable>\$\w*)
    |(?P<field>\.[^\W\d]\w*)
    |(?P<name>[^\W\d]\w*)
    |(?P<sign>:=|[=|(),.])""",
    re.VERBOSE,
)
_KINDS = {
    "string": Kind.STRING,
    "char": Kind.NUMBER,
    "number": Kind.NUMBER,
    "variable": Kind.VARIABLE,
    "field": Kind.FIELD,
    "name": Kind.NAME,
    "sign": Kind.SIGN,
}
_OPEN = re.compile(r"\{\{(-(?=\s))?")
_CLOSE = re.compile(r"(?:\s-)?\}\}")
_COMMENT = re.compile(r"\s*/\*")
_COMMENT_END = re.compile(r"\*/\s*?(\s-)?\}\}")
_SPACE = " \t\r\n"


def tokens(text: str) -> Iterator[Token]:
    """All tokens in order, white space trimmed where an action asks for it."""
    at, trims = 0, False
    lines = _Lines(text)
    while at < len(text):
        opened = _OPEN.search(text, at)
        end = opened.start() if opened else len(text)
        start = _skipped(text, at, end) if trims else at
        plain = text[start:end]
        if opened and opened[1]:
            plain = plain.rstrip(_SPACE)
        if plain:
            yield Token(Kind.TEXT, plain, lines.of(start))
        if opened is None:
            return
        if begun := _COMMENT.match(text, opened.end()):
            at, trims = _behind_comment(text, begun.end(), lines)
            continue
        yield Token(Kind.OPEN, "", lines.of(end))
        inside, at, trims = _action(text, opened.end(), lines)
        yield from inside
        yield Token(Kind.CLOSE, "", lines.of(at - 1))


def _behind_comment(text: str, at: int, lines: "_Lines") -> tuple[int, bool]:
    """The index behind a comment, and whether it trims what follows."""
    end = text.find("*/", at)
    closed = _COMMENT_END.match(text, end) if end >= 0 else None
    if closed is None:
        raise Malformed(f"line {lines.of(at)} begins a comment that does not end")
    return closed.end(), bool(closed[1])


def _skipped(text: str, at: int, end: int) -> int:
    while at < end and text[at] in _SPACE:
        at += 1
    return at


def _action(text: str, at: int, lines: "_Lines") -> tuple[list[Token], int, bool]:
    """The tokens of an action, the index behind it, and whether it trims what follows."""
    found: list[Token] = []
    while True:
        if closed := _CLOSE.match(text, at):
            return found, closed.end(), len(closed[0]) > len("}}")
        match = _TOKEN.match(text, at)
        if match is None:
            raise Malformed(f"line {lines.of(at)} holds an action that cannot be read")
        kind = _KINDS.get(match.lastgroup or "")
        # White space tells `.a .b`, two arguments, from `.a.b`, a field of a field.
        if kind is None:
            found.append(Token(Kind.SIGN, " ", lines.of(at)))
        else:
            found.append(Token(kind, match[0], lines.of(at)))
        at = match.end()


class _Lines:
    """Tells lines of growing offsets."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1

    def of(self, at: int) -> int:
        """The line of an offset that is not before the last one that was asked for."""
        self._line += self._text.count("\n", self._at, at)
        self._at = max(at, self._at)
        return self._line
