"""Say the answer wherever this job may: forge, log, summary page, outputs."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import click

from mergegate.ci.forging import forge_for
from mergegate.ci.options import Job
from mergegate.ci.output import append, outputs, say
from mergegate.ci.publication import Shown, annotations, publication, unscanned
from mergegate.core.change import Change, Provider, Trigger
from mergegate.core.errors import Failed, MergegateError
from mergegate.core.finding import Finding
from mergegate.core.render import escape, source
from mergegate.core.render.escape import visible
from mergegate.core.render.formats import SMALLEST_LIMIT
from mergegate.core.report import Decided, Gate, Report, Target, Verdict
from mergegate.core.score import FailOn
from mergegate.core.severity import Severity
from mergegate.forges.context import CiContext
from mergegate.forges.ports import Forge
from mergegate.forges.publication import DIALECTS, GITHUB, Annotation, Framing, Publication
from mergegate.forges.publish import Published, publish
from mergegate.repo.report import markdown
from mergegate.repo.report.entries import origins
from mergegate.repo.report.formats import alerts, console_text

MOST_BYTES = 900_000
"""GitHub refuses a step's summary of more than 1 MiB, and shows none of it then
(https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands)."""


def job_summary(report: Report) -> str:
    """The report in at most 900,000 bytes of UTF-8."""
    limit = MOST_BYTES
    text = markdown.render(report, limit=limit)
    while len(text.encode()) > MOST_BYTES:
        # A character is four bytes at most, so this ends long before the smallest limit.
        limit = max(SMALLEST_LIMIT, limit // 2)
        text = markdown.render(report, limit=limit)
    return text


MOST = 10
"""The most annotations of each kind; GitHub drops what a step writes beyond
(https://docs.github.com/en/rest/checks/runs)."""
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = _DATA | str.maketrans({":": "%3A", ",": "%2C"})


def workflow_commands(report: Report) -> str:
    """One command a line, worst first; findings for information are left out.

    Critical and high are errors, the others warnings. A last line tells how many were left out.
    Empty without findings; else it ends with a line break.
    """
    worth = [one for one in annotations(report) if one.severity > Severity.INFO]
    errors = [one for one in worth if one.severity >= Severity.HIGH]
    warnings = [one for one in worth if one.severity < Severity.HIGH]
    found = origins(report).brought if report.comparison else report.findings
    total = sum(one.severity > Severity.INFO for one in found)
    shown = (*_commands("error", errors), *_commands("warning", warnings))
    lines = [*shown, *_rest(len(shown), total)]
    return "".join(f"{line}\n" for line in lines)


def _commands(kind: str, found: Sequence[Annotation]) -> tuple[str, ...]:
    return tuple(_command(kind, one) for one in found[:MOST])


def _command(kind: str, one: Annotation) -> str:
    title = escape.terminal(f"{one.severity.label.capitalize()}: {one.title}")
    properties = {
        "file": one.path,
        "line": str(one.start_line),
        "endLine": str(one.end_line),
        "title": title,
    }
    # One pass: the percent sign of an escape is not escaped again.
    listed = ",".join(f"{name}={text.translate(_PROPERTY)}" for name, text in properties.items())
    return f"::{kind} {listed}::{escape.terminal(one.message).translate(_DATA)}"


def _rest(shown: int, total: int) -> tuple[str, ...]:
    if shown == total:
        return ()
    return (f"::notice::Shown {shown:,} of {total:,} findings, worst first",)


@dataclass(frozen=True, slots=True)
class Publisher:
    """Everything about the job that its answer depends on."""

    job: Job
    around: CiContext
    change: Change
    environment: Mapping[str, str]
    claimed: tuple[Finding, ...] = ()
    """What the change's own job alone says of it."""
    unverified: str = ""
    """What of the answer rests on the word of that job, one sentence; empty for none of it."""
    is_held: bool = False
    """Whether the policy lets that stop the merge."""

    def answer(self, report: Report, shown: Shown) -> Published:
        """Publish what was decided, then tell log, summary page and outputs; never raises for it.

        Returns what came of it on the forge.
        """
        report = replace(report, target=self._placed(report.target))
        known = report.decided or Decided(report.verdict, FailOn.GATE)
        framing = self._framing(known, report.target.commit)
        said = self._publish(lambda: self._publication(report, framing, shown))
        click.echo(console_text(report), nl=False)
        if self.change.provider is Provider.GITHUB and "check" not in said.done:
            click.echo(workflow_commands(report), nl=False)
        if self.around.summary_file:
            append(self.around.summary_file, job_summary(report))
        append(self.around.output_file, outputs(self._outputs(report, framing.gate)))
        return said

    def _placed(self, target: Target) -> Target:
        """``target`` where the job says that it lies: a clone's origin may be another place."""
        web = source.at(self.around.server_url, self.change.repository)
        if self.change.provider is None or not web:
            return target
        return replace(target, provider=self.change.provider.value, web=web)

    def refuse(self, failed: Failed, remedy: str) -> Published:
        """Publish that there is no scan, and what to do: an older answer must not stand for it."""
        framing = self._framing(Decided(Verdict(Gate.INCOMPLETE, ()), self.job.fail_on), None)
        return self._publish(lambda: unscanned(failed, framing, remedy))

    def withdraw(self, error: Exception) -> Published:
        """Publish why the job ends without a scan; nothing where no commit is known to be its own.

        A mistake of Mergegate's own is told without its words, which are for the log.
        """
        if not self.change.head:
            return Published()
        what, remedy = map(visible, _reason(error))
        code = error.code if isinstance(error, MergegateError) else ""
        is_word = what.partition(" ")[0].isalpha()  # and no file's name
        start = what[:1].upper() if is_word else what[:1]
        return self.refuse(Failed(code, f"{start}{what[1:]}."), remedy)

    def _framing(self, decided: Decided, commit: str | None) -> Framing:
        provider = self.change.provider
        return Framing(
            verdict=decided.verdict,
            fail_on=decided.fail_on,
            dialect=DIALECTS[provider] if provider else GITHUB,
            head=self.change.head or commit or "",
            sequence=self.change.sequence,
            at=dt.datetime.now(dt.UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            run_url=self.change.run_url,
            commands=self.job.commands,
            most_remarks=self.job.review,
            claimed=self.claimed,
            unverified=self.unverified,
            is_held=self.is_held,
        )

    def _publication(self, report: Report, framing: Framing, shown: Shown) -> Publication:
        return publication(report, framing, shown, alerts(report) if self.job.sarif else None)

    def _publish(self, made: Callable[[], Publication]) -> Published:
        """What the forge took; whatever goes wrong there is told and changes nothing."""
        said = self._taken(made)
        for line in (*said.notes, *(f"could not publish: {one}" for one in said.problems)):
            say(line)
        return said

    def _taken(self, made: Callable[[], Publication]) -> Published:
        if self.around.token_is_read_only:
            return Published(notes=[_READ_ONLY])
        try:
            forge = forge_for(self.around, self.change, self.environment)
            if forge is None:
                return Published(notes=[_SILENT] if self.change.provider else [])
            return publish(made(), self._wanted(forge), self.change.sequence)
        except MergegateError as error:
            return Published(problems=[str(error)])

    def _wanted(self, forge: Forge) -> Forge:
        """``forge`` without the surfaces that the team does not want.

        A queue's commit is none of the pull request's, which is not spoken to.
        """
        if self.change.trigger is Trigger.QUEUE and forge.head != self.change.head:
            return replace(forge, head=None, conversation=None, reviews=None, uploads=None)
        return replace(
            forge,
            conversation=forge.conversation if self.job.comment else None,
            reviews=forge.reviews if self.job.review else None,
            uploads=forge.uploads if self.job.sarif else None,
        )

    def _outputs(self, report: Report, gate: Gate) -> dict[str, str]:
        """Empty is what is not known: an incomplete score, what is new without a base."""
        incomplete = report.verdict.gate is Gate.INCOMPLETE
        return {
            "score": "" if incomplete else str(report.ledger.score),
            "gate": gate.value,
            "new-findings": str(report.comparison.new) if report.comparison else "",
            "report-path": str(self.job.report),
        }


def _reason(error: Exception) -> tuple[str, str]:
    """What ended the job, without a full stop, and what to do."""
    if isinstance(error, MergegateError):
        return error.what, error.remedy or "Mend it, then run the job again."
    if isinstance(error, click.UsageError):
        return error.format_message().rstrip("."), "Correct the job's settings, then run it again."
    return "Mergegate made a mistake of its own", "The job's log says which; please report it."


_READ_ONLY = (
    "This job's token is read-only, as for changes from forks: the answer is in the log, on the"
    " summary page and in the report files; `mergegate publish` in a second workflow posts it"
)
_SILENT = "There is no token, so nothing is posted; set MERGEGATE_TOKEN to have it posted"
