"""The geometry of the HTML report's charts: numbers in, lengths out of 100."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mergegate.core.finding import Finding
from mergegate.core.render import wording
from mergegate.core.report import Ledger
from mergegate.core.severity import Category, Severity

GAUGE_RADIUS = 54
_MOST_FOLDERS = 8


@dataclass(frozen=True, slots=True)
class Step:
    """A category's share of the way from 100 down to the score."""

    category: Category
    points: int
    cap: int
    counted: int
    start: float
    """Where the bar begins, 0–100."""
    width: float


@dataclass(frozen=True, slots=True)
class Piece:
    """One severity's part of a stacked bar."""

    severity: Severity
    count: int
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class Bar:
    """A stacked bar with its label."""

    label: str
    total: int
    pieces: tuple[Piece, ...]

    @property
    def said(self) -> str:
        """The bar in words."""
        return ", ".join(f"{piece.count:,} {piece.severity.label}" for piece in self.pieces)


def gauge(score: int) -> tuple[float, float]:
    """Dash and gap of a ring of :data:`GAUGE_RADIUS` that is ``score`` percent full."""
    length = 2 * math.pi * GAUGE_RADIUS
    return round(length * score / 100, 2), round(length, 2)


def waterfall(ledger: Ledger) -> tuple[Step, ...]:
    """A step a category, each beginning where the one before it ended; never below 0."""
    left, steps = 100, []
    for one in ledger.subtotals:
        after = max(0, left - one.counted)
        steps.append(Step(one.category, one.points, one.cap, one.counted, after, left - after))
        left = after
    return tuple(steps)


def by_category(findings: Iterable[Finding], ledger: Ledger) -> tuple[Bar, ...]:
    """A bar a category of the ledger."""
    groups: dict[str, list[Finding]] = {one.category.value: [] for one in ledger.subtotals}
    for finding in findings:
        groups.setdefault(finding.category.value, []).append(finding)
    return _bars(list(groups.items()))


def by_folder(findings: Iterable[Finding]) -> tuple[Bar, ...]:
    """A bar for each of the folders that hold most, the rest as one."""
    groups: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        groups[_folder(finding.place.file)].append(finding)
    ranked = sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    rest = [finding for _, group in ranked[_MOST_FOLDERS:] for finding in group]
    return _bars([*ranked[:_MOST_FOLDERS], *([("other folders", rest)] if rest else [])])


def _folder(path: str) -> str:
    """The first two folders of ``path``."""
    if not path:
        return "whole repository"
    return "/".join(path.split("/")[:-1][:2]) or "(top)"


def _bars(groups: Sequence[tuple[str, Sequence[Finding]]]) -> tuple[Bar, ...]:
    most = max((len(group) for _, group in groups), default=0)
    return tuple(Bar(label, len(group), _pieces(group, most)) for label, group in groups)


def _pieces(group: Sequence[Finding], most: int) -> tuple[Piece, ...]:
    start, pieces = 0.0, []
    for severity, count in wording.severities(group).items():
        if count:
            width = 100 * count / most
            pieces.append(Piece(severity, count, round(start, 2), round(width, 2)))
            start += width
    return tuple(pieces)
