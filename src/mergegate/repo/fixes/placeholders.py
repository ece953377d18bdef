"""SQL that a program joins of constants and values: placeholders take the values' places."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.joined import Constant, Joined, Value


@dataclass(frozen=True, slots=True)
class Bound:
    """What is bound to one placeholder."""

    text: str
    """The expression, as the program writes it."""
    value: Value | None
    """The only part of it; None where constants stand in the same literal."""
    quoted: bool
    """Whether it stood in a literal of SQL."""
    before: str = ""
    """The statement before it, with a NUL for each value."""


_COMPARED = re.compile(r"(?is)(?:=|<|>|\blike|\blimit|\boffset|\bbetween|\bbetween\s+\0\s+and)\s*$")
_VALUED = re.compile(
    r"(?is)(?:[=<>(,]|\|\||\b(?:i?like|between|and|then|else|when|in|escape|r?like|regexp))\s*$"
)
"""Before a literal that may be any value; ``DATE '…'`` and ``N'…'`` are literals of a kind."""
_LISTED = re.compile(r"(?is)\bvalues\s*\((?:[^()]|\([^()]*\))*[(,]?\s*$")
_AT_ONE = re.compile(r"[(,]\s*$")
_ENDS = re.compile(r"\s|[),;]|$")
_STATEMENT = re.compile(r"(?i)\s*(?:select|insert|update|delete|with|replace|merge|from)\b")


def bound(
    text: Joined, name: Callable[[int], str], operand: Callable[[Value], str]
) -> tuple[Sequence[Splice], Sequence[Bound]]:
    """What puts placeholders into the text, and what each is bound to, in their order.

    ``name`` writes a placeholder, from 1; ``operand`` a value as it is joined to other text.
    Raises UncertainError where a value is no value of SQL but a part of the statement: a name, a
    list, a condition.
    """
    whole = text.before(len(text.parts))
    if not _STATEMENT.match(whole) or "?" in whole or "--" in whole or "/*" in whole:
        raise UncertainError
    read = _Statement(text, name, operand)
    read.parts()
    kept = [
        one
        for one in text.flat()
        if not any(put.start < one.end and one.start < put.end for put in read.splices)
    ]
    return (*read.splices, *kept), read.bound


class _Statement:
    def __init__(
        self, text: Joined, name: Callable[[int], str], operand: Callable[[Value], str]
    ) -> None:
        self.text = text
        self.name = name
        self.operand = operand
        self.splices: list[Splice] = []
        self.bound: list[Bound] = []
        self.seen = ""
        """The statement up to here, with a NUL for each value."""
        self.opening: int | None = None
        """Where the literal of SQL that is read began."""
        self.inner: list[str | Value] = []
        """What has been read of it."""

    def parts(self) -> None:
        for number, part in enumerate(self.text.parts):
            if isinstance(part, Constant):
                self._constant(part)
            elif self.opening is None:
                self._bare(part, number)
            else:
                self.inner.append(part)
        if self.opening is not None or not self.bound:
            raise UncertainError

    def _constant(self, part: Constant) -> None:
        at = part.start
        pieces = re.split(r"(')", part.text)
        for number, piece in enumerate(pieces):
            if piece == "'":
                self._turn(at, doubled=number + 2 < len(pieces) and pieces[number + 1] == "")
            elif self.opening is None:
                self.seen += piece
            elif piece:
                self.inner.append(piece.replace("%%", "%") if self.text.format else piece)
            at += len(piece.encode())

    def _turn(self, at: int, *, doubled: bool) -> None:
        """A quote of SQL: a literal begins or ends."""
        if self.opening is None:
            self.opening, self.inner = at, []
            return
        if any(isinstance(one, Value) for one in self.inner):
            if doubled or not _VALUED.search(self.seen):
                raise UncertainError
            self._put(self.opening, at + 1, self._joined())
        else:
            self.seen += "''"
        self.opening = None

    def _joined(self) -> Bound:
        values = [one for one in self.inner if isinstance(one, Value)]
        if len(self.inner) == 1:
            return Bound(self.text.said(values[0]), values[0], quoted=True)
        if any(isinstance(one, str) and "\\" in one for one in self.inner):
            raise UncertainError
        quote = self.text.quote
        said = [
            f"{quote}{one}{quote}" if isinstance(one, str) else self.operand(one)
            for one in self.inner
        ]
        return Bound(self.text.plus.join(said), None, quoted=True)

    def _bare(self, value: Value, number: int) -> None:
        """A value that stands in no literal of SQL is one only where nothing else may stand."""
        compared = _COMPARED.search(self.seen)
        listed = _LISTED.search(self.seen) and _AT_ONE.search(self.seen)
        if not (compared or listed) or not _ENDS.match(self.text.behind(number)):
            raise UncertainError
        bare = Bound(self.text.said(value), value, quoted=False, before=self.seen)
        self._put(value.start, value.end, bare)

    def _put(self, start: int, end: int, what: Bound) -> None:
        placeholder = self.name(len(self.bound) + 1)
        text = self.text
        if text.format is None and not what.quoted:
            before = max((one.end for one in text.parts if one.end <= start), default=start)
            follows = [one for one in text.parts if isinstance(one, Constant) and one.start >= end]
            start, end = before, (follows[0].start if follows else text.node.end_byte)
            placeholder += "" if follows else text.quote
        self.splices.append(Splice(start, end, placeholder))
        self.bound.append(what)
        self.seen += "\0"
