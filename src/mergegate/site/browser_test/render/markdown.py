"""A browser test for a comment or a job's summary: what to do first, details folded."""

from mergegate.site.browser_test.render import rows
from mergegate.site.browser_test.report import BrowserReport
from mergegate.site.render.paragraphs import DEFAULT_LIMIT, paragraphs


def render(report: BrowserReport, *, limit: int = DEFAULT_LIMIT) -> str:
    """The report in at most ``limit`` characters, which are at least 10,000."""
    return paragraphs("site/browser_test.md.j2", report, limit, rows=rows)
