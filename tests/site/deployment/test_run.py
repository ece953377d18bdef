"""The check of a change's site: what a tool cannot do is a gap, never a pass."""

from dataclasses import replace
from types import MappingProxyType

import pytest

from mergegate.core.errors import EngineFailed, EngineMissing, TargetUnreachable, UsageError
from mergegate.core.report import Gate
from mergegate.sandbox.visit import Visit
from mergegate.secrets.mask import mask_line
from mergegate.site.audit.budget import Key, Violation
from mergegate.site.audit.facts import Area, Detail
from mergegate.site.audit.report import AuditReport
from mergegate.site.audit.run import AuditRequest
from mergegate.site.audit.run import audit as run_audit
from mergegate.site.audit.statistics import THRESHOLDS
from mergegate.site.browser_test.report import BrowserReport, Kind, Problem
from mergegate.site.deployment.outcome import SiteRules
from mergegate.site.deployment.reading import read_section
from mergegate.site.deployment.run import (
    MOST_HIGHLIGHTS,
    SiteRequest,
    SiteTools,
    audited,
    check_site,
    unseen,
)
from mergegate.site.level import Element, Level
from tests.runs import Loads, issue, run, toolbox, visit
from tests.secrets.mint import minted
from tests.site.opened import ECHO, OPENED, SHOWN, told

VISIT = Visit(url="https://shop.example.org/")
QUIET = BrowserReport(id="bt_1", url=VISIT.url, visits=())


def test_each_tool_that_fails_is_a_gap_of_its_own() -> None:
    def audit(_: AuditRequest) -> AuditReport:
        raise TargetUnreachable("the site does not answer")

    def test(_: Visit) -> BrowserReport:
        raise EngineFailed("the browser has crashed")

    found = check_site(SiteRequest(visit=VISIT), SiteTools(audit, test))
    assert found.outcome.gaps == (
        "audit: the site does not answer",
        "browser test: the browser has crashed",
    )
    assert found.outcome.verdict.gate is Gate.INCOMPLETE


def test_one_tool_that_fails_leaves_the_other_its_say() -> None:
    def audit(_: AuditRequest) -> AuditReport:
        raise EngineMissing("there is no Node.js")

    found = check_site(SiteRequest(visit=VISIT), SiteTools(audit, lambda _: QUIET))
    assert found.outcome.tested is not None
    assert found.outcome.verdict.reasons == ("Not checked: audit: there is no Node.js",)


@pytest.mark.parametrize(
    ("most", "errors", "gaps"),
    [
        (None, 0, ()),
        (0, 0, ("browser test: the browser ended",)),
        (1, 1, ("browser test: the browser ended",)),
        (0, 1, ()),
    ],
)
def test_a_test_that_ended_early_cannot_keep_a_rule_and_can_break_it(
    most: int | None, errors: int, gaps: tuple[str, ...]
) -> None:
    problem = Problem(
        id="p",
        kind=Kind.SCRIPT,
        rule="uncaught-error",
        level=Level.ERROR,
        message="cart is not defined",
        page=VISIT.url,
        pages=(VISIT.url,),
    )
    early = replace(QUIET, gaps=("the browser ended",), problems=(problem,) * errors)
    request = SiteRequest(visit=VISIT, rules=SiteRules(most_browser_errors=most))
    outcome = check_site(request, SiteTools(None, lambda _: early)).outcome
    found = [one for one in outcome.verdict.reasons if one.startswith("Not checked")]
    assert found == [f"Not checked: {gap}" for gap in gaps]
    # Read elsewhere, it says the same; and whatever the rules are, a person is told.
    assert read_section(outcome.json()).verdict == outcome.verdict
    assert outcome.groups()[0].lines[0].text == "browser test: the browser ended."


def test_what_is_not_wanted_is_no_gap() -> None:
    found = check_site(SiteRequest(visit=VISIT), SiteTools(None, lambda _: QUIET))
    assert (found.outcome.gaps, found.outcome.verdict.gate) == ((), Gate.PASSED)


def test_a_mistake_of_the_caller_is_raised() -> None:
    def audit(_: AuditRequest) -> AuditReport:
        raise UsageError("the budget is for desktop")

    with pytest.raises(UsageError):
        check_site(SiteRequest(visit=VISIT), SiteTools(audit, None))


def test_near_the_least_that_the_team_allows_one_run_is_not_clear() -> None:
    asked: list[AuditRequest] = []

    def audit(request: AuditRequest) -> AuditReport:
        asked.append(request)
        raise TargetUnreachable("never mind")

    rules = SiteRules(minimum_scores=MappingProxyType({Area.PERFORMANCE: 70}))
    check_site(SiteRequest(visit=VISIT, rules=rules), SiteTools(audit, None))
    assert asked[0].thresholds == (*THRESHOLDS, 70.0)


def test_a_site_that_could_not_be_looked_for_is_incomplete() -> None:
    outcome = unseen("dist", "dist is no folder", SiteRules()).outcome
    assert outcome.verdict.gate is Gate.INCOMPLETE


def test_what_opened_the_site_is_in_no_outcome() -> None:
    def audit(_: AuditRequest) -> AuditReport:
        raise TargetUnreachable(ECHO)

    early = replace(QUIET, gaps=(ECHO,))
    request = SiteRequest(
        visit=replace(VISIT, credentials=OPENED), rules=SiteRules(most_browser_errors=0)
    )
    outcome = check_site(request, SiteTools(audit, lambda _: early)).outcome
    assert told(outcome) == []
    assert outcome.verdict.reasons == (
        f"Not checked: audit: {SHOWN}",
        f"Not checked: browser test: {SHOWN}",
    )


KEY = minted("ghp_<alnum:30><crc62>")
MASKED = mask_line(KEY)


def test_a_problem_shows_no_key_in_title_or_place() -> None:
    problem = Problem(
        id="p",
        kind=Kind.SCRIPT,
        rule="uncaught-error",
        level=Level.ERROR,
        message=f"{KEY} is refused",
        page=f"{VISIT.url}?key={KEY}",
        pages=(VISIT.url,),
        selector="#cart",
    )
    report = replace(QUIET, problems=(problem,))
    short = check_site(SiteRequest(visit=VISIT), SiteTools(None, lambda _: report)).outcome.tested
    assert short is not None
    (line,) = short.highlights
    assert KEY not in MASKED
    assert line.title == f"{MASKED} is refused"
    assert line.where == f"{VISIT.url}?key={MASKED} #cart"


@pytest.mark.parametrize(
    ("detail", "where"),
    [
        (Detail(url=f"{VISIT.url}{KEY}"), f"{VISIT.url}{MASKED}"),
        (Detail(element=Element(f"[data-key='{KEY}']")), f"[data-key='{MASKED}']"),
    ],
)
def test_an_issue_shows_no_key_in_title_or_place(detail: Detail, where: str) -> None:
    found = issue("i", title=f"{KEY} is refused", details=(detail,))
    over = Violation(key=Key.LCP, limit=1, actual=2, cause=f"{VISIT.url}{KEY}", certain=True)
    report = run_audit(AuditRequest(visit=visit()), toolbox(Loads(page=[run(70)])))
    short = audited(replace(report, issues=(found,), violations=(over,)))
    (line,) = short.highlights
    assert (line.title, line.where) == (f"{MASKED} is refused", where)
    assert [one.cause for one in short.violations or ()] == [f"{VISIT.url}{MASKED}"]


@pytest.mark.parametrize(
    ("rule", "level", "page", "expected"),
    [
        ("label", Level.ERROR, VISIT.url, []),
        ("label", Level.WARNING, VISIT.url, ["label"]),
        ("label", Level.ERROR, f"{VISIT.url}basket", ["label"]),
        ("image-alt", Level.ERROR, VISIT.url, ["label"]),
    ],
)
def test_what_the_browser_shows_of_the_page_is_no_line_of_the_audit_too(
    rule: str, level: Level, page: str, expected: list[str]
) -> None:
    problem = Problem(
        id="p",
        kind=Kind.FORM,
        rule=rule,
        level=level,
        message="A field has no label",
        page=page,
        pages=(page,),
    )
    report = run_audit(AuditRequest(visit=VISIT), toolbox(Loads(page=[run(70)])))
    report = replace(report, issues=(issue("label", area=Area.ACCESSIBILITY),))
    test = replace(QUIET, problems=(problem,))
    outcome = check_site(
        SiteRequest(visit=VISIT), SiteTools(lambda _: report, lambda _: test)
    ).outcome
    assert outcome.audited is not None
    assert [one.title for one in outcome.audited.highlights] == expected
    assert outcome.audited.issues == 1


def test_beyond_what_is_shown_of_the_browser_the_audit_tells() -> None:
    every = [
        Problem(
            id=str(number),
            kind=Kind.FORM,
            rule="label" if number == MOST_HIGHLIGHTS else "image-alt",
            level=Level.ERROR,
            message="",
            page=VISIT.url,
            pages=(VISIT.url,),
        )
        for number in range(MOST_HIGHLIGHTS + 1)
    ]
    report = run_audit(AuditRequest(visit=VISIT), toolbox(Loads(page=[run(70)])))
    short = audited(replace(report, issues=(issue("label"),)), every)
    assert [one.title for one in short.highlights] == ["label"]
