"""How much of a document is kept, and what was cut."""

from collections.abc import Sized
from dataclasses import dataclass
from typing import TypeVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Numbers of things, and letters of texts."""

    html: int = 5 * 1024 * 1024
    """Letters that are read at all."""
    titles: int = 10
    metas: int = 500
    links: int = 1_000
    anchors: int = 5_000
    headings: int = 1_000
    images: int = 2_000
    scripts: int = 1_000
    forms: int = 200
    inputs: int = 300
    """The most fields of one form."""
    resources: int = 5_000
    blocks: int = 5_000
    json_ld: int = 100
    items: int = 500
    times: int = 200
    text: int = 500_000
    """Letters of everything a visitor may read, and of what is said without scripts."""
    block: int = 50_000
    """Letters of one block."""
    phrase: int = 1_000
    """Letters of a title, an anchor, a heading and the like."""
    value: int = 10_000
    """Letters of a ``meta``."""
    hidden: int = 200
    """Letters of a hidden field."""
    json: int = 512 * 1024
    """Letters of one JSON-LD script that are parsed."""


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
