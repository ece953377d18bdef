"""Who asks: accounts, their plans, and the caller behind a key."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from mergegate.core.plans import Scope


@dataclass(frozen=True, slots=True)
class Plan:
    """What an account may do (service specification, limits)."""

    name: str
    audits_without_waiting: int | None
    """A calendar month in UTC; None without a limit, and then no cooldown either."""
    cooldown_s: int
    """Between two audits of the same site, once those are used up."""
    requests_a_minute: int | None
    """The limit of one key; None without a limit."""
    most_waiting: int | None
    """Scans of one account that may wait at a time; None without a limit."""


FREE = Plan("free", 5, 15 * 60, 60, 100)
PAID = Plan("paid", None, 0, 600, 1_000)
UNLIMITED = Plan("unlimited", None, 0, None, None)
"""For a host's own use."""
PLANS: Mapping[str, Plan] = {plan.name: plan for plan in (FREE, PAID, UNLIMITED)}


@dataclass(frozen=True, slots=True)
class Account:
    """Owner of keys, connections and scans."""

    id: str
    name: str
    """Unique on this host."""
    plan: Plan
    created_at: dt.datetime
    suspended_at: dt.datetime | None = None
    """Since when nothing is done for it; None for one that is served."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Whom a valid key stands for."""

    key_id: str
    account_id: str
    scopes: frozenset[Scope]
    plan: Plan
