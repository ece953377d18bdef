"""What a way out is made of."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Remedy:
    """One rule's way out."""

    order: str
    """A step, without a full stop: what the suggestion is called."""
    text: str
    """How to do it."""
