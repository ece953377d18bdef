"""The line of a website audit: visit → loads → medians → issues, budget, duel → report."""

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from mergegate.core.errors import (
    EngineFailed,
    EngineTimeout,
    MergegateError,
    TargetNotAnalysable,
    TargetUnreachable,
    UsageError,
)
from mergegate.core.progress import Progress, silent
from mergegate.core.web_address import root
from mergegate.sandbox.visit import Visit
from mergegate.site.audit.budget import Budget, Measured, Spread, Violation, compare, derive
from mergegate.site.audit.facts import AREAS, Area, LighthouseRun
from mergegate.site.audit.report import AuditReport, Duel, Issue, Recommendation, SiteFix
from mergegate.site.audit.statistics import (
    LEAST_RUNS,
    THRESHOLDS,
    Contender,
    Side,
    duel,
    median,
    median_scores,
    nearest,
    needs_repeat,
    score_ranges,
    spread,
    turns,
)
from mergegate.site.facts.stack import Stack, Technology
from mergegate.site.report import Toolbox, finished

MOST_RUNS = 25
_REPEATS = 2
"""After a first run that is not clear: three are the least that have a median."""
_LONGEST_ORIGIN = 200
_MISHAPS = (EngineFailed, EngineTimeout, TargetNotAnalysable, TargetUnreachable)
"""What may happen to one run and not to the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRequest:
    """What is to be audited, and what it is held to."""

    visit: Visit
    budget: Budget | None = None
    runs: int | None = None
    """1 to ``MOST_RUNS``; None makes one, and three where one is not clear."""
    against: Visit | None = None
    """The page before the change, loaded in turn with the other; then ``LEAST_RUNS`` or more."""
    thresholds: tuple[float, ...] = THRESHOLDS
    """Scores of performance (0–100) near which one run is not clear."""


@dataclass(frozen=True, slots=True)
class Taken:
    """One load of a page."""

    run: LighthouseRun
    stack: Stack = Stack()


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the facts of a run mean: the pure functions of ``checks`` and ``site/remedies``."""

    issues: Callable[[LighthouseRun], tuple[Issue, ...]]
    recommendations: Callable[
        [LighthouseRun, Sequence[Issue], Sequence[Technology]], tuple[Recommendation, ...]
    ]
    fixes: Callable[[LighthouseRun, Sequence[Issue], Sequence[Technology]], tuple[SiteFix, ...]]
    with_fixes: Callable[[Sequence[Issue], Sequence[SiteFix]], tuple[Issue, ...]]
    """The issues, each with the id of its fix."""
    summarise: Callable[[AuditReport], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditToolbox(Toolbox):
    """What an audit works with; built in ``tools.py``."""

    measure: Callable[[Visit], Taken]
    """Load a page once, in a browser that has never seen it."""
    judgement: Judgement
    progress: Progress = silent


def audit(request: AuditRequest, toolbox: AuditToolbox) -> AuditReport:
    """Audit a page; raises UsageError, TargetError or EngineError, never for a bad page.

    One run that is near a threshold of the performance score, or over the budget, is followed by
    two more; when these fail, the one run stands and a warning says so. Of runs that were asked
    for more than half must succeed, on each side of a duel; what befell the others is a warning.
    """
    _check(request)
    started = toolbox.now()
    page = _Page(request.visit)
    if request.against is None:
        _take(page, request, toolbox)
        return _report(page, None, request, toolbox, started)
    rival = _Page(request.against, "Before the change: ")
    _take_in_turn(page, rival, request.runs or LEAST_RUNS, toolbox)
    return _report(page, rival, request, toolbox, started)


@dataclass(slots=True)
class _Page:
    """A page's loads so far."""

    visit: Visit
    prefix: str = ""
    """Before what is told of it; empty for the page that is audited."""
    taken: list[Taken] = field(default_factory=list)
    failures: list[MergegateError] = field(default_factory=list)

    @property
    def runs(self) -> list[LighthouseRun]:
        return [one.run for one in self.taken]

    def load(self, toolbox: AuditToolbox) -> None:
        name = f"{self.prefix}run {len(self.taken) + len(self.failures) + 1}"
        toolbox.progress(name, "started")
        try:
            taken = toolbox.measure(self.visit)
        except _MISHAPS as error:
            self.failures.append(error)
            toolbox.progress(name, "failed")
        else:
            self.taken.append(taken)
            score = taken.run.scores.performance
            toolbox.progress(name, "no score" if score is None else f"performance {score}")

    def give_up_unless_most_succeed(self, of: int) -> None:
        if 2 * (of - len(self.failures)) <= of:
            first = self.failures[0]
            raise type(first)(f"{self.prefix}{first.what}", remedy=first.remedy) from first


def _check(request: AuditRequest) -> None:
    runs, budget = request.runs, request.budget
    if runs is not None and not 1 <= runs <= MOST_RUNS:
        raise UsageError(f"an audit makes 1 to {MOST_RUNS} runs")
    if request.against and runs is not None and runs < LEAST_RUNS:
        raise UsageError(
            f"a comparison of two pages needs {LEAST_RUNS} runs of each",
            remedy="With fewer, nothing could be told from noise.",
        )
    if budget and budget.device is not request.visit.device:
        raise UsageError(
            f"the budget is for {budget.device}, the page is to be loaded as "
            f"{request.visit.device}",
            remedy="Keep one budget for each device.",
        )


def _take(page: _Page, request: AuditRequest, toolbox: AuditToolbox) -> None:
    wanted = request.runs or 1
    for _ in range(wanted):
        page.load(toolbox)
        page.give_up_unless_most_succeed(wanted)
    if request.runs is None and not _is_clear(page.runs[0], request):
        for _ in range(_REPEATS):
            page.load(toolbox)


def _is_clear(run: LighthouseRun, request: AuditRequest) -> bool:
    scores = [] if run.scores.performance is None else [run.scores.performance]
    violations = _violations(request.budget, run.measured) or ()
    return not needs_repeat(scores, violations, request.thresholds)


def _take_in_turn(page: _Page, rival: _Page, runs: int, toolbox: AuditToolbox) -> None:
    sides = {Side.BEFORE: rival, Side.AFTER: page}
    for side in turns(runs):
        sides[side].load(toolbox)
        sides[side].give_up_unless_most_succeed(runs)


def _report(
    page: _Page,
    rival: _Page | None,
    request: AuditRequest,
    toolbox: AuditToolbox,
    started: dt.datetime,
) -> AuditReport:
    runs, judgement = page.runs, toolbox.judgement
    shown = nearest(runs)
    technologies = _stack_of(shown, page).technologies
    found = judgement.issues(shown)
    fixes = judgement.fixes(shown, found, technologies)
    measured = median([run.measured for run in runs])
    apart = spread([run.measured for run in runs]) if len(runs) > 1 else None
    report = AuditReport(
        url=request.visit.url,
        final_url=shown.final_url,
        device=shown.device,
        throttling=shown.throttling,
        scores=median_scores(runs),
        score_ranges=score_ranges(runs) if len(runs) > 1 else {},
        issues=judgement.with_fixes(found, fixes),
        recommendations=judgement.recommendations(shown, found, technologies),
        fixes=fixes,
        technologies=technologies,
        measured=measured,
        spread=apart,
        budget=derive(measured),
        violations=_violations(request.budget, measured, apart),
        held_to=request.budget,
        duel=_duel(page, rival, judgement) if rival else None,
        vendors=shown.vendors,
        filmstrip=shown.filmstrip,
        waterfall=shown.waterfall,
        warnings=(*_warnings(page), *(_warnings(rival) if rival else ())),
        runs=len(runs),
        gaps=tuple(_gaps(runs)),
    )
    return finished(
        report,
        "aud_",
        started,
        toolbox,
        summarise=judgement.summarise,
        credentials=request.visit.credentials,
    )


def _gaps(runs: Sequence[LighthouseRun]) -> Iterator[str]:
    """Lighthouse gives an area no score where one of the audits it rests on failed."""
    scores = median_scores(runs)
    for area in Area:
        if scores.of(area) is None:
            yield f"{AREAS[area]} has no score: Lighthouse could not judge all that it is made of"


def _stack_of(shown: LighthouseRun, page: _Page) -> Stack:
    return next(one.stack for one in page.taken if one.run is shown)


def _violations(
    budget: Budget | None, measured: Measured, apart: Spread | None = None
) -> tuple[Violation, ...] | None:
    return None if budget is None else compare(budget, measured, apart)


def _duel(page: _Page, rival: _Page, judgement: Judgement) -> Duel:
    before, after = _contender(rival, judgement), _contender(page, judgement)
    return duel(rival.visit.url, before, after)


def _contender(page: _Page, judgement: Judgement) -> Contender:
    ids = [frozenset(issue.id for issue in judgement.issues(run)) for run in page.runs]
    return Contender(page.runs, ids)


def _warnings(page: _Page) -> tuple[str, ...]:
    """What disturbs the picture, each once; text of the page among it is hostile."""
    told = [*_moves(page), *_mishaps(page), *(one for run in page.runs for one in run.warnings)]
    return tuple(dict.fromkeys(f"{page.prefix}{one}" for one in told))


def _moves(page: _Page) -> Iterator[str]:
    ends = sorted({_origin(run.final_url) for run in page.runs})
    if len(ends) > 1:
        yield f"The runs ended on different sites: {', '.join(ends)}."
    elif ends != [_origin(page.visit.url)]:
        yield f"The address leads to {ends[0]}: the scores are of that site."


def _mishaps(page: _Page) -> Iterator[str]:
    if page.failures:
        of = len(page.failures) + len(page.taken)
        reasons = "; ".join(dict.fromkeys(error.what for error in page.failures))
        yield f"{len(page.failures)} of {of} runs failed and are left out: {reasons}."


def _origin(url: str) -> str:
    try:
        return root(url)[:_LONGEST_ORIGIN]
    except ValueError:
        return "an address that cannot be read"
