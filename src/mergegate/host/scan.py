"""A scan that was accepted, and what became of it."""

import datetime as dt
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from mergegate.core.errors import Failed
from mergegate.core.plans import Lane, Tool


def moment(when: dt.datetime) -> str:
    """A time as results write it: UTC, to the millisecond."""
    utc = when.astimezone(dt.UTC)
    return utc.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class State(StrEnum):
    """``running`` from its acceptance on; then one of the others, once, never back."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"


class Priority(IntEnum):
    """Orders the waiting scans of one account and lane; the value stands in the database."""

    SOON = 1
    """Somebody cannot go on without it: a merge waits."""
    NORMAL = 2
    LATER = 3
    """A schedule asked for it, so no caller waits."""


@dataclass(frozen=True, slots=True)
class Done:
    """A result."""

    result: str
    """The API's result resource as JSON text; ``url`` null: the link is made when it is read."""


Outcome = Done | Failed


@dataclass(frozen=True, slots=True)
class Scan:
    """One row of the truth."""

    id: str
    account_id: str
    tool: Tool
    lane: Lane
    request: str
    """The validated body as canonical JSON: sorted keys, no spaces, absent fields left out."""
    state: State
    created_at: dt.datetime
    started_at: dt.datetime | None = None
    """When a worker took it up, for the last time."""
    finished_at: dt.datetime | None = None
    tries: int = 0
    """How often a worker took it up."""
    outcome: Outcome | None = None
    """None while running."""
