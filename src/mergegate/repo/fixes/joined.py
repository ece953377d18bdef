"""Texts that a program joins of constants and values: their parts, and where each stands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.syntax import Source
from mergegate.repo.fixes.within import Node, arguments, called, need

_FORMATS = re.compile(r"fmt\.Sprintf|String\.format")
_VERB = re.compile(r"%%|%[sdvq]")


@dataclass(frozen=True, slots=True)
class Constant:
    """Text as it is written between quotes."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Value:
    """An expression; ``start`` and ``end`` say where its text comes into the whole."""

    start: int
    end: int
    node: Node
    verb: str = ""
    """How a format shows it; empty where it is joined by ``+``."""


Part = Constant | Value


@dataclass(frozen=True, slots=True)
class Joined:
    """A text of at least one constant and one value."""

    source: Source
    node: Node
    parts: tuple[Part, ...]
    quote: str
    format: Node | None = None
    """The literal of a format; None where the parts are joined by ``+``."""

    @property
    def values(self) -> list[Value]:
        """The values in their order."""
        return [one for one in self.parts if isinstance(one, Value)]

    @property
    def plus(self) -> str:
        """How the language's layout joins operands among arguments."""
        return "+" if self.source.language.name == "go" else " + "

    def before(self, number: int) -> str:
        """All constant text before a part; of a value there is a NUL."""
        return _text(self.parts[:number])

    def behind(self, number: int) -> str:
        """The same of all that follows a part."""
        return _text(self.parts[number + 1 :])

    def said(self, value: Value) -> str:
        """The value's expression as it stands there."""
        return self.source.of(value.node)

    def flat(self) -> Iterator[Splice]:
        """A format becomes its literal, when no value is left in it."""
        if self.format is not None:
            yield Splice(self.node.start_byte, self.format.start_byte, "")
            yield Splice(self.format.end_byte, self.node.end_byte, "")
            for one in self.parts:
                if isinstance(one, Constant) and one.text == "%%":
                    yield Splice(one.start, one.end, "%")


def _text(parts: tuple[Part, ...]) -> str:
    return "".join(one.text if isinstance(one, Constant) else "\0" for one in parts)


def joined(source: Source, node: Node) -> Joined:
    """The parts of what stands at ``node``; raises UncertainError where it is no joined text."""
    while node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    if node.type == "binary_expression":
        parts = tuple(_operands(source, node))
        quotes = {_quote(source, one) for one in source.walk(node) if _is_text(source, one)}
        if len(quotes) != 1:
            raise UncertainError
        made = Joined(source, node, parts, quotes.pop())
    elif (
        node.type in {"call_expression", "method_invocation"}
        and _FORMATS.fullmatch(called(source, node))
        and arguments(source, node)
    ):
        form, *given = arguments(source, node)
        if not _is_text(source, form):
            raise UncertainError
        parts = tuple(_formatted(source, form, given))
        made = Joined(source, node, parts, _quote(source, form), form)
    else:
        raise UncertainError
    if not made.values or len(made.values) == len(made.parts):
        raise UncertainError
    return made


def _operands(source: Source, node: Node) -> Iterator[Part]:
    while node.type == "parenthesized_expression" and node.named_child_count == 1:
        inner = node.named_children[0]
        if not any(_is_text(source, one) for one in source.walk(inner)):
            break
        node = inner
    operator = node.child_by_field_name("operator")
    if node.type == "binary_expression" and operator and source.of(operator) == "+":
        yield from _operands(source, need(node.child_by_field_name("left")))
        yield from _operands(source, need(node.child_by_field_name("right")))
    elif _is_text(source, node):
        yield _content(source, node)
    else:
        yield Value(node.start_byte, node.end_byte, node)


def _formatted(source: Source, form: Node, given: list[Node]) -> Iterator[Part]:
    content = _content(source, form)
    at, left = 0, list(given)
    for verb in _VERB.finditer(content.text):
        yield from _between(content, at, verb.start())
        at = verb.end()
        if verb[0] == "%%":
            yield from _between(content, verb.start(), at)
        else:
            if not left:
                raise UncertainError
            start = content.start + len(content.text[: verb.start()].encode())
            yield Value(start, start + 2, left.pop(0), verb[0])
    yield from _between(content, at, len(content.text))
    if left or "%" in _VERB.sub("", content.text):
        raise UncertainError


def _between(content: Constant, start: int, end: int) -> Iterator[Constant]:
    text = content.text[start:end]
    if text:
        at = content.start + len(content.text[:start].encode())
        yield Constant(at, at + len(text.encode()), text)


def _is_text(source: Source, node: Node) -> bool:
    return node.type in source.language.texts


def _quote(source: Source, node: Node) -> str:
    text = source.of(node)
    if text.startswith('"""'):
        raise UncertainError
    return text[0]


def _content(source: Source, node: Node) -> Constant:
    _quote(source, node)
    return Constant(node.start_byte + 1, node.end_byte - 1, source.of(node)[1:-1])
