"""The report as GitLab Code Quality: a list of issues in the Code Climate form.

Fields and severities: https://docs.gitlab.com/ci/testing/code_quality/ (read for GitLab 18).
"""

from mergegate.core.finding import Finding
from mergegate.core.render import machine, wording
from mergegate.core.report import Report
from mergegate.core.severity import Severity
from mergegate.repo.report.entries import apart

MOST_BYTES = 20_000_000
"""GitLab's merge request does not load a larger report (older instance limits)."""
_LONGEST = 1_000
_ROOM_FOR_NOTE = 1_000
_SEVERITIES = {
    Severity.CRITICAL: "blocker",
    Severity.HIGH: "critical",
    Severity.MEDIUM: "major",
    Severity.LOW: "minor",
    Severity.INFO: "info",
}


def render(report: Report, *, most_bytes: int = MOST_BYTES) -> str:
    """All findings that count, worst first; where they are cut, a last entry says so."""
    findings = report.findings
    marks = machine.fingerprints(findings)
    notes = {id: one.note for id, one in apart(report).items()}
    entries = [
        _entry(one, mark, notes.get(one.id, "")) for one, mark in zip(findings, marks, strict=True)
    ]
    shown = machine.within(entries, most_bytes - _ROOM_FOR_NOTE)
    cut = [] if len(shown) == len(entries) else [_cut(len(shown), len(entries))]
    return machine.dumps([*shown, *cut]) + "\n"


def _entry(finding: Finding, fingerprint: str, note: str) -> machine.Json:
    """``note`` comes first: GitLab's list knows no sections, and shows the text's beginning."""
    said = f"{finding.title}. {finding.message}"
    return _issue(
        text=machine.short(f"{note} {said}" if note else said, _LONGEST),
        rule=machine.short(finding.rule_id, _LONGEST),
        fingerprint=fingerprint,
        severity=finding.severity,
        path=machine.path(finding),
        line=machine.first_line(finding),
    )


def _cut(shown: int, total: int) -> machine.Json:
    left = wording.counted(total - shown, "more finding")
    return _issue(
        text=f"Shown {shown:,} of {total:,} findings, worst first; {left} would make the "
        "report too large to load.",
        rule="mergegate-report-cut",
        fingerprint="mergegate-report-cut",
        severity=Severity.INFO,
        path=".",
        line=1,
    )


def _issue(
    *, text: str, rule: str, fingerprint: str, severity: Severity, path: str, line: int
) -> machine.Json:
    return {
        "type": "issue",
        "description": text,
        "check_name": rule,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[severity],
        "location": {"path": path, "lines": {"begin": line}},
    }
