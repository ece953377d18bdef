"""The report as SARIF 2.1.0 (OASIS, with errata 01), within the limits of GitHub code scanning."""

import gzip
from collections.abc import Mapping, Sequence
from typing import Any

from mergegate.core.render import escape, sarif_log, wording
from mergegate.core.report import EngineRun, Gate, Report
from mergegate.core.rule import Rule
from mergegate.core.tree import Skipped
from mergegate.repo.report.sarif import results
from mergegate.repo.report.sarif.rules import Rules

MOST_RESULTS = 25_000
"""GitHub refuses a run with more (SARIF upload limits)."""
MOST_BYTES = 10_000_000
"""GitHub refuses a file that is larger once compressed."""
_MOST_NOTIFICATIONS = 100

Json = dict[str, Any]


def render(
    report: Report,
    *,
    known: Mapping[str, Rule] | None = None,
    inactive: bool = True,
    most_results: int = MOST_RESULTS,
    most_bytes: int = MOST_BYTES,
) -> str:
    """One run, worst results first, cut where a limit is reached; a notification then says so.

    ``known`` supplies the rules' own words; without it the first finding of a rule speaks.
    ``inactive`` adds suppressed findings and those the change fixed. GitHub opens alerts for
    them all the same, so leave them out of what is uploaded there.
    """
    entries = results.entries(report, inactive)
    kept = min(len(entries), most_results)
    while True:
        text = _text(report, entries[:kept], len(entries), known or {})
        size = len(gzip.compress(text.encode(), mtime=0))
        if size <= most_bytes or kept == 0:
            return text
        kept = min(kept - 1, int(kept * most_bytes / size * 0.95))


def _text(
    report: Report,
    entries: Sequence[results.Entry],
    total: int,
    known: Mapping[str, Rule],
) -> str:
    rules = Rules([entry.finding for entry in entries], known)
    return sarif_log.document(_run(report, entries, total, rules))


def _run(report: Report, entries: Sequence[results.Entry], total: int, rules: Rules) -> Json:
    return {
        "tool": {"driver": sarif_log.driver(report.tool_version, rules.descriptors())},
        "automationDetails": {"id": "mergegate/"},
        "originalUriBaseIds": {
            results.ROOT: {"description": {"text": "The root of the scanned repository."}}
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report, len(entries), total)],
        "results": results.results(entries, report, rules),
        "properties": {
            "gate": report.verdict.gate.value,
            "score": report.ledger.score,
            "reasons": [escape.visible(reason) for reason in report.verdict.reasons],
            "target": escape.visible(wording.target(report.target)),
        },
    }


def _invocation(report: Report, shown: int, total: int) -> Json:
    return sarif_log.invocation(
        complete=report.verdict.gate is not Gate.INCOMPLETE,
        notes=_notifications(report, shown, total),
        begun=report.created_at,
        ended=report.completed_at,
    )


def _notifications(report: Report, shown: int, total: int) -> list[Json]:
    coverage = report.coverage
    limited = coverage.limited[:_MOST_NOTIFICATIONS]
    notes = [_engine(run) for run in report.engines if run.status in wording.BROKEN]
    if report.verdict.gate is Gate.INCOMPLETE and not notes:
        notes = [sarif_log.note("error", reason) for reason in report.verdict.reasons]
    notes += [sarif_log.note("warning", f"Limit reached: {limit}") for limit in coverage.limits]
    notes += [_file(item) for item in limited]
    left = len(coverage.limited) - len(limited)
    if left:
        notes.append(sarif_log.note("warning", f"{left:,} more files were not seen in full."))
    if shown < total:
        text = f"Shown {shown:,} of {total:,} results, worst first: GitHub accepts no more."
        notes.append(sarif_log.note("warning", text))
    return notes


def _engine(run: EngineRun) -> Json:
    reason = wording.engine_note(run) or f"{run.status.value}."
    return sarif_log.note("error", f"{run.name} gave no answer: {reason}")


def _file(item: Skipped) -> Json:
    note = sarif_log.note("warning", f"Not seen in full: {item.reason}")
    return note | {"locations": [{"physicalLocation": {"artifactLocation": results.at(item.path)}}]}
