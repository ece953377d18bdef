"""Comment commands: what a comment orders, who may order it, and what it changes.

What is decided here rests on the comment's event and the platform's answer about its author;
nothing is carried out, and the texts of the answers are in ``ci/replies.py``.
"""

import datetime as dt
from dataclasses import dataclass, replace
from enum import StrEnum

from mergegate.core.errors import UsageError
from mergegate.forges.marker import State, Waiver
from mergegate.forges.orders.parse import (
    Explain,
    Help,
    Ignore,
    Misread,
    NotAnOrder,
    Order,
    Rescan,
    Unignore,
    order_line,
    parse,
)
from mergegate.forges.ports import Standing


@dataclass(frozen=True, slots=True)
class Pin:
    """The commit to scan."""

    head: str
    moved: bool
    """Whether the change has a newer commit by now: the answer must say so."""


def pinned(order_head: str | None, current_head: str) -> Pin:
    """The commit that stood when the order was given; the current one when nobody knows.

    ``order_head`` is what the event says. GitHub's says nothing: then take the head that our
    summary comment answered last (``State.head``), which the author had before their eyes.
    An order to ignore names a finding and holds for whatever comes later.
    """
    head = order_head or current_head
    return Pin(head, moved=head != current_head)


MOST_WAIVERS = 50
MOST_CHARACTERS = 4_000
"""Of all reasons and owners together: the state has to fit into a comment."""
_OWNER = 100


def waive(state: State, order: Ignore | Unignore, owner: str, today: dt.date) -> State:
    """``state`` with the dismissal added, replaced or removed, and without expired ones.

    ``owner`` is who gave the order, by the platform's name. Raises UsageError when the comment
    can hold no more.
    """
    kept = tuple(one for one in standing_waivers(state, today) if not _same(one.id, order.id))
    if isinstance(order, Unignore):
        return replace(state, waivers=kept)
    waivers = (*kept, _waiver(order, owner))
    if len(waivers) > MOST_WAIVERS or sum(map(_size, waivers)) > MOST_CHARACTERS:
        raise UsageError(
            "this pull request cannot remember another dismissal",
            remedy="Write the lasting ones into `.mergegate.yml`, and lift them here.",
        )
    return replace(state, waivers=waivers)


def lift(state: State, id: str) -> tuple[Waiver, ...]:
    """The dismissals that an order to count ``id`` again would remove."""
    return tuple(one for one in state.waivers if _same(one.id, id))


def standing_waivers(state: State, today: dt.date) -> tuple[Waiver, ...]:
    """Those that still hold; one with a damaged date does not."""
    return tuple(one for one in state.waivers if _holds(one, today))


def _waiver(order: Ignore, owner: str) -> Waiver:
    return Waiver(
        id=order.id, reason=order.reason, owner=owner[:_OWNER], expires=order.until.isoformat()
    )


def _holds(waiver: Waiver, today: dt.date) -> bool:
    try:
        return today < dt.date.fromisoformat(waiver.expires)
    except (ValueError, TypeError):
        return False


def _same(one: str, other: str) -> bool:
    """A finding may be named by its whole id or by its beginning."""
    return one.startswith(other) or other.startswith(one)


def _size(waiver: Waiver) -> int:
    return len(waiver.reason) + len(waiver.owner)


_WRITERS = frozenset({Standing.WRITE, Standing.ADMIN})


class Ruling(StrEnum):
    """What becomes of an order."""

    GRANTED = "granted"
    REFUSED = "refused"
    """The author belongs to the project and may not do this: say so."""
    UNHEARD = "unheard"
    """An outsider: no answer at all, a line in the log; else anybody could make us write."""


def decide(order: Order, standing: Standing, *, insider: bool) -> Ruling:
    """By the author's ``standing``, read from the platform now and not from the event.

    ``insider``: the platform counts the author among the project's people. READ does not say so,
    for everybody may read a public repository.
    """
    if standing in _WRITERS:
        return Ruling.GRANTED
    if not insider or standing is Standing.NONE:
        return Ruling.UNHEARD
    return Ruling.GRANTED if needed(order) is Standing.READ else Ruling.REFUSED


def needed(order: Order) -> Standing:
    """The least standing that the order takes of somebody who belongs to the project."""
    return Standing.READ if isinstance(order, Explain | Help) else Standing.WRITE


__all__ = [
    "Explain",
    "Help",
    "Ignore",
    "Misread",
    "NotAnOrder",
    "Order",
    "Pin",
    "Rescan",
    "Ruling",
    "Unignore",
    "decide",
    "lift",
    "needed",
    "order_line",
    "parse",
    "pinned",
    "standing_waivers",
    "waive",
]
