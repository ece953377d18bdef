"""The summary page of a GitHub job: the answer, then the whole report."""

from mergegate.ci.comment import heading
from mergegate.core.render.formats import SMALLEST_LIMIT
from mergegate.core.report import Report
from mergegate.forges.framing import Framing
from mergegate.repo.report import markdown

MOST_BYTES = 900_000
"""GitHub refuses a step's summary of more than 1 MiB, and shows none of it then
(https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands)."""

_BELOW = "---\n\nThe whole repository, whatever the check rests on:\n\n"


def render(report: Report, framing: Framing | None = None) -> str:
    """The report in at most 900,000 bytes of UTF-8.

    With ``framing`` the check's own answer leads: it may rest on the change alone, whereas the
    report speaks of the whole repository.
    """
    above = f"{heading(report, framing)}{_BELOW}" if framing else ""
    room = MOST_BYTES - len(above.encode())
    limit = room
    text = markdown.render(report, limit=limit)
    while len(text.encode()) > room:
        # A character is four bytes at most, so this ends long before the smallest limit.
        limit = max(SMALLEST_LIMIT, limit // 2)
        text = markdown.render(report, limit=limit)
    return f"{above}{text}"
