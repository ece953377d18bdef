"""Say the answer wherever this job may: forge, log, summary page, outputs."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace

import click

from mergegate.ci import job_summary, workflow_commands
from mergegate.ci.files import append, outputs
from mergegate.ci.forging import forge_for
from mergegate.ci.log import say
from mergegate.ci.options import Job
from mergegate.ci.publication import publication
from mergegate.ci.remark import Shown
from mergegate.core.change import Change, Provider
from mergegate.core.errors import MergegateError
from mergegate.core.report import Gate, Report
from mergegate.core.score import FailOn
from mergegate.forges.environment import CiContext
from mergegate.forges.framing import DIALECTS, GITHUB, Framing
from mergegate.forges.ports import Forge
from mergegate.forges.publish import Published, publish
from mergegate.repo.report.formats import alerts, console_text


@dataclass(frozen=True, slots=True)
class Publisher:
    """Everything about the job that its answer depends on."""

    job: Job
    around: CiContext
    change: Change
    environment: Mapping[str, str]
    fail_on: FailOn

    def answer(self, report: Report, gate: Gate, shown: Shown) -> Published:
        """Publish on the forge, then tell log, summary page and outputs; never raises for it.

        Returns what came of it on the forge.
        """
        framing = self._framing(report, gate)
        said = self._publish(report, framing, shown)
        for line in (*said.notes, *(f"could not publish: {one}" for one in said.problems)):
            say(line)
        click.echo(console_text(report), nl=False)
        if self.change.provider is Provider.GITHUB and "check" not in said.done:
            click.echo(workflow_commands.render(report), nl=False)
        append(self.around.summary_file, job_summary.render(report, framing))
        append(self.around.output_file, outputs(self._outputs(report, gate)))
        return said

    def _framing(self, report: Report, gate: Gate) -> Framing:
        provider = self.change.provider
        return Framing(
            gate=gate,
            fail_on=self.fail_on.value,
            dialect=DIALECTS[provider] if provider else GITHUB,
            head=self.change.head or report.target.commit or "",
            sequence=self.change.sequence,
            at=dt.datetime.now(dt.UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            run_url=self.change.run_url,
            commands=self.job.commands,
            most_remarks=self.job.review,
        )

    def _publish(self, report: Report, framing: Framing, shown: Shown) -> Published:
        """What the forge took; whatever goes wrong there is told and changes nothing."""
        if self.around.token_is_read_only:
            return Published(notes=[_READ_ONLY])
        try:
            forge = forge_for(self.around, self.change, self.environment)
            if forge is None:
                return Published(notes=[_SILENT] if self.change.provider else [])
            sarif = alerts(report) if self.job.sarif else None
            told = publication(report, framing, shown, sarif)
            return publish(told, self._wanted(forge), self.change.sequence)
        except MergegateError as error:
            return Published(problems=[str(error)])

    def _wanted(self, forge: Forge) -> Forge:
        """``forge`` without the surfaces that the team does not want."""
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


_READ_ONLY = (
    "This job's token is read-only, as for changes from forks: the answer is in the log, on the"
    " summary page and in the report files; `mergegate publish` in a second workflow posts it"
)
_SILENT = "There is no token, so nothing is posted; set MERGEGATE_TOKEN to have it posted"
