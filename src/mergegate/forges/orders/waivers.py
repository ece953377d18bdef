"""Record a dismissal in the state of our own summary comment: pure.

Only our own account writes that comment, and its author is checked before it is believed: a pull
request cannot forge what stands there.
"""

import datetime as dt
from dataclasses import replace

from mergegate.core.errors import UsageError
from mergegate.forges.marker import State, Waiver
from mergegate.forges.orders.nouns import Ignore, Unignore

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
