"""The scan of the change in the checkout: its base, who scans it, and what was dismissed."""

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mergegate import __version__
from mergegate.ci.base import base_of
from mergegate.ci.checkout import Checkout
from mergegate.ci.forging import forge_for
from mergegate.ci.options import AUTO, NO_ADDRESS, NONE, Job
from mergegate.ci.output import say
from mergegate.ci.publication import Shown
from mergegate.ci.testing import distrust, own_tests
from mergegate.core.change import Change, Trigger
from mergegate.core.errors import ForgeError
from mergegate.core.finding import Finding
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import Comparison, Fix, PolicyInForce, Report
from mergegate.core.score import draw_up, gaps_in, held_to, judge
from mergegate.forges.environment import owner_at_github
from mergegate.forges.marker import Waiver
from mergegate.forges.ports import Forge
from mergegate.forges.publish import summary
from mergegate.repo.assemble import Assembly
from mergegate.repo.fixes import patch
from mergegate.repo.policy import Parted, set_aside, settled, with_dismissals
from mergegate.repo.scan import Request, scan
from mergegate.repo.settings import Dismissal, Policy
from mergegate.repo.summary import summarise
from mergegate.repo.toolbox import Advised, scan_toolbox
from mergegate.sandbox.files.outbox import outbox
from mergegate.sandbox.git.repository import is_tracked

if TYPE_CHECKING:
    from mergegate.repo.fixes.own_tests import OwnTests

_OF_CHANGES, _OF_SCHEDULES = dt.timedelta(days=7), dt.timedelta(days=1)
"""How old advisories may become before they are fetched again; schedules exist to learn of new
ones."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """A report, and what it was measured from."""

    report: Report
    base: str | None


def scanned(
    job: Job,
    here: Checkout,
    environment: Mapping[str, str],
    fixes_of: Callable[[Finding], bool] | None = None,
) -> Scanned:
    """Scan the change; raises UsageError when its base cannot be had.

    ``fixes_of`` tells whose fixes are wanted as a patch; by default what the formats need.
    """
    found_base = base_of(job, here, environment)
    base = found_base.commit
    say(f"version {__version__}: {_about(here.change)}{f', against {base[:12]}' if base else ''}")
    if found_base.what:
        say(found_base.what)
    dismissals = _dismissals(here, environment)
    found = here.found
    if found is None and is_delegated(job, here.change):
        from mergegate.ci import remote  # noqa: PLC0415 - it speaks HTTP

        host = remote.host_of(job, environment)
        found = remote.repository_scan(here, base, host, job.formats)
    if found is not None:
        known = dismissed(found, dismissals, dt.datetime.now(dt.UTC).date())
        return Scanned(held_to(known, job.fail_change_on, REPOSITORY), base)
    if job.api_url:
        say("a change from a fork is scanned here: a host sees the repository's branches alone")
    tests = _tests(job, here, environment)
    if fixes_of is None and (tests or patch.FORMAT in job.formats):
        fixes_of = patch.belongs
    request = Request(
        root=here.root,
        repository=here.repository,
        aspects=job.aspects,
        base=base,
        policy=job.policy,
        dismissals=dismissals,
        head=_own_head(here),
        sarif=job.import_sarif,
        base_sarif=job.import_sarif_base if base else (),
        fixes_of=fixes_of,
        tests=tests,
    )
    with _kept(job, here) as cache:
        toolbox = scan_toolbox(
            fetch=not job.offline,
            cached=True,
            cache=cache,
            doubted=True,
            aspects=job.aspects,
            renewed_after=_renewed_after(here.change.trigger),
            tell=say,
            advice=Advised(environment, from_fork=here.change.from_fork),
            owner=owner_at_github(environment),
        )
        report = scan(request, toolbox)
        if tests and tests.told:
            say(tests.told)
        return Scanned(held_to(report, job.fail_change_on, REPOSITORY), base)


def _tests(job: Job, here: Checkout, environment: Mapping[str, str]) -> "OwnTests | None":
    """The tests that the job orders; None where it orders none, or nothing there is trusted."""
    if job.tests is None:
        return None
    if why := distrust(here.around, here.change):
        say(f"the tests of test-command are not run: {why}")
        return None
    return own_tests(job.tests, here.root, environment)


def _renewed_after(trigger: Trigger) -> dt.timedelta:
    return _OF_SCHEDULES if trigger is Trigger.SCHEDULE else _OF_CHANGES


def shown(here: Checkout, base: str | None) -> Shown:
    """The lines of the change's own commit that the forge shows in its diff against ``base``."""
    if base is None or here.change.head is None:
        return {}
    return here.repository.shown_lines(base, here.change.head)


def is_delegated(job: Job, change: Change) -> bool:
    """Whether a host does the scans; it sees no branches of forks, whose jobs get no key either."""
    return bool(job.api_url) and not change.from_fork


def site_of(job: Job, here: Checkout) -> str | None:
    """What the site is called before it is served; None where there is none, or none is wanted."""
    if job.site_url == NONE:
        return None
    if job.site_folder:
        return str(job.site_folder)
    if job.site_url not in NO_ADDRESS:
        return job.site_url
    deployment = here.around.deployment
    return deployment.url if job.site_url == AUTO and deployment and deployment.url else None


@contextmanager
def _kept(job: Job, here: Checkout) -> Iterator[Path | None]:
    """Where answers are kept; None for the usual place, and for a folder that a change tracks."""
    if job.cache is None:
        yield None
        return
    with outbox(here.around.workspace, job.cache) as folder:
        if is_tracked(folder):
            say(f"the cache {job.cache} is not used: the repository itself has files there")
            yield None
            return
        yield folder


def forge(here: Checkout, environment: Mapping[str, str]) -> Forge | None:
    """The forge as it is now; raises ForgeError."""
    return forge_for(here.around, here.change, environment)


def _own_head(here: Checkout) -> str | None:
    """The change's last commit where another one, a merge of it, is checked out."""
    return here.change.head if here.change.head != here.repository.head() else None


def _about(change: Change) -> str:
    number = f" number {change.number}" if change.number else ""
    return f"{change.trigger.value} of {change.repository}{number}"


def _dismissals(here: Checkout, environment: Mapping[str, str]) -> tuple[Dismissal, ...]:
    """What was decided in comments on the change; a forge that does not answer is named."""
    if here.change.number is None:
        return ()
    try:
        host = forge(here, environment)
        if host is None or host.conversation is None:
            return ()
        state = summary(host.conversation.comments()).state
    except ForgeError as error:
        say(f"dismissals given in comments are not known: {error.what}")
        return ()
    if state is None or not state.waivers:
        return ()
    authors = authors_of(host)
    return tuple(one for waiver in state.waivers if (one := _dismissal(waiver, authors)))


def authors_of(host: Forge) -> frozenset[str] | None:
    """Who brought the change, case aside; None where the forge does not tell."""
    try:
        return host.authorship.authors() if host.authorship else None
    except ForgeError as error:
        say(f"who wrote the change is not known, so a critical finding stays: {error.what}")
        return None


def _dismissal(waiver: Waiver, authors: frozenset[str] | None) -> Dismissal | None:
    try:
        return Dismissal(
            id=waiver.id,
            reason=waiver.reason,
            owner=waiver.owner,
            expires=dt.date.fromisoformat(waiver.expires),
            by_author=authors is None or waiver.owner.casefold() in authors,
        )
    except ValueError:
        return None  # damaged: then the finding counts


def dismissed(report: Report, dismissals: Sequence[Dismissal], today: dt.date) -> Report:
    """``report`` as the scan tells it that knows these dismissals too; pure.

    What they name is set aside, and score, verdict, comparison and summary are drawn anew.
    """
    used = report.policy or PolicyInForce()
    allowed: Literal["deny", "allow"] = "allow" if used.allows_self_dismissal else "deny"
    policy = Policy(suppressions=tuple(dismissals), self_dismissal=allowed)
    policy, short = settled(policy, ids_of(report))
    parted = _parted(report.findings, policy, today)
    counted, aside = parted.counted, parted.aside
    notes = tuple(dict.fromkeys((*used.notes, *short, *parted.notes)))
    if not aside:
        return report if notes == used.notes else replace(report, policy=replace(used, notes=notes))
    kept = {one.id for one in counted}
    fixes = tuple(fix for one in report.fixes if (fix := _fix(one, kept)))
    ledger = draw_up(counted, REPOSITORY)
    verdict = judge(counted, ledger, REPOSITORY, gaps_in(report.verdict))
    comparison = _comparison(report.comparison, counted, policy, today)
    return replace(
        report,
        policy=replace(used, notes=notes),
        basis=_basis(report, dismissals),
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


def ids_of(report: Report) -> set[str]:
    """The id of every finding that the report speaks of."""
    fixed = report.comparison.fixed if report.comparison else ()
    aside = (one.finding for one in report.suppressed)
    return {one.id for one in (*report.findings, *aside, *fixed)}


def _basis(report: Report, dismissals: Sequence[Dismissal]) -> Any:
    """What the report is drawn from again: a bundle of it knows of the dismissals."""
    basis = report.basis
    if not isinstance(basis, Assembly):
        return basis
    return replace(basis, policy=with_dismissals(basis.policy, dismissals))


def _parted(findings: Iterable[Finding], policy: Policy, today: dt.date) -> Parted:
    """The findings that count, and those set aside, which lose their fixes."""
    parted = set_aside(findings, policy, {}, today)
    plain = (replace(one, finding=replace(one.finding, fix_id=None)) for one in parted.aside)
    return replace(parted, aside=tuple(plain))


def _only(findings: Iterable[Finding], kept: set[str]) -> tuple[Finding, ...]:
    return tuple(one for one in findings if one.id in kept)


def _fix(fix: Fix, kept: set[str]) -> Fix | None:
    ids = tuple(id for id in fix.finding_ids if id in kept)
    return replace(fix, finding_ids=ids) if ids else None


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
        fixed=_parted(before.fixed, policy, today).counted,
        verdict=judge(new, ledger, REPOSITORY, gaps_in(before.verdict), before.stops_at),
        ledger=ledger,
        drifted=tuple(id for id in before.drifted if id in ids),
    )
