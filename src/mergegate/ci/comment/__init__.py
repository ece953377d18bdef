"""The one comment on a change, edited in place: verdict, reason and next step, the rest folded."""

from mergegate.ci.comment.memory import next_state, remembered
from mergegate.ci.comment.page import Page
from mergegate.core.report import Report
from mergegate.forges.framing import Framing
from mergegate.forges.marker import State

SMALLEST_LIMIT = 20_000


def render(report: Report, framing: Framing, previous: State | None) -> str:
    """The comment with its hidden state, never longer than the dialect's limit.

    ``previous`` is what the last one remembered: its pushes become the history, its waivers are
    kept. What does not fit is left out whole, worst findings last, and named. The limit is at
    least 20,000 characters.
    """
    limit = framing.dialect.limit
    if limit < SMALLEST_LIMIT:
        raise ValueError(f"a comment needs {SMALLEST_LIMIT} characters, not {limit}")
    marker, state = remembered(next_state(report, framing, previous), framing.dialect)
    forgotten = len(previous.waivers) - len(state.waivers) if previous else 0
    page = Page(report, framing, state, forgotten)
    return f"{page.within(limit - len(marker) - 1)}{marker}\n"


def heading(report: Report, framing: Framing) -> str:
    """The comment's first lines alone: verdict, reason and next step, and what is missing."""
    state = next_state(report, framing, None)
    return Page(report, framing, state).heading()
