"""API keys: made, looked up by their hash, revoked. The key itself is kept nowhere."""

import base64
import datetime as dt
import hashlib
import re
import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.plans import Scope
from mergegate.host.account import Caller
from mergegate.host.scan import Scan
from mergegate.host.store.accounts import plan_of
from mergegate.host.store.scans import COLUMNS, scan_of
from mergegate.host.store.sql import UtcDateTime, safe_id
from mergegate.host.store.tables import accounts, keys, scans
from mergegate.site.level import RANDOM_BYTES, identifier

_SECRET_BYTES = 32
_SHAPE = re.compile(r"mg_[A-Za-z0-9_-]{43}")
_PREFIX_LENGTH = 11
"""``mg_`` and 48 of the 256 bits."""
_NO_KEY = "mg_"
"""Looked up in place of text that cannot be a key: as much work as any, however long it is."""


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key on the one occasion that it can be seen."""

    id: str
    key: str = field(repr=False)
    prefix: str
    """What the key begins with, for people to tell keys apart."""
    scopes: frozenset[Scope]
    expires_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class KeyLine:
    """A key in a list."""

    id: str
    account: str
    """The name of its account."""
    name: str
    prefix: str
    scopes: frozenset[Scope]
    created_at: dt.datetime
    expires_at: dt.datetime | None
    revoked_at: dt.datetime | None


async def make(  # noqa: PLR0917 - one row, its columns in their order
    conn: AsyncConnection,
    account_id: str,
    name: str,
    scopes: Collection[Scope],
    expires_at: dt.datetime | None,
    now: dt.datetime,
    random: Callable[[int], bytes] = secrets.token_bytes,
) -> NewKey:
    """A new key of that account, valid until ``expires_at``, or for good."""
    secret = base64.urlsafe_b64encode(random(_SECRET_BYTES)).decode().rstrip("=")
    made = NewKey(
        identifier("key_", now, random(RANDOM_BYTES)),
        f"mg_{secret}",
        f"mg_{secret}"[:_PREFIX_LENGTH],
        frozenset(scopes),
        expires_at,
    )
    await conn.execute(
        sa.insert(keys).values(
            id=made.id,
            account_id=account_id,
            name=name,
            hash=hash_of(made.key),
            prefix=made.prefix,
            scopes=" ".join(sorted(scopes)),
            created_at=now,
            expires_at=expires_at,
        )
    )
    return made


def hash_of(key: str) -> str:
    """SHA-256 in hexadecimal; text without the shape of a key gets a hash that no key has."""
    shaped = key if _SHAPE.fullmatch(key) else _NO_KEY
    return hashlib.sha256(shaped.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Authenticated:
    """What a key may see."""

    caller: Caller | None
    """None alike for a key that is malformed, unknown, revoked or expired, or whose account is
    suspended."""
    scan: Scan | None
    """None alike when there is no such scan, and when it is another account's."""


async def authenticate(
    conn: AsyncConnection, key: str, now: dt.datetime, scan_id: str = ""
) -> Authenticated:
    """The caller ``key`` stands for, and their scan of that identifier, by one query.

    A bad key costs as much as a good one.
    """
    asked = {"hash": hash_of(key), "now": now, "scan_id": safe_id(scan_id)}
    row = (await conn.execute(_AUTHENTICATE, asked)).first()
    if row is None:
        return Authenticated(None, None)
    key_id, account_id, scopes, plan, *scan = row
    caller = Caller(key_id, account_id, _known_scopes(scopes), plan_of(plan))
    return Authenticated(caller, scan_of(scan) if scan[0] else None)


_now = sa.bindparam("now", type_=UtcDateTime)
_mine = sa.and_(scans.c.id == sa.bindparam("scan_id"), scans.c.account_id == keys.c.account_id)
_AUTHENTICATE = (
    sa.select(keys.c.id, keys.c.account_id, keys.c.scopes, accounts.c.plan, *COLUMNS)
    .join(accounts, accounts.c.id == keys.c.account_id)
    .outerjoin(scans, _mine)
    .where(
        keys.c.hash == sa.bindparam("hash"),
        keys.c.revoked_at.is_(None),
        accounts.c.suspended_at.is_(None),
        sa.or_(keys.c.expires_at.is_(None), keys.c.expires_at > _now),
    )
)
"""Built once: every request makes it, and to build it takes as long as to ask it."""


async def revoke(conn: AsyncConnection, id_or_prefix: str, now: dt.datetime) -> bool:
    """Revoke the key of that identifier or prefix; whether it was not revoked before."""
    asked = safe_id(id_or_prefix)
    done = await conn.execute(
        sa.update(keys)
        .where(sa.or_(keys.c.id == asked, keys.c.prefix == asked))
        .where(keys.c.revoked_at.is_(None))
        .values(revoked_at=now)
    )
    return done.rowcount > 0


async def listed(conn: AsyncConnection, account_id: str | None = None) -> Sequence[KeyLine]:
    """Every key, or those of one account, oldest first."""
    chosen = sa.true() if account_id is None else keys.c.account_id == account_id
    found = await conn.execute(
        sa.select(keys, accounts.c.name.label("account"))
        .join(accounts, accounts.c.id == keys.c.account_id)
        .where(chosen)
        .order_by(keys.c.created_at, keys.c.id)
    )
    return [_line(row) for row in found]


def _line(row: sa.Row[Any]) -> KeyLine:
    times = (row.created_at, row.expires_at, row.revoked_at)
    return KeyLine(row.id, row.account, row.name, row.prefix, _known_scopes(row.scopes), *times)


def _known_scopes(written: str) -> frozenset[Scope]:
    """Without those that this release does not know."""
    return frozenset(Scope(one) for one in written.split() if one in set(Scope))
