"""Fingerprints: a finding stays the same one after lines moved or the file was renamed.

A fingerprint rests on the rule, the evidence (the flagged source lines, blanks normalised),
the scope (the chain of less indented lines above: function, class, block, YAML keys) and the
occurrence among equals. Neither path nor line number enters.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
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


def identify(findings: Iterable[tuple[Finding, Excerpt]]) -> tuple[Finding, ...]:
    """Findings with ``id``, ``group_key`` and ``snippet``, worst first; all ids differ."""
    known = [
        replace(finding, group_key=_group_key(finding, excerpt), snippet=excerpt.snippet)
        for finding, excerpt in findings
    ]
    seen: Counter[str] = Counter()
    numbered = []
    for finding in sorted(known, key=lambda one: (one.place, one.order)):
        numbered.append(
            replace(finding, id=_digest(finding.group_key, str(seen[finding.group_key])))
        )
        seen[finding.group_key] += 1
    return tuple(sorted(numbered, key=lambda one: one.order))


def _group_key(finding: Finding, excerpt: Excerpt) -> str:
    if finding.evidence:
        return _digest(finding.rule_id, "", finding.evidence)
    if not excerpt.evidence:
        return _digest(finding.rule_id, "", finding.place.file.rpartition("/")[2])
    return _digest(finding.rule_id, normalised(excerpt.scope), normalised(excerpt.evidence))


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:20]


def compare(
    head: Sequence[Finding], base: Sequence[Finding]
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """``head`` with ``is_new`` set, and what of ``base`` is gone.

    Equals are matched within a file first, then across files: moved code is not new.
    """
    here = Counter((finding.group_key, finding.place.file) for finding in base)
    unmatched: list[Finding] = []
    for finding in head:
        key = (finding.group_key, finding.place.file)
        if here[key]:
            here[key] -= 1
        else:
            unmatched.append(finding)
    new = {finding.id for finding in unmatched if not _moved(finding, here)}
    return tuple(replace(finding, is_new=finding.id in new) for finding in head), _left(base, here)


def _moved(finding: Finding, left: Counter[tuple[str, str]]) -> bool:
    """Whether an equal has left another file; that one is used up."""
    for group_key, file in sorted(key for key, count in left.items() if count):
        if group_key == finding.group_key:
            left[group_key, file] -= 1
            return True
    return False


def _left(base: Sequence[Finding], left: Counter[tuple[str, str]]) -> tuple[Finding, ...]:
    """The findings of ``base`` that nothing in the head answers to."""
    gone = []
    for finding in reversed(base):
        key = (finding.group_key, finding.place.file)
        if left[key]:
            left[key] -= 1
            gone.append(finding)
    return tuple(reversed(gone))
