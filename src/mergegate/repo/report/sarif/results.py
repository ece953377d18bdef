"""Findings as SARIF results: level, place, fingerprint, fix, baseline, suppression."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from mergegate.core.finding import Edit, Finding, Place
from mergegate.core.render import escape
from mergegate.core.render.sarif_log import message
from mergegate.core.report import Fix, Report, Suppression
from mergegate.repo.report import excerpt
from mergegate.repo.report.sarif.rules import LEVELS, Rules

ROOT = "%SRCROOT%"

Json = dict[str, Any]


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
    compared = report.comparison is not None
    return [_result(entry, fixes, compared, rules) for entry in found]


def _result(entry: Entry, fixes: excerpt.Fixes, compared: bool, rules: Rules) -> Json:
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
        "message": {"text": message(f"{finding.title}. {finding.message}")},
        "locations": [{"physicalLocation": _location(finding)}],
        "partialFingerprints": {"mergegate/v1": finding.id},
        "properties": {
            "severity": finding.severity.label,
            "category": finding.category.value,
            "confidence": finding.confidence.label,
            "engine": finding.engine,
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
        "description": {"text": message(fix.title)},
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
