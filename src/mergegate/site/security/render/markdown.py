"""A security scan for a comment or a job's summary: what to do first, details folded."""

from mergegate.core.render import wording
from mergegate.site.render.paragraphs import DEFAULT_LIMIT, paragraphs
from mergegate.site.security.render import rows
from mergegate.site.security.report import SecurityReport


def render(report: SecurityReport, *, limit: int = DEFAULT_LIMIT) -> str:
    """The report in at most ``limit`` characters, which are at least 10,000."""
    return paragraphs("site/security.md.j2", report, limit, rows=rows, signs=wording.SIGNS)
