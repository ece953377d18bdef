"""The report as SARIF 2.1.0 (OASIS, with errata 01), within the limits of GitHub code scanning."""

import gzip
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from mergegate.core.finding import Edit, Finding, Place
from mergegate.core.render import escape, machine, wording
from mergegate.core.render.machine import sarif_message
from mergegate.core.report import EngineRun, Fix, Gate, Report, Suppression
from mergegate.core.rule import Rule
from mergegate.core.severity import Kind, Severity
from mergegate.core.tree import Skipped
from mergegate.repo.report import excerpt
from mergegate.repo.report.entries import Apart, apart

LEVELS = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "note",
    Severity.INFO: "note",
}
# GitHub: over 9.0 critical, 7.0 to 8.9 high, 4.0 to 6.9 medium, 0.1 to 3.9 low.
_SECURITY = {
    Severity.CRITICAL: "9.5",
    Severity.HIGH: "8.0",
    Severity.MEDIUM: "5.5",
    Severity.LOW: "3.0",
    Severity.INFO: "0.0",
}
_PROBLEM = {"error": "error", "warning": "warning", "note": "recommendation"}
_MOST_TAGS = 10
"""GitHub accepts 20 and keeps 10."""

Json = dict[str, Any]


class Rules:
    """The rules of ``findings``, sorted by id, so that each has an index."""

    def __init__(self, findings: Sequence[Finding], known: Mapping[str, Rule]) -> None:
        self._known = known
        self._first: dict[str, Finding] = {}
        self._cwe: dict[str, set[str]] = {}
        for finding in sorted(findings, key=lambda one: one.order):
            self._first.setdefault(finding.rule_id, finding)
            self._cwe.setdefault(finding.rule_id, set()).update(finding.cwe)
        self._ids = sorted(self._first)
        self._index = {id: number for number, id in enumerate(self._ids)}

    def index(self, rule_id: str) -> int:
        """Where the rule stands in the array."""
        return self._index[rule_id]

    def descriptors(self) -> list[Json]:
        """One reportingDescriptor a rule."""
        return [self._descriptor(id) for id in self._ids]

    def _descriptor(self, id: str) -> Json:
        rule, first = self._known.get(id), self._first[id]
        # A rule's worst finding comes first, and GitHub knows one severity a rule.
        title = escape.visible(rule.title if rule else first.title)
        message = escape.visible(rule.message if rule else first.message)
        links = wording.links(first) or wording.plain_links(rule.references if rule else ())
        descriptor = {
            "id": id,
            "name": "".join(part.capitalize() for part in id.replace("_", "-").split("-")),
            "shortDescription": {"text": _sentence(title)},
            "fullDescription": {"text": _sentence(message)},
            "help": {"text": _help(message, links), "markdown": _help_markdown(message, links)},
            "defaultConfiguration": {"level": LEVELS[first.severity]},
            "properties": self._properties(id, first),
        }
        return descriptor | ({"helpUri": links[0]} if links else {})

    def _properties(self, id: str, first: Finding) -> Json:
        security = first.kind is not Kind.QUALITY
        rule = self._known.get(id)
        weaknesses = self._cwe[id].union(rule.cwe if rule else ())
        cwe = [f"external/cwe/{one.lower()}" for one in sorted(weaknesses)]
        tags = list(
            dict.fromkeys(["security" if security else "maintainability", first.kind.value])
        )
        properties: Json = {
            "tags": (tags + cwe)[:_MOST_TAGS],
            "precision": first.confidence.label,
            "problem.severity": _PROBLEM[LEVELS[first.severity]],
        }
        if security:
            properties["security-severity"] = _SECURITY[first.severity]
        return properties


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _help(message: str, links: Sequence[str]) -> str:
    return "\n".join((_sentence(message), *links))


def _help_markdown(message: str, links: Sequence[str]) -> str:
    sources = [f"- <{link}>" for link in links]
    return "\n\n".join(
        (escape.markdown(_sentence(message)), *(["\n".join(sources)] if links else []))
    )


ROOT = "%SRCROOT%"


@dataclass(frozen=True, slots=True)
class Entry:
    """A finding and what became of it."""

    finding: Finding
    suppression: Suppression | None = None
    fixed: bool = False


def entries(report: Report, inactive: bool) -> list[Entry]:
    """What counts, worst first; then, if ``inactive``, what is suppressed or fixed."""
    active = [Entry(finding) for finding in report.findings]
    if not inactive:
        return active
    fixed = report.comparison.fixed if report.comparison else ()
    return [
        *active,
        *(Entry(one.finding, suppression=one) for one in report.suppressed),
        *(Entry(finding, fixed=True) for finding in fixed),
    ]


def results(found: Sequence[Entry], report: Report, rules: Rules) -> list[Json]:
    """One result object an entry."""
    fixes = excerpt.Fixes(report)
    compared, told = report.comparison is not None, apart(report)
    return [_result(entry, fixes, compared, rules, told.get(entry.finding.id)) for entry in found]


def _result(
    entry: Entry, fixes: excerpt.Fixes, compared: bool, rules: Rules, origin: Apart | None
) -> Json:
    finding = entry.finding
    fix = None if entry.fixed else fixes.of(finding)
    optional = {
        "baselineState": _baseline(entry) if compared else None,
        "suppressions": [_suppression(entry.suppression)] if entry.suppression else None,
        "fixes": [_fix(fix)] if fix and fix.edits else None,
    }
    return {
        "ruleId": finding.rule_id,
        "ruleIndex": rules.index(finding.rule_id),
        "level": LEVELS[finding.severity],
        "message": {"text": sarif_message(f"{finding.title}. {finding.message}")},
        "locations": [{"physicalLocation": _location(finding)}],
        "partialFingerprints": {"mergegate/v1": finding.id},
        "properties": {
            "severity": finding.severity.label,
            "category": finding.category.value,
            "confidence": finding.confidence.label,
            "engine": finding.engine,
            **({"origin": origin.origin, "note": origin.note} if origin else {}),
        },
        **{name: value for name, value in optional.items() if value is not None},
    }


def at(path: str) -> Json:
    """An artifactLocation relative to the repository; ``.`` stands for the whole of it."""
    return {"uri": quote(escape.visible(path) or ".", safe="/"), "uriBaseId": ROOT}


def _location(finding: Finding) -> Json:
    place = finding.place
    location: Json = {"artifactLocation": at(place.file)}
    if not place.start_line:
        return location
    region = _region(place)
    lines = {key: region[key] for key in ("startLine", "endLine")}
    if finding.snippet:
        shown = "\n".join(escape.visible_lines(finding.snippet))
        lines |= {"snippet": {"text": shown}}
    if "startColumn" in region and finding.snippet:
        return location | {"region": region, "contextRegion": lines}
    return location | {"region": region | lines}


def _region(place: Place) -> Json:
    region = {"startLine": place.start_line, "endLine": max(place.start_line, place.end_line)}
    if place.start_column:
        region["startColumn"] = place.start_column
    if place.end_column:
        region["endColumn"] = place.end_column
    return region


def _baseline(entry: Entry) -> str:
    if entry.fixed:
        return "absent"
    return "new" if entry.finding.is_new else "unchanged"


def _suppression(one: Suppression) -> Json:
    owner = f", {one.owner}" if one.owner else ""
    until = f", until {one.expires}" if one.expires else ""
    return {
        "kind": "inSource" if one.source == "inline" else "external",
        "status": "accepted",
        "justification": escape.visible(f"{one.reason}{owner}{until}"),
    }


def _fix(fix: Fix) -> Json:
    changes: dict[str, list[Json]] = defaultdict(list)
    for edit in fix.edits:
        changes[edit.path].append(_replacement(edit))
    return {
        "description": {"text": sarif_message(fix.title)},
        "artifactChanges": [
            {"artifactLocation": at(path), "replacements": replacements}
            for path, replacements in changes.items()
        ],
    }


def _replacement(edit: Edit) -> Json:
    """Whole lines; without columns a region ends before the last line's break (3.30.8)."""
    if edit.replacement:
        region = {"startLine": edit.start_line, "endLine": edit.end_line}
        return {"deletedRegion": region, "insertedContent": {"text": edit.replacement}}
    region = {
        "startLine": edit.start_line,
        "startColumn": 1,
        "endLine": edit.end_line + 1,
        "endColumn": 1,
    }
    return {"deletedRegion": region}


MOST_RESULTS = 25_000
"""GitHub refuses a run with more (SARIF upload limits)."""
MOST_BYTES = 10_000_000
"""GitHub refuses a file that is larger once compressed."""
_MOST_NOTIFICATIONS = 100


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
    found = entries(report, inactive)
    kept = min(len(found), most_results)
    while True:
        text = _text(report, found[:kept], len(found), known or {})
        size = len(gzip.compress(text.encode(), mtime=0))
        if size <= most_bytes or kept == 0:
            return text
        kept = min(kept - 1, int(kept * most_bytes / size * 0.95))


def _text(
    report: Report,
    entries: Sequence[Entry],
    total: int,
    known: Mapping[str, Rule],
) -> str:
    rules = Rules([entry.finding for entry in entries], known)
    return machine.sarif_document(_run(report, entries, total, rules))


def _run(report: Report, entries: Sequence[Entry], total: int, rules: Rules) -> Json:
    return {
        "tool": {"driver": machine.sarif_driver(report.tool_version, rules.descriptors())},
        "automationDetails": {"id": "mergegate/"},
        "originalUriBaseIds": {
            ROOT: {"description": {"text": "The root of the scanned repository."}}
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report, len(entries), total)],
        "results": results(entries, report, rules),
        "properties": {
            "gate": report.verdict.gate.value,
            "score": report.ledger.score,
            "reasons": [escape.visible(reason) for reason in report.verdict.reasons],
            "target": escape.visible(wording.target(report.target)),
            **({"policy": escape.visible(wording.policy(report.policy))} if report.policy else {}),
        },
    }


def _invocation(report: Report, shown: int, total: int) -> Json:
    return machine.sarif_invocation(
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
        notes = [machine.sarif_note("error", reason) for reason in report.verdict.reasons]
    if blind := wording.unsearched(report):
        notes.append(machine.sarif_note("warning", f"Not searched: {escape.visible(blind)}."))
    notes += [machine.sarif_note("warning", f"Limit reached: {limit}") for limit in coverage.limits]
    if report.policy:
        notes += [machine.sarif_note("warning", f"Policy: {one}") for one in report.policy.notes]
    notes += [_file(item) for item in limited]
    left = len(coverage.limited) - len(limited)
    if left:
        notes.append(machine.sarif_note("warning", f"{left:,} more files were not seen in full."))
    if shown < total:
        text = f"Shown {shown:,} of {total:,} results, worst first: GitHub accepts no more."
        notes.append(machine.sarif_note("warning", text))
    return notes


def _engine(run: EngineRun) -> Json:
    reason = wording.engine_note(run) or f"{run.status.value}."
    return machine.sarif_note("error", f"{run.name} gave no answer: {reason}")


def _file(item: Skipped) -> Json:
    note = machine.sarif_note("warning", f"Not seen in full: {item.reason}")
    return note | {"locations": [{"physicalLocation": {"artifactLocation": at(item.path)}}]}
