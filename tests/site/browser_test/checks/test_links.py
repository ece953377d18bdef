"""Which links are broken, and how sure that is."""

import pytest

from mergegate.site.browser_test.checks.collect import problems
from mergegate.site.browser_test.facts import Fault, LinkAnswers, LinkState
from mergegate.site.browser_test.report import Kind
from mergegate.site.level import Level
from tests.site.browser_test.checks.journeys import (
    HOME,
    NOTHING,
    answer,
    answered,
    journey,
    linked,
    thrown,
    visit,
)

_GONE = f"{HOME}gone"


@pytest.mark.parametrize(
    ("state", "rule", "level"),
    [
        (LinkState.DEAD, "dead-link", Level.ERROR),
        (LinkState.SOFT_404, "soft-404", Level.WARNING),
        (LinkState.FLAKY, "flaky-link", Level.WARNING),
    ],
)
def test_only_a_dead_link_is_an_error(state: LinkState, rule: str, level: Level) -> None:
    pages = journey(visit(links=(linked(_GONE),)))
    (found,) = problems(pages, answered(_GONE, state))
    assert (found.kind, found.rule, found.level, found.state) == (Kind.LINK, rule, level, state)


@pytest.mark.parametrize("state", [LinkState.ALIVE, LinkState.BLOCKED, LinkState.UNCHECKED])
def test_what_a_person_may_reach_is_no_problem(state: LinkState) -> None:
    assert problems(journey(visit(links=(linked(_GONE),))), answered(_GONE, state, 403)) == ()


def test_a_link_nobody_asked_about_is_no_problem() -> None:
    assert problems(journey(visit(links=(linked(_GONE),))), NOTHING) == ()


def test_a_dead_link_of_every_page_is_told_once_with_all_pages() -> None:
    pages = [visit(path, links=(linked(_GONE), linked(_GONE))) for path in ("/", "/b", "/c")]
    (found,) = problems(journey(*pages), answered(_GONE, LinkState.DEAD))
    assert (len(found.pages), found.count) == (3, 6)


def test_the_places_of_a_link_are_told_each_once() -> None:
    links = [linked(_GONE, selector=selector) for selector in ("nav > a", "nav > a", "footer > a")]
    (found,) = problems(journey(visit(links=tuple(links))), answered(_GONE, LinkState.DEAD))
    assert (found.selector, found.selectors) == ("nav > a", ("nav > a", "footer > a"))


def test_a_dead_link_says_where_it_stands_and_what_was_answered() -> None:
    pages = journey(visit(links=(linked(_GONE, scripted=True),)))
    (found,) = problems(pages, answered(_GONE, LinkState.DEAD, reason="404 Not Found", attempts=2))
    assert found.message == "The link “Prices” leads nowhere: /gone (404 Not Found)"
    assert found.selector == "nav > a"
    assert found.evidence == (
        f'answers 404; asked 2 times; <a href="{_GONE}">; inserted by a script'
    )


@pytest.mark.parametrize(
    ("status", "attempts", "says"),
    [
        (500, 4, "fails each time that it is asked for"),
        (500, 1, "fails now, perhaps not later"),
        (None, 4, "fails now, perhaps not later"),
    ],
)
def test_an_error_that_stays_is_no_mood_of_the_server(
    status: int | None, attempts: int, says: str
) -> None:
    pages = journey(visit(links=(linked(_GONE),)))
    answers = answered(_GONE, LinkState.FLAKY, status, reason="it fails", attempts=attempts)
    (found,) = problems(pages, answers)
    assert found.message == f"The link “Prices” {says}: /gone (it fails)"


@pytest.mark.parametrize("page", ["", "b", "unvisited", "failed"])
def test_a_dead_fragment_is_a_warning_for_the_page_is_there(page: str) -> None:
    url = f"{HOME}{page}#prices"
    pages = journey(
        visit(links=(linked(url),)), visit("/b"), visit("/failed", failure="it hung", status=None)
    )
    found = problems(pages, answered(url, LinkState.DEAD, 200))
    assert [(one.rule, one.level) for one in found if one.kind is Kind.LINK] == [
        ("dead-anchor", Level.WARNING)
    ]


def test_a_fragment_of_a_page_that_is_gone_is_a_dead_link() -> None:
    url = f"{_GONE}#prices"
    (found,) = problems(journey(visit(links=(linked(url),))), answered(url, LinkState.DEAD, 404))
    assert found.rule == "dead-link"


def test_a_dead_fragment_of_each_page_itself_is_told_once() -> None:
    pages = [
        visit(path, links=(linked(f"https://shop.example{path}#main"),)) for path in ("/", "/b")
    ]
    answers = LinkAnswers(
        tuple(answer(f"{HOME}{page}#main", LinkState.DEAD, 200) for page in ("", "b"))
    )
    (found,) = problems(journey(*pages), answers)
    assert found.pages == (HOME, f"{HOME}b")


def test_two_queries_are_two_links() -> None:
    urls = [f"{HOME}page?id={number}" for number in (1, 2)]
    answers = LinkAnswers(tuple(answer(url, LinkState.DEAD) for url in urls))
    assert len(problems(journey(visit(links=tuple(map(linked, urls)))), answers)) == 2


def test_the_id_does_not_know_the_host() -> None:
    ids = set()
    for host in ("https://shop.example", "http://localhost:3000"):
        url = f"{host}/gone"
        pages = journey(visit("/", host=host, links=(linked(url),)))
        ids.add(problems(pages, answered(url, LinkState.DEAD))[0].id)
    assert len(ids) == 1


def test_a_page_that_could_not_be_tested_is_a_problem() -> None:
    pages = journey(visit(), visit("/b", status=None, failure="it did not answer in time"))
    (found,) = problems(pages, NOTHING)
    assert (found.rule, found.level, found.page) == (
        "page-not-tested",
        Level.WARNING,
        f"{HOME}b",
    )
    assert "it did not answer in time" in found.message


def test_a_page_that_is_gone_is_a_dead_link() -> None:
    pages = journey(visit(), visit("/gone", status=404, failure="it answers 404"))
    (found,) = problems(pages, NOTHING)
    assert (found.rule, found.kind, found.level) == ("dead-link", Kind.LINK, Level.ERROR)


def test_a_page_that_is_gone_is_told_with_its_link_alone() -> None:
    pages = journey(
        visit(links=(linked(f"{_GONE}#a"),)), visit("/gone", status=404, failure="it answers 404")
    )
    (found,) = problems(pages, answered(f"{_GONE}#a", LinkState.DEAD))
    assert (found.rule, found.page) == ("dead-link", HOME)


def test_a_crash_is_told_once() -> None:
    crash = thrown("the page took its renderer down", fault=Fault.CRASH, script="")
    pages = journey(visit(), visit("/b", status=200, failure="it crashed", faults=(crash,)))
    (found,) = problems(pages, NOTHING)
    assert (found.rule, found.level) == ("page-crash", Level.ERROR)
