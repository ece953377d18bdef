"""The line of a security scan: visit → page, scripts, server → flaws → score, policy, advice."""

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mergegate.core.errors import (
    MergegateError,
    TargetNotAllowed,
    TargetNotAnalysable,
    TargetUnreachable,
)
from mergegate.core.progress import Progress, silent
from mergegate.core.render.escape import visible
from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.visit import Visit
from mergegate.site.report import Toolbox, finished
from mergegate.site.security import patches
from mergegate.site.security.checks import flaws
from mergegate.site.security.checks.flaw import shown
from mergegate.site.security.checks.headers import judgements
from mergegate.site.security.checks.leaks import inner_workings
from mergegate.site.security.checks.observatory import opinion
from mergegate.site.security.facts import PolicyTrial, RenderedPage, SecurityFacts
from mergegate.site.security.patches import localised, needs_policy, together
from mergegate.site.security.report import Flaw, SecurityReport, risk_score
from mergegate.site.security.summary import advice, summarise

_FIRST_ERROR = 400
"""The least HTTP status that says that there is no page."""
_LONGEST_REASON = 300
_HTML = frozenset({"", "text/html", "application/xhtml+xml"})
_LOCAL = (
    "The page stands on this machine or in a private network: https, HSTS, certificates and the "
    "Secure flag of cookies are not judged."
)
_NOT_RENDERED = (
    "The page was not opened in a browser: what its scripts load or set is not looked at, and no "
    "content security policy was tried (--render-js)."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityRequest:
    """What is to be scanned."""

    visit: Visit
    render_js: bool = False
    """Whether the page is opened in a browser, too, and a policy is proved there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityToolbox(Toolbox):
    """What a security scan works with; built in ``tools.py``."""

    gather: Callable[[Visit, RenderedPage | None, dt.datetime], SecurityFacts]
    propose: Callable[[SecurityFacts], PolicyTrial]
    """A policy from the markup, not tried."""
    render: Callable[[Visit], RenderedPage] | None = None
    """Renders the page in a browser; None without one."""
    try_policy: Callable[[Visit, SecurityFacts], PolicyTrial] | None = None
    """A policy that the page was loaded under; None without a browser."""
    hashes: Callable[[Sequence[str], str], Mapping[str, str]] = lambda _urls, _page: {}
    """Hashes of files that the page loads from other hosts, by address, as integrity is written."""
    progress: Progress = silent


def secure(request: SecurityRequest, toolbox: SecurityToolbox) -> SecurityReport:
    """Scan a page and what belongs to it; raises TargetError or EngineError.

    Raises TargetNotAllowed, TargetUnreachable or TargetNotAnalysable when there is no page to look
    at; whatever is unsafe about one is a flaw of the report.
    """
    started = toolbox.now()
    rendered = _rendered(request, toolbox)
    facts = toolbox.gather(request.visit, rendered, started)
    _is_there(facts.page, request.visit.url)
    found = flaws(facts)
    trial = _trial(request, facts, found, toolbox)
    found = _with_patches(found, facts, trial, toolbox)
    report = _report(request, replace(facts, trial=trial), found)
    gaps = tuple(_gaps(facts, rendered))
    report = replace(report, gaps=gaps, skipped=(*_out_of_scope(facts, rendered), *gaps))
    return finished(
        report, "sec_", started, toolbox, summarise=summarise, credentials=request.visit.credentials
    )


def _rendered(request: SecurityRequest, toolbox: SecurityToolbox) -> RenderedPage | None:
    if not request.render_js or toolbox.render is None:
        return None
    toolbox.progress("browser", "started")
    page = toolbox.render(request.visit)
    toolbox.progress("browser", "failed" if page.failure else "done")
    return page


def _is_there(page: Fetched, url: str) -> None:
    """Raises unless there is an HTML page that is the site's own."""
    if page.refused:
        raise TargetNotAllowed(
            f"{url} may not be visited: {page.failure}",
            remedy="A private host of your own is named by --allow HOST:PORT.",
        )
    if page.final is None and not page.answered:
        raise TargetUnreachable(
            f"{url} cannot be reached: {visible(page.failure[:_LONGEST_REASON])}",
            remedy="Is the address right, and the site up?",
        )
    if problem := _problem(page):
        raise problem


def _problem(page: Fetched) -> MergegateError | None:
    """Why an answer is no page to be scanned."""
    inside = ""
    kind = page.header("content-type").partition(";")[0].strip().lower()
    if page.final is None:
        reason = page.failure
    elif (page.status or 0) >= _FIRST_ERROR:
        inside = inner_workings(page)
        reason = f"it answers {page.status}" + (f", and {inside}" if inside else "")
    elif kind not in _HTML:
        reason = "it is no HTML page"
    elif not page.text.strip():
        reason = f"it answers {page.status} with an empty page"
    else:
        return None
    remedy = "Open it in a browser: what it says there is what people see."
    if page.status in {401, 403, 407}:
        remedy = "Send what opens it by --header or --cookie."
    elif inside:
        remedy = "Put the error right, and let no visitor see its inside: switch debugging off."
    told = visible(reason[:_LONGEST_REASON])
    return TargetNotAnalysable(f"{page.url} cannot be scanned: {told}", remedy=remedy)


def _trial(
    request: SecurityRequest,
    facts: SecurityFacts,
    found: Sequence[Flaw],
    toolbox: SecurityToolbox,
) -> PolicyTrial | None:
    """The trial of a proposed policy; None where the site's own policy keeps scripts out."""
    if not needs_policy(found):
        return None
    if not request.render_js or toolbox.try_policy is None:
        return toolbox.propose(facts)
    toolbox.progress("policy", "started")
    trial = _harmless(toolbox.try_policy(request.visit, facts))
    toolbox.progress("policy", "proved" if trial.proved else "not proved")
    return trial


def _harmless(trial: PolicyTrial) -> PolicyTrial:
    """The trial without keys and tokens in what it quotes of scripts and addresses."""
    breaches = [
        replace(one, blocked=shown(one.blocked), sample=shown(one.sample)) for one in trial.breaches
    ]
    return replace(trial, breaches=tuple(breaches), errors=tuple(map(shown, trial.errors)))


def _with_patches(
    found: Sequence[Flaw],
    facts: SecurityFacts,
    trial: PolicyTrial | None,
    toolbox: SecurityToolbox,
) -> tuple[Flaw, ...]:
    wanted = patches.wanted(found, facts.document)
    hashes = toolbox.hashes(wanted, facts.page.final_url) if wanted else {}
    ready = patches.tags(found, facts.document, hashes)
    return localised(found, facts.stack, policy=trial.policy if trial else "", tags=ready)


def _report(
    request: SecurityRequest,
    facts: SecurityFacts,
    found: tuple[Flaw, ...],
) -> SecurityReport:
    risk = risk_score(found)
    return SecurityReport(
        url=request.visit.url,
        final_url=facts.page.final_url,
        score=risk.score,
        grade=risk.grade,
        flaws=found,
        headers=judgements(facts),
        tls=facts.tls,
        trial=facts.trial,
        advice=advice(
            found,
            facts.trial,
            lambda ids: _gain(found, ids, risk.score),
            lambda some: together(some, facts.stack),
        ),
        deductions=risk.deductions,
        observatory=opinion(facts),
        libraries=tuple((one.name, one.version) for one in facts.libraries),
    )


def _gaps(facts: SecurityFacts, rendered: RenderedPage | None) -> Iterator[str]:
    """What belongs to the scan and could not be looked at."""
    if rendered and rendered.failure:
        yield f"The page could not be opened in a browser: {rendered.failure}."
    if facts.tls and facts.tls.failure:
        yield f"How its server speaks TLS could not be looked at: {facts.tls.failure}."
    yield from facts.notes


def _gain(found: Sequence[Flaw], ended: frozenset[str], score: int) -> int:
    """What the score gains when these flaws are gone; nothing while a cap still holds."""
    return risk_score(one for one in found if one.id not in ended).score - score


def _out_of_scope(facts: SecurityFacts, rendered: RenderedPage | None) -> Iterator[str]:
    """What was not asked for or cannot be told of this page."""
    if facts.local:
        yield _LOCAL
    if rendered is None:
        yield _NOT_RENDERED
