"""Code, infrastructure and risks as GitLab's SAST report."""

from mergegate.core.finding import Finding
from mergegate.core.render import machine
from mergegate.core.report import Report
from mergegate.core.severity import Kind, Severity
from mergegate.repo.report import excerpt
from mergegate.repo.report.gitlab import vulnerability

_KINDS = frozenset({Kind.CODE, Kind.IAC, Kind.RISK})


def render(report: Report, *, most_bytes: int = vulnerability.MOST_BYTES) -> str:
    """The SAST report; GitLab knows no report of its own for infrastructure."""
    fixes = excerpt.Fixes(report)
    found = [one for one in report.findings if _belongs(one)]
    marked = zip(found, machine.fingerprints(found), strict=True)
    entries = [
        vulnerability.entry(one, mark, fixes, vulnerability.lines(one))
        | {"tracking": vulnerability.tracking(one, mark)}
        for one, mark in marked
    ]
    return machine.dumps(vulnerability.document(report, "sast", entries, most_bytes)) + "\n"


def _belongs(finding: Finding) -> bool:
    """Risks that merely inform are no vulnerabilities; they stand in the code quality report."""
    mere_note = finding.kind is Kind.RISK and finding.severity is Severity.INFO
    return finding.kind in _KINDS and not mere_note
