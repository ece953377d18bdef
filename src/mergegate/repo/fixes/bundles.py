"""Fixes of one rule in one file, proved in one copy: a copy for each grows with the square of them.

What is left of the findings is compared place by place, which is more than a copy of its own asks:
each finding is gone where it was, and no place has anything new. Where that does not hold, each fix
is proved alone.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mergegate.core.finding import Edit, Finding
from mergegate.core.severity import Kind
from mergegate.repo.examine import NOT_SEARCHED
from mergegate.repo.fixes.candidate import RULE, Candidate
from mergegate.repo.fixes.edits import Hunk, hunk

FEWEST = 4
"""Fixes that are worth a shared copy: for fewer, a copy each is no slower."""
MOST = 40
_Place = tuple[bool, int]
"""Whether it is a change, and the number of that or of the line that stayed, in the old text."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """Candidates of one rule and file, none of which touches what another does."""

    candidates: tuple[Candidate, ...]

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Every edit of every candidate, once."""
        return tuple(dict.fromkeys(edit for one in self.candidates for edit in one.edits))

    def holds(self, before: Iterable[Finding], after: Iterable[Finding]) -> bool:
        """Whether each finding is gone where it was, and no place has more of any rule."""
        places = _Places(self.edits)
        was = Counter((one.rule_id, places.old(one.place.start_line)) for one in before)
        now = Counter((one.rule_id, places.new(one.place.start_line)) for one in after)
        found = (one.finding for one in self.candidates)
        gone = Counter((one.rule_id, places.old(one.place.start_line)) for one in found)
        return all(
            key[0] != NOT_SEARCHED and now[key] <= was[key] - gone[key] for key in {*now, *gone}
        )


def bundled(candidates: Iterable[Candidate]) -> Iterator[Bundle]:
    """The candidates that may be proved together; of others nothing."""
    by_rule: dict[tuple[str, str], list[Candidate]] = defaultdict(list)
    for one in candidates:
        if one.finding.kind is Kind.IAC and one.source == RULE and one.recipe is not None:
            by_rule[one.file.path, one.finding.rule_id].append(one)
    for waiting in by_rule.values():
        for start in range(0, len(waiting), MOST):
            chosen = tuple(_apart(waiting[start : start + MOST]))
            if len(chosen) >= FEWEST:
                yield Bundle(chosen)


def _apart(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Those whose changes share no line and no place, the first ones first."""
    taken: list[Hunk] = []
    for one in candidates:
        hunks = list(map(hunk, one.edits))
        if not any(_meet(old, new) for old in taken for new in hunks):
            taken += hunks
            yield one


def _meet(one: Hunk, other: Hunk) -> bool:
    first, second = sorted((one, other), key=lambda each: (each.start, each.end))
    return first.end > second.start or (first.start, first.end) == (second.start, second.end)


class _Places:
    """Which lines of both texts are the same, and which are a change's."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._hunks = sorted(map(hunk, edits), key=lambda one: (one.start, one.end))

    def old(self, line: int) -> _Place:
        """A line of the old text, from 1."""
        for number, one in enumerate(self._hunks):
            if one.start < line <= one.end:
                return True, number
        return False, line

    def new(self, line: int) -> _Place:
        """A line of the new text, from 1."""
        moved = 0
        for number, one in enumerate(self._hunks):
            start = one.start + moved
            if line <= start:
                break
            if line <= start + len(one.lines):
                return True, number
            moved += len(one.lines) - (one.end - one.start)
        return False, line - moved
