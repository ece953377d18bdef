"""Key rotation: every stored secret under the newest key, so that older ones can be let go."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.errors import StoreError
from mergegate.host.store import connections, consoles, hooks
from mergegate.host.store.sealing import ADD, Place, Sealer
from mergegate.host.store.tables import ConnectionColumns, ConsoleColumns, HookColumns, accounts
from mergegate.host.store.tables import connections as connection_rows
from mergegate.host.store.tables import consoles as console_rows
from mergegate.host.store.tables import hooks as hook_rows

_MOST_NAMED = 10
"""How many secrets that do not open are named: more would hide what is to be done."""
Sealed = sa.Table[ConnectionColumns] | sa.Table[ConsoleColumns] | sa.Table[HookColumns]


@dataclass(frozen=True, slots=True)
class _Held:
    """A secret as it is stored."""

    table: Sealed
    mine: sa.ColumnElement[bool]
    """Its row."""
    sealed: str = field(repr=False)
    place: Place
    name: str
    """For people."""


async def reseal(conn: AsyncConnection, sealer: Sealer) -> int:
    """Seal all anew with the first key, each for its place; returns how many there are.

    Raises StoreError that names those that open with none of the keys; then nothing is changed.
    """
    held = [
        *await _held(conn, connection_rows, _of_connection),
        *await _held(conn, console_rows, _of_console),
        *await _held(conn, hook_rows, _of_hook),
    ]
    for one, sealed in _renewed(held, sealer):
        same = (one.mine, one.table.c.sealed == one.sealed)
        await conn.execute(sa.update(one.table).where(*same).values(sealed=sealed))
    return len(held)


async def _held(
    conn: AsyncConnection, table: Sealed, told: Callable[[sa.Row[Any]], tuple[Place, str]]
) -> Sequence[_Held]:
    """All of one table; ``told`` makes of a row its secret's place and its name for people."""
    (key,) = table.primary_key.columns
    found = sa.select(table, accounts.c.name).join(accounts).order_by(accounts.c.name, key)
    rows = await conn.execute(found)
    return [_Held(table, key == getattr(row, key.name), row.sealed, *told(row)) for row in rows]


def _of_connection(row: sa.Row[Any]) -> tuple[Place, str]:
    place = connections.connection_of(row).place
    return place, f"the connection of {row.name!r} with {row.provider}"


def _of_console(row: sa.Row[Any]) -> tuple[Place, str]:
    return consoles.console_of(row).place, f"the Search Console of {row.name!r}"


def _of_hook(row: sa.Row[Any]) -> tuple[Place, str]:
    place = hooks.hook_of(row).place
    return place, f"the {row.provider} hook {row.id} of {row.name!r}"


def _renewed(held: Sequence[_Held], sealer: Sealer) -> Sequence[tuple[_Held, str]]:
    found, closed = [], []
    for one in held:
        try:
            found.append((one, sealer.seal(sealer.open(one.sealed, one.place), one.place)))
        except StoreError:
            closed.append(one.name)
    if closed:
        raise _none_of_the_keys(closed)
    return found


def _none_of_the_keys(names: Sequence[str]) -> StoreError:
    told = ", ".join(names[:_MOST_NAMED])
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    open_ = "opens" if len(names) == 1 else "open"
    what = f"nothing was sealed anew: {told}{more} {open_} with none of the keys"
    return StoreError(what, remedy=ADD)
