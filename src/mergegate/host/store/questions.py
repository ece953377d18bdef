"""Looks for one row, written once for both databases.

PostgreSQL is asked for many at once: its statement takes a column of values in place of each, and
tells with every row whose it is.
"""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY

from mergegate.host.store.moment import as_text

Value = str | dt.datetime | None
"""What a question is asked with; moments are aware."""
Values = Mapping[str, Value]
"""One asker's."""
Types = Mapping[str, sa.types.TypeEngine[Any]]
Look = Callable[[Mapping[str, sa.ColumnElement[Any]]], sa.Select[*tuple[Any, ...]]]
"""Values, as they stand in a statement → the statement."""


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """Ask it by :meth:`.peeking.Peeks.row`."""

    names: tuple[str, ...]
    """Of its values."""
    for_sqlite: LiteralString
    """For one asker, in its driver's writing."""
    for_postgresql: LiteralString
    """For many; the first column tells whose a row is, by a number from 1 on."""
    most_together: int
    """They wait for the longest row among them."""

    def of_one(self, values: Values) -> dict[str, str | None]:
        """What goes with :attr:`for_sqlite`."""
        return {
            name: as_text(one) if isinstance(one, dt.datetime) else one
            for name, one in values.items()
        }

    def of_many(self, askers: Sequence[Values]) -> dict[str, str]:
        """What goes with :attr:`for_postgresql`."""
        return {name: _array([values[name] for values in askers]) for name in self.names}


def question(
    types: Types, look: Look, *, beside: Look | None = None, most_together: int = 32
) -> Question:
    """``look`` finds at most one row by values that are of ``types``; it holds no others.

    ``beside`` takes its place where it is asked together with others.
    """
    given = {name: sa.bindparam(name, type_=type) for name, type in types.items()}
    alone = _written(look(given), "sqlite", paramstyle="named")
    together = _written(_together(types, beside or look), "postgresql+psycopg")
    return Question(tuple(types), alone, together, most_together)


def _together(types: Types, look: Look) -> sa.Select[*tuple[Any, ...]]:
    """Each look stays a look of its own, by its index: a join could be carried out by any plan."""
    arrays = (
        sa.cast(sa.bindparam(name, type_=sa.Text()), ARRAY(type)) for name, type in types.items()
    )
    columns = (sa.column(name, type) for name, type in types.items())
    table = sa.func.unnest(*arrays).table_valued(*columns, with_ordinality="at")
    asked = table.render_derived(name="asked")
    one = look(dict(asked.c)).correlate(asked).limit(sa.literal_column("1"))
    found = one.lateral("found")
    return sa.select(asked.c.at, *found.c).select_from(asked.join(found, sa.true()))


def _written(statement: sa.Select[*tuple[Any, ...]], driver: str, **options: str) -> str:
    return str(statement.compile(dialect=sa.make_url(f"{driver}://").get_dialect()(**options)))


def _array(values: Sequence[Value]) -> str:
    """As PostgreSQL reads an array (its documentation, 8.15.6); its driver takes far longer."""
    return f"{{{','.join(map(_element, values))}}}"


def _element(value: Value) -> str:
    if value is None:
        return "NULL"
    text = value.isoformat() if isinstance(value, dt.datetime) else value
    escaped = text.replace("\\", r"\\").replace('"', r"\"")
    return f'"{escaped}"'
