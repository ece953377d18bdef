"""Charts add up."""

import pytest

from mergegate.core.render import charts
from tests.repo.report import samples


def test_waterfall_ends_at_the_score() -> None:
    report = samples.failed()
    steps = charts.waterfall(report.ledger)
    assert steps[-1].start == report.ledger.score
    assert sum(step.width for step in steps) == 100 - report.ledger.score
    assert [step.category.value for step in steps if step.points > step.cap] == ["Security"]


def test_waterfall_never_falls_below_zero() -> None:
    ledger = samples.huge(5000).ledger
    assert all(step.start >= 0 and step.width >= 0 for step in charts.waterfall(ledger))


def test_longest_bar_is_full() -> None:
    bars = charts.by_folder(samples.failed().findings)
    widths = [sum(piece.width for piece in bar.pieces) for bar in bars]
    assert max(widths) == pytest.approx(100, abs=0.1)
    assert sum(bar.total for bar in bars) == len(samples.failed().findings)


def test_many_folders_become_eight_and_the_rest() -> None:
    bars = charts.by_folder(samples.huge(500).findings)
    assert len(bars) == 9
    assert bars[-1].label == "other folders"
    assert bars[0].total == 20
    assert bars[0].said == ", ".join(f"{p.count} {p.severity.label}" for p in bars[0].pieces)


@pytest.mark.parametrize(("score", "share"), [(0, 0.0), (50, 0.5), (100, 1.0)])
def test_gauge_is_as_full_as_the_score(score: int, share: float) -> None:
    dash, length = charts.gauge(score)
    assert dash == pytest.approx(length * share, abs=0.01)


def test_no_findings_make_empty_bars() -> None:
    report = samples.passed()
    assert [bar.total for bar in charts.by_category((), report.ledger)] == [0, 0, 0, 0]
    assert charts.by_folder(()) == ()
