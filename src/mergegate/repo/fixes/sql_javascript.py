"""Parameters of the SQL drivers of JavaScript and TypeScript."""

import re
from collections.abc import Iterator, Sequence

from mergegate.repo.fixes import imports
from mergegate.repo.fixes.built import Built
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.names import only_use
from mergegate.repo.fixes.sql_text import (
    Node,
    Parameter,
    after_first,
    arguments_of,
    call_of_first,
    check_limits,
    constant,
    field,
    statement,
    statement_at,
)
from mergegate.repo.fixes.syntax import Source

_JAVASCRIPT = {
    "mysql": "?",
    "mysql2": "?",
    "mysql2/promise": "?",
    "promise-mysql": "?",
    "sqlite3": "?",
    "sqlite": "?",
    "better-sqlite3": "prepared",
    "pg": "$",
    "sequelize": "replacements",
    "knex": "raw",
}

_CALLBACK = re.compile(r"(?i)(?:cb|callback|done|next|fn|handler)")
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "function"})


def parameters(source: Source, node: Node) -> Iterator[Splice]:
    """The statement with placeholders, and the values as its driver takes them."""
    holder = node.parent
    if holder is not None and holder.type == "variable_declarator":
        name = holder.child_by_field_name("name")
        if name is None or name.type != "identifier":
            raise UncertainError
        node = only_use(source, name)
    text, parameters = statement_at(source, node)
    call = call_of_first(node)
    style = _style(source, source.of(field(call, "function")))
    _check_javascript(source, text, parameters, style)
    mark = "${}" if style == "$" else "?"
    passed = _PASSED[style]
    if style != "tagged":
        yield from statement(text, parameters, lambda number: mark.replace("{}", str(number + 1)))
    yield from passed(source, call, text, parameters)


_STYLES = (
    (r".*\.\$(?:queryRaw|executeRaw)Unsafe", "", "tagged"),
    (r"(?i).*sequelize\.query", "", "replacements"),
    (r"(?i)(?:.*\.)?knex\.raw", "", "?"),
    (r".*\.query", "replacements", "replacements"),
    (r".*\.raw", "raw", "?"),
    (r".*\.prepare", "prepared", "prepared"),
    (r".*\.query", "$", "$"),
    (r".*\.(?:query|execute|all|get|run|each)", "?", "?"),
)
"""What is called, which driver must be imported where the name says none, and how values go in."""


def _style(source: Source, called: str) -> str:
    name = re.sub(r"\s+", "", called)
    driver = _driver(source)
    for pattern, wanted, style in _STYLES:
        if re.fullmatch(pattern, name) and wanted in {"", driver}:
            return style
    raise UncertainError


def _check_javascript(
    source: Source, text: Built, parameters: Sequence[Parameter], style: str
) -> None:
    """Raises UncertainError where the text that stays would say something else to the driver."""
    stays = constant(text, parameters)
    named = style == "replacements" and re.search(r"(?<!:):\w", stays)
    if text.escapes or "?" in stays or "$" in stays or named:
        raise UncertainError
    if any(one.startswith("mysql") for one in imports.modules(source)):
        check_limits(text, parameters)


def _driver(source: Source) -> str:
    known = {_JAVASCRIPT[one] for one in imports.modules(source) if one in _JAVASCRIPT}
    return known.pop() if len(known) == 1 else ""


def _list(source: Source, parameters: Sequence[Parameter]) -> str:
    """The values; as texts for MySQL's drivers, which make conditions of objects."""
    values = [_of_javascript(one) for one in parameters]
    if any(one.startswith(("mysql", "promise-mysql")) for one in imports.modules(source)):
        values = [one if _TEXT.match(one) else f"String({one})" for one in values]
    return f"[{', '.join(values)}]"


_TEXT = re.compile(r"[`'\"]|(?:String|Number|parseInt|parseFloat)\(|.*\.(?:toString|trim)\(\)\Z")


def _beside(
    source: Source, call: Node, _: Built, parameters: Sequence[Parameter]
) -> Iterator[Splice]:
    """The values as the second argument, before a callback."""
    given = arguments_of(call)
    if len(given) > 2 or (
        len(given) == 2
        and given[1].type not in _FUNCTIONS
        and not _CALLBACK.fullmatch(source.of(given[1]))
    ):
        raise UncertainError
    yield after_first(source, given[0], _list(source, parameters))


def _replacements(
    source: Source, call: Node, _: Built, parameters: Sequence[Parameter]
) -> Iterator[Splice]:
    given, said = arguments_of(call), _list(source, parameters)
    if len(given) == 1:
        yield after_first(source, given[0], f"{{ replacements: {said} }}")
        return
    options = given[1]
    if options.type != "object" or len(given) > 2:
        raise UncertainError
    if re.search(r"\b(?:replacements|bind)\b|\.\.\.", source.of(options)):
        raise UncertainError
    start = options.children[0].end_byte
    first = options.named_children[0] if options.named_children else None
    if first is None:
        yield Splice(start, start, f" replacements: {said} ")
        return
    between = source.bytes[start : first.start_byte].decode()
    yield Splice(first.start_byte, first.start_byte, f"replacements: {said},{between or ' '}")


def _prepared(
    source: Source, call: Node, _: Built, parameters: Sequence[Parameter]
) -> Iterator[Splice]:
    member = call.parent
    after = member.parent if member is not None else None
    if member is None or after is None or member.type != "member_expression":
        raise UncertainError
    if not re.fullmatch(r"all|get|run|iterate", source.of(field(member, "property"))):
        raise UncertainError
    arguments = field(after, "arguments") if after.type == "call_expression" else None
    if arguments is None or arguments.named_children:
        raise UncertainError
    values = ", ".join(map(_of_javascript, parameters))
    yield Splice(arguments.start_byte, arguments.end_byte, f"({values})")


def _tagged(
    source: Source, call: Node, text: Built, parameters: Sequence[Parameter]
) -> Iterator[Splice]:
    """Prisma's own way: the template is a tag's, and its values are parameters."""
    given = arguments_of(call)
    if len(given) != 1 or given[0].type != "template_string":
        raise UncertainError
    function, arguments = field(call, "function"), field(call, "arguments")
    member = field(function, "property")
    yield Splice(member.start_byte, member.end_byte, source.of(member).removesuffix("Unsafe"))
    yield Splice(arguments.start_byte, given[0].start_byte, "")
    yield Splice(given[0].end_byte, arguments.end_byte, "")
    said = [f"${{{_of_javascript(one)}}}" for one in parameters]
    yield from statement(text, parameters, lambda number: said[number])


def _of_javascript(one: Parameter) -> str:
    said = one.value.said
    if not one.lead and not one.tail:
        return said
    if "\n" in said or "`" in said:
        raise UncertainError
    return f"`{one.lead}${{{said}}}{one.tail}`"


_PASSED = {
    "?": _beside,
    "$": _beside,
    "replacements": _replacements,
    "prepared": _prepared,
    "tagged": _tagged,
}
