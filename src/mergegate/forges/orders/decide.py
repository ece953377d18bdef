"""Whether an order is carried out: by what its author may do in the repository."""

from enum import StrEnum

from mergegate.forges.orders.nouns import Explain, Help, Order
from mergegate.forges.ports import Standing

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
