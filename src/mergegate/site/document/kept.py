"""What was found so far, no more of each kind than the bounds allow."""

from collections.abc import Sized
from typing import TypeVar

from mergegate.site.document.bounds import Bounds

_T = TypeVar("_T")


class Kept:
    """Remembers which kinds are not complete."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.cut: set[str] = set()

    def add(self, things: list[_T], thing: _T, kind: str) -> None:
        """Keep ``thing`` among ``things``, the field ``kind`` of the document."""
        if self.has_room(things, kind):
            things.append(thing)

    def has_room(self, things: Sized, kind: str) -> bool:
        """Whether one more is kept; what is not kept need not be read."""
        if len(things) < getattr(self.bounds, kind):
            return True
        self.cut.add(kind)
        return False

    def short(self, text: str, most: int, kind: str) -> str:
        """``text``, its white space collapsed, and no longer than ``most`` letters."""
        if len(text) > most:
            return self._shortened(text, most, kind)
        return " ".join(text.split())

    def _shortened(self, text: str, most: int, kind: str) -> str:
        """White space that is left out makes room, as far as twice the length is looked at."""
        said = " ".join(text[: 2 * most].split())
        if len(said) > most or len(text) > 2 * most:
            self.cut.add(kind)
        return said[:most].rstrip()
