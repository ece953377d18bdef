"""What GitLab's security reports have in common: the scan, its messages, the frame."""

from collections.abc import Sequence

from mergegate.core.render import machine
from mergegate.core.report import Gate, Report

VERSION = "15.0.7"
"""GitLab refuses a version it does not know: 15.2 came with 17.4, 15.1 with 17.0, and all of
16 and later take 15.0. GitLab's own analysers declared 15.0.7 for the same reason."""
MOST_BYTES = 20_000_000
"""GitLab's merge request does not load a larger report (older instance limits)."""
_SCHEMA = (
    "https://gitlab.com/gitlab-org/security-products/security-report-schemas/-/raw/"
    f"v{VERSION}/dist/{{}}-report-format.json"
)
_EPOCH = "1970-01-01T00:00:00"
_MOST_MESSAGES = 100
_LONGEST_MESSAGE = 1_000
_US = {"id": "mergegate", "name": "Mergegate", "vendor": {"name": "Mergegate"}}


def document(
    report: Report, kind: str, vulnerabilities: Sequence[machine.Json], most_bytes: int
) -> machine.Json:
    """The frame around ``vulnerabilities``, which come worst first and are cut where they must.

    ``kind`` is GitLab's: ``sast``, ``secret_detection``, ``dependency_scanning``.
    """
    shown = machine.within(vulnerabilities, most_bytes)
    return {
        "version": VERSION,
        "schema": _SCHEMA.format(kind.replace("_", "-")),
        "scan": _scan(report, kind, len(shown), len(vulnerabilities)),
        "vulnerabilities": shown,
    }


def _scan(report: Report, kind: str, shown: int, total: int) -> machine.Json:
    us = _US | {"version": machine.short(report.tool_version, 100) or "unknown"}
    started = machine.moment(report.created_at) or _EPOCH
    return {
        "type": kind,
        "status": "failure" if report.verdict.gate is Gate.INCOMPLETE else "success",
        "start_time": started,
        "end_time": machine.moment(report.completed_at) or started,
        "analyzer": us,
        "scanner": us,
        "messages": _messages(report, shown, total),
    }


def _messages(report: Report, shown: int, total: int) -> list[machine.Json]:
    limits = [f"Limit reached: {limit}" for limit in report.coverage.limits]
    if shown < total:
        limits.insert(0, f"Shown {shown:,} of {total:,} findings, worst first: the file is full.")
    said = [
        *(_message("fatal", problem) for problem in machine.problems(report)),
        *(_message("warn", limit) for limit in limits),
    ]
    return said[:_MOST_MESSAGES]


def _message(level: str, text: str) -> machine.Json:
    return {"level": level, "value": machine.short(text, _LONGEST_MESSAGE)}
