"""How one list becomes another, in a time that a list of many equal items does not multiply."""

from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

Step = tuple[str, int, int, int, int]
"""``equal``, ``replace``, ``delete`` or ``insert``, and where: of the old list, then of the new."""
_Item = TypeVar("_Item", bound=Hashable)


def steps(old: Sequence[_Item], new: Sequence[_Item]) -> Sequence[Step]:
    """The steps in order; what is the same at both ends is not compared again.

    In a long rest, items that stand everywhere are no reason to see a match: each would be held
    against each.
    """
    most = min(len(old), len(new))
    same = next((n for n in range(most) if old[n] != new[n]), most)
    left = most - same
    ends = next((n for n in range(left) if old[-1 - n] != new[-1 - n]), left)
    inner = SequenceMatcher(None, old[same : len(old) - ends], new[same : len(new) - ends])
    found = [
        ("equal", 0, same, 0, same),
        *((tag, i + same, j + same, k + same, m + same) for tag, i, j, k, m in inner.get_opcodes()),
        ("equal", len(old) - ends, len(old), len(new) - ends, len(new)),
    ]
    return [one for one in found if one[0] != "equal" or one[1] < one[2]]
