"""What to do first."""

from mergegate.site.browser_test.checks.collect import advice, problems
from mergegate.site.browser_test.checks.suggest import MOST, suggestions
from mergegate.site.browser_test.facts import Journey, LinkAnswers, LinkState, Vitals
from mergegate.site.browser_test.report import Suggestion
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


def _steps(pages: Journey, answers: LinkAnswers = NOTHING) -> tuple[Suggestion, ...]:
    return suggestions(problems(pages, answers), pages, advice(pages))


def test_nothing_wrong_needs_no_step() -> None:
    assert _steps(journey(visit(vitals=Vitals(lcp=2400, cls=0.05)))) == ()


def test_one_step_takes_all_problems_of_a_rule() -> None:
    (step,) = _steps(journey(visit(violations=(broken_rule("label", "serious", "#a", "#b"),))))
    assert step.title == "Label the form fields"
    assert step.message.startswith("2 elements on 1 page: #a on /, #b on /. Tie a label")
    assert len(step.problem_ids) == 2


def test_what_touches_more_pages_comes_first_and_errors_before_warnings() -> None:
    mild, label, alt = (
        broken_rule("region", "moderate"),
        broken_rule("label"),
        broken_rule("image-alt"),
    )
    steps = _steps(
        journey(
            visit("/", violations=(mild, label)),
            visit("/b", violations=(mild, alt)),
            visit("/c", violations=(mild, alt)),
        )
    )
    assert [step.title for step in steps] == [
        "Give the images an alternative text",
        "Label the form fields",
        "Put all content into landmarks",
    ]


def test_advice_comes_last_and_names_no_problem() -> None:
    advised, mild = broken_rule("heading-order", "moderate"), broken_rule("region", "moderate")
    pages = [visit(path, violations=(advised,)) for path in ("/", "/b", "/c")]
    steps = _steps(journey(*pages, visit("/d", violations=(mild,))))
    assert [(step.title, len(step.problem_ids)) for step in steps] == [
        ("Put all content into landmarks", 1),
        ("Let headings go down one level at a time", 0),
    ]


def test_errors_of_a_third_party_are_one_step_with_its_name() -> None:
    faults = (thrown("a is undefined", vendor="Tracker"), thrown("b fails", vendor="Tracker"))
    (step,) = _steps(journey(visit(faults=faults)))
    assert step.title == "Look at the script errors and requests of Tracker"
    assert len(step.problem_ids) == 2


def test_a_rule_that_is_not_known_is_named_by_its_own_words() -> None:
    (step,) = _steps(journey(visit(violations=(broken_rule("rule-of-tomorrow"),))))
    assert step.title == "Put right: rule-of-tomorrow must be kept"


def test_dead_links_are_one_step_that_names_the_first() -> None:
    (step,) = _steps(
        journey(visit(links=(linked(f"{HOME}gone"),))), answered(f"{HOME}gone", LinkState.DEAD)
    )
    assert step.message.startswith("1 link on 1 page: /gone. Link what took")


def test_a_poor_vital_is_a_step_with_its_figure() -> None:
    (step,) = _steps(journey(visit("/b", vitals=Vitals(lcp=5230, cls=0.25, inp=500))))
    assert step.title == "Show the largest content sooner"
    assert step.message.startswith(
        "The largest contentful paint of /b is 5.2 s here; up to 2.5 s is good."
    )


def test_the_worst_page_stands_for_a_vital() -> None:
    (step,) = _steps(
        journey(visit("/", vitals=Vitals(cls=0.3)), visit("/b", vitals=Vitals(cls=0.51)))
    )
    assert "of /b is 0.51 here, and of 1 other page too" in step.message


def test_there_are_never_too_many() -> None:
    faults = tuple(thrown(vendor=f"Vendor {number}") for number in range(50))
    assert len(_steps(journey(visit(faults=faults)))) <= MOST
