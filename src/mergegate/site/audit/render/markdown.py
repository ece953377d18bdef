"""An audit for a comment or a job's summary: scores and what to do first, details folded."""

from mergegate.site.audit.render import rows
from mergegate.site.audit.report import AuditReport
from mergegate.site.render.paragraphs import DEFAULT_LIMIT, paragraphs


def render(report: AuditReport, *, limit: int = DEFAULT_LIMIT) -> str:
    """The report in at most ``limit`` characters, which are at least 10,000."""
    return paragraphs("site/audit.md.j2", report, limit, rows=rows)
