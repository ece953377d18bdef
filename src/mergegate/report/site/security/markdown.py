"""A security scan for a comment or a job's summary: what to do first, details folded."""

from mergegate.core.render import wording
from mergegate.model.site.security import SecurityReport
from mergegate.report.site.paragraphs import DEFAULT_LIMIT, paragraphs
from mergegate.report.site.security import rows


def render(report: SecurityReport, *, limit: int = DEFAULT_LIMIT) -> str:
    """The report in at most ``limit`` characters, which are at least 10,000."""
    return paragraphs("site/security.md.j2", report, limit, rows=rows, signs=wording.SIGNS)
