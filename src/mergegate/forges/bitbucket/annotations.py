"""Annotations as Code Insights takes them: plain text within its lengths, places it can show."""

from collections.abc import Iterable
from typing import Any

from mergegate.core.severity import Kind, Severity
from mergegate.forges.publication import Annotation

MOST = 1000
"""Of one report."""
PER_REQUEST = 100
_SUMMARY = 450
_DETAILS = 2000
_SEVERITIES = {
    Severity.CRITICAL: "CRITICAL",
    Severity.HIGH: "HIGH",
    Severity.MEDIUM: "MEDIUM",
    Severity.LOW: "LOW",
    # Code Insights knows nothing below.
    Severity.INFO: "LOW",
}
_SMELLS = frozenset({Kind.QUALITY, Kind.RISK})


def shown(annotations: Iterable[Annotation]) -> list[dict[str, Any]]:
    """As many as a report takes, worst first, one for each finding."""
    each = {one.finding_id: one for one in annotations}
    return [_shape(one) for one in list(each.values())[:MOST]]


def batches(shapes: list[dict[str, Any]]) -> Iterable[list[dict[str, Any]]]:
    """As many as one request takes."""
    return (shapes[at : at + PER_REQUEST] for at in range(0, len(shapes), PER_REQUEST))


def clipped(text: str, most: int) -> str:
    """``text`` without what JSON or a page cannot carry, in at most ``most`` characters."""
    plain = "".join(one if one.isprintable() or one == "\n" else "\ufffd" for one in text).strip()
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def _shape(of: Annotation) -> dict[str, Any]:
    return {
        "type": "report_annotation",
        "external_id": f"mergegate-{of.finding_id}",
        "annotation_type": "CODE_SMELL" if of.kind in _SMELLS else "VULNERABILITY",
        "severity": _SEVERITIES[of.severity],
        "summary": clipped(of.title, _SUMMARY) or of.rule_id or "Finding",
        "details": clipped(f"{of.message}\n\n{of.rule_id}", _DETAILS),
        **_place(of),
        **({"link": of.url} if of.url.startswith("https://") else {}),
    }


def _place(of: Annotation) -> dict[str, Any]:
    """Nothing for a path that would make Bitbucket refuse the whole batch."""
    if not of.path or not of.path.isprintable():
        return {}
    return {"path": of.path, "line": max(1, of.start_line)}
