"""A repository scan on a host: asked for, and believed only as far as it answers the question."""

from collections.abc import Mapping

from mergegate.cli.remote import Remote, answered, heard
from mergegate.client.worktree import Asked
from mergegate.errors import EngineFailed
from mergegate.model.report import Gate, Report
from mergegate.wire.reading import read_answer
from mergegate.wiring import FORMATS, Format


def scanned(asked: Asked, remote: Remote) -> tuple[Report, Mapping[str, Format[Report]]]:
    """The report, its verdict drawn anew, and the formats, JSON of them as the host sent it.

    Raises EngineFailed, also for an answer about another commit or without the comparison that
    was asked for: no gate may stand on it.
    """
    content = remote.asked(asked.order())
    report = heard(read_answer, content, remote)
    _check(report, asked, remote.host.name)
    return report, answered(FORMATS, content)


def _check(report: Report, asked: Asked, name: str) -> None:
    if asked.commit is not None and report.target.commit != asked.commit:
        raise EngineFailed(f"{name} answers about another commit than it was asked for")
    if asked.base is None or report.verdict.gate is Gate.INCOMPLETE:
        return
    if report.comparison is None or report.comparison.base != asked.base:
        raise EngineFailed(
            f"{name} does not compare with the base", remedy="Is it older than this release?"
        )
