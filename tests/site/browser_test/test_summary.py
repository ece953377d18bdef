"""The summary of a browser test, word by word."""

from dataclasses import replace

import pytest

from mergegate.site.browser_test.facts import LinkState, Vitals
from mergegate.site.browser_test.report import (
    OUT_OF_REACH,
    BrowserReport,
    Kind,
    Problem,
    Suggestion,
)
from mergegate.site.browser_test.summary import summarise_test
from mergegate.site.level import Level
from tests.site.browser_test.checks.journeys import HOME, visit

_CLEAN = BrowserReport(
    id="bt_1",
    url=HOME,
    visits=(visit(), visit("/b")),
    found=2,
    links={LinkState.ALIVE: 12},
    vitals=Vitals(lcp=1240, cls=0.014, inp=48),
)


def _problem(kind: Kind, level: Level) -> Problem:
    return Problem(
        id="1", kind=kind, rule="a-rule", level=level, message="", page=HOME, pages=(HOME,)
    )


def test_a_clean_site_in_one_paragraph() -> None:
    assert summarise_test(_CLEAN) == (
        "2 pages visited. Nothing is wrong with what was seen. 12 links checked, all alive. "
        "The first page shows its largest content after 1.2 s, shifts by 0.01 and answers input "
        "within 48 ms."
    )


def test_problems_are_counted_by_level_and_topic() -> None:
    report = replace(
        _CLEAN,
        problems=(
            _problem(Kind.SCRIPT, Level.ERROR),
            _problem(Kind.FORM, Level.ERROR),
            _problem(Kind.FORM, Level.WARNING),
            _problem(Kind.FORM, Level.WARNING),
        ),
        suggestions=(Suggestion(title="Label the form fields", message=""),),
    )
    summary = summarise_test(report)
    assert "Found: 2 errors and 2 warnings (scripts: 1 error, forms: 1 error and 2 warnings)." in (
        summary
    )
    assert summary.endswith("Start here: Label the form fields.")


@pytest.mark.parametrize(
    ("links", "says"),
    [
        ({}, ""),
        ({LinkState.ALIVE: 1}, "1 link checked, all alive."),
        (
            {LinkState.ALIVE: 1_200, LinkState.DEAD: 3},
            "1,203 links checked: 3 dead.",
        ),
        ({LinkState.BLOCKED: 2}, "2 links checked: 2 not open to robots, so nobody knows."),
        (
            {LinkState.FLAKY: 1, LinkState.SOFT_404: 1},
            "2 links checked: 1 missing behind a status of 200; 1 failing at the moment.",
        ),
        (
            {LinkState.ALIVE: 3, LinkState.UNCHECKED: 2},
            "3 links checked, all alive; 2 links left out.",
        ),
        ({LinkState.UNCHECKED: 2}, "2 links left out."),
    ],
)
def test_the_links_are_told_by_what_became_of_them(links: dict[LinkState, int], says: str) -> None:
    report = replace(_CLEAN, links=links, vitals=Vitals())
    assert summarise_test(report) == (
        f"2 pages visited. Nothing is wrong with what was seen. {says}".rstrip()
    )


@pytest.mark.parametrize(
    ("links", "says"),
    [
        ({LinkState.FLAKY: 3}, "3 links to other sites out of reach."),
        (
            {LinkState.DEAD: 5, LinkState.FLAKY: 3, LinkState.UNCHECKED: 1},
            "5 links checked: 5 dead; 3 links to other sites out of reach; 1 link left out.",
        ),
    ],
)
def test_links_out_of_reach_are_no_failing_ones(links: dict[LinkState, int], says: str) -> None:
    lost = replace(_problem(Kind.LINK, Level.WARNING), rule=OUT_OF_REACH, count=3)
    report = replace(_CLEAN, links=links, problems=(lost,), vitals=Vitals())
    assert summarise_test(report).endswith(f"(links: 1 warning). {says}")


def test_pages_beyond_those_visited_and_those_that_failed_are_told() -> None:
    report = replace(_CLEAN, visits=(visit(), visit("/b", failure="it hung")), found=40)
    assert summarise_test(report).startswith(
        "2 pages visited of 40 that the site links; 1 could not be tested."
    )


@pytest.mark.parametrize(
    ("vitals", "says"),
    [
        (Vitals(), ""),
        (Vitals(cls=0), "The first page shifts by 0.00."),
        (Vitals(lcp=900), "The first page shows its largest content after 900 ms."),
    ],
)
def test_vitals_that_are_not_known_are_not_told(vitals: Vitals, says: str) -> None:
    summary = summarise_test(replace(_CLEAN, links={}, vitals=vitals))
    assert summary.endswith(says or "was seen.")
