"""Go templates as trees: what stands between the braces, nothing of it evaluated."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from mergegate.repo.engines.helm.tokens import Kind, Malformed, Token, tokens

DEPTH_BUDGET = 60
"""Blocks within blocks, and brackets within brackets."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A text, number, truth or nil."""

    value: object


@dataclass(frozen=True, slots=True)
class Chain:
    """A value and the fields behind it: ``.a.b``, ``$x.a``, ``(f).a``."""

    root: "Operand | None"
    """None for the dot."""
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Variable:
    """A name that begins with a dollar sign; the sign alone is what the template was handed."""

    name: str


@dataclass(frozen=True, slots=True)
class Function:
    """The name of a function."""

    name: str


@dataclass(frozen=True, slots=True)
class Pipe:
    """Commands, each handed what the one before it made, and the variables that are set by it."""

    line: int
    commands: tuple[tuple["Operand", ...], ...]
    names: tuple[str, ...] = ()
    declares: bool = False


Operand: TypeAlias = Literal | Chain | Variable | Function | Pipe


@dataclass(frozen=True, slots=True)
class Text:
    """What is written as it stands."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Action:
    """A value that is written, or a variable that is set."""

    line: int
    pipe: Pipe


@dataclass(frozen=True, slots=True)
class Block:
    """``if``, ``with`` or ``range``."""

    line: int
    kind: str
    pipe: Pipe
    body: "Body"
    otherwise: "Body" = ()


@dataclass(frozen=True, slots=True)
class Call:
    """``template``: what another template makes of a value."""

    line: int
    name: str
    pipe: Pipe | None


@dataclass(frozen=True, slots=True)
class Leave:
    """``break`` or ``continue``."""

    line: int
    kind: str


Body: TypeAlias = "tuple[Text | Action | Block | Call | Leave, ...]"


@dataclass(frozen=True, slots=True)
class Source:
    """What a file holds."""

    body: Body
    defined: dict[str, Body]


def parse(text: str) -> Source:
    """The tree of ``text``. Raises Malformed."""
    parser = _Parser(list(tokens(text)))
    body, end = parser.body(0)
    if end:
        raise Malformed(f"line {parser.line} ends a block that does not begin")
    return Source(body, parser.defined)


_ESCAPE = re.compile(r"\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{3}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] in "xuU" and len(code) > 1:
        number = int(code[1:], 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
    return chr(int(code, 8)) if len(code) == 3 else _ESCAPES.get(code, code)


def _text(written: str) -> str:
    return written[1:-1] if written[0] == "`" else _ESCAPE.sub(_unescaped, written[1:-1])


def _number(written: str) -> int | float:
    if written[0] == "'":
        return ord((_ESCAPE.sub(_unescaped, written[1:-1]) or "\0")[0])
    plain = written.replace("_", "")
    try:
        return int(plain, 8 if re.fullmatch(r"[+-]?0\d+", plain) else 0)
    except ValueError:
        return float(plain)


_WORDS = {"true": True, "false": False, "nil": None}
_BLOCKS = frozenset({"if", "with", "range"})
_KEYWORDS = _BLOCKS | {"end", "else", "break", "continue", "define", "block", "template"}


class _Parser:
    def __init__(self, found: list[Token]) -> None:
        self._tokens = found
        self._at = 0
        self.defined: dict[str, Body] = {}

    @property
    def line(self) -> int:
        """The line of the token that is next, or of the last one."""
        at = min(self._at, len(self._tokens) - 1)
        return self._tokens[at].line if self._tokens else 1

    def _next(self) -> Token:
        if self._at >= len(self._tokens):
            raise Malformed("it ends within a block")
        self._at += 1
        return self._tokens[self._at - 1]

    def _peek(self) -> Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _space(self) -> None:
        while (one := self._peek()) and one.kind is Kind.SIGN and one.text == " ":
            self._at += 1

    def body(self, depth: int) -> tuple[Body, str]:
        """What stands before an ``end`` or ``else``, and which of them it was; "" for neither."""
        if depth > DEPTH_BUDGET:
            raise Malformed(f"its blocks are nested more than {DEPTH_BUDGET} levels deep")
        parts: list[Text | Action | Block | Call | Leave] = []
        while (one := self._peek()) is not None:
            self._at += 1
            if one.kind is Kind.TEXT:
                parts.append(Text(one.line, one.text))
                continue
            self._space()
            word = self._keyword()
            if word in {"end", "else"}:
                return tuple(parts), word
            parts.extend(self._part(one.line, word, depth))
        return tuple(parts), ""

    def _part(self, line: int, word: str, depth: int) -> Body:
        """What an action is that begins with a keyword, or with none."""
        if word in _BLOCKS:
            return (self._block(line, word, depth),)
        if word in {"define", "block", "template"}:
            return self._named(line, word, depth)
        follows = self._peek()
        part: Body = ()
        if word:
            part = (Leave(line, word),)
        elif follows is None or follows.kind is not Kind.CLOSE:
            part = (Action(line, self._pipe(line, depth)),)
        self._close()
        return part

    def _keyword(self) -> str:
        one = self._peek()
        if one is None or one.kind is not Kind.NAME or one.text not in _KEYWORDS:
            return ""
        self._at += 1
        self._space()
        return one.text

    def _close(self) -> None:
        self._space()
        one = self._next()
        if one.kind is not Kind.CLOSE:
            raise Malformed(f"line {one.line} holds an action that cannot be read")

    def _block(self, line: int, kind: str, depth: int) -> Block:
        pipe = self._pipe(line, depth)
        self._close()
        body, end = self.body(depth + 1)
        otherwise: Body = ()
        if end == "else":
            again = self._keyword()
            if again in _BLOCKS:
                # `else if` has no end of its own.
                return Block(line, kind, pipe, body, (self._block(self.line, again, depth + 1),))
            self._close()
            otherwise, end = self.body(depth + 1)
        if end != "end":
            raise Malformed(f"the block of line {line} does not end")
        self._close()
        return Block(line, kind, pipe, body, otherwise)

    def _named(self, line: int, kind: str, depth: int) -> tuple[Call, ...]:
        name = self._next()
        if name.kind is not Kind.STRING:
            raise Malformed(f"line {line} names no template")
        self._space()
        follows = self._peek()
        has_value = follows is not None and follows.kind is not Kind.CLOSE
        pipe = self._pipe(line, depth) if has_value else None
        self._close()
        if kind != "template":
            body, end = self.body(depth + 1)
            if end != "end":
                raise Malformed(f"the block of line {line} does not end")
            self._close()
            self.defined[_text(name.text)] = body
        return () if kind == "define" else (Call(line, _text(name.text), pipe),)

    def _pipe(self, line: int, depth: int) -> Pipe:
        if depth > DEPTH_BUDGET:
            raise Malformed(f"its brackets are nested more than {DEPTH_BUDGET} levels deep")
        self._space()
        names, declares = self._set()
        commands: list[tuple[Operand, ...]] = []
        operands: list[Operand] = []
        while True:
            self._space()
            one = self._peek()
            ends = one is None or one.kind is Kind.CLOSE or one.text == ")"
            if ends or (one and one.kind is Kind.SIGN and one.text == "|"):
                if not operands:
                    raise Malformed(f"line {line} holds an action without a value")
                commands.append(tuple(operands))
                operands = []
                if ends:
                    return Pipe(line, tuple(commands), names, declares)
                self._at += 1
            else:
                operands.append(self._operand(depth))

    def _set(self) -> tuple[tuple[str, ...], bool]:
        """The variables that a pipe sets, and whether it declares them."""
        began = self._at
        names: list[str] = []
        while (one := self._peek()) and one.kind is Kind.VARIABLE:
            names.append(one.text)
            self._at += 1
            self._space()
            sign = self._peek()
            if sign is None or sign.kind is not Kind.SIGN:
                break
            self._at += 1
            if sign.text in {":=", "="}:
                return tuple(names), sign.text == ":="
            if sign.text != ",":
                break
            self._space()
        self._at = began
        return (), False

    def _operand(self, depth: int) -> Operand:
        root = self._root(self._next(), depth)
        fields: list[str] = []
        while (more := self._peek()) and more.kind is Kind.FIELD:
            fields.append(more.text[1:])
            self._at += 1
        if not fields:
            return root
        if isinstance(root, Chain) and root.root is None:
            return Chain(None, (*root.fields, *fields))
        return Chain(root, tuple(fields))

    def _root(self, one: Token, depth: int) -> Operand:
        made = _OPERANDS.get(one.kind)
        if made is not None:
            return made(one.text)
        if one.text == ".":
            return Chain(None)
        if one.text != "(":
            raise Malformed(f"line {one.line} holds an action that cannot be read")
        pipe = self._pipe(one.line, depth + 1)
        self._space()
        if self._next().text != ")":
            raise Malformed(f"line {one.line} opens a bracket that does not end")
        return pipe


def _named(text: str) -> Operand:
    return Literal(_WORDS[text]) if text in _WORDS else Function(text)


_OPERANDS: dict[Kind, Callable[[str], Operand]] = {
    Kind.STRING: lambda text: Literal(_text(text)),
    Kind.NUMBER: lambda text: Literal(_number(text)),
    Kind.VARIABLE: Variable,
    Kind.FIELD: lambda text: Chain(None, (text[1:],)),
    Kind.NAME: _named,
}
