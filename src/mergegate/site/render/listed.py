"""The first few of a list, and how many there are beyond them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Listed(Generic[T]):
    """What is shown of a list."""

    shown: tuple[T, ...]
    more: int
    """How many are left out."""

    @classmethod
    def of(cls, items: Sequence[T], most: int) -> "Listed[T]":
        """The first ``most`` of ``items``."""
        shown = tuple(items[:most])
        return cls(shown, len(items) - len(shown))
