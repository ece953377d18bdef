"""Links to other sites that nobody could reach are one problem, and no link is accused."""

import pytest

from mergegate.site.browser_test.checks.collect import problems
from mergegate.site.browser_test.checks.suggest import suggestions
from mergegate.site.browser_test.facts import LinkAnswer, LinkAnswers, LinkState
from mergegate.site.browser_test.report import OUT_OF_REACH, Kind, Problem
from mergegate.site.level import Level
from tests.site.browser_test.checks.journeys import HOME, answer, journey, linked, visit

_OUTSIDE = ("https://one.example/", "https://two.example/a", "https://two.example/b")
_WHY = "no name can be looked up from here"


def silent(url: str, state: LinkState = LinkState.FLAKY) -> LinkAnswer:
    return answer(url, state, None, reason=_WHY)


def found(*answers: LinkAnswer) -> tuple[Problem, ...]:
    links = tuple(linked(one.url) for one in answers)
    pages = journey(visit(links=links), visit("/b", links=links[:1]))
    return problems(pages, LinkAnswers(answers))


def test_links_that_nobody_could_reach_are_one_warning_with_their_number() -> None:
    (told,) = found(*map(silent, _OUTSIDE))
    assert (told.rule, told.kind, told.level) == (OUT_OF_REACH, Kind.LINK, Level.WARNING)
    assert told.message == (
        "The 3 links to other sites could not be checked from here: "
        "no answer came from any of those 2 sites"
    )
    assert told.evidence == f"{_WHY}; {', '.join(_OUTSIDE)}"
    assert (told.count, told.pages, told.selector) == (3, (HOME, f"{HOME}b"), "nav > a")


def test_links_to_one_site_are_no_exception() -> None:
    (told,) = found(*map(silent, _OUTSIDE[1:]))
    assert told.message.endswith("no answer came from that site")


def test_of_many_addresses_the_first_are_named() -> None:
    (told,) = found(*(silent(f"https://one.example/{number:02}") for number in range(40)))
    assert told.evidence.endswith("https://one.example/02 and 37 more")


@pytest.mark.parametrize(
    "reached",
    [
        answer("https://far.example/", LinkState.ALIVE, 200),
        answer("https://far.example/", LinkState.DEAD, None),
        answer("https://far.example/", LinkState.BLOCKED, None),
        answer("https://far.example/", LinkState.FLAKY, 503),
    ],
)
def test_where_one_other_site_was_reached_each_link_is_told(reached: LinkAnswer) -> None:
    rules = [one.rule for one in found(*map(silent, _OUTSIDE), reached)]
    assert OUT_OF_REACH not in rules
    assert rules.count("flaky-link") >= len(_OUTSIDE)


@pytest.mark.parametrize(
    "beside",
    [
        answer(HOME, LinkState.ALIVE, 200),
        answer("mailto:shop@shop.example", LinkState.UNCHECKED, None),
        answer("https://late.example/", LinkState.UNCHECKED, None),
    ],
)
def test_what_is_no_answer_of_another_site_does_not_count(beside: LinkAnswer) -> None:
    (told,) = found(*map(silent, _OUTSIDE), beside)
    assert (told.rule, told.count) == (OUT_OF_REACH, 3)


def test_a_single_link_is_a_flaky_one() -> None:
    assert [one.rule for one in found(silent(_OUTSIDE[0]))] == ["flaky-link"]


def test_own_links_that_fail_are_told_all_the_same() -> None:
    rules = {one.rule for one in found(*map(silent, _OUTSIDE), silent(f"{HOME}slow"))}
    assert rules == {OUT_OF_REACH, "flaky-link"}


def test_the_id_knows_neither_number_nor_address() -> None:
    (one,), (other,) = found(*map(silent, _OUTSIDE)), found(*map(silent, _OUTSIDE[:2]))
    assert one.id == other.id


def test_the_step_says_how_to_have_them_checked() -> None:
    links = tuple(map(linked, _OUTSIDE))
    pages = journey(visit(links=links))
    (step,) = suggestions(problems(pages, LinkAnswers(tuple(map(silent, _OUTSIDE)))), pages)
    assert step.title == "Check the links to other sites where those can be reached"
    assert step.message.startswith("3 links on 1 page: https://one.example/. ")
    assert "--no-external-links" in step.message
