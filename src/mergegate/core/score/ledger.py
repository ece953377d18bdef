"""How the score comes about: one deduction a finding, each category clamped to its cap."""

from collections.abc import Iterable, Sequence

from mergegate.core.finding import Finding
from mergegate.core.report import Deduction, Ledger, Subtotal
from mergegate.core.score.scoring import Scoring
from mergegate.core.severity import Category

FULL_SCORE = 100


def draw_up(findings: Iterable[Finding], scoring: Scoring) -> Ledger:
    """The ledger of ``findings``, worst first; the score is clamped to 0–100."""
    ordered = sorted(findings, key=lambda finding: finding.order)
    subtotals = tuple(_subtotal(category, ordered, scoring) for category in scoring.caps)
    taken = sum(subtotal.counted for subtotal in subtotals)
    return Ledger(max(0, FULL_SCORE - taken), _deductions(ordered, scoring), subtotals)


def _subtotal(category: Category, findings: Sequence[Finding], scoring: Scoring) -> Subtotal:
    points = sum(scoring.weights[f.severity] for f in findings if f.category == category)
    return Subtotal(category, points, scoring.caps[category])


def _deductions(findings: Sequence[Finding], scoring: Scoring) -> tuple[Deduction, ...]:
    """Worst findings use up their category's cap first."""
    left = dict(scoring.caps)
    deductions = []
    for finding in findings:
        points = scoring.weights[finding.severity]
        if not points:
            continue
        counted = min(points, left[finding.category])
        left[finding.category] -= counted
        deductions.append(
            Deduction(
                finding.category, finding.id, finding.title, finding.severity, points, counted
            )
        )
    return tuple(deductions)
