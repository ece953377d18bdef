"""An SEO analysis for a comment or a job's summary: what to do first, details folded."""

from mergegate.site.render.paragraphs import DEFAULT_LIMIT, paragraphs
from mergegate.site.seo.render import rows
from mergegate.site.seo.report import SeoReport


def render(report: SeoReport, *, limit: int = DEFAULT_LIMIT) -> str:
    """The report in at most ``limit`` characters, which are at least 10,000."""
    return paragraphs("site/seo.md.j2", report, limit, rows=rows)
