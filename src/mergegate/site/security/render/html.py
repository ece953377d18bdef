"""A security scan as one HTML file that needs nothing beside itself, and no script to be read."""

from mergegate.core.render import charts as gauges
from mergegate.core.render import wording
from mergegate.site.render.sheet import sheet
from mergegate.site.security.render import rows
from mergegate.site.security.report import SecurityReport


def render(report: SecurityReport) -> str:
    """The page, in at most three million characters."""
    values = {
        "title": _title(report),
        "rows": rows,
        "ring": gauges.gauge(report.score),
        "groups": list(rows.by_severity(report)),
    }
    return sheet("site/security.html.j2", report, lambda _: values)


def _title(report: SecurityReport) -> str:
    """For the tab, where the site's host follows: ``Security B, 2026-11-20 09:14 UTC``."""
    when = wording.moment(report.completed_at)
    return f"Security {report.grade}" + (f", {when}" if when else "")
