"""From the event to the exit code: which change, scan, report files, answer, gate."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mergegate.ci import drift, orders
from mergegate.ci.answering import Publisher
from mergegate.ci.checkout import Checkout, place
from mergegate.ci.files import write_reports
from mergegate.ci.forging import ci_context, deployed_change
from mergegate.ci.log import say
from mergegate.ci.options import AUTO, Job
from mergegate.ci.placing import placed
from mergegate.ci.remark import Shown
from mergegate.ci.scanning import Scanned, forge, scanned, site_of
from mergegate.core.change import Trigger
from mergegate.core.errors import ForgeError
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import Gate, Report
from mergegate.core.score import FailOn, decide
from mergegate.forges.environment import CiContext
from mergegate.forges.publish import Published
from mergegate.terminal.exits import PASSED, code_of


@dataclass(frozen=True, slots=True)
class Answered:
    """How the gate stands, and what the forge was told of it."""

    gate: Gate
    published: Published


def run(job: Job, environment: Mapping[str, str]) -> int:
    """Do the job; the exit code. Raises UsageError and TargetError for what cannot be scanned."""
    around = ci_context(environment)
    for warning in around.warnings:
        say(warning)
    if around.change.trigger is Trigger.COMMENT:
        return orders.run(job, around, environment, answer)
    if around.deployment and not around.deployment.ready:
        say("nothing to do: the deployment has not succeeded (yet)")
        return PASSED
    if around.deployment:
        around = _deployed(around, environment)
    return answer(job, place(job, around), environment)


def _deployed(around: CiContext, environment: Mapping[str, str]) -> CiContext:
    """About the pull request whose commit was deployed, where GitHub tells of one."""
    try:
        return replace(around, change=deployed_change(around, environment))
    except ForgeError as error:
        say(f"the commit alone is judged: {error}")
        return around


def answer(job: Job, here: Checkout, environment: Mapping[str, str]) -> int:
    """Scan and publish; the exit code of the gate."""
    return code_of(answered(job, here, environment).gate)


def answered(job: Job, here: Checkout, environment: Mapping[str, str]) -> Answered:
    """Scan and publish; a forge that does not take the answer changes no gate."""
    found = scanned(job, here, environment)
    report = _with_site(found, job, here, environment)
    write_reports(report, here.around.workspace, job.report, job.formats)
    fail_on = chosen(job.fail_on, report)
    gate = decide(report, fail_on, REPOSITORY).gate
    desk = Publisher(job, here.around, here.change, environment, fail_on)
    published = desk.answer(_as_shown(report, here), gate, _shown(here, found.base))
    if here.change.trigger is Trigger.SCHEDULE:
        _tell_of_drift(report, gate, here, environment)
    return Answered(gate, published)


def _with_site(found: Scanned, job: Job, here: Checkout, environment: Mapping[str, str]) -> Report:
    """The report on the code, and on the site where the job has one."""
    where = site_of(job, here)
    if where is None:
        if here.around.deployment and job.site_url == AUTO:
            say("no site is looked at, for the deployment does not say where it can be seen")
        return found.report
    from mergegate.ci import site  # noqa: PLC0415 - most jobs have none, and it takes its time

    checked = site.looked_at(where, job, here, found.base, environment)
    site.write_site_reports(checked, job, here.around.workspace)
    return replace(found.report, site=checked.outcome)


def chosen(fail_on: str, report: Report) -> FailOn:
    """``auto``: a change answers for what it brings, a branch for all that it holds."""
    if fail_on != AUTO:
        return FailOn(fail_on)
    return FailOn.NEW if report.comparison else FailOn.GATE


def _as_shown(report: Report, here: Checkout) -> Report:
    """With the lines of the change's own commit, where a test merge of it was scanned."""
    if report.target.head is None:
        return report
    numbers = here.repository.renumbering(report.target.head)
    return placed(report, numbers.place if numbers else _nowhere)


def _nowhere(_path: str, _line: int) -> None:
    """Too much differs to tell: then findings stand at their files."""


def _shown(here: Checkout, base: str | None) -> Shown:
    if base is None or here.change.head is None:
        return {}
    return here.repository.shown_lines(base, here.change.head)


def _tell_of_drift(
    report: Report, gate: Gate, here: Checkout, environment: Mapping[str, str]
) -> None:
    try:
        drift.tell(report, gate, here.repository, forge(here, environment))
    except ForgeError as error:
        say(f"could not write the issue: {error}")
