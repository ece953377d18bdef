"""A page that answers well and shows nothing is told; one that nobody could judge is not."""

from dataclasses import replace

import pytest

from mergegate.site.browser_test.checks.collect import problems
from mergegate.site.browser_test.facts import Fault, PageVisit, Vitals
from mergegate.site.browser_test.report import Kind
from mergegate.site.level import Level
from tests.site.browser_test.checks.journeys import HOME, NOTHING, journey, thrown, visit

_NOTHING_PAINTED = Vitals(ttfb=9.0, inp=16.0)
_BLANK = visit(vitals=_NOTHING_PAINTED)


def rules(page: PageVisit) -> list[str]:
    return [one.rule for one in problems(journey(page), NOTHING)]


def test_a_page_that_paints_nothing_is_a_warning() -> None:
    (told,) = problems(journey(_BLANK), NOTHING)
    assert (told.rule, told.kind, told.level) == ("blank-page", Kind.SCRIPT, Level.WARNING)
    assert told.message.startswith("Nothing of the page itself can be seen")
    assert told.evidence == "answers 200; no first contentful paint"
    assert (told.page, told.status) == (HOME, 200)


@pytest.mark.parametrize(
    "page",
    [
        replace(_BLANK, vitals=Vitals(ttfb=9.0, fcp=56.0)),
        replace(_BLANK, vitals=Vitals(ttfb=9.0, lcp=56.0)),
        replace(_BLANK, vitals=Vitals()),
    ],
    ids=["text was painted", "a picture was painted", "the vitals were not read"],
)
def test_a_page_that_painted_or_was_not_watched_is_none(page: PageVisit) -> None:
    assert rules(page) == []


def test_why_a_page_is_not_looked_at_is_told_instead() -> None:
    assert rules(replace(_BLANK, failure="it is no HTML page")) == ["page-not-tested"]


def test_a_crash_says_enough() -> None:
    crash = thrown("The page hangs", fault=Fault.CRASH, script="")
    assert rules(replace(_BLANK, faults=(crash,))) == ["page-crash"]


def test_the_id_does_not_know_the_host() -> None:
    there = visit(host="http://localhost:3000", vitals=_NOTHING_PAINTED)
    (one,), (other,) = (problems(journey(page), NOTHING) for page in (_BLANK, there))
    assert one.id == other.id
