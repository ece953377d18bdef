"""The site that a change deploys: audit and browser test → one outcome beside the code's."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from mergegate.core.errors import EngineError, TargetError
from mergegate.sandbox.visit import Visit
from mergegate.secrets.mask import mask_line
from mergegate.site.audit.budget import Budget, Violation
from mergegate.site.audit.facts import Area
from mergegate.site.audit.report import AuditReport, Issue
from mergegate.site.audit.run import AuditRequest
from mergegate.site.audit.statistics import THRESHOLDS
from mergegate.site.browser_test.report import BrowserReport, Problem
from mergegate.site.deployment.outcome import (
    Audited,
    Highlight,
    SiteOutcome,
    SiteRules,
    Tested,
    judged,
)
from mergegate.site.level import Level
from mergegate.site.report import SiteReport, redact

MOST_HIGHLIGHTS = 10
"""The most issues, and the most problems; the full reports hold all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteRequest:
    """Which site, and what it is held to."""

    visit: Visit
    against: Visit | None = None
    """The site before the change; then both are measured in turn."""
    budget: Budget | None = None
    rules: SiteRules = SiteRules()


@dataclass(frozen=True, slots=True)
class SiteTools:
    """What the check of a site works with; None for what is not wanted."""

    audit: Callable[[AuditRequest], AuditReport] | None
    test: Callable[[Visit], BrowserReport] | None


@dataclass(frozen=True, slots=True)
class SiteChecked:
    """The outcome, and the full reports that it is the short form of."""

    outcome: SiteOutcome
    audit: AuditReport | None = None
    test: BrowserReport | None = None


@dataclass(slots=True)
class _Gaps:
    """What could not be checked, as it is met."""

    said: list[str] = field(default_factory=list)

    def add(self, tool: str, reason: str) -> None:
        self.said.append(f"{tool}: {reason}")


def check_site(request: SiteRequest, tools: SiteTools) -> SiteChecked:
    """Look at the site with each tool that is wanted; what a tool cannot do is a gap, no error.

    Raises UsageError alone: for a budget or an address that cannot be.
    """
    gaps = _Gaps()
    audit = _audited(request, tools, gaps)
    test = _tested(request, tools, gaps)
    outcome = SiteOutcome(
        url=request.visit.url,
        device=request.visit.device.value,
        audited=audited(audit, test.problems if test else ()) if audit else None,
        tested=tested(test) if test else None,
        gaps=tuple(gaps.said),
        rules=request.rules,
    )
    return SiteChecked(judged(redact(outcome, request.visit.credentials)), audit, test)


def unseen(url: str, why: str, rules: SiteRules) -> SiteChecked:
    """The outcome of a site that was wanted and could not even be looked for."""
    return SiteChecked(judged(SiteOutcome(url=url, gaps=(why,), rules=rules)))


def audited(report: AuditReport, problems: Sequence[Problem] = ()) -> Audited:
    """The short form of an audit, beside a browser test that found ``problems``."""
    shown = [one for one in problems[:MOST_HIGHLIGHTS] if report.url in one.pages]
    return Audited(
        scores=report.scores,
        score_ranges=report.score_ranges,
        figures=report.measured.figures,
        runs=report.runs,
        violations=_masked(report.violations),
        differences=report.duel.differences if report.duel else (),
        highlights=tuple(map(_of_issue, _worth_telling(report, shown)[:MOST_HIGHLIGHTS])),
        issues=len(report.issues),
        gaps=_named(report),
    )


def tested(report: BrowserReport) -> Tested:
    """The short form of a browser test."""
    return Tested(
        pages=len(report.visits),
        errors=report.errors,
        warnings=sum(one.level is Level.WARNING for one in report.problems),
        highlights=tuple(map(_of_problem, report.problems[:MOST_HIGHLIGHTS])),
        gaps=_named(report),
    )


def _named(report: SiteReport) -> tuple[str, ...]:
    """The first gaps; a site can cause many."""
    return tuple(map(mask_line, report.gaps[:MOST_HIGHLIGHTS]))


def thresholds(rules: SiteRules) -> tuple[float, ...]:
    """Scores of performance near which one run is not clear: the least that is allowed is one."""
    least = rules.minimum_scores.get(Area.PERFORMANCE)
    return THRESHOLDS if least is None else (*THRESHOLDS, least)


def _audited(request: SiteRequest, tools: SiteTools, gaps: _Gaps) -> AuditReport | None:
    if tools.audit is None:
        return None
    wanted = AuditRequest(
        visit=request.visit,
        budget=request.budget,
        against=request.against,
        thresholds=thresholds(request.rules),
    )
    try:
        return tools.audit(wanted)
    except (TargetError, EngineError) as error:
        gaps.add("audit", error.what)
        return None


def _tested(request: SiteRequest, tools: SiteTools, gaps: _Gaps) -> BrowserReport | None:
    if tools.test is None:
        return None
    try:
        return tools.test(request.visit)
    except (TargetError, EngineError) as error:
        gaps.add("browser test", error.what)
        return None


def _masked(violations: tuple[Violation, ...] | None) -> tuple[Violation, ...] | None:
    """What a comment shows of them: an address may hold a token."""
    if violations is None:
        return None
    return tuple(replace(one, cause=mask_line(one.cause)) for one in violations)


def _worth_telling(report: AuditReport, shown: Sequence[Problem]) -> tuple[Issue, ...]:
    """Neither what is for information nor, of a rule of axe, what is ``shown`` as bad or worse."""
    told = {(one.rule, level) for one in shown for level in _as_bad(one.level)}
    return tuple(
        one
        for one in report.issues
        if one.level is not Level.INFO and (one.rule, one.level) not in told
    )


def _as_bad(level: Level) -> tuple[Level, ...]:
    """``level``, and what is milder."""
    return tuple(Level)[tuple(Level).index(level) :]


def _of_issue(issue: Issue) -> Highlight:
    return Highlight(
        level=issue.level,
        topic=issue.area.value,
        title=mask_line(issue.title),
        where=mask_line(next(_places(issue), "")),
    )


def _places(issue: Issue) -> Iterator[str]:
    for one in issue.details:
        if one.element and one.element.selector:
            yield one.element.selector
        elif one.url:
            yield one.url


def _of_problem(problem: Problem) -> Highlight:
    where = " ".join(part for part in (problem.page, problem.selector) if part)
    return Highlight(
        level=problem.level,
        topic=problem.kind.value,
        title=mask_line(problem.message),
        where=mask_line(where),
    )
