"""Secrets as GitLab's secret detection report; the value itself stands nowhere in it."""

import re

from mergegate.core.render import machine
from mergegate.core.report import Report
from mergegate.core.severity import Kind
from mergegate.repo.report import excerpt
from mergegate.repo.report.gitlab import vulnerability

_COMMIT = re.compile(r"[0-9a-f]{40,64}")
_NO_COMMIT = "0" * 40


def render(report: Report, *, most_bytes: int = vulnerability.MOST_BYTES) -> str:
    """The secret detection report, without GitLab's field for the raw source."""
    fixes = excerpt.Fixes(report)
    found = [one for one in report.findings if one.kind is Kind.SECRET]
    marked = zip(found, machine.fingerprints(found), strict=True)
    commit = {"commit": {"sha": _commit(report)}}
    entries = [
        vulnerability.entry(one, mark, fixes, vulnerability.lines(one) | commit)
        | {"tracking": vulnerability.tracking(one, mark)}
        for one, mark in marked
    ]
    return (
        machine.dumps(vulnerability.document(report, "secret_detection", entries, most_bytes))
        + "\n"
    )


def _commit(report: Report) -> str:
    """The scanned commit, which the schema wants; zeros outside a repository."""
    commit = report.target.commit or ""
    return commit if _COMMIT.fullmatch(commit) else _NO_COMMIT
