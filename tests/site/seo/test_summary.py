"""What to do for a page's visibility, and the paragraph that sums it up."""

from dataclasses import replace

import pytest

from mergegate.core.severity import Severity
from mergegate.site.seo.report import Ground, Theme
from mergegate.site.seo.summary import recommend, summarise_seo
from tests.repo.report.samples import HOSTILE
from tests.site.render.seo_samples import POINTS, crawler, hidden, point, tea, well_made

_ALT, _OTHER_ALT = (
    replace(POINTS[3], id="alt-1"),
    replace(POINTS[3], id="alt-2", selector="main > img"),
)


def _no_gain(_: frozenset[str]) -> int:
    return 0


def test_a_rule_is_one_step_however_often_it_is_broken() -> None:
    (step,) = recommend([_ALT, _OTHER_ALT], _no_gain)
    assert step.point_ids == ("alt-1", "alt-2")
    assert step.message.endswith("1 more place like this.")


@pytest.mark.parametrize(
    ("keywords", "told"),
    [
        (["green tea"], "Use the keyword in the title: “green tea”"),
        (["tea", "pot"], "Use the keyword in the title: “tea” and “pot”"),
        (list("abcde"), "Use the keyword in the title: “a”, “b”, “c” and 2 more"),
        (["x" * 500], f"Use the keyword in the title: “{'x' * 39}…”"),
    ],
    ids=["one", "two", "five", "a long one"],
)
def test_a_step_for_keywords_names_them(keywords: list[str], told: str) -> None:
    rule, remedy = "keyword-not-in-title", "Use the keyword in the title."
    points = [replace(_ALT, id=one, rule=rule, remedy=remedy, evidence=one) for one in keywords]
    (step,) = recommend(points, _no_gain)
    assert step.title == told


def test_what_gains_most_comes_first() -> None:
    gains = {POINTS[1].id: 2, POINTS[2].id: 6, POINTS[3].id: 6}
    steps = recommend(POINTS[1:4], lambda ended: sum(gains[one] for one in ended))
    assert [one.gain for one in steps] == [6, 6, 2]
    assert steps[0].point_ids == (POINTS[2].id,), "medium comes before low"


def test_what_is_only_worth_knowing_is_no_step() -> None:
    assert recommend([POINTS[5]], _no_gain) == ()


def test_a_hostile_remedy_is_cut() -> None:
    (step,) = recommend([replace(POINTS[1], remedy="x " * 5_000)], _no_gain)
    assert len(step.title) <= 200


def test_the_summary_begins_with_score_and_findings() -> None:
    told = summarise_seo(replace(tea(), keywords=(), queries=(), competitor=None))
    assert told.startswith(
        "The score is 63 of 100 (needs improvement). Found: 1 high, 2 medium, 1 low and 1 info; "
        "what costs most is indexing with 15 points, and 1 hint from experience that the score "
        "leaves out. Do this first: send the text with the page"
    )
    assert "which gains 15 points." in told


def test_a_page_without_findings_is_told_in_two_sentences() -> None:
    report = replace(well_made(), crawlers=())
    told = "The score is 100 of 100 (good). Nothing was found to put right."
    assert summarise_seo(report) == told


def test_hints_alone_are_no_findings() -> None:
    told = summarise_seo(replace(well_made(), points=(POINTS[4],), crawlers=()))
    assert "Nothing was found to put right, and 1 hint from experience" in told


def test_what_hides_the_page_is_said_at_once() -> None:
    second = summarise_seo(hidden()).split(". ")[1]
    assert second == "Search engines cannot show the page: The page asks not to be indexed"


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, "“green tea” stands where it weighs."),
        ({"advice": ("Use it in the title.", "Use it in the h1.")}, "Use it in the title."),
        ({"count": 0}, "The words of “green tea” stand apart, or in other forms."),
        ({"count": 0, "advice": ("Write about it.",)}, "Write about it."),
    ],
)
def test_a_keyword_is_told_by_what_to_do_about_it(changed: dict[str, object], told: str) -> None:
    keyword = replace(tea().keywords[0], **changed)  # type: ignore[arg-type]
    summary = summarise_seo(replace(tea(), keywords=(keyword,)))
    assert told in summary
    assert "in the h1" not in summary


def test_only_crawlers_that_bring_visitors_are_missed() -> None:
    closed = (
        crawler("OAI-SearchBot", "search", "OpenAI", allowed=False),
        crawler("GPTBot", "training", "OpenAI", allowed=False),
    )
    told = summarise_seo(replace(tea(), crawlers=closed))
    assert "robots.txt keeps out OAI-SearchBot." in told


def test_a_robots_txt_that_does_not_answer_says_nothing_to_anybody() -> None:
    report = replace(tea(), crawlers=(crawler("Bingbot", "search", "Microsoft", allowed=False),))
    assert report.facts.robots is not None
    silent = replace(report.facts.robots, state="unreachable")
    told = summarise_seo(replace(report, facts=replace(report.facts, robots=silent)))
    assert "keeps out" not in told


def test_the_competitor_is_compared_by_score_and_terms() -> None:
    told = summarise_seo(tea())
    expected = "The competitor scores 81, with 3 gaps to this page; it writes of “sencha”."
    assert expected in told


def test_clicks_are_told_only_when_there_are_some() -> None:
    few = tuple(replace(one, clicks=0.2) for one in tea().queries)
    assert "could be recovered" not in summarise_seo(replace(tea(), queries=few))
    assert "By estimate 913 clicks could be recovered" in summarise_seo(tea())


def test_a_hostile_page_cannot_blow_the_summary_up() -> None:
    keyword = replace(tea().keywords[0], keyword=HOSTILE * 100, advice=(HOSTILE * 100,))
    bad = point("x", Theme.PAGE, Severity.HIGH, HOSTILE * 100, HOSTILE, Ground.DOCUMENTED)
    report = replace(tea(), keywords=(keyword,) * 10, points=(bad,))
    assert len(summarise_seo(report)) < 3_000
