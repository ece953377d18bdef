"""Which commit an order speaks of, when the change moves on after the comment."""

from dataclasses import dataclass


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
