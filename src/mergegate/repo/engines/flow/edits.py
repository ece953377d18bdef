"""Edits of a program's text that move no line, and the way back from a place in what they make."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

MAY_RAISE = b"may_raise();"
"""A statement behind which, for all that semgrep knows, a handler may come next."""


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Put ``text`` before the byte ``at``, or in place of as many bytes from there on."""

    at: int
    text: bytes
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class Insertions:
    """What was put into a text: how far each place in it has moved."""

    places: tuple[int, ...] = ()
    """The first byte of each, in the edited text."""
    moved: tuple[int, ...] = ()
    """By how much what follows each has moved."""

    def origin(self, offset: int) -> int:
        """Where the byte at ``offset`` of the edited text came from."""
        index = bisect_right(self.places, offset) - 1
        if index < 0:
            return offset
        before = self.moved[index - 1] if index else 0
        return max(offset - self.moved[index], self.places[index] - before)

    def within(self, start: int, end: int) -> bool:
        """Whether something was put in between two bytes of the edited text."""
        return bisect_right(self.places, start) != bisect_right(self.places, end - 1)


def edited(text: bytes, edits: Iterable[Edit]) -> tuple[bytes, Insertions]:
    """``text`` after ``edits``, which do not overlap."""
    parts: list[bytes] = []
    places: list[int] = []
    moved: list[int] = []
    done = 0
    # What is put before a byte comes before what stands in its place.
    for edit in sorted(set(edits), key=lambda edit: (edit.at, edit.replaces, edit.text)):
        parts += (text[done : edit.at], edit.text)
        done = edit.at
        if edit.replaces:
            done += len(edit.text)
        else:
            before = moved[-1] if moved else 0
            places.append(edit.at + before)
            moved.append(before + len(edit.text))
    return b"".join([*parts, text[done:]]), Insertions(tuple(places), tuple(moved))
