"""Dismissals that only this side knows, applied to a report that a host made without them."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import replace

from mergegate.core.check import Unrun
from mergegate.core.finding import Finding
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import Comparison, Fix, Report, Suppression, Verdict
from mergegate.core.score import draw_up, judge
from mergegate.repo.policy import set_aside
from mergegate.repo.settings import Dismissal, Policy
from mergegate.repo.summary import summarise

_GAP = "Not checked: "


def dismissed(report: Report, dismissals: Sequence[Dismissal], today: dt.date) -> Report:
    """``report`` as the scan tells it that knows these dismissals too; pure.

    What they name is set aside, and score, verdict, comparison and summary are drawn anew.
    """
    policy = Policy(suppressions=tuple(dismissals))
    counted, aside = _parted(report.findings, policy, today)
    if not aside:
        return report
    kept = {one.id for one in counted}
    fixes = tuple(fix for one in report.fixes if (fix := _fix(one, kept)))
    ledger = draw_up(counted, REPOSITORY)
    verdict = judge(counted, ledger, REPOSITORY, _unrun(report.verdict))
    comparison = _comparison(report.comparison, counted, policy, today)
    return replace(
        report,
        issues=_only(report.issues, kept),
        risks=_only(report.risks, kept),
        vulnerabilities=_only(report.vulnerabilities, kept),
        suppressed=tuple(sorted((*report.suppressed, *aside), key=lambda it: it.finding.order)),
        fixes=fixes,
        ledger=ledger,
        verdict=verdict,
        comparison=comparison,
        summary=summarise(counted, ledger, verdict, fixes, comparison),
    )


def _parted(
    findings: Iterable[Finding], policy: Policy, today: dt.date
) -> tuple[tuple[Finding, ...], tuple[Suppression, ...]]:
    """The findings that count, and those set aside, which lose their fixes."""
    counted, aside = set_aside(findings, policy, frozenset(), today)
    plain = (replace(one, finding=replace(one.finding, fix_id=None)) for one in aside)
    return counted, tuple(plain)


def _only(findings: Iterable[Finding], kept: set[str]) -> tuple[Finding, ...]:
    return tuple(one for one in findings if one.id in kept)


def _fix(fix: Fix, kept: set[str]) -> Fix | None:
    ids = tuple(id for id in fix.finding_ids if id in kept)
    return replace(fix, finding_ids=ids) if ids else None


def _unrun(verdict: Verdict) -> tuple[Unrun, ...]:
    """What did not run, as the verdict names it."""
    named = (one.removeprefix(_GAP) for one in verdict.reasons if one.startswith(_GAP))
    return tuple(Unrun("scan", one, "") for one in named)


def _comparison(
    before: Comparison | None, counted: Sequence[Finding], policy: Policy, today: dt.date
) -> Comparison | None:
    if before is None:
        return None
    new = [one for one in counted if one.is_new]
    ledger = draw_up(new, REPOSITORY)
    ids = {one.id for one in counted}
    return replace(
        before,
        new=len(new),
        existing=len(counted) - len(new),
        fixed=_parted(before.fixed, policy, today)[0],
        verdict=judge(new, ledger, REPOSITORY, _unrun(before.verdict)),
        ledger=ledger,
        drifted=tuple(id for id in before.drifted if id in ids),
    )
