"""The report as SARIF 2.1.0 (OASIS, with errata 01), within the limits of GitHub code scanning."""

import gzip
import json
from collections.abc import Mapping, Sequence
from typing import Any

from mergegate.model.report import EngineRun, Gate, Report
from mergegate.model.rule import RuleCard
from mergegate.model.tree import Skipped
from mergegate.report import escape, wording
from mergegate.report.sarif import results
from mergegate.report.sarif.rules import Rules

MOST_RESULTS = 25_000
"""GitHub refuses a run with more (SARIF upload limits)."""
MOST_BYTES = 10_000_000
"""GitHub refuses a file that is larger once compressed."""
_MOST_NOTIFICATIONS = 100
_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

Json = dict[str, Any]


def render(
    report: Report,
    *,
    cards: Mapping[str, RuleCard] | None = None,
    inactive: bool = True,
    most_results: int = MOST_RESULTS,
    most_bytes: int = MOST_BYTES,
) -> str:
    """One run, worst results first, cut where a limit is reached; a notification then says so.

    ``cards`` supplies the rules' own words; without it the first finding of a rule speaks.
    ``inactive`` adds suppressed findings and those the change fixed. GitHub opens alerts for
    them all the same, so leave them out of what is uploaded there.
    """
    entries = results.entries(report, inactive)
    kept = min(len(entries), most_results)
    while True:
        text = _text(report, entries[:kept], len(entries), cards or {})
        size = len(gzip.compress(text.encode(), mtime=0))
        if size <= most_bytes or kept == 0:
            return text
        kept = min(kept - 1, int(kept * most_bytes / size * 0.95))


def _text(
    report: Report,
    entries: Sequence[results.Entry],
    total: int,
    cards: Mapping[str, RuleCard],
) -> str:
    rules = Rules([entry.finding for entry in entries], cards)
    sarif = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [_run(report, entries, total, rules)]}
    return json.dumps(sarif, separators=(",", ":")) + "\n"


def _run(report: Report, entries: Sequence[results.Entry], total: int, rules: Rules) -> Json:
    return {
        "tool": {"driver": _driver(report, rules)},
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


def _driver(report: Report, rules: Rules) -> Json:
    driver: Json = {"name": "mergegate", "rules": rules.descriptors()}
    if report.tool_version:
        driver["version"] = report.tool_version
    return driver


def _invocation(report: Report, shown: int, total: int) -> Json:
    invocation: Json = {
        "executionSuccessful": report.verdict.gate is not Gate.INCOMPLETE,
        "toolExecutionNotifications": _notifications(report, shown, total),
    }
    times = {"startTimeUtc": report.created_at, "endTimeUtc": report.completed_at}
    return invocation | {name: value for name, value in times.items() if value}


def _notifications(report: Report, shown: int, total: int) -> list[Json]:
    coverage = report.coverage
    limited = coverage.limited[:_MOST_NOTIFICATIONS]
    notes = [_engine(run) for run in report.engines if run.status in wording.BROKEN]
    if report.verdict.gate is Gate.INCOMPLETE and not notes:
        notes = [_note("error", reason) for reason in report.verdict.reasons]
    notes += [_note("warning", f"Limit reached: {limit}") for limit in coverage.limits]
    notes += [_file(item) for item in limited]
    left = len(coverage.limited) - len(limited)
    if left:
        notes.append(_note("warning", f"{left:,} more files were not seen in full."))
    if shown < total:
        text = f"Shown {shown:,} of {total:,} results, worst first: GitHub accepts no more."
        notes.append(_note("warning", text))
    return notes


def _engine(run: EngineRun) -> Json:
    reason = wording.engine_note(run) or f"{run.status.value}."
    return _note("error", f"{run.name} gave no answer: {reason}")


def _file(item: Skipped) -> Json:
    note = _note("warning", f"Not seen in full: {item.reason}")
    return note | {"locations": [{"physicalLocation": {"artifactLocation": results.at(item.path)}}]}


def _note(level: str, text: str) -> Json:
    return {"level": level, "message": {"text": escape.visible(text)}}
