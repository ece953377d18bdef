"""What a schedule finds on the default branch: one issue, kept up to date."""

from mergegate.ci.log import say
from mergegate.core.finding import Finding
from mergegate.core.report import Gate, Report
from mergegate.core.severity import Severity
from mergegate.forges.ports import Forge
from mergegate.repo.report import markdown
from mergegate.sandbox.git.repository import Repository

_TITLE = "Mergegate: the default branch needs attention"
_LIMIT = 60_000
_SECONDS = len("2026-01-31T23:59:59")


def tell(report: Report, gate: Gate, repository: Repository, forge: Forge | None) -> None:
    """Open or update the issue while the gate does not pass or an advisory is new; else close it.

    New is what was published after the last commit: nobody's change will bring it up.
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
