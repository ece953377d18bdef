"""Fingerprints: a finding stays the same one after lines moved.

A fingerprint rests on the rule, the evidence (the flagged source lines, blanks normalised),
the scope (the chain of less indented lines above: function, class, block, YAML keys), the file and
the occurrence among equals. No line number enters. Against a base a finding also stays the same
one when Git reports that its file was renamed.
"""

import hashlib
import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from mergegate.core.finding import Finding

_BLANKS = re.compile(r"\s+")
_DEEPEST = 1 << 62


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What the source says at a finding's place."""

    scope: str = ""
    """The less indented lines above, outermost first."""
    evidence: str = ""
    """The flagged lines as they stand; hashed, never shown."""
    snippet: str = ""
    """The flagged lines, secrets masked: what may be shown."""


def normalised(text: str) -> str:
    """``text`` with every run of white space as one blank: layout is no part of identity."""
    return _BLANKS.sub(" ", text).strip()


class Scopes:
    """What encloses each line of one file; every line is looked at once."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._above: list[int] = []
        """By line, from 0: the nearest less indented one above, of a blank one the nearest that is
        none; -1 where there is none."""

    def of(self, line: int) -> str:
        """The chain of less indented lines above ``line`` (1-based), outermost first."""
        self._read(line - 1)
        chain: list[str] = []
        above = self._climb(line - 2, _indent(self._lines[line - 1]))
        while above >= 0:
            if self._lines[above].strip(" \t\r)}];,"):
                chain.append(self._lines[above])
            above = self._above[above]
        return "\n".join(reversed(chain))

    def _read(self, most: int) -> None:
        for number in range(len(self._above), most):
            text = self._lines[number]
            depth = _indent(text) if text.strip() else _DEEPEST
            self._above.append(self._climb(number - 1, depth))

    def _climb(self, line: int, depth: int) -> int:
        """The nearest line from ``line`` upwards that is not blank and less indented."""
        while line >= 0 and not (self._lines[line].strip() and _indent(self._lines[line]) < depth):
            line = self._above[line]
        return line


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" \t"))


def keyed(findings: Iterable[tuple[Finding, Excerpt]]) -> tuple[Finding, ...]:
    """Findings with ``group_key`` and ``snippet``, in the order given."""
    return tuple(
        replace(finding, group_key=_group_key(finding, excerpt), snippet=excerpt.snippet)
        for finding, excerpt in findings
    )


def identified(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings that have their ``group_key`` with ``id``, worst first; all ids differ."""
    seen: Counter[_Spot] = Counter()
    numbered = []
    for finding in sorted(findings, key=lambda one: (one.place, one.order)):
        spot = (finding.group_key, finding.place.file)
        numbered.append(replace(finding, id=_id(spot, seen[spot])))
        seen[spot] += 1
    return tuple(sorted(numbered, key=lambda one: one.order))


_Spot = tuple[str, str]
"""The group key or rule, and the file."""
_ANYWHERE = "\0"
"""Stands for whatever file; no path holds it."""


def _group_key(finding: Finding, excerpt: Excerpt) -> str:
    if finding.evidence:
        return _evidence_key(finding.rule_id, finding.evidence)
    return _digest(finding.rule_id, normalised(excerpt.scope), normalised(excerpt.evidence))


def _evidence_key(rule: str, evidence: str) -> str:
    return _digest(rule, "", evidence)


def _id(spot: _Spot, occurrence: int) -> str:
    return _digest(*spot, str(occurrence))


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:20]


def compare(
    head: Iterable[Finding], base: Sequence[Finding], renames: Mapping[str, str] | None = None
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """``head``, worst first, with ``is_new`` set, and what of ``base`` is gone.

    A finding is an old one where the base has its equal in the same file, and no milder; it bears
    that one's id. ``renames`` leads from a path of the head to the one that Git calls it in the
    base. In another file it is new, though its equal may be gone there: so dead code comes alive.
    What is the same anywhere (``Finding.anywhere``) is new once there is more of it; where it moved
    to another file it is old, and bears an id of its own: what was decided about one place is not
    decided about another.
    """
    left = _Left(base, renames or {})
    ordered = sorted(head, key=lambda one: one.order)
    twins = {one.id: twin for one in ordered if (twin := left.beside(one))}
    for one in ordered:
        if one.id not in twins and (twin := left.elsewhere(one)):
            twins[one.id] = twin
    fresh = _Fresh({one.id for one in base})
    return tuple(_marked(one, twins.get(one.id), left, fresh) for one in ordered), left.gone()


def _marked(finding: Finding, twin: Finding | None, left: "_Left", fresh: "_Fresh") -> Finding:
    stays = twin is not None and twin.place.file == left.home(finding)
    id = twin.id if twin is not None and stays else fresh.id(finding)
    return replace(finding, is_new=twin is None, id=id)


class _Fresh:
    """Ids for new findings: none of the base's, so that no dismissal of an old one fits."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken
        self._next: Counter[_Spot] = Counter()

    def id(self, finding: Finding) -> str:
        """The finding's own id, or where that is taken the next occurrence's."""
        id, spot = finding.id, (finding.group_key, finding.place.file)
        while id in self._taken:
            id = _id(spot, self._next[spot])
            self._next[spot] += 1
        self._taken.add(id)
        return id


class _Left:
    """The findings of the base that nothing in the head answers to yet."""

    def __init__(self, base: Sequence[Finding], renames: Mapping[str, str]) -> None:
        self._base = base
        self._renames = renames
        self._used: set[str] = set()
        self._queues: dict[_Spot, deque[Finding]] = defaultdict(deque)
        for one in sorted(base, key=lambda one: one.order):
            self._queues[one.group_key, one.place.file].append(one)
            if one.anywhere:
                self._queues[one.group_key, _ANYWHERE].append(one)
        self._lists: dict[_Spot, list[Finding]] = defaultdict(list)
        for one in base:
            if "\n" in one.evidence:
                self._lists[self._shelf(one, one.place.file)].append(one)

    def beside(self, finding: Finding) -> Finding | None:
        """The equal in the same file, now used up."""
        return self._take(finding, self._queues[self._key(finding), self.home(finding)])

    def elsewhere(self, finding: Finding) -> Finding | None:
        """The equal of what may stand anywhere, or a list that holds all lines of this one."""
        queue = self._queues[self._key(finding), _ANYWHERE] if finding.anywhere else deque()
        return self._take(finding, queue) or self._take(finding, self._longer(finding))

    def gone(self) -> tuple[Finding, ...]:
        """What is left in the end."""
        return tuple(one for one in self._base if one.id not in self._used)

    def _take(self, finding: Finding, queue: deque[Finding]) -> Finding | None:
        """The worst of ``queue``, unless it is milder: then the others are, too."""
        while queue and queue[0].id in self._used:
            queue.popleft()
        if not queue or finding.order[:2] < queue[0].order[:2]:
            return None
        self._used.add(queue[0].id)
        return queue.popleft()

    def _longer(self, finding: Finding) -> deque[Finding]:
        shelf = self._lists.get(self._shelf(finding, self.home(finding)), ())
        lines = Counter(self._before(finding.evidence))
        return deque(one for one in shelf if lines <= Counter(one.evidence.split("\n")))

    def _shelf(self, finding: Finding, file: str) -> _Spot:
        return finding.rule_id, _ANYWHERE if finding.anywhere else file

    def _key(self, finding: Finding) -> str:
        """The group key, as it was before files were renamed."""
        if not finding.evidence:
            return finding.group_key
        return _evidence_key(finding.rule_id, "\n".join(self._before(finding.evidence)))

    def _before(self, evidence: str) -> list[str]:
        return sorted(self._renames.get(line, line) for line in evidence.split("\n"))

    def home(self, finding: Finding) -> str:
        """The path in the base of the finding's file."""
        return self._renames.get(finding.place.file, finding.place.file)
