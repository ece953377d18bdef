"""A browser test for a comment or a job's summary: what to do first, details folded."""

from mergegate.model.site.browser_test import BrowserReport
from mergegate.report.site import phrases
from mergegate.report.site.browser_test import rows
from mergegate.report.site.fitting import first, fitting
from mergegate.report.site.paragraphs import DEFAULT_LIMIT, LENGTHS, checked, paragraphs


def render(report: BrowserReport, *, limit: int = DEFAULT_LIMIT) -> str:
    """The report in at most ``limit`` characters, which are at least 10,000.

    Lists are cut until it fits, and say how much is left out.
    """
    return fitting(lambda most: _page(report, most), LENGTHS, checked(limit))


def _page(report: BrowserReport, most: int) -> str:
    return paragraphs(
        "site/browser_test.md.j2", report=report, first=first(most), rows=rows, phrases=phrases
    )
