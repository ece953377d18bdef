"""Groovy as nodes, as far as pipelines of Jenkins need it: calls, closures, texts and assignments.

Nothing is evaluated. Literal secrets are masked the moment a node is made.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final

from mergegate.repo.engines.documents.nodes import (
    DEPTH_BUDGET,
    Unreadable,
    masked_pairs,
    masked_text,
)
from mergegate.repo.facts.documents import Form, Node
from mergegate.repo.facts.groovy import (
    ASSIGNMENT,
    CALL,
    CLOSURE,
    EXPRESSION,
    INTERPOLATED,
    NAME,
)

TOKEN_BUDGET = 100_000
"""A file, with what is interpolated into its texts."""
TEXT_DEPTH_BUDGET = 16
"""Texts within what is interpolated into texts."""
_NUMBERED = re.compile(r"(?<!\\)\\u+([0-9A-Fa-f]{4})")
_BLANK = re.compile(r"(?:[ \t\r\f]|\\\n|//[^\n]*|#![^\n]*|/\*.*?\*/)+", re.DOTALL)
_NAME = re.compile(r"@?[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*")
_NUMBER = re.compile(r"\d[\w.]*")
_QUOTES = re.compile(r"'''|\"\"\"|'|\"|\$/")
_DOLLAR = re.compile(r"\$([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)")
_PIECE: Final = {
    "'": re.compile(r"[^'\\\n]+"),
    "'''": re.compile(r"[^'\\]+|'(?!'')"),
    '"': re.compile(r"[^\"\\\n$]+"),
    '"""': re.compile(r"[^\"\\$]+|\"(?!\"\")"),
    "/": re.compile(r"[^/\\\n$]+"),
    "$/": re.compile(r"[^/$]+|/(?!\$)"),
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "\n": ""}
_DECLARING = frozenset(
    {"def", "final", "static", "String", "int", "boolean", "Boolean", "List", "Map", "return"}
    | {"private", "public", "protected", "void", "Integer", "Object", "new", "throw", "else"}
)
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_NO_TEXT = Node(0)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    """``name``, ``text``, ``number``, ``line`` for an end of line, ``end``, or the sign itself."""
    line: int
    node: Node = _NO_TEXT
    is_apart: bool = False
    """Whether a blank stands before it."""


def script(text: str) -> Node:
    """What a script does, in order. Raises Unreadable."""
    statements = _Parser(tuple(_Lexer(_plain(text)).tokens())).whole()
    _guard(statements)
    return Node(1, Form.LIST, tag=CLOSURE, children=statements)


def _plain(text: str) -> str:
    """The text as Groovy reads it: letters written as their numbers are letters everywhere."""
    return _NUMBERED.sub(_letter, text.replace("\r\n", "\n").replace("\r", "\n"))


def _letter(match: re.Match[str]) -> str:
    letter = chr(int(match[1], 16))
    if letter in "\n\r":
        raise Unreadable("an end of line is written as its number")
    return "\ufffd" if "\ud800" <= letter <= "\udfff" else letter


def _guard(level: Sequence[Node]) -> None:
    """Refuse what is too deep for those who read and save it; one pass for each level."""
    for _ in range(DEPTH_BUDGET - 1):
        level = [child for one in level for child in one.children]
    if level:
        raise _too_deep()


def _too_deep() -> Unreadable:
    return Unreadable(f"it is nested more than {DEPTH_BUDGET} levels deep")


@dataclass(slots=True)
class _Given:
    """What a call or a list is given: by its name, or by its number among what has none."""

    pairs: list[tuple[str, Node]] = field(default_factory=list)
    _numbered: int = 0

    def add(self, value: Node, name: str = "") -> None:
        name = name or str(self._numbered)
        self._numbered += name.isdigit()
        self.pairs.append((name, value))


class _Lexer:
    """Words, texts and signs; what stands in braces of a text is read as a script of its own."""

    def __init__(self, text: str, around: "_Lexer | None" = None) -> None:
        self._text = text
        self._at: int = around._at if around else 0
        self._line: int = around._line if around else 1
        self._depth: int = around._depth + 1 if around else 0
        self._used: Iterator[int] = around._used if around else count(1)
        self._is_apart = False
        if self._depth > TEXT_DEPTH_BUDGET:
            raise Unreadable(f"texts are nested more than {TEXT_DEPTH_BUDGET} levels deep")

    def _spend(self) -> None:
        if next(self._used) > TOKEN_BUDGET:
            raise Unreadable(f"it has more than {TOKEN_BUDGET:,} words and signs")

    def tokens(self) -> Iterator[_Token]:
        """All of them, and an ``end``."""
        before = "line"
        while True:
            self._spend()
            self._is_apart = bool(self._take(_BLANK))
            if self._at >= len(self._text):
                yield _Token("end", self._line)
                return
            if self._text.startswith("/*", self._at):
                raise Unreadable(f"a comment in line {self._line} never ends", is_syntax=True)
            token = self._token(before)
            before = token.kind
            yield token

    def _take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        return self._skip(match[0]) if match else ""

    def _skip(self, taken: str) -> str:
        self._at += len(taken)
        self._line += taken.count("\n")
        return taken

    def _token(self, before: str) -> _Token:
        line, sign = self._line, self._text[self._at]
        if sign == "\n":
            self._skip(sign)
            return _Token("line", line)
        if quotes := self._take(_QUOTES):
            return _Token("text", line, self._read(quotes))
        if sign == "/" and before not in {"name", "text", "number", ")", "]", "}"}:
            return _Token("text", line, self._read(self._skip(sign)))
        if name := self._take(_NAME):
            node = Node(line, text=name.replace("?.", "."), tag=NAME)
            return _Token("name", line, node, self._is_apart)
        if number := self._take(_NUMBER):
            return _Token("number", line, Node(line, text=number))
        return _Token(self._skip(sign), line, _NO_TEXT, self._is_apart)

    def _read(self, quotes: str) -> Node:
        """The text behind opening quotes."""
        line, piece = self._line, _PIECE[quotes]
        ends = "/$" if quotes == "$/" else quotes
        texts: list[str] = []
        inside: list[Node] = []
        while not self._text.startswith(ends, self._at):
            if self._at >= len(self._text):
                raise Unreadable(f"a text that begins in line {line} never ends", is_syntax=True)
            self._spend()
            begin = self._at
            if taken := self._take(piece):
                texts.append(taken)
            elif self._text[begin] == "\\":
                texts.append(self._escaped(quotes))
            elif self._text[begin] == "$" and quotes not in {"'", "'''"}:
                inside += self._expression()
                texts.append(self._text[begin : self._at])
            elif self._text[begin] == "\n":
                raise Unreadable(f"a text in line {line} ends with its line", is_syntax=True)
            else:
                texts.append(self._skip(self._text[begin]))
        self._skip(ends)
        text = masked_text("".join(texts))
        first = line if len(quotes) == 3 else 0
        tag = INTERPOLATED if inside else ""
        return Node(line, text=text, tag=tag, children=tuple(inside), text_line=first)

    def _escaped(self, quotes: str) -> str:
        taken = self._skip(self._text[self._at : self._at + 2])
        if quotes in {"/", "$/"}:
            return "/" if taken == "\\/" else taken
        return _ESCAPES.get(taken[1:], taken[1:])

    def _expression(self) -> Sequence[Node]:
        """What a text interpolates at a dollar sign: nothing where the sign stands for itself."""
        line = self._line
        if self._text.startswith("${", self._at):
            self._skip("${")
            inner = _Lexer(self._text, self)
            tokens = tuple(inner._braced())
            self._at, self._line = inner._at, inner._line
            parts = _Parser(tokens).whole()
            return parts or (Node(line, Form.LIST, tag=EXPRESSION),)
        name = _DOLLAR.match(self._text, self._at)
        if name is None:
            self._skip("$")
            return ()
        self._skip(name[0])
        return (Node(line, text=name[1], tag=NAME),)

    def _braced(self) -> Iterator[_Token]:
        """The tokens up to the brace that ends an interpolation."""
        open_braces = 0
        for token in self.tokens():
            open_braces += (token.kind == "{") - (token.kind == "}")
            if open_braces < 0:
                yield replace(token, kind="end")
                return
            if token.kind != "end":
                yield token
        raise Unreadable(f"braces of a text in line {self._line} never end", is_syntax=True)


class _Parser:
    """Calls with what they are given; anything else as the parts that it is made of."""

    def __init__(self, tokens: Sequence[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def whole(self) -> tuple[Node, ...]:
        """Every statement."""
        return self._statements("end")

    @property
    def _now(self) -> _Token:
        return self._tokens[min(self._at, len(self._tokens) - 1)]

    def _next(self) -> _Token:
        token = self._now
        self._at += 1
        return token

    def _statements(self, closer: str) -> tuple[Node, ...]:
        self._deeper()
        found: list[Node] = []
        while self._now.kind != closer:
            if self._now.kind in {"line", ";", ","}:
                self._next()
                continue
            found.append(self._value())
        self._next()
        self._depth -= 1
        return tuple(found)

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEPTH_BUDGET:
            raise _too_deep()

    def _value(self) -> Node:
        """One expression; what operators join is a list of parts."""
        parts: list[Node] = []
        line = self._now.line
        while (token := self._now).kind not in {"line", ";", ",", ")", "]", "}", "end"}:
            if token.kind in {"name", "text", "number", "(", "[", "{"}:
                parts.append(self._part())
            elif token.kind == "=" and parts and parts[-1].tag == NAME:
                parts[-1:] = [self._assignment(parts[-1])]
            else:
                parts.append(Node(token.line, text=token.kind, tag=EXPRESSION))
                self._next()
                self._past_lines()
            if self._now.kind == ":":
                break
        if not parts:
            return self._stray()
        words = [one for one in parts if one.tag != NAME or one.text not in _DECLARING]
        if len(words) == 1:
            return words[0]
        return Node(line, Form.LIST, tag=EXPRESSION, children=tuple(words))

    def _stray(self) -> Node:
        """A bracket that closes what nothing opened."""
        if self._now.kind in {")", "]", "}", "end"}:
            line = self._now.line
            raise Unreadable(f"a bracket is missing or left over in line {line}", is_syntax=True)
        return Node(self._next().line, Form.LIST, tag=EXPRESSION)

    def _past_lines(self) -> None:
        while self._now.kind == "line":
            self._next()

    def _assignment(self, name: Node) -> Node:
        self._next()
        is_comparison = self._now.kind == "="
        if is_comparison:
            self._next()
        self._past_lines()
        self._deeper()
        pairs = [(name.text, self._value())]
        self._depth -= 1
        if is_comparison:
            children = (name, pairs[0][1])
            return Node(name.line, Form.LIST, tag=EXPRESSION, children=children)
        if pairs[0][1].form is Form.SCALAR:
            pairs = masked_pairs(pairs)
        return Node(name.line, Form.MAP, name.text, ASSIGNMENT, ("value",), (pairs[0][1],))

    def _part(self) -> Node:
        token = self._next()
        if token.kind in {"text", "number"}:
            return token.node
        if token.kind == "{":
            body = self._statements("}")
            return Node(token.line, Form.LIST, tag=CLOSURE, children=body)
        if token.kind in {"[", "("}:
            pairs = self._arguments(_CLOSERS[token.kind]).pairs
            if any(not name.isdigit() for name, _ in pairs):
                return _map(token.line, pairs)
            tag = "" if token.kind == "[" else EXPRESSION
            items = tuple(value for _, value in pairs)
            if token.kind == "(" and len(items) == 1:
                return items[0]
            return Node(token.line, Form.LIST, tag=tag, children=items)
        return self._call(token)

    def _call(self, token: _Token) -> Node:
        """A name with what it is given: in brackets, in braces, or behind it on the line."""
        name = token.node.text
        given = _Given()
        is_call = False
        if self._now.kind == "(":
            self._next()
            given, is_call = self._arguments(")"), True
        elif self._is_command(name):
            given, is_call = self._arguments("line"), True
        while self._opens_a_body():
            self._past_lines()
            line = self._next().line
            body = Node(line, Form.LIST, tag=CLOSURE, children=self._statements("}"))
            given.add(body)
            is_call = True
        if not is_call:
            return token.node
        pairs = given.pairs
        if name == "password":  # a parameter, whose default is one
            pairs = [("password" if key == "defaultValue" else key, one) for key, one in pairs]
        return _map(token.line, pairs, name, CALL)

    def _opens_a_body(self) -> bool:
        """Whether braces follow, on this line or a later one."""
        at = self._at
        while at < len(self._tokens) and self._tokens[at].kind == "line":
            at += 1
        return at < len(self._tokens) and self._tokens[at].kind == "{"

    def _is_command(self, name: str) -> bool:
        """Whether what follows on the line is what the name is given."""
        now = self._now
        if now.kind == "[":
            return now.is_apart
        if now.kind not in {"text", "name", "number"} or name in _DECLARING:
            return False
        if now.kind == "name" and now.node.text in {"in", "as", "instanceof"}:
            return False
        following = self._tokens[min(self._at + 1, len(self._tokens) - 1)].kind
        return now.kind != "name" or following != "="

    def _arguments(self, closer: str) -> _Given:
        """Names and values up to the bracket; with ``line`` up to the end of the line."""
        self._deeper()
        found = _Given()
        ends = {"line", ";", ")", "]", "}", "end"} if closer == "line" else {closer}
        while self._now.kind not in ends:
            if self._now.kind in {"line", ",", ";", ":"}:
                comma = self._next().kind == ","
                if comma and closer == "line":
                    self._past_lines()
                continue
            value = self._value()
            if self._now.kind == ":" and value.form is Form.SCALAR:
                self._next()
                self._past_lines()
                given = Node(value.line) if self._now.kind in ends | {","} else self._value()
                found.add(given, value.text)
            else:
                found.add(value)
        if closer != "line":
            self._next()
        self._depth -= 1
        return found


def _map(line: int, pairs: list[tuple[str, Node]], text: str = "", tag: str = "") -> Node:
    pairs = masked_pairs(pairs)
    names = tuple(name for name, _ in pairs)
    return Node(line, Form.MAP, text, tag, names, tuple(value for _, value in pairs))
