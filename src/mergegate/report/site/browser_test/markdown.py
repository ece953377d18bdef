"""A browser test for a comment or a job's summary: what to do first, details folded."""

from mergegate.model.site.browser_test import BrowserReport
from mergegate.report.site.browser_test import rows
from mergegate.report.site.paragraphs import DEFAULT_LIMIT, paragraphs


def render(report: BrowserReport, *, limit: int = DEFAULT_LIMIT) -> str:
    """The report in at most ``limit`` characters, which are at least 10,000."""
    return paragraphs("site/browser_test.md.j2", report, limit, rows=rows)
