"""What the comment hands on to its next edition, and how much of it there is room for."""

from bisect import bisect_left
from dataclasses import replace

from mergegate.ci.answer import answer
from mergegate.core.report import Report
from mergegate.forges.framing import Dialect, Framing
from mergegate.forges.marker import MOST_PUSHES, Push, State, recall, remember
from mergegate.repo.report.origins import origins

_SHARE = 3


def next_state(report: Report, framing: Framing, previous: State | None) -> State:
    """Earlier pushes and this one, which replaces an older answer to the same commit."""
    push = Push(
        head=framing.head,
        gate=framing.gate.value,
        score=answer(report, framing).ledger.score,
        new=len(origins(report).brought) if report.comparison else None,
        at=framing.at,
    )
    known = previous.pushes if previous else ()
    pushes = (*(one for one in known if one.head != framing.head), push)
    return State(
        head=framing.head,
        sequence=framing.sequence,
        pushes=pushes[-MOST_PUSHES:],
        waivers=previous.waivers if previous else (),
    )


def remembered(state: State, dialect: Dialect) -> tuple[str, State]:
    """The hidden line in at most a third of the comment, and what of the state it holds.

    Old pushes give way first; a dismissal is only lost when nothing else is left to lose, and
    then the gate is stricter, never laxer.
    """
    most = max(len(state.pushes) - 1, 0) + len(state.waivers)
    lost = bisect_left(range(most), True, key=lambda few: _fits(_without(state, few), dialect))
    kept = _without(state, lost)
    if not _fits(kept, dialect):
        raise ValueError("a state without history does not fit into a comment")
    return remember(kept, dialect.hiding), kept


def _fits(state: State, dialect: Dialect) -> bool:
    marker = remember(state, dialect.hiding)
    return len(marker) <= dialect.limit // _SHARE and recall(marker) is not None


def _without(state: State, lost: int) -> State:
    """The oldest go first: pushes but the last one, then dismissals."""
    pushes = min(lost, max(len(state.pushes) - 1, 0))
    waivers = lost - pushes
    return replace(state, pushes=state.pushes[pushes:], waivers=state.waivers[waivers:])
