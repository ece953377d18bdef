"""An SEO analysis as one HTML file that needs nothing beside itself, and no script to be read."""

from mergegate.core.render import wording
from mergegate.site.render import figures
from mergegate.site.render.sheet import sheet
from mergegate.site.seo.render import rows
from mergegate.site.seo.render.pictures import embedded
from mergegate.site.seo.report import SeoReport

_AROUND = 339.3
"""The circumference of the gauge's arc."""


def render(report: SeoReport) -> str:
    """The page, in at most three million characters."""
    values = {
        "title": _title(report),
        "rows": rows,
        "band": figures.band(report.score),
        "arc": _arc(report.score),
        "themes": list(rows.by_theme(report)),
        "crawlers": list(rows.crawlers(report)),
        "gaps": list(rows.gaps(report)),
        "picture": embedded(report.facts.social_image),
    }
    return sheet("site/seo.html.j2", report, lambda _: values)


def _title(report: SeoReport) -> str:
    """For the tab, where the site's host follows."""
    when = wording.moment(report.completed_at)
    return f"SEO {report.score}/100" + (f", {when}" if when else "")


def _arc(score: int) -> tuple[float, float]:
    """Drawn and left out of the circle."""
    drawn = round(_AROUND * score / 100, 1)
    return drawn, round(_AROUND - drawn, 1)
