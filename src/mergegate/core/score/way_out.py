"""The smallest set of findings whose removal turns a failed gate green.

Every blocking finding has to go. Of the rest, a category's total only counts up to its cap,
so taking the heaviest first is best within a category, and the choice between categories is
a small knapsack: at most ``cap + 1`` distinct sums each.
"""

from collections.abc import Iterable, Sequence

from mergegate.core.finding import Finding
from mergegate.core.score.ledger import FULL_SCORE
from mergegate.core.score.scoring import Scoring
from mergegate.core.severity import Category

Plan = tuple[int, tuple[Finding, ...]]
"""Points still counted, and the findings removed to get there."""


def way_out(findings: Iterable[Finding], scoring: Scoring) -> tuple[str, ...]:
    """Ids, worst first; the least findings, and among equals the one that leaves most points."""
    ordered = sorted(findings, key=lambda finding: finding.order)
    blocking = [finding for finding in ordered if finding.severity >= scoring.blocking]
    others = [finding for finding in ordered if finding.severity < scoring.blocking]
    removed = {finding.id for finding in (*blocking, *_lightest(others, scoring))}
    return tuple(finding.id for finding in ordered if finding.id in removed)


def _lightest(findings: Sequence[Finding], scoring: Scoring) -> tuple[Finding, ...]:
    allowance = FULL_SCORE - scoring.floor
    plans: dict[int, tuple[Finding, ...]] = {0: ()}
    for category in scoring.caps:
        choices = _choices([f for f in findings if f.category == category], category, scoring)
        plans = _combine(plans, choices)
    fitting = [(len(removed), points) for points, removed in plans.items() if points <= allowance]
    return plans[min(fitting)[1]]


def _choices(findings: Sequence[Finding], category: Category, scoring: Scoring) -> list[Plan]:
    """For each sum the category can come down to, the fewest removals that reach it."""
    cap = scoring.caps[category]
    total = sum(scoring.weights[finding.severity] for finding in findings)
    best: dict[int, tuple[Finding, ...]] = {min(total, cap): ()}
    for count, finding in enumerate(findings, start=1):
        weight = scoring.weights[finding.severity]
        if not weight:
            break  # worst first: nothing after this one weighs anything
        total -= weight
        best.setdefault(min(total, cap), tuple(findings[:count]))
    return list(best.items())


def _combine(
    plans: dict[int, tuple[Finding, ...]], choices: Sequence[Plan]
) -> dict[int, tuple[Finding, ...]]:
    combined: dict[int, tuple[Finding, ...]] = {}
    for points, removed in plans.items():
        for more_points, more_removed in choices:
            total, all_removed = points + more_points, (*removed, *more_removed)
            if total not in combined or len(all_removed) < len(combined[total]):
                combined[total] = all_removed
    return combined
