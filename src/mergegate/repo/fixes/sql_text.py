"""The text of an SQL statement and the values in it, whatever language puts them together.

Only a whole value can be a parameter: what names a table or column, or is a part of the statement,
is not, and nothing is changed then.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import tree_sitter

from mergegate.repo.fixes.built import Built, Value, built
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.names import unchanged_between, value_of
from mergegate.repo.fixes.syntax import Source
from mergegate.repo.fixes.within import need

Node = tree_sitter.Node


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value, and what of the text around it becomes part of it: ``%`` of LIKE, and quotes."""

    value: Value
    lead: str
    tail: str
    written: tuple[int, int]
    """The lengths of both as they are written."""
    cut_left: int
    cut_right: int


_COMPARES = re.compile(
    r"(?is)(?:[=<>]|\b(?:like|ilike|between|limit|offset|then|else|is|not|regexp|match))\s*\Z"
)
_TAKES_TEXT = re.compile(
    r"(?is)(?:[=<>(,+|]|\b(?:like|ilike|and|or|then|else|when|regexp|rlike|glob|match)\s)\s*\Z"
)
"""What stands before a text; ``date '…'`` and the like take no parameter."""
_BETWEEN = re.compile(r"(?is)\bbetween\s+\0\s+and\s*\Z")
_LISTS = re.compile(r"(?is)\bvalues\s*(?:\([^()]*\)\s*,\s*)*\([^()]*,\s*\Z")
_FIRST_OF_LIST = re.compile(r"(?is)\bvalues\s*(?:\([^()]*\)\s*,\s*)*\(\s*\Z")
_LIMITS = re.compile(r"(?is)\b(?:limit|offset)\s*\Z")
_ENDS = re.compile(r"(?s)\A\s*(?:\Z|[;),]|\s(?!\w*\())")
_PART = re.compile(r"[\w%@.:/ -]*")
_NO_VALUE = re.compile(
    r"(?i)(?:table|column|col|field|order|sort|where|clause|cond|condition|sql|query|columns|fields"
    r"|placeholders?|marks?|ph|schema|db|database|direction|filters?|conditions|names|keys)\Z"
)


def parameter(text: Built, value: Value) -> Parameter:
    """How a value becomes a parameter; raises UncertainError where it is no whole value."""
    if ".join(" in value.said or ".map(" in value.said:
        raise UncertainError  # it is several
    before, after = text.before(value), text.after(value)
    quote = _open_quote(before)
    if quote == "`":
        raise UncertainError
    if quote:
        return _quoted(text, value, quote)
    name = re.split(r"[^\w]+", value.said.rstrip(")]\"'"))[-1]
    if not _takes_value(before, after) or not _ENDS.match(after) or _NO_VALUE.search(name):
        raise UncertainError
    if _FIRST_OF_LIST.search(before) and not re.match(r"\s*,", after):
        raise UncertainError  # all values of a list may be in one text
    if re.match(r"\s+(?:\+|-|\*|/|\|\|)", after):
        raise UncertainError
    return Parameter(value, "", "", (0, 0), 0, 0)


def _quoted(text: Built, value: Value, quote: str) -> Parameter:
    """The value and all that stands between the same quotes of the statement."""
    before, after = text.before(value), text.after(value)
    left, right = text.left(value), text.right(value)
    opening = re.search(rf"(\\?{quote})({_PART.pattern})\Z", left)
    closing = re.match(rf"({_PART.pattern})(\\?{quote})(?!{quote})", right)
    lead = before[: -len(opening[2]) - 1] if opening is not None else ""
    is_compared = _takes_value(lead, after) or (
        quote == "'" and _TAKES_TEXT.search(lead) is not None
    )
    if opening is None or closing is None or not is_compared:
        raise UncertainError
    lead, tail = opening[2], closing[1]
    written = len(lead), len(tail)
    if text.escapes == "%":
        lead, tail = lead.replace("%%", "%"), tail.replace("%%", "%")
    return Parameter(value, lead, tail, written, len(opening[0]), len(closing[0]))


def _takes_value(before: str, after: str) -> bool:
    if re.search(r"(?i)\bin\s*\(\s*(?:\0\s*,\s*)*\Z", before):
        return bool(re.search(r"(?i)\bin\s*\(\s*(?:\0\s*,\s*)+\Z", before)) or bool(
            re.match(r"['\"]?\s*[,]", after)
        )
    if re.search(r"(?i)\bis\s*\Z|\bnot\s*\Z", before):
        return False
    return any(
        one.search(before) is not None for one in (_COMPARES, _BETWEEN, _LISTS, _FIRST_OF_LIST)
    )


def _open_quote(before: str) -> str:
    """The quote that is open at the end of a piece of SQL."""
    inside = ""
    for sign in before:
        if inside:
            inside = "" if sign == inside else inside
        elif sign in "'\"`":
            inside = sign
    return inside


def _read(source: Source, node: Node) -> tuple[Built, Sequence[Parameter]]:
    text = built(source, node)
    if not text.values:
        raise UncertainError
    first = text.before(text.values[0])
    if ";" in first.rstrip().rstrip(";") or "--" in first:
        raise UncertainError
    return text, [parameter(text, one) for one in text.values]


def statement(
    text: Built, parameters: Sequence[Parameter], mark: Callable[[int], str]
) -> Iterator[Splice]:
    """The statement with placeholders, of which ``mark`` makes the one of each number from 0."""
    marks = {id(one.value): (one, mark(number)) for number, one in enumerate(parameters)}

    def fill(value: Value) -> tuple[int, str, int]:
        one, said = marks[id(value)]
        follows = text.right(value)[one.cut_right : one.cut_right + 1]
        apart = " " if re.match(r"\w", follows) else ""
        return one.cut_left, said + apart, one.cut_right

    yield from text.filled(fill)


def constant(text: Built, parameters: Sequence[Parameter]) -> str:
    """The constant text that stays."""
    first, *more = [text.before(text.values[0]), *map(text.after, text.values)]
    pieces = [first, *(one.split("\0")[0] for one in more)]
    for number, one in enumerate(parameters):
        left, right = one.written
        pieces[number] = pieces[number][: len(pieces[number]) - left]
        pieces[number + 1] = pieces[number + 1][right:]
    return "\0".join(pieces)


def statement_at(source: Source, target: Node) -> tuple[Built, Sequence[Parameter]]:
    """The statement that stands at ``target``, or was put together just before."""
    if target.type != "identifier":
        return _read(source, target)
    node = value_of(source, target)
    text, parameters = _read(source, node)
    _check_unchanged(source, node, target, parameters)
    return text, parameters


def _check_unchanged(
    source: Source, node: Node, target: Node, parameters: Sequence[Parameter]
) -> None:
    """Raises UncertainError where a value may be another when the statement runs."""
    names = {
        source.of(inside)
        for one in parameters
        for inside in source.walk(one.value.node)
        if inside.type == "identifier"
    }
    if not unchanged_between(source, node, target, names):
        raise UncertainError


def check_limits(text: Built, parameters: Sequence[Parameter]) -> None:
    """Raises UncertainError for a limit of MySQL, which may be no text."""
    if any(_LIMITS.search(text.before(one.value)) for one in parameters):
        raise UncertainError


def after_first(source: Source, first: Node, said: str) -> Splice:
    """``said`` behind the first argument, on a line of its own where that has one."""
    line = source.bytes.rfind(b"\n", 0, first.start_byte) + 1
    indent = source.bytes[line : first.start_byte]
    between = f",\n{indent.decode()}" if line and not indent.strip() else ", "
    return Splice(first.end_byte, first.end_byte, f"{between}{said}")


def call_of_first(node: Node) -> Node:
    """The call that ``node`` is the first argument of."""
    call = call_of(node)
    if call is None or arguments_of(call)[0] != node:
        raise UncertainError
    return call


def call_of(node: Node) -> Node | None:
    """The call that ``node`` is an argument of."""
    arguments = node.parent
    while arguments is not None and arguments.type == "parenthesized_expression":
        arguments = arguments.parent
    if arguments is None or arguments.type not in {"argument_list", "arguments"}:
        return None
    return arguments.parent


def arguments_of(call: Node) -> Sequence[Node]:
    """The arguments of a call, at least one; raises UncertainError where a list is spread."""
    given = [one for one in field(call, "arguments").named_children if one.type != "comment"]
    if not given or any(one.type in {"spread_element", "list_splat"} for one in given):
        raise UncertainError
    return given


def field(node: Node, name: str) -> Node:
    """The part of ``node`` that the grammar calls so; raises UncertainError without one."""
    return need(node.child_by_field_name(name))
