"""All problems together."""

from mergegate.site.browser_test.checks.collect import problems
from mergegate.site.browser_test.facts import LinkState
from mergegate.site.browser_test.report import Kind
from mergegate.site.level import Level
from tests.site.browser_test.checks.journeys import (
    HOME,
    NOTHING,
    answered,
    broken_rule,
    journey,
    linked,
    thrown,
    visit,
)


def test_errors_come_first_then_the_lists_in_their_order() -> None:
    page = visit(
        faults=(thrown(vendor="Tracker"), thrown("mine")),
        violations=(broken_rule("region", "minor"), broken_rule("label")),
        links=(linked(f"{HOME}gone"),),
    )
    found = problems(journey(page), answered(f"{HOME}gone", LinkState.DEAD))
    assert [(one.level, one.kind) for one in found] == [
        (Level.ERROR, Kind.SCRIPT),
        (Level.ERROR, Kind.LINK),
        (Level.ERROR, Kind.FORM),
        (Level.WARNING, Kind.SCRIPT),
        (Level.WARNING, Kind.ACCESSIBILITY),
    ]


def test_ids_are_unique() -> None:
    page = visit(
        faults=tuple(thrown(f"error {letter}") for letter in "abc"),
        violations=(broken_rule("label", "serious", "#a", "#b", count=9), broken_rule("region")),
    )
    ids = [one.id for one in problems(journey(page, visit("/b")), NOTHING)]
    assert len(ids) == len(set(ids)) == 7


def test_one_that_is_an_error_anywhere_is_an_error() -> None:
    pages = journey(
        visit("/", violations=(broken_rule("label", "minor"),)),
        visit("/b", violations=(broken_rule("label", "critical"),)),
    )
    assert [one.level for one in problems(pages, NOTHING)] == [Level.ERROR]
