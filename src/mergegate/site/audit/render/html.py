"""An audit as one HTML file that needs nothing beside itself, and no script to be read."""

from typing import Any

from mergegate.core.render import charts as gauges
from mergegate.core.render import wording
from mergegate.site.audit.render import charts, rows
from mergegate.site.audit.report import AuditReport, Issue, SiteFix
from mergegate.site.render import figures
from mergegate.site.render.sheet import sheet


def render(report: AuditReport) -> str:
    """The page, in at most three million characters."""
    return sheet("site/audit.html.j2", report, lambda most: _values(report, most))


def _values(report: AuditReport, most: int) -> dict[str, Any]:
    fixes = report.fixes[:most]  # an issue may link only to one that is there
    return {
        "title": _title(report),
        "rows": rows,
        "gauges": [(one, gauges.gauge(one.value or 0)) for one in rows.scores(report)],
        "metrics": [(one, charts.metric_bar(one)) for one in rows.metrics(report)],
        "duel": charts.plots(rows.differences(report)),
        "film": charts.filmstrip(report.filmstrip),
        "waterfall": charts.waterfall(report, most),
        "vendors": sorted(report.vendors, key=lambda one: (-one.transfer_bytes, one.name)),
        "new_vendors": rows.new_vendors(report),
        "areas": [(figures.name(area), issues) for area, issues in rows.by_area(report)],
        "fixes": fixes,
        "fix_of": _fixes(report.issues, fixes),
    }


def _fixes(issues: tuple[Issue, ...], fixes: tuple[SiteFix, ...]) -> dict[str, SiteFix]:
    """The fix of each issue that has one, by the issue's id."""
    known = {one.id: one for one in fixes}
    found = ((one.id, known.get(one.fix_id or "")) for one in issues)
    return {id: fix for id, fix in found if fix is not None}


def _title(report: AuditReport) -> str:
    """For the tab, where the page's host follows: ``Audit 61/92/88/96, 2026-11-20 09:14 UTC``."""
    numbers = "/".join(one.text for one in rows.scores(report))
    when = wording.moment(report.completed_at)
    return f"Audit {numbers}, {when}" if when else f"Audit {numbers}"
