"""SQL statements whose values become parameters, in the driver's own style.

Only a whole value can be a parameter: what names a table or column, or is a part of the statement,
is not, and nothing is changed then.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import tree_sitter

from mergegate.repo.fixes import imports
from mergegate.repo.fixes.built import Built, Unsure, Value, built
from mergegate.repo.fixes.edits import Splice
from mergegate.repo.fixes.names import (
    function_around,
    names_of,
    only_use,
    unchanged_between,
    value_of,
)
from mergegate.repo.fixes.recipe import Found
from mergegate.repo.fixes.syntax import Source, above
from mergegate.repo.fixes.values import opened

_Node = tree_sitter.Node

_PYTHON = {
    "sqlite3": "?",
    "aiosqlite": "?",
    "pyodbc": "?",
    "duckdb": "?",
    "psycopg2": "%s",
    "psycopg": "%s",
    "aiopg": "%s",
    "MySQLdb": "%s",
    "pymysql": "%s",
    "aiomysql": "%s",
    "mysql": "%s",
    "mariadb": "?",
    "pymssql": "%s",
    "flask_mysqldb": "%s",
    "flaskext": "%s",
    "django": "%s",
}
"""What stands for a parameter, by the module of the driver."""
_MYSQL = frozenset({"MySQLdb", "pymysql", "aiomysql", "mysql", "flask_mysqldb", "flaskext"})
_SQLALCHEMY = frozenset({"sqlalchemy", "flask_sqlalchemy", "sqlmodel"})
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


def parameters(found: Found) -> Sequence[Splice]:
    """The statement with placeholders, and the values beside it; nothing where one is no value."""
    here = opened(found)
    if here is None:
        return ()
    source, node = here
    is_python = source.language.name == "python"
    try:
        return tuple(_python(source, node) if is_python else _javascript(source, node))
    except Unsure:
        return ()


def where_parameters(found: Found) -> Sequence[Splice]:
    """``extra(where=["a = '%s'" % b])`` of Django with ``params=[b]``."""
    here = opened(found)
    call = above(here[1], {"call"}) if here is not None else None
    if here is None or call is None:
        return ()
    try:
        return tuple(_extra(here[0], call))
    except Unsure:
        return ()


@dataclass(frozen=True, slots=True)
class _Parameter:
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


def _parameter(text: Built, value: Value) -> _Parameter:
    """How a value becomes a parameter; raises ``Unsure`` where it is no whole value."""
    if ".join(" in value.said or ".map(" in value.said:
        raise Unsure  # it is several
    before, after = text.before(value), text.after(value)
    quote = _open_quote(before)
    if quote == "`":
        raise Unsure
    if quote:
        return _quoted(text, value, quote)
    name = re.split(r"[^\w]+", value.said.rstrip(")]\"'"))[-1]
    if not _takes_value(before, after) or not _ENDS.match(after) or _NO_VALUE.search(name):
        raise Unsure
    if _FIRST_OF_LIST.search(before) and not re.match(r"\s*,", after):
        raise Unsure  # all values of a list may be in one text
    if re.match(r"\s+(?:\+|-|\*|/|\|\|)", after):
        raise Unsure
    return _Parameter(value, "", "", (0, 0), 0, 0)


def _quoted(text: Built, value: Value, quote: str) -> _Parameter:
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
        raise Unsure
    lead, tail = opening[2], closing[1]
    written = len(lead), len(tail)
    if text.escapes == "%":
        lead, tail = lead.replace("%%", "%"), tail.replace("%%", "%")
    return _Parameter(value, lead, tail, written, len(opening[0]), len(closing[0]))


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


def _read(source: Source, node: _Node) -> tuple[Built, Sequence[_Parameter]]:
    text = built(source, node)
    if not text.values:
        raise Unsure
    first = text.before(text.values[0])
    if ";" in first.rstrip().rstrip(";") or "--" in first:
        raise Unsure
    return text, [_parameter(text, one) for one in text.values]


def _statement(
    text: Built, parameters: Sequence[_Parameter], mark: Callable[[int], str]
) -> Iterator[Splice]:
    """The statement with placeholders, of which ``mark`` makes the one of each number from 0."""
    marks = {id(one.value): (one, mark(number)) for number, one in enumerate(parameters)}

    def fill(value: Value) -> tuple[int, str, int]:
        one, said = marks[id(value)]
        follows = text.right(value)[one.cut_right : one.cut_right + 1]
        apart = " " if re.match(r"\w", follows) else ""
        return one.cut_left, said + apart, one.cut_right

    yield from text.filled(fill)


def _constant(text: Built, parameters: Sequence[_Parameter]) -> str:
    """The constant text that stays."""
    first, *more = [text.before(text.values[0]), *map(text.after, text.values)]
    pieces = [first, *(one.split("\0")[0] for one in more)]
    for number, one in enumerate(parameters):
        left, right = one.written
        pieces[number] = pieces[number][: len(pieces[number]) - left]
        pieces[number + 1] = pieces[number + 1][right:]
    return "\0".join(pieces)


# Python


def _python(source: Source, node: _Node) -> Iterator[Splice]:
    wrapped = _text_around(source, node)
    target = _arguments(wrapped)[0] if wrapped is not None else node
    text, parameters = _built(source, target)
    if wrapped is not None:
        yield from _of_sqlalchemy(source, wrapped, text, parameters)
        return
    call = _given_first(target)
    mark = _mark(source, call)
    if mark == ":":
        yield from _of_session(source, call, text, parameters)
        return
    _check_constant(text, parameters, mark)
    if imports.modules(source) & _MYSQL:
        _check_limits(text, parameters)
    yield from _statement(text, parameters, lambda _: mark)
    values = [_of_python(one) for one in parameters]
    is_list = "django" in imports.modules(source)
    yield from _second(source, call, _listed(values, is_list=is_list))


def _text_around(source: Source, node: _Node) -> _Node | None:
    """SQLAlchemy's ``text(…)``, which was found or holds what was."""
    for one in (node, _call_of(node)):
        if one is not None and one.type == "call" and _is_text(source, one):
            return one
    return None


def _built(source: Source, target: _Node) -> tuple[Built, Sequence[_Parameter]]:
    """The statement that stands at ``target``, or was put together just before."""
    if target.type != "identifier":
        return _read(source, target)
    node = value_of(source, target)
    text, parameters = _read(source, node)
    _check_unchanged(source, node, target, parameters)
    return text, parameters


def _check_unchanged(
    source: Source, node: _Node, target: _Node, parameters: Sequence[_Parameter]
) -> None:
    """Raises ``Unsure`` where a value may be another when the statement runs."""
    names = {
        source.of(inside)
        for one in parameters
        for inside in source.walk(one.value.node)
        if inside.type == "identifier"
    }
    if not unchanged_between(source, node, target, names):
        raise Unsure


def _check_constant(text: Built, parameters: Sequence[_Parameter], mark: str) -> None:
    """Raises ``Unsure`` where the text that stays would say something else to the driver."""
    constant = _constant(text, parameters)
    if text.escapes == "%" and mark == "%s":
        constant = constant.replace("%%", "")  # of both it is the way to write one
    elif text.escapes and text.escapes in constant:
        raise Unsure
    if mark[0] in constant:
        raise Unsure


def _check_limits(text: Built, parameters: Sequence[_Parameter]) -> None:
    """Raises ``Unsure`` for a limit of MySQL, which may be no text."""
    if any(_LIMITS.search(text.before(one.value)) for one in parameters):
        raise Unsure


def _listed(values: Sequence[str], *, is_list: bool) -> str:
    if is_list:
        return f"[{', '.join(values)}]"
    return f"({values[0]},)" if len(values) == 1 else f"({', '.join(values)})"


def _second(source: Source, call: _Node, said: str) -> Iterator[Splice]:
    """``said`` as the second argument of a call which has none, or an empty list there."""
    given = _arguments(call)
    if len(given) == 1:
        yield _after(source, given[0], said)
    elif re.fullmatch(r"\(\s*\)|\[\s*\]|\{\s*\}", source.of(given[1])) and len(given) == 2:
        yield Splice(given[1].start_byte, given[1].end_byte, said)
    else:
        raise Unsure


def _after(source: Source, first: _Node, said: str) -> Splice:
    """``said`` behind the first argument, on a line of its own where that has one."""
    line = source.bytes.rfind(b"\n", 0, first.start_byte) + 1
    indent = source.bytes[line : first.start_byte]
    between = f",\n{indent.decode()}" if line and not indent.strip() else ", "
    return Splice(first.end_byte, first.end_byte, f"{between}{said}")


def _mark(source: Source, call: _Node) -> str:
    """The placeholder of the driver: of the connection at hand, or the one that is imported.

    A colon stands for names, as SQLAlchemy's sessions take them.
    """
    name = source.of(_field(call, "function"))
    method = name.split(".")[-1]
    modules = imports.modules(source)
    if method in {"raw", "RawSQL"} and "django" in modules:
        return "%s"
    if method != "execute":
        raise Unsure
    if name.endswith("db.session.execute"):
        return ":"  # Flask's SQLAlchemy has no other name
    if mark := _opened(source, _field(_field(call, "function"), "object")):
        return mark
    if modules & _SQLALCHEMY:
        if re.search(r"(?:^|\.)session\.execute$", name):
            return ":"
        raise Unsure
    known = {_PYTHON[one] for one in modules if one in _PYTHON}
    if len(known) != 1:
        raise Unsure
    return known.pop()


_DEEPEST = 4


def _opened(source: Source, on: _Node) -> str:
    """The placeholder of what a connection or cursor was opened with, where that is seen."""
    known = imports.origins(source)
    said = source.of(on)
    for _ in range(_DEEPEST):
        name = re.match(r"\w+", said)
        module, what = known.get(name[0], ("", "")) if name else ("", "")
        if re.match(r"\w+\.connect\(", said) and not what:
            return _PYTHON.get(module, "")
        if (module, what) == ("django.db", "connection"):
            return "%s"
        given = re.findall(
            rf"(?m)^\s*(?:{re.escape(name[0])} = (.+)|with (.+) as {re.escape(name[0])}:)"
            if name
            else r"\0",
            source.of(function_around(source, on)),
        )
        if len(given) != 1:
            return ""
        said = "".join(given[0])
    return ""


def _of_python(one: _Parameter) -> str:
    said = one.value.said
    if not one.lead and not one.tail:
        return said
    if one.value.joined and not re.search(r"\s", said):
        sides = [f'"{one.lead}"'] * bool(one.lead), [f'"{one.tail}"'] * bool(one.tail)
        return " + ".join([*sides[0], said, *sides[1]])
    if re.search(r"[\n\\{}]", said + one.lead + one.tail) or ('"' in said and "'" in said):
        raise Unsure
    quote = "'" if '"' in said else '"'
    return f"f{quote}{one.lead}{{{said}}}{one.tail}{quote}"


def _is_text(source: Source, call: _Node) -> bool:
    """Whether the call is SQLAlchemy's ``text``."""
    name = source.of(_field(call, "function"))
    known = imports.origins(source)
    head, _, rest = name.partition(".")
    module, what = known.get(head, ("", ""))
    if not module.startswith("sqlalchemy") and module != "sqlmodel":
        return False
    return (what == "text" and not rest) or name.endswith(".text")


def _of_sqlalchemy(
    source: Source, call: _Node, text: Built, parameters: Sequence[_Parameter]
) -> Iterator[Splice]:
    if len(_arguments(call)) != 1:
        raise Unsure
    values, splices = _named(text, parameters)
    yield from splices
    around = _call_of(call)
    runs = around is not None and re.search(
        r"\.(?:execute|scalars?|exec)$", source.of(_field(around, "function"))
    )
    if around is not None and runs and _arguments(around)[0] == call:
        if len(_arguments(around)) != 1:
            raise Unsure
        pairs = ", ".join(f'"{name}": {value}' for name, value in values.items())
        yield Splice(call.end_byte, call.end_byte, f", {{{pairs}}}")
        return
    if call.parent is not None and call.parent.type == "attribute":
        raise Unsure
    pairs = ", ".join(f"{name}={value}" for name, value in values.items())
    yield Splice(call.end_byte, call.end_byte, f".bindparams({pairs})")


def _of_session(
    source: Source, call: _Node, text: Built, parameters: Sequence[_Parameter]
) -> Iterator[Splice]:
    values, splices = _named(text, parameters)
    yield from splices
    pairs = ", ".join(f'"{name}": {value}' for name, value in values.items())
    yield from _second(source, call, f"{{{pairs}}}")


def _named(
    text: Built, parameters: Sequence[_Parameter]
) -> tuple[dict[str, str], Sequence[Splice]]:
    """The values by name, and the statement that names them."""
    if text.escapes or re.search(r"(?<!:):\w", _constant(text, parameters)):
        raise Unsure
    said = [_of_python(one) for one in parameters]
    names = names_of([one.value.said for one in parameters])
    splices = tuple(_statement(text, parameters, lambda number: f":{names[number]}"))
    return dict(zip(names, said, strict=True)), splices


def _extra(source: Source, call: _Node) -> Iterator[Splice]:
    arguments = {
        source.of(_field(one, "name")): _field(one, "value")
        for one in _field(call, "arguments").named_children
        if one.type == "keyword_argument"
    }
    where = arguments.get("where")
    if where is None or "params" in arguments or "select" in arguments or where.type != "list":
        raise Unsure
    values: list[str] = []
    for one in where.named_children:
        text = built(source, one)
        if text.escapes:
            raise Unsure
        if text.values:
            known = [_parameter(text, each) for each in text.values]
            if "%" in _constant(text, known):
                raise Unsure
            yield from _statement(text, known, lambda _: "%s")
            values += [_of_python(each) for each in known]
    if not values:
        raise Unsure
    yield Splice(where.end_byte, where.end_byte, f", params=[{', '.join(values)}]")


# JavaScript and TypeScript

_CALLBACK = re.compile(r"(?i)(?:cb|callback|done|next|fn|handler)")
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "function"})


def _javascript(source: Source, node: _Node) -> Iterator[Splice]:
    holder = node.parent
    if holder is not None and holder.type == "variable_declarator":
        name = holder.child_by_field_name("name")
        if name is None or name.type != "identifier":
            raise Unsure
        node = only_use(source, name)
    text, parameters = _built(source, node)
    call = _given_first(node)
    style = _style(source, source.of(_field(call, "function")))
    _check_javascript(source, text, parameters, style)
    mark = "${}" if style == "$" else "?"
    passed = _PASSED[style]
    if style != "tagged":
        yield from _statement(text, parameters, lambda number: mark.replace("{}", str(number + 1)))
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
    raise Unsure


def _check_javascript(
    source: Source, text: Built, parameters: Sequence[_Parameter], style: str
) -> None:
    """Raises ``Unsure`` where the text that stays would say something else to the driver."""
    constant = _constant(text, parameters)
    named = style == "replacements" and re.search(r"(?<!:):\w", constant)
    if text.escapes or "?" in constant or "$" in constant or named:
        raise Unsure
    if any(one.startswith("mysql") for one in imports.modules(source)):
        _check_limits(text, parameters)


def _driver(source: Source) -> str:
    known = {_JAVASCRIPT[one] for one in imports.modules(source) if one in _JAVASCRIPT}
    return known.pop() if len(known) == 1 else ""


def _list(source: Source, parameters: Sequence[_Parameter]) -> str:
    """The values; as texts for MySQL's drivers, which make conditions of objects."""
    values = [_of_javascript(one) for one in parameters]
    if any(one.startswith(("mysql", "promise-mysql")) for one in imports.modules(source)):
        values = [one if _TEXT.match(one) else f"String({one})" for one in values]
    return f"[{', '.join(values)}]"


_TEXT = re.compile(r"[`'\"]|(?:String|Number|parseInt|parseFloat)\(|.*\.(?:toString|trim)\(\)\Z")


def _beside(
    source: Source, call: _Node, _: Built, parameters: Sequence[_Parameter]
) -> Iterator[Splice]:
    """The values as the second argument, before a callback."""
    given = _arguments(call)
    if len(given) > 2 or (
        len(given) == 2
        and given[1].type not in _FUNCTIONS
        and not _CALLBACK.fullmatch(source.of(given[1]))
    ):
        raise Unsure
    yield _after(source, given[0], _list(source, parameters))


def _replacements(
    source: Source, call: _Node, _: Built, parameters: Sequence[_Parameter]
) -> Iterator[Splice]:
    given, said = _arguments(call), _list(source, parameters)
    if len(given) == 1:
        yield _after(source, given[0], f"{{ replacements: {said} }}")
        return
    options = given[1]
    if options.type != "object" or len(given) > 2:
        raise Unsure
    if re.search(r"\b(?:replacements|bind)\b|\.\.\.", source.of(options)):
        raise Unsure
    start = options.children[0].end_byte
    first = options.named_children[0] if options.named_children else None
    if first is None:
        yield Splice(start, start, f" replacements: {said} ")
        return
    between = source.bytes[start : first.start_byte].decode()
    yield Splice(first.start_byte, first.start_byte, f"replacements: {said},{between or ' '}")


def _prepared(
    source: Source, call: _Node, _: Built, parameters: Sequence[_Parameter]
) -> Iterator[Splice]:
    member = call.parent
    after = member.parent if member is not None else None
    if member is None or after is None or member.type != "member_expression":
        raise Unsure
    if not re.fullmatch(r"all|get|run|iterate", source.of(_field(member, "property"))):
        raise Unsure
    arguments = _field(after, "arguments") if after.type == "call_expression" else None
    if arguments is None or arguments.named_children:
        raise Unsure
    values = ", ".join(map(_of_javascript, parameters))
    yield Splice(arguments.start_byte, arguments.end_byte, f"({values})")


def _tagged(
    source: Source, call: _Node, text: Built, parameters: Sequence[_Parameter]
) -> Iterator[Splice]:
    """Prisma's own way: the template is a tag's, and its values are parameters."""
    given = _arguments(call)
    if len(given) != 1 or given[0].type != "template_string":
        raise Unsure
    function, arguments = _field(call, "function"), _field(call, "arguments")
    member = _field(function, "property")
    yield Splice(member.start_byte, member.end_byte, source.of(member).removesuffix("Unsafe"))
    yield Splice(arguments.start_byte, given[0].start_byte, "")
    yield Splice(given[0].end_byte, arguments.end_byte, "")
    said = [f"${{{_of_javascript(one)}}}" for one in parameters]
    yield from _statement(text, parameters, lambda number: said[number])


def _of_javascript(one: _Parameter) -> str:
    said = one.value.said
    if not one.lead and not one.tail:
        return said
    if "\n" in said or "`" in said:
        raise Unsure
    return f"`{one.lead}${{{said}}}{one.tail}`"


_PASSED = {
    "?": _beside,
    "$": _beside,
    "replacements": _replacements,
    "prepared": _prepared,
    "tagged": _tagged,
}


# Both


def _given_first(node: _Node) -> _Node:
    """The call that ``node`` is the first argument of."""
    call = _call_of(node)
    if call is None or _arguments(call)[0] != node:
        raise Unsure
    return call


def _call_of(node: _Node) -> _Node | None:
    """The call that ``node`` is an argument of."""
    arguments = node.parent
    while arguments is not None and arguments.type == "parenthesized_expression":
        arguments = arguments.parent
    if arguments is None or arguments.type not in {"argument_list", "arguments"}:
        return None
    return arguments.parent


def _arguments(call: _Node) -> Sequence[_Node]:
    given = [one for one in _field(call, "arguments").named_children if one.type != "comment"]
    if not given or any(one.type in {"spread_element", "list_splat"} for one in given):
        raise Unsure
    return given


def _field(node: _Node, name: str) -> _Node:
    found = node.child_by_field_name(name)
    if found is None:
        raise Unsure
    return found
