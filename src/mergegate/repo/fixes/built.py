"""How a program puts a text together: its constant parts, and the values between them.

A formatted string of Python (``f"…"``, ``"…" % x``, ``"…".format(x)``), a template string of
JavaScript, and what ``+`` joins, in any mixture.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import tree_sitter

from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.syntax import Source

_Node = tree_sitter.Node


MOST_VALUES = 40
"""In one text; people write none with more."""


@dataclass(frozen=True, slots=True)
class Text:
    """Constant text, as it is written between the quotes."""

    start: int
    end: int
    raw: str
    quote: str
    """What opens and closes the string: one or three quotes, or a backtick."""
    prefix: str
    """Letters before the quotes, without the ``f`` of a formatted string."""

    @property
    def said(self) -> str:
        """Without the backslashes of quotes and line breaks."""
        return re.sub(r"\\(['\"`])", r"\1", self.raw.replace("\\\n", "")).replace("\\n", "\n")


@dataclass(frozen=True, slots=True)
class Value:
    """An expression whose value stands between constant texts."""

    node: _Node
    said: str
    """The expression as it is written."""
    start: int
    end: int
    """Its place in the text: of the braces around it, or of its own where ``+`` joins it."""
    joined: bool
    """Joined by ``+``: in Python it is a text for certain."""


@dataclass(frozen=True, slots=True)
class Built:
    """A text in its parts."""

    parts: tuple[Text | Value, ...]
    rest: tuple[Splice, ...]
    """What goes with the last value: the ``f`` before the quotes, ``% x``, ``.format(x)``."""
    node: _Node
    escapes: str
    """The sign of the text that is written in another way there: a brace, dollar or percent."""

    @property
    def values(self) -> Sequence[Value]:
        """The values, from the left."""
        return [one for one in self.parts if isinstance(one, Value)]

    def before(self, value: Value) -> str:
        """All text to the left of a value, in which a NUL stands for each other value."""
        left = self.parts[: self.parts.index(value)]
        return "".join(one.said if isinstance(one, Text) else "\0" for one in left)

    def after(self, value: Value) -> str:
        """All text to the right of a value."""
        right = self.parts[self.parts.index(value) + 1 :]
        return "".join(one.said if isinstance(one, Text) else "\0" for one in right)

    def filled(self, fill: Callable[[Value], tuple[int, str, int]]) -> Iterator[Splice]:
        """Constant text in place of every value.

        ``fill`` says how much text goes to the left, what stands there, and how much goes to the
        right.
        """
        for value in self.values:
            number = self.parts.index(value)
            left, right = self._beside(number - 1), self._beside(number + 1)
            yield self._filled(value, left, right, fill(value))
        yield from self.rest

    def left(self, value: Value) -> str:
        """What is written directly to the left of a value, between the same quotes."""
        text = self._beside(self.parts.index(value) - 1)
        return text.raw if text is not None else ""

    def right(self, value: Value) -> str:
        """What is written directly to the right of a value, between the same quotes."""
        text = self._beside(self.parts.index(value) + 1)
        return text.raw if text is not None else ""

    def _beside(self, number: int) -> Text | None:
        one = self.parts[number] if 0 <= number < len(self.parts) else None
        return one if isinstance(one, Text) else None

    def _filled(
        self,
        value: Value,
        left: Text | None,
        right: Text | None,
        filling: tuple[int, str, int],
    ) -> Splice:
        cut_left, text, cut_right = filling
        if (cut_left and left is None) or (cut_right and right is None):
            raise UncertainError
        start, end = value.start, value.end
        if not value.joined:
            return Splice(start - cut_left, end + cut_right, text)
        if left is not None and right is not None:
            if (left.quote, left.prefix) != (right.quote, right.prefix):
                raise UncertainError
            return Splice(left.end - cut_left, right.start + cut_right, text)
        if left is not None:
            return Splice(left.end - cut_left, end, text + left.quote)
        if right is not None:
            if right.prefix:
                raise UncertainError
            return Splice(start, right.start + cut_right, right.quote + text)
        raise UncertainError


def built(source: Source, node: _Node) -> Built:
    """The parts of a text; raises UncertainError where it is put together in another way."""
    reader = _Python(source) if source.language.name == "python" else _JavaScript(source)
    parts = tuple(reader.read(node))
    values = sum(isinstance(one, Value) for one in parts)
    if values == len(parts) or values > MOST_VALUES:
        raise UncertainError
    rest = tuple(dict.fromkeys(reader.rest))
    return Built(parts, rest, node, reader.escapes)


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.rest: list[Splice] = []
        self.escapes = ""

    def read(self, node: _Node) -> Iterator[Text | Value]:
        """The parts of what ``+`` joins, however much that is."""
        waiting = [node]
        while waiting:
            one = waiting.pop()
            operator = one.child_by_field_name("operator")
            if one.type == "parenthesized_expression" and len(one.named_children) == 1:
                waiting.append(one.named_children[0])
            elif one.type in {"binary_operator", "binary_expression"} and (
                operator is not None and self.source.of(operator) == "+"
            ):
                waiting += [_field(one, "right"), _field(one, "left")]
            else:
                yield from self.operand(one)

    def operand(self, node: _Node) -> Iterator[Text | Value]:
        """A text of its own kind, or a value."""
        raise NotImplementedError

    def value(self, node: _Node) -> Value:
        """An operand that is no text."""
        return Value(node, self.source.of(node), node.start_byte, node.end_byte, joined=True)

    def hole(self, node: _Node, inside: _Node) -> Value:
        """A place within a text for a value."""
        said = self.source.of(inside)
        return Value(inside, said, node.start_byte, node.end_byte, joined=False)

    def within(
        self, node: _Node, quote: str, prefix: str = "", hole: str = ""
    ) -> Iterator[Text | Value]:
        """Texts and holes between two quotes."""
        opening, closing = node.children[0], node.children[-1]
        start = opening.end_byte
        for one in node.named_children:
            if one.type == hole:
                yield self._text(start, one.start_byte, quote, prefix)
                yield self.hole(one, self.inside(one))
                start = one.end_byte
        yield self._text(start, closing.start_byte, quote, prefix)

    def inside(self, hole: _Node) -> _Node:
        """The expression of a hole; raises UncertainError where a format is said beside it."""
        expressions = hole.named_children
        if len(expressions) != 1:
            raise UncertainError
        return expressions[0]

    def _text(self, start: int, end: int, quote: str, prefix: str) -> Text:
        raw = self.source.bytes[start:end].decode()
        return Text(start, end, raw, quote, prefix)


class _JavaScript(_Reader):
    def operand(self, node: _Node) -> Iterator[Text | Value]:
        if node.type == "string":
            yield from self.within(node, self.source.of(node.children[0]))
        elif node.type == "template_string":
            if node.parent is not None and node.parent.type == "call_expression":
                raise UncertainError  # a tag makes of it what it likes
            yield from self.within(node, "`", hole="template_substitution")
            if "\\$" in self.source.of(node):
                self.escapes = "$"
        else:
            yield self.value(node)


_PLACE = re.compile(r"%(?P<key>\(\w+\))?(?P<kind>[sdi%])|%")
_FIELD = re.compile(r"\{\{|\}\}|\{(?P<key>\w*)\}|[{}]")


class _Python(_Reader):
    def operand(self, node: _Node) -> Iterator[Text | Value]:
        if node.type == "string":
            yield from self._string(node)
        elif node.type == "concatenated_string":
            for one in node.named_children:
                if one.type == "string":
                    yield from self._string(one)
        elif node.type == "binary_operator" and self._sign(node) == "%":
            yield from self._percent(node)
        elif node.type == "call" and self._is_format(node):
            yield from self._format(node)
        else:
            yield self.value(node)

    def _string(self, node: _Node) -> Iterator[Text | Value]:
        start = node.children[0]
        said = self.source.of(start)
        letters = said.rstrip("'\"")
        if set(letters.lower()) - set("fru"):
            raise UncertainError
        prefix = letters.lower().replace("f", "").replace("u", "")
        quote = said[len(letters) :]
        yield from self.within(node, quote, prefix, "interpolation")
        if "f" in letters.lower():
            at = start.start_byte
            plain = re.sub("[fF]", "", letters)
            self.rest.append(Splice(at, at + len(letters), plain))
            if re.search(r"\{\{|\}\}", self.source.of(node)):
                self.escapes = "{"

    def _sign(self, node: _Node) -> str:
        sign = node.child_by_field_name("operator")
        return self.source.of(sign) if sign is not None else ""

    def _percent(self, node: _Node) -> Iterator[Text | Value]:
        left, right = _field(node, "left"), _field(node, "right")
        texts = list(self._plain(left))
        places = [one for text in texts for one in _PLACE.finditer(text.raw)]
        wanted = [one for one in places if one["kind"] != "%"]
        if any(one["kind"] is None for one in places):
            raise UncertainError
        keys = [one["key"] for one in wanted]
        given = self._given(right, keys)
        if len(wanted) < len(places):
            self.escapes = "%"
        self.rest.append(Splice(left.end_byte, node.end_byte, ""))
        yield from self._placed(texts, _PLACE, iter(given))

    def _given(self, right: _Node, keys: Sequence[str | None]) -> Sequence[_Node]:
        if right.type == "dictionary":
            pairs = {
                self.source.of(_field(one, "key")).strip("'\""): _field(one, "value")
                for one in right.named_children
                if one.type == "pair"
            }
            named = [(one or "").strip("()") for one in keys]
            if any(one not in pairs for one in named):
                raise UncertainError
            return [pairs[one] for one in named]
        if any(keys):
            raise UncertainError
        given = right.named_children if right.type == "tuple" else [right]
        if right.type in {"tuple_expression", "list_splat"} or len(given) != len(keys):
            raise UncertainError
        if right.type == "identifier" and re.search(
            r"(?i)(?:args|params?|values|data|row|tuple|s)$", self.source.of(right)
        ):
            raise UncertainError  # it may be a tuple
        return given

    def _is_format(self, node: _Node) -> bool:
        function = _field(node, "function")
        on = function.child_by_field_name("object")
        name = function.child_by_field_name("attribute")
        texts = {"string", "concatenated_string", "parenthesized_expression"}
        return (
            on is not None
            and name is not None
            and self.source.of(name) == "format"
            and on.type in texts
        )

    def _format(self, node: _Node) -> Iterator[Text | Value]:
        on = _field(_field(node, "function"), "object")
        texts = list(self._plain(on))
        arguments = _field(node, "arguments").named_children
        plain = [one for one in arguments if one.type != "keyword_argument"]
        if any(one.type in {"list_splat", "dictionary_splat", "comment"} for one in plain):
            raise UncertainError
        named = {
            self.source.of(_field(one, "name")): _field(one, "value")
            for one in arguments
            if one.type == "keyword_argument"
        }
        given = list(self._fields(texts, plain, named))
        if {one.id for one in given} != {one.id for one in (*plain, *named.values())}:
            raise UncertainError  # what is given and not used would no longer be evaluated
        self.rest.append(Splice(on.end_byte, node.end_byte, ""))
        yield from self._placed(texts, _FIELD, iter(given))

    def _fields(
        self, texts: Sequence[Text], plain: Sequence[_Node], named: Mapping[str, _Node]
    ) -> Iterator[_Node]:
        """What is given for each place of a format, from the left."""
        places = [one for text in texts for one in _FIELD.finditer(text.raw)]
        if any(one[0] in {"{{", "}}"} for one in places):
            self.escapes = "{"
        keys = [one["key"] for one in places if one[0] not in {"{{", "}}"}]
        count = 0
        for key in keys:
            if key is None:
                raise UncertainError
            number = count if key == "" else int(key) if key.isdigit() else -1
            count += key == ""
            if number >= len(plain) or (number < 0 and key not in named):
                raise UncertainError
            yield plain[number] if number >= 0 else named[key]

    def _plain(self, node: _Node) -> Iterator[Text]:
        """A constant text, of which parts may be in strings of their own."""
        if node.type == "parenthesized_expression" and len(node.named_children) == 1:
            yield from self._plain(node.named_children[0])
            return
        if node.type not in {"string", "concatenated_string"}:
            raise UncertainError
        before = len(self.rest)
        for one in self.operand(node):
            if not isinstance(one, Text):
                raise UncertainError
            yield one
        if len(self.rest) != before:
            raise UncertainError  # formatted twice

    def _placed(
        self, texts: Sequence[Text], pattern: re.Pattern[str], given: Iterator[_Node]
    ) -> Iterator[Text | Value]:
        for text in texts:
            start = text.start
            for place in pattern.finditer(text.raw):
                if place[0] in {"%%", "{{", "}}"}:
                    continue
                at = text.start + len(text.raw[: place.start()].encode())
                end = at + len(place[0].encode())
                yield self._text(start, at, text.quote, text.prefix)
                node = next(given)
                yield Value(node, self.source.of(node), at, end, joined=False)
                start = end
            yield self._text(start, text.end, text.quote, text.prefix)


def _field(node: _Node, name: str) -> _Node:
    found = node.child_by_field_name(name)
    if found is None:
        raise UncertainError
    return found
