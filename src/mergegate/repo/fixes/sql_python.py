"""Parameters of Python's SQL drivers, of SQLAlchemy and of Django."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from mergegate.repo.fixes import imports
from mergegate.repo.fixes.built import Built, built
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.names import function_around, names_of
from mergegate.repo.fixes.sql_text import (
    Node,
    Parameter,
    after_first,
    arguments_of,
    call_of,
    call_of_first,
    check_limits,
    constant,
    field,
    parameter,
    statement,
    statement_at,
)
from mergegate.repo.fixes.syntax import Source

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


Beside = Callable[[str], frozenset[str]]
"""Takes the name of a module of the same folder, and answers which modules it imports."""


def parameters(source: Source, node: Node, beside: Beside) -> Iterator[Splice]:
    """The statement with placeholders, and the values as its driver takes them."""
    wrapped = _text_around(source, node)
    target = arguments_of(wrapped)[0] if wrapped is not None else node
    text, parameters = statement_at(source, target)
    if wrapped is not None:
        yield from _of_sqlalchemy(source, wrapped, text, parameters)
        return
    call = call_of_first(target)
    mark = _mark(source, call, beside)
    if mark == ":":
        yield from _of_session(source, call, text, parameters)
        return
    _check_constant(text, parameters, mark)
    own = imports.modules(source)
    if own.union(*map(beside, own)) & _MYSQL:
        check_limits(text, parameters)
    yield from statement(text, parameters, lambda _: mark)
    values = [_of_python(one) for one in parameters]
    is_list = "django" in imports.modules(source)
    yield from _second(source, call, _listed(values, is_list=is_list))


def _text_around(source: Source, node: Node) -> Node | None:
    """SQLAlchemy's ``text(…)``, which was found or holds what was."""
    for one in (node, call_of(node)):
        if one is not None and one.type == "call" and _is_text(source, one):
            return one
    return None


def _check_constant(text: Built, parameters: Sequence[Parameter], mark: str) -> None:
    """Raises UncertainError where the text that stays would say something else to the driver."""
    stays = constant(text, parameters)
    if text.escapes == "%" and mark == "%s":
        stays = stays.replace("%%", "")  # of both it is the way to write one
    elif text.escapes and text.escapes in stays:
        raise UncertainError
    if mark[0] in stays:
        raise UncertainError


def _listed(values: Sequence[str], *, is_list: bool) -> str:
    if is_list:
        return f"[{', '.join(values)}]"
    return f"({values[0]},)" if len(values) == 1 else f"({', '.join(values)})"


def _second(source: Source, call: Node, said: str) -> Iterator[Splice]:
    """``said`` as the second argument of a call which has none, or an empty list there."""
    given = arguments_of(call)
    if len(given) == 1:
        yield after_first(source, given[0], said)
    elif re.fullmatch(r"\(\s*\)|\[\s*\]|\{\s*\}", source.of(given[1])) and len(given) == 2:
        yield Splice(given[1].start_byte, given[1].end_byte, said)
    else:
        raise UncertainError


def _mark(source: Source, call: Node, beside: Beside) -> str:
    """The placeholder of the driver: of the connection at hand, or the one that is imported.

    A colon stands for names, as SQLAlchemy's sessions take them.
    """
    name = source.of(field(call, "function"))
    method = name.split(".")[-1]
    modules = imports.modules(source)
    if method in {"raw", "RawSQL"} and "django" in modules:
        return "%s"
    if method != "execute":
        raise UncertainError
    if name.endswith("db.session.execute"):
        return ":"  # Flask's SQLAlchemy has no other name
    if mark := _opened(source, field(field(call, "function"), "object"), beside):
        return mark
    if modules & _SQLALCHEMY:
        if re.search(r"(?:^|\.)session\.execute$", name):
            return ":"
        raise UncertainError
    if not (mark := _only_mark(modules)):
        raise UncertainError
    return mark


def _only_mark(modules: Iterable[str]) -> str:
    """The placeholder of the drivers among the modules; empty where there is none or several."""
    known = {_PYTHON[one] for one in modules if one in _PYTHON}
    return known.pop() if len(known) == 1 else ""


_DEEPEST = 4


def _opened(source: Source, on: Node, beside: Beside) -> str:
    """The placeholder of what a connection or cursor was opened with, where that is seen.

    It may be a module of the same folder that opens it.
    """
    known = imports.origins(source)
    said = source.of(on)
    for _ in range(_DEEPEST):
        name = re.match(r"\w+", said)
        module, what = known.get(name[0], ("", "")) if name else ("", "")
        if re.match(r"\w+\.connect\(", said) and not what:
            return _PYTHON.get(module, "")
        if (module, what) == ("django.db", "connection"):
            return "%s"
        if there := beside(module):
            return "" if there & _SQLALCHEMY else _only_mark(there)
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


def _of_python(one: Parameter) -> str:
    said = one.value.said
    if not one.lead and not one.tail:
        return said
    if one.value.joined and not re.search(r"\s", said):
        sides = [f'"{one.lead}"'] * bool(one.lead), [f'"{one.tail}"'] * bool(one.tail)
        return " + ".join([*sides[0], said, *sides[1]])
    if re.search(r"[\n\\{}]", said + one.lead + one.tail) or ('"' in said and "'" in said):
        raise UncertainError
    quote = "'" if '"' in said else '"'
    return f"f{quote}{one.lead}{{{said}}}{one.tail}{quote}"


def _is_text(source: Source, call: Node) -> bool:
    """Whether the call is SQLAlchemy's ``text``."""
    name = source.of(field(call, "function"))
    known = imports.origins(source)
    head, _, rest = name.partition(".")
    module, what = known.get(head, ("", ""))
    if not module.startswith("sqlalchemy") and module != "sqlmodel":
        return False
    return (what == "text" and not rest) or name.endswith(".text")


def _of_sqlalchemy(
    source: Source, call: Node, text: Built, parameters: Sequence[Parameter]
) -> Iterator[Splice]:
    if len(arguments_of(call)) != 1:
        raise UncertainError
    values, splices = _named(text, parameters)
    yield from splices
    around = call_of(call)
    runs = around is not None and re.search(
        r"\.(?:execute|scalars?|exec)$", source.of(field(around, "function"))
    )
    if around is not None and runs and arguments_of(around)[0] == call:
        if len(arguments_of(around)) != 1:
            raise UncertainError
        pairs = ", ".join(f'"{name}": {value}' for name, value in values.items())
        yield Splice(call.end_byte, call.end_byte, f", {{{pairs}}}")
        return
    if call.parent is not None and call.parent.type == "attribute":
        raise UncertainError
    pairs = ", ".join(f"{name}={value}" for name, value in values.items())
    yield Splice(call.end_byte, call.end_byte, f".bindparams({pairs})")


def _of_session(
    source: Source, call: Node, text: Built, parameters: Sequence[Parameter]
) -> Iterator[Splice]:
    values, splices = _named(text, parameters)
    yield from splices
    pairs = ", ".join(f'"{name}": {value}' for name, value in values.items())
    yield from _second(source, call, f"{{{pairs}}}")


def _named(text: Built, parameters: Sequence[Parameter]) -> tuple[dict[str, str], Sequence[Splice]]:
    """The values by name, and the statement that names them."""
    if text.escapes or re.search(r"(?<!:):\w", constant(text, parameters)):
        raise UncertainError
    said = [_of_python(one) for one in parameters]
    names = names_of([one.value.said for one in parameters])
    splices = tuple(statement(text, parameters, lambda number: f":{names[number]}"))
    return dict(zip(names, said, strict=True)), splices


def where_parameters(source: Source, call: Node) -> Iterator[Splice]:
    """``params`` beside the ``where`` of Django's ``extra``, which gets placeholders."""
    arguments = {
        source.of(field(one, "name")): field(one, "value")
        for one in field(call, "arguments").named_children
        if one.type == "keyword_argument"
    }
    where = arguments.get("where")
    if where is None or "params" in arguments or "select" in arguments or where.type != "list":
        raise UncertainError
    values: list[str] = []
    for one in where.named_children:
        text = built(source, one)
        if text.escapes:
            raise UncertainError
        if text.values:
            known = [parameter(text, each) for each in text.values]
            if "%" in constant(text, known):
                raise UncertainError
            yield from statement(text, known, lambda _: "%s")
            values += [_of_python(each) for each in known]
    if not values:
        raise UncertainError
    yield Splice(where.end_byte, where.end_byte, f", params=[{', '.join(values)}]")
