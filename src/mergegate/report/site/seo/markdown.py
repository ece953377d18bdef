"""An SEO analysis for a comment or a job's summary: what to do first, details folded."""

from mergegate.model.site.seo import SeoReport
from mergegate.report.site.paragraphs import DEFAULT_LIMIT, paragraphs
from mergegate.report.site.seo import rows


def render(report: SeoReport, *, limit: int = DEFAULT_LIMIT) -> str:
    """The report in at most ``limit`` characters, which are at least 10,000."""
    return paragraphs("site/seo.md.j2", report, limit, rows=rows)
