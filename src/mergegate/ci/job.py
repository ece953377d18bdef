"""``mergegate ci``, from event to exit code: change, scan, report files, answer, gate."""

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from mergegate.ci.answering import Publisher
from mergegate.ci.checkout import Checkout, place
from mergegate.ci.forging import ci_context, deployed_change, forge_for
from mergegate.ci.options import AUTO, Job, chosen, job, settings, usual
from mergegate.ci.output import append, check_reports, outputs, say, write_reports
from mergegate.ci.scanning import Scanned, forge, scanned, shown, site_of
from mergegate.core.change import Trigger
from mergegate.core.errors import ForgeError, MergegateError, UsageError
from mergegate.core.finding import Edit, Finding, Place
from mergegate.core.plans import REPOSITORY
from mergegate.core.render.wording import whole
from mergegate.core.report import Fix, Gate, Report
from mergegate.core.score import decided
from mergegate.core.severity import Severity
from mergegate.forges.context import CiContext
from mergegate.forges.ports import Forge
from mergegate.forges.publication import DIALECTS, GITHUB
from mergegate.forges.publish import Published
from mergegate.repo.report import markdown
from mergegate.sandbox.git.repository import Repository
from mergegate.sandbox.process.deny_ptrace import deny_ptrace
from mergegate.terminal.exits import PASSED, code_of

if TYPE_CHECKING:
    from mergegate.site.deployment.run import SiteChecked

_TITLE = "Mergegate: the default branch needs attention"
_LIMIT = 60_000
_SECONDS = len("2026-01-31T23:59:59")


class _Told(click.Command):
    """Bad usage is told on the change, too: the answer to an older commit must not stand for it."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **more: Any,
    ) -> click.Context:
        given = list(args)
        try:
            return super().make_context(info_name, args, parent, **more)
        except click.UsageError as error:
            more["resilient_parsing"] = True
            readable = super().make_context(info_name, given, parent, **more).params
            with suppress(MergegateError):
                around = ci_context(os.environ)
                _withdraw(error, readable, around, os.environ)
            raise


@click.command(
    cls=_Told,
    epilog="Exit codes: 0 passed, 1 gate failed, 2 usage or bad input, 3 incomplete.",
)
@settings()
def ci(**values: Any) -> None:
    """Scan the change that this CI job is about, publish the answer, and gate the merge.

    GitHub Actions, GitLab CI, Bitbucket Pipelines and plain Git (Jenkins) are recognised by
    their environment. Every option may be stated as a variable, such as MERGEGATE_FAIL_ON.

    \b
    Examples:
      mergegate ci
      mergegate ci --fail-on gate --review 0
      MERGEGATE_BASE=origin/main mergegate ci
    """
    deny_ptrace()
    sys.exit(run(values, os.environ))


def run(values: Mapping[str, Any], environment: Mapping[str, str]) -> int:
    """Do the job; the exit code. Raises UsageError and TargetError for what cannot be scanned."""
    around = ci_context(environment)
    for warning in around.warnings:
        say(warning)
    if around.deployment and not around.deployment.ready:
        say("nothing to do: the deployment has not succeeded (yet)")
        return PASSED
    if around.is_edited and _stands(around, environment):
        say(
            "nothing to do: only words were edited, and the answer to this commit stands: it passed"
        )
        append(around.output_file, outputs({"gate": Gate.PASSED.value}))
        return PASSED
    try:
        wanted = job(values)
        if around.change.trigger is Trigger.COMMENT:
            from mergegate.ci import orders  # noqa: PLC0415 - most jobs are no comment's

            return orders.run(wanted, around, environment, answer)
        if around.deployment:
            around = _deployed(around, environment)
        here = place(wanted.path, around)
    except MergegateError as error:
        if around.change.trigger is not Trigger.COMMENT:  # who ordered is answered
            _withdraw(error, values, around, environment)
        raise
    return answer(wanted, here, environment)


def _stands(around: CiContext, environment: Mapping[str, str]) -> bool:
    """Whether the forge shows that the head has passed, measured from the same branch."""
    head = around.change.head
    try:
        there = forge_for(around, around.change, environment)
        return bool(head and there and there.record and there.record.has_passed(head))
    except (ForgeError, UsageError):
        return False  # who may not ask scans


def _withdraw(
    error: Exception,
    values: Mapping[str, Any],
    around: CiContext,
    environment: Mapping[str, str],
) -> None:
    """Tell on the change why the job that its settings describe could not begin."""
    with suppress(MergegateError):
        around = replace(around, change=around.completed(Repository(around.workspace)))
    named = {"comment": values.get("comment") or "true"}
    Publisher(job(usual() | named), around, around.change, environment).withdraw(error)


def _deployed(around: CiContext, environment: Mapping[str, str]) -> CiContext:
    """The context of the pull request whose commit was deployed, where GitHub tells of one."""
    try:
        return replace(around, change=deployed_change(around, environment))
    except ForgeError as error:
        say(f"the commit alone is judged: {error}")
        return around


@dataclass(frozen=True, slots=True)
class Answered:
    """How the gate stands, and what the forge was told of it."""

    gate: Gate
    published: Published


def answer(job: Job, here: Checkout, environment: Mapping[str, str]) -> int:
    """Scan and publish; the exit code of the gate."""
    try:
        return code_of(answered(job, here, environment).gate)
    except Exception as error:
        Publisher(job, here.around, here.change, environment).withdraw(error)
        raise


def answered(job: Job, here: Checkout, environment: Mapping[str, str]) -> Answered:
    """Scan and publish; a forge that does not take the answer changes no gate, nor does a disk."""
    check_reports(here.around.workspace, job.report)
    is_watch = here.change.trigger is Trigger.SCHEDULE
    upgradable = _upgradable(job, here) if is_watch else None
    found = scanned(job, here, environment, upgradable)
    checked = _site(found, job, here, environment)
    report = replace(found.report, site=checked.outcome if checked else None)
    report = decided(report, chosen(job.fail_on, report), REPOSITORY)
    gate = whole(report).gate
    desk = Publisher(job, here.around, here.change, environment)
    published = desk.answer(_as_shown(report, here), shown(here, found.base))
    if is_watch:
        _tell_of_drift(report, gate, here, environment)
    if upgradable:
        _keep_upgrades(report, job, here, environment)
    _leave(report, checked, job, here)
    return Answered(gate, published)


def _site(
    found: Scanned, job: Job, here: Checkout, environment: Mapping[str, str]
) -> "SiteChecked | None":
    """What the site came to, where the job has one."""
    where = site_of(job, here)
    if where is None:
        if here.around.deployment and job.site_url == AUTO:
            say("no site is looked at, for the deployment does not say where it can be seen")
        return None
    from mergegate.ci import site  # noqa: PLC0415 - most jobs have none, and it takes its time

    return site.looked_at(where, job, here, found.base, environment)


def _leave(report: Report, checked: "SiteChecked | None", job: Job, here: Checkout) -> None:
    """Write the report files; the answer has been given, so what is not written is only told."""
    try:
        write_reports(report, here.around.workspace, job.report, job.formats)
        if checked:
            from mergegate.ci import site  # noqa: PLC0415 - as above

            site.write_site_reports(checked, job, here.around.workspace)
    except UsageError as error:
        say(f"not all report files are written: {error}")


def _as_shown(report: Report, here: Checkout) -> Report:
    """The report with the lines of the change's own commit, where a test merge was scanned."""
    if report.target.head is None:
        return report
    numbers = here.repository.renumbering(report.target.head)
    return placed(report, numbers.place if numbers else _nowhere)


def _nowhere(_path: str, _line: int) -> None:
    """Too much differs to tell: then findings stand at their files."""


def _tell_of_drift(
    report: Report, gate: Gate, here: Checkout, environment: Mapping[str, str]
) -> None:
    try:
        tell(report, gate, here.repository, forge(here, environment))
    except ForgeError as error:
        say(f"could not write the issue: {error}")


def _upgradable(job: Job, here: Checkout) -> Callable[[Finding], bool] | None:
    from mergegate.ci import upgrades  # noqa: PLC0415 - most jobs are no schedule's

    return upgrades.fixes_of(job, here)


def _keep_upgrades(
    report: Report, job: Job, here: Checkout, environment: Mapping[str, str]
) -> None:
    from mergegate.ci import upgrades  # noqa: PLC0415 - as above

    dialect = DIALECTS[here.change.provider] if here.change.provider else GITHUB
    try:
        say(upgrades.kept(report, job, here, forge(here, environment), dialect))
    except (ForgeError, UsageError) as error:
        say(f"could not keep the pull request with upgrades: {error}")


def tell(report: Report, gate: Gate, repository: Repository, forge: Forge | None) -> None:
    """Open or update the issue while the gate does not pass or an advisory is new; else close it.

    New is what was published after the last commit: no change will show it.
    Raises ForgeError.
    """
    if forge is None or forge.ledger is None:
        say("there is no token that may write issues, so the schedule's finding is in this log")
        return
    appeared = _appeared(report, repository)
    wanted = appeared or gate is not Gate.PASSED
    url = forge.ledger.post(_TITLE, _body(report, appeared), wanted)
    say(f"issue: {url}" if url else "no issue is needed")


def _appeared(report: Report, repository: Repository) -> bool:
    head = repository.head()
    since = repository.committed_at(head)[:_SECONDS] if head else ""
    return any(_published(one)[:_SECONDS] > since for one in report.vulnerabilities if _weighs(one))


def _weighs(finding: Finding) -> bool:
    return finding.severity > Severity.INFO


def _published(finding: Finding) -> str:
    return finding.advisory.published if finding.advisory else ""


def _body(report: Report, appeared: bool) -> str:
    news = "An advisory was published since the last commit.\n\n" if appeared else ""
    return f"{news}{markdown.render(report, limit=_LIMIT)}"


Moved = Callable[[str, int], tuple[str, int] | None]
"""Path and line here → path and line there; None for a line that only this commit has."""


def placed(report: Report, moved: Moved) -> Report:
    """``report`` with every place and edit as the other commit numbers them."""
    return replace(
        report,
        issues=tuple(_finding(one, moved) for one in report.issues),
        risks=tuple(_finding(one, moved) for one in report.risks),
        vulnerabilities=tuple(_finding(one, moved) for one in report.vulnerabilities),
        fixes=tuple(fix for one in report.fixes if (fix := _fix(one, moved))),
    )


def _finding(finding: Finding, moved: Moved) -> Finding:
    """A finding on lines that are not there stands at its file."""
    place = finding.place
    if not place.file or not place.start_line:
        return finding
    start, end = moved(place.file, place.start_line), moved(place.file, place.end_line)
    if start is None or end is None or start[0] != end[0]:
        return replace(finding, place=Place(place.file))
    there = replace(place, file=start[0], start_line=start[1], end_line=end[1])
    return replace(finding, place=there)


def _fix(fix: Fix, moved: Moved) -> Fix | None:
    edits = [_edit(one, moved) for one in fix.edits]
    whole = tuple(one for one in edits if one is not None)
    return replace(fix, edits=whole) if len(whole) == len(edits) else None


def _edit(edit: Edit, moved: Moved) -> Edit | None:
    start, end = moved(edit.path, edit.start_line), moved(edit.path, edit.end_line)
    if start is None or end is None or start[0] != end[0]:
        return None
    if end[1] - start[1] != edit.end_line - edit.start_line:
        return None
    return replace(edit, path=start[0], start_line=start[1], end_line=end[1])
