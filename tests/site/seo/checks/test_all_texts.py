"""What holds for all rules about texts, trust and answers; and for every page: no exception."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from mergegate.core.severity import Severity
from mergegate.site.document import read
from mergegate.site.seo.checks import competitor, keywords, passages
from mergegate.site.seo.checks.point import RULES
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Ground, Theme
from tests.site.seo.checks.sites import SITES
from tests.site.seo.checks.texts import bare, found, page, paragraphs, rules
from tests.site.seo.checks.well_made import HTML, URL, fetched, site

_OF_TEXTS = (Theme.CONTENT, Theme.AI_SEARCH, Theme.TRUST)
_HOSTILE = (
    "<p>" + ". " * 50_000,
    "<p>" + ".?!…" * 30_000,
    "<p>" + "a" * 100_000,
    "<p>" + "' " * 50_000,
    "<p>" + "’s" * 50_000,
    "<p>" + "\u0301" * 50_000,
    "<p>" + "“" * 50_000,
    "<p>" + '"x ' * 30_000,
    "<p>" + "1." * 50_000,
    "<p>" + "京" * 100_000,
    "<p>" + "\u0e33\u0e31" * 50_000,
    "<title>" + "{{" * 5_000,
    "<p>your " + "x" * 50_000,
    "<p>\U0001f600\u202e\u0000</p>" * 2_000,
    "<h2>x</h2><p>y</p>" * 5_000,
    '<a href="/about">about</a>' * 10_000,
)


def judge(facts: SearchFacts) -> list[str]:
    """Everything that may be asked of a page; the rules that it breaks."""
    asked = keywords.analyse(facts, ["tea", "京", "a"])
    assert competitor.gaps(facts, facts) == ()
    assert all(40 <= one.words <= 80 for one in passages.passages(facts))
    return rules([*found(facts), *keywords.points(facts, asked)])


def test_what_is_said_of_texts_is_never_worse_than_medium() -> None:
    worst = {rule.severity for rule in RULES.values() if rule.theme in _OF_TEXTS}
    assert max(worst) == Severity.MEDIUM


def test_a_well_made_article_has_no_points_at_all() -> None:
    assert found(page(body=paragraphs(30))) == []


@pytest.mark.parametrize("name", SITES)
def test_of_a_well_made_site_only_experience_has_something_to_say(name: str) -> None:
    facts = site(SITES[name].html, SITES[name].url)
    assert [one.rule for one in found(facts) if one.ground is not Ground.HEURISTIC] == []


@pytest.mark.parametrize("html", _HOSTILE, ids=range(len(_HOSTILE)))
def test_a_hostile_page_is_judged_like_any_other(html: str) -> None:
    judge(site(bare(html)))
    judge(page(body=html))


@settings(max_examples=100, deadline=None)
@given(
    some.lists(
        some.sampled_from(re.findall(r"<[^>]+>|[^<]+", HTML)) | some.text(max_size=20), max_size=40
    ),
    some.text(max_size=60),
)
def test_no_page_and_no_file_makes_a_check_fail(pieces: list[str], text: str) -> None:
    html = "".join(pieces)
    llms = fetched(text, "https://example.org/llms.txt", headers=[])
    judge(SearchFacts(page=fetched(html), document=read(html, URL), llms=llms))
