"""SQL that Java programs join: statements become prepared ones, with values for placeholders."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mergegate.repo.fixes.calls import alone, imported
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.java_values import handles, type_of
from mergegate.repo.fixes.joined import joined
from mergegate.repo.fixes.placeholders import Bound, bound
from mergegate.repo.fixes.syntax import Source, above
from mergegate.repo.fixes.within import (
    Node,
    after,
    arguments,
    before,
    called,
    certain,
    fresh,
    function,
    indent,
    inside,
    meant,
    need,
    origin,
    over,
    statement,
    text_after,
    uses,
)

_RUNS = (
    r".*\.(?:execute|executeQuery|executeUpdate|executeLargeUpdate|prepareStatement"
    r"|createNativeQuery|createQuery|query|queryForObject|queryForList|queryForMap|update)"
)
_OWN = frozenset({"close", "setQueryTimeout", "setMaxRows", "setFetchSize", "getResultSet"})
"""What is asked of a statement, prepared or not."""
_TEMPLATES = re.compile(r"(?i)(?:\w+\.)?(?:jdbc\w*|jdbcTemplate|\w*JdbcTemplate|template)")


@certain
def placeholders(source: Source, node: Node) -> Iterator[Splice]:
    """The values of a statement bound to placeholders, in one of the ways that Java knows."""
    call = meant(source, node, _RUNS)
    said, *more = arguments(source, call)
    if not inside(node, said):
        raise UncertainError
    made = origin(source, said, alone=True)
    method = called(source, call).rpartition(".")[2]
    is_jpa = method in {"createNativeQuery", "createQuery"}
    splices, values = bound(
        joined(source, made),
        (lambda number: f"?{number}") if is_jpa else (lambda _: "?"),
        lambda value: source.of(value.node),
    )
    if is_jpa:
        yield from splices
        listed = (f".setParameter({n}, {_value(source, one)})" for n, one in _numbered(values))
        yield Splice(call.end_byte, call.end_byte, "".join(listed))
    elif method.startswith(("query", "update")):
        template = need(call.child_by_field_name("object"))
        kind = type_of(source, template)
        is_named = "named" in source.of(template).lower() or kind.startswith("Named")
        if not _TEMPLATES.fullmatch(source.of(template)) or is_named or len(more) > 1:
            raise UncertainError
        yield from splices
        last = more[-1] if more else said
        listed = (f", {_value(source, one, numbers=True)}" for _, one in _numbered(values))
        yield Splice(last.end_byte, last.end_byte, "".join(listed))
    else:
        changed = _Changed(said, made, splices, values)
        yield from _Prepared(source, call, changed).splices()
        yield from imported(source, "import java.sql.PreparedStatement;")


def _numbered(values: Sequence[Bound]) -> Iterator[tuple[int, Bound]]:
    return enumerate(values, start=1)


_SETTERS = {
    "int": "setInt",
    "Integer": "setInt",
    "short": "setShort",
    "long": "setLong",
    "Long": "setLong",
    "double": "setDouble",
    "Double": "setDouble",
    "boolean": "setBoolean",
    "Boolean": "setBoolean",
    "BigDecimal": "setBigDecimal",
}
_ID = re.compile(r"(?i)\bid\s*=\s*$|_id\s*=\s*$|[a-z]Id\s*=\s*$")


def _value(source: Source, one: Bound, *, numbers: bool = False) -> str:
    """The value as the type that its place in the statement has."""
    if one.value is None:
        return one.text
    kind = type_of(source, one.value.node)
    if one.quoted:
        return one.text if kind == "String" else f"String.valueOf({one.text})"
    if kind in _SETTERS:
        return one.text
    if kind == "String" and numbers and _ID.search(one.before):
        return f"Long.parseLong({one.text})"
    raise UncertainError


def _setter(source: Source, one: Bound) -> str:
    if one.quoted:
        return "setString"
    kind = type_of(source, need(one.value.node if one.value else None))
    return "setLong" if kind == "String" else _SETTERS[kind]


@dataclass(frozen=True, slots=True)
class _Changed:
    """The text of a statement: what is handed over, what makes it, and what becomes of it."""

    said: Node
    made: Node
    splices: Sequence[Splice]
    values: Sequence[Bound]


class _Prepared:
    """A statement of JDBC, made, filled and run."""

    def __init__(self, source: Source, call: Node, changed: "_Changed") -> None:
        self.source = source
        self.call = call
        self.said = changed.said
        self.made = changed.made
        self.changes = changed.splices
        self.values = changed.values
        self.variable = self.said != self.made

    def splices(self) -> Iterator[Splice]:
        on = need(self.call.child_by_field_name("object"))
        method = called(self.source, self.call).rpartition(".")[2]
        if self.variable:
            yield from self.changes
        if method == "prepareStatement":
            if not self.variable:
                yield from self.changes
            yield from self._filled()
        elif on.type == "method_invocation":
            yield from self._chained(on, method)
        elif on.type == "identifier" and len(arguments(self.source, self.call)) == 1:
            yield from self._named(on)
        else:
            raise UncertainError

    @property
    def text(self) -> str:
        """The statement's text, as an expression."""
        if self.variable:
            return self.source.of(self.said)
        return text_after(self.source, self.said, self.changes)

    def _setters(self, name: str) -> list[str]:
        return [
            f"{name}.{_setter(self.source, one)}"
            f"({number}, {_value(self.source, one, numbers=True)});"
            for number, one in _numbered(self.values)
        ]

    def _filled(self) -> Iterator[Splice]:
        """After a prepared statement was made: in its block, or first of what is tried with it."""
        around = need(self.call.parent)
        if around.type == "resource":
            listed = need(around.parent)
            tried = need(listed.parent)
            if listed.named_children[-1] != around:
                raise UncertainError
            body = need(tried.child_by_field_name("body"))
            if not body.named_children:
                raise UncertainError
            name = self.source.of(need(around.child_by_field_name("name")))
            yield before(self.source, body.named_children[0], *self._setters(name))
            return
        if around.type == "variable_declarator":
            name = self.source.of(need(around.child_by_field_name("name")))
        elif around.type == "assignment_expression":
            name = self.source.of(need(around.child_by_field_name("left")))
        else:
            raise UncertainError
        yield after(self.source, statement(self.source, self.call), *self._setters(name))

    def _chained(self, on: Node, method: str) -> Iterator[Splice]:
        """``connection.createStatement().executeQuery(…)``: the statement needs a name."""
        if not called(self.source, on).endswith(".createStatement"):
            raise UncertainError
        done = statement(self.source, self.call)
        name = fresh(self.source, self.call, r".*\.execute\w*", "statement", "prepared", "query")
        made = f"PreparedStatement {name} = {self._creation(on)};"
        yield before(self.source, done, made, *self._setters(name))
        yield over(self.call, f"{name}.{method}()")

    def _creation(self, creation: Node) -> str:
        on = self.source.of(need(creation.child_by_field_name("object")))
        given = [self.source.of(one) for one in arguments(self.source, creation)]
        return f"{on}.prepareStatement({', '.join((self.text, *given))})"

    def _named(self, on: Node) -> Iterator[Splice]:
        """A statement in a variable, which does nothing else."""
        source = self.source
        within = function(source, self.call)
        places = uses(source, within, source.of(on))
        declarations = [one for one in places if _declaration(one) is not None]
        creations = [one for one in places if _creation_of(source, one) is not None]
        if len(declarations) != 1 or len(creations) != 1:
            raise UncertainError
        for one in places:
            if one not in (*declarations, *creations, on) and not _is_harmless(source, one):
                raise UncertainError
        declaration = need(_declaration(declarations[0]))
        creation = need(_creation_of(source, creations[0]))
        moved = self.variable and self.made.end_byte > creation.start_byte
        if not (moved and inside(creation, declaration)):
            yield from _retyped(source, declaration)
        if moved:
            yield from self._created_later(creation, source.of(on))
        else:
            yield over(creation, self._creation(creation))
        yield before(source, self._place(declaration), *self._setters(source.of(on)))
        yield over(need(self.call.child_by_field_name("arguments")), "()")

    def _place(self, declaration: Node) -> Node:
        """The statement that runs it; one that tries its result throws before that what it may."""
        around = above(self.call, {"resource", *self.source.language.statements})
        if around is None or around.type != "resource":
            return statement(self.source, self.call)
        listed = need(around.parent)
        tried = statement(self.source, self.call, passed="resource_specification")
        if listed.named_children[0] != around or inside(declaration, listed):
            raise UncertainError
        if not handles(tried, "SQLException"):
            raise UncertainError
        return tried

    def _created_later(self, creation: Node, name: str) -> Iterator[Splice]:
        """A statement whose text is made behind it is made behind its text."""
        source = self.source
        text = need(above(self.made, {"local_variable_declaration"}))
        done = statement(source, creation)
        if done.parent != text.parent:
            raise UncertainError
        kind = "PreparedStatement " if done.type == "local_variable_declaration" else ""
        if not kind and done.type != "expression_statement":
            raise UncertainError
        indent(source, done)
        yield alone(source, done)
        yield after(source, text, f"{kind}{name} = {self._creation(creation)};")


def _declaration(name: Node) -> Node | None:
    """The declaration that gives the name its type."""
    around = name.parent
    if around is not None and around.type == "variable_declarator":
        own = around.child_by_field_name("name") == name
        return around.parent if own else None
    if around is not None and around.type == "resource":
        return around if around.child_by_field_name("name") == name else None
    return None


def _creation_of(source: Source, name: Node) -> Node | None:
    """The ``createStatement`` that the name is given."""
    around = name.parent
    value = None
    if around is not None and around.type in {"variable_declarator", "resource"}:
        value = around.child_by_field_name("value")
    elif around is not None and around.type == "assignment_expression":
        value = around.child_by_field_name("right")
    if value is None or value == name or value.type != "method_invocation":
        return None
    return value if called(source, value).endswith(".createStatement") else None


def _is_harmless(source: Source, name: Node) -> bool:
    around = need(name.parent)
    if around.type == "method_invocation":
        return called(source, around).rpartition(".")[2] in _OWN
    return around.type in {"argument_list", "binary_expression"}


def _retyped(source: Source, declaration: Node) -> Iterator[Splice]:
    kind = need(declaration.child_by_field_name("type"))
    said = source.of(kind)
    if said == "var":
        return
    if said.rpartition(".")[2] != "Statement":
        raise UncertainError
    declared = [one for one in declaration.named_children if one.type == "variable_declarator"]
    if len(declared) > 1:
        raise UncertainError
    yield over(kind, said.removesuffix("Statement") + "PreparedStatement")
