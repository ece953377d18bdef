"""An audit as SARIF: a result an issue, at the page and its elements or the scripts it names."""

from typing import Any

from mergegate.site.audit.facts import Area, Detail
from mergegate.site.audit.report import AuditReport, Issue
from mergegate.site.render.sarif_log import Hit, Spot, log

_MOST_SPOTS = 20
_WEB = ("https://", "http://")


def render(report: AuditReport) -> str:
    """The log; for viewers and stores of findings, see :mod:`mergegate.site.render`."""
    hits = [_hit(report, one) for one in report.issues]
    return log("audit", report, hits, report.warnings, _properties(report))


def _properties(report: AuditReport) -> dict[str, Any]:
    scores = {area.value: report.scores.of(area) for area in Area}
    return {**scores, "device": report.device.value, "runs": report.runs}


def _hit(report: AuditReport, issue: Issue) -> Hit:
    return Hit(
        id=issue.id,
        rule=issue.rule,
        level=issue.level,
        title=issue.title,
        text=f"{issue.title}. {issue.message}",
        topic=issue.area.value,
        spots=_spots(report, issue),
        reference=next(iter(issue.references), ""),
        properties=(("score", issue.score), ("points", issue.points)),
    )


def _spots(report: AuditReport, issue: Issue) -> tuple[Spot, ...]:
    found = dict.fromkeys(_spot(report, one) for one in issue.details[:_MOST_SPOTS])
    return tuple(found) or (Spot(url=report.final_url),)


def _spot(report: AuditReport, row: Detail) -> Spot:
    named = row.url.startswith(_WEB)
    return Spot(
        url=row.url if named else report.final_url,
        line=row.line if named else None,
        selector=row.element.selector if row.element else "",
        snippet=row.element.snippet if row.element else "",
    )
