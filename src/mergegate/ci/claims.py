"""What the job of a change says of that change: hostile text, and nobody's word but its author's.

Nothing is decided by it. It is told beside what this job has seen itself.
"""

from dataclasses import dataclass
from pathlib import Path

from mergegate.core.change import Change
from mergegate.core.errors import UsageError
from mergegate.core.finding import Finding
from mergegate.core.report import Report, Section
from mergegate.core.severity import Severity
from mergegate.repo.report.entries import origins
from mergegate.repo.wire import LARGEST_BYTES, read
from mergegate.sandbox.files.stage import read_regular
from mergegate.site.deployment.reading import read_section


@dataclass(frozen=True, slots=True)
class Claims:
    """A report that the change's own job has left, as far as it can be one."""

    report: Report | None = None
    refused: str = ""
    """Why there is none, one sentence without a full stop; empty where there is one."""

    @property
    def site(self) -> Section | None:
        """The site of the change, which that job alone has looked at."""
        return self.report.site if self.report else None

    def beyond(self, seen: Report | None) -> tuple[Finding, ...]:
        """What it says that the change brings, and that ``seen`` does not hold, worst first.

        Findings for information are left out. None: nothing was seen.
        """
        if self.report is None:
            return ()
        aside = (one.finding for one in seen.suppressed) if seen else ()
        known = {one.id for one in (*(seen.findings if seen else ()), *aside)}
        brought = origins(self.report).brought
        return tuple(one for one in brought if one.severity > Severity.INFO and one.id not in known)


def claims(file: Path, change: Change) -> Claims:
    """What ``file`` says of ``change``; one about another commit or repository is refused."""
    try:
        report = read(read_regular(file, LARGEST_BYTES + 1), read_section)
        _check(report, change)
    except OSError as error:
        return Claims(refused=f"{file.name} cannot be read: {error.strerror}")
    except UsageError as error:
        return Claims(refused=error.what)
    return Claims(report)


def _check(report: Report, change: Change) -> None:
    target = report.target
    if f"{target.owner}/{target.repo}".lower() != change.repository.lower():
        raise UsageError("it is about another repository than this run")
    if change.head not in {target.commit, target.head}:
        raise UsageError("it is about another commit than this run")
