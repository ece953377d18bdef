"""A change's site in short: what stands in the way of the merge is marked, nothing else is."""

from dataclasses import replace
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergegate.core.render.formats import Surface
from mergegate.core.report import Gate, Report
from mergegate.repo.report.formats import FORMATS
from mergegate.site.audit.facts import Area
from mergegate.site.deployment.outcome import SiteOutcome, SiteRules, judged
from tests.repo.report import changes
from tests.site.deployment.samples import AUDITED, RULES, SILENT_SITE, SLOW_SITE, TESTED

LEAST = st.dictionaries(st.sampled_from(Area), st.integers(0, 100)).map(MappingProxyType)
SITE_RULES = st.builds(
    SiteRules,
    minimum_scores=LEAST,
    most_browser_errors=st.none() | st.integers(0, 4),
    over_budget=st.booleans(),
    regressions=st.booleans(),
)


def marked(site: SiteOutcome) -> list[str]:
    """All that is said to block."""
    groups = site.groups()
    return [
        *(cell.name for cell in site.scores() if cell.least is not None),
        *(group.title for group in groups if group.blocks),
        *(line.text for group in groups for line in group.lines if line.blocks),
    ]


@given(SITE_RULES)
def test_something_is_marked_exactly_where_the_site_fails(rules: SiteRules) -> None:
    site = judged(replace(SLOW_SITE, rules=rules))
    assert bool(marked(site)) is (site.verdict.gate is Gate.FAILED)


def test_each_rule_marks_its_own() -> None:
    assert marked(SLOW_SITE) == [
        "Performance",
        "In the browser, on 5 pages: 2 errors (allowed: 0), 3 warnings",
        "Largest Contentful Paint 3.1 s, allowed 2.5 s, because of",
        "New third party:",
        "Worse: Largest Contentful Paint 2.2 s → 3.1 s (99% sure)",
    ]


def test_what_blocks_is_shown_before_what_does_not() -> None:
    doubtful = AUDITED.violations[1] if AUDITED.violations else None
    certain = AUDITED.violations[0] if AUDITED.violations else None
    assert doubtful and certain
    many = replace(AUDITED, violations=(*([doubtful] * 20), certain))
    first = replace(SLOW_SITE, audited=many).groups()[0]
    assert [line.blocks for line in first.lines[:2]] == [True, False]
    assert first.more == 13


def test_what_few_need_is_a_detail_until_it_blocks() -> None:
    calm = {
        group.title: group.detail
        for group in judged(replace(SLOW_SITE, rules=SiteRules())).groups()
    }
    assert calm == {
        "Over the budget": False,
        "Against the site before the change": False,
        "Audit: 12 issues": True,
        "In the browser, on 5 pages: 2 errors, 3 warnings": True,
    }
    assert not SLOW_SITE.groups()[-1].detail


@pytest.mark.parametrize(
    ("site", "said"),
    [
        (SLOW_SITE, "mobile, median of 3 runs"),
        (replace(SLOW_SITE, audited=replace(AUDITED, runs=1)), "mobile, one run"),
        (SiteOutcome(url="https://shop.example.org/", tested=TESTED, rules=RULES), "mobile"),
        (SILENT_SITE, ""),
    ],
)
def test_conditions_are_told_of_what_was_seen_alone(site: SiteOutcome, said: str) -> None:
    assert site.seen_as() == said


def passed_code(site: SiteOutcome) -> Report:
    return replace(changes.clean(), site=site)


@pytest.mark.parametrize(
    ("name", "failed", "incomplete"),
    [
        ("console", "FAILED  100/100", "INCOMPLETE  100/100"),
        ("markdown", "## ❌ Failed: 100/100", "## ⚠️ Incomplete: 100/100"),
        ("html", '<h1 id="verdict">Failed</h1>', '<h1 id="verdict">Incomplete</h1>'),
        ("junit", '<failure message="Site: Performance', '<error message="Not checked: https'),
    ],
)
def test_no_format_passes_what_its_site_does_not(name: str, failed: str, incomplete: str) -> None:
    assert failed in FORMATS[name].render(passed_code(SLOW_SITE), Surface())
    assert incomplete in FORMATS[name].render(passed_code(SILENT_SITE), Surface())


@pytest.mark.parametrize("name", ["markdown", "html"])
def test_the_next_step_names_the_site(name: str) -> None:
    assert "marked “blocks” in the section on the site" in FORMATS[name].render(
        passed_code(SLOW_SITE), Surface()
    )
    assert "Mend what kept the site from being checked" in FORMATS[name].render(
        passed_code(SILENT_SITE), Surface()
    )


def test_a_way_out_of_the_code_promises_nothing_for_the_site() -> None:
    both = replace(changes.failing(), site=SLOW_SITE)
    told = FORMATS["markdown"].render(both, Surface())
    assert "Fix these 5 and what is marked “blocks” in the section on the site" in told
