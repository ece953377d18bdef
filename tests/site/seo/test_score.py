"""The score of an SEO analysis: weights, caps, and what never counts."""

import re
from itertools import count
from pathlib import Path

import pytest

from mergegate.core.severity import Severity
from mergegate.site.seo.report import (
    THEMES,
    UNFINDABLE,
    WEIGHTS,
    Ground,
    Point,
    Theme,
    draw_up,
    gain,
)

CRITICAL, HIGH, MEDIUM, LOW, INFO = sorted(Severity, reverse=True)
_NUMBERS = count()


def point(theme: Theme, severity: Severity, ground: Ground = Ground.DOCUMENTED) -> Point:
    return Point(
        id=f"point-{next(_NUMBERS)}",
        theme=theme,
        rule="a-rule",
        severity=severity,
        ground=ground,
        title="A title",
        message="A message.",
        url="https://example.org/",
    )


@pytest.mark.parametrize(
    ("given", "score", "deductions"),
    [
        ([], 100, ()),
        ([point(Theme.PAGE, INFO)], 100, ()),
        ([point(Theme.PAGE, LOW)], 98, ((Theme.PAGE, 2, 2),)),
        ([point(Theme.PAGE, MEDIUM)], 94, ((Theme.PAGE, 6, 6),)),
        ([point(Theme.PAGE, HIGH)], 85, ((Theme.PAGE, 15, 15),)),
        ([point(Theme.PAGE, CRITICAL)], 75, ((Theme.PAGE, 30, 25),)),
        ([point(Theme.PAGE, HIGH)] * 2, 75, ((Theme.PAGE, 30, 25),)),
        ([point(Theme.SOCIAL, LOW)] * 9, 94, ((Theme.SOCIAL, 18, 6),)),
        (
            [point(Theme.TRUST, MEDIUM), point(Theme.INDEXING, HIGH)],
            79,
            ((Theme.INDEXING, 15, 15), (Theme.TRUST, 6, 6)),
        ),
        ([point(Theme.AI_SEARCH, LOW, Ground.STUDIED)], 98, ((Theme.AI_SEARCH, 2, 2),)),
        ([point(theme, HIGH) for theme in Theme for _ in range(4)], 0, None),
    ],
)
def test_each_theme_takes_off_its_weights_up_to_its_cap(
    given: list[Point], score: int, deductions: tuple[tuple[Theme, int, int], ...] | None
) -> None:
    drawn = draw_up(given)
    assert drawn[0] == score
    assert deductions is None or drawn[1] == deductions


@pytest.mark.parametrize("severity", Severity)
def test_experience_alone_never_counts(severity: Severity) -> None:
    given = [point(theme, severity, Ground.HEURISTIC) for theme in Theme]
    assert draw_up(given) == (100, ())


@pytest.mark.parametrize(
    ("given", "score"),
    [
        (point(Theme.INDEXING, CRITICAL), UNFINDABLE),
        (point(Theme.INDEXING, HIGH), 85),
        (point(Theme.TRUST, CRITICAL), 90),
        (point(Theme.INDEXING, CRITICAL, Ground.HEURISTIC), 100),
    ],
)
def test_a_page_that_cannot_be_found_scores_thirty_at_most(given: Point, score: int) -> None:
    assert draw_up([given])[0] == score


def test_a_page_that_cannot_be_found_still_loses_for_the_rest() -> None:
    given = [point(theme, HIGH) for theme in Theme for _ in range(4)]
    assert draw_up([point(Theme.INDEXING, CRITICAL), *given])[0] == 0


def test_gain_heeds_the_cap() -> None:
    given = [point(Theme.SOCIAL, LOW) for _ in range(5)]
    ids = [one.id for one in given]
    assert gain(given, ids[:2]) == 0
    assert gain(given, ids[:3]) == 2
    assert gain(given, ids) == 6
    assert gain(given, ["another"]) == 0


def test_gain_of_what_hides_the_page_is_all_that_it_held_back() -> None:
    hidden, other = point(Theme.INDEXING, CRITICAL), point(Theme.PAGE, LOW)
    assert gain([hidden, other], [hidden.id]) == 98 - UNFINDABLE
    assert gain([hidden, other], [other.id]) == 0


def test_every_theme_has_a_cap_and_the_documentation_names_it() -> None:
    text = (Path(__file__).parents[3] / "docs/scoring.md").read_text()
    section = text.partition("## SEO analysis")[2].partition("\n## ")[0]
    told = dict(re.findall(r"^\| ([a-z-]+) \| (\d+) \|", section, re.MULTILINE))
    weights = {one.label: weight for one, weight in WEIGHTS.items()}
    expected = {**weights, **{theme.value: row.cap for theme, row in THEMES.items()}}
    assert {name: int(number) for name, number in told.items()} == expected
    assert tuple(THEMES) == tuple(Theme)
