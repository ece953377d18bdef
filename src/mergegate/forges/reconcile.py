"""What is said and what should be said → what to write, edit, resolve and leave: pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from mergegate.forges.marker import State, is_summary, marked, recall
from mergegate.forges.publication import Comment, Remark, Thread


@dataclass(frozen=True, slots=True)
class Summary:
    """The comment to edit, what it remembers, and the doubles to remove."""

    comment: Comment | None
    """None: there is none, write one."""
    state: State | None
    doubles: tuple[Comment, ...]
    """Later ones, written by runs that did not see the first."""

    def outranks(self, sequence: int) -> bool:
        """Whether a newer run than ``sequence`` has already answered."""
        return self.state is not None and self.state.sequence > sequence


def summary(comments: Sequence[Comment]) -> Summary:
    """The oldest comment of ours that carries the marker leads; ``comments`` are oldest first."""
    ours = [one for one in comments if is_summary(one.body)]
    if not ours:
        return Summary(None, None, ())
    states = [state for one in ours if (state := recall(one.body))]
    newest = max(states, key=lambda state: state.sequence, default=None)
    return Summary(ours[0], newest, tuple(ours[1:]))


@dataclass(frozen=True, slots=True)
class Threads:
    """What happens to the review threads."""

    open: tuple[Remark, ...] = ()
    edit: tuple[tuple[Thread, str], ...] = ()
    """With the new text of the first comment."""
    resolve: tuple[Thread, ...] = ()
    reopen: tuple[Thread, ...] = ()


def threads(known: Sequence[Thread], wanted: Sequence[Remark], present: frozenset[str]) -> Threads:
    """One thread a finding: the oldest. What a person resolved stays resolved.

    A thread closes when its finding is gone, not when it merely is not among ``wanted``;
    one that we closed opens again when the finding is back.
    """
    leading: dict[str, Thread] = {}
    doubles: list[Thread] = []
    for thread in known:
        about = marked(thread.body)
        if about is not None and leading.setdefault(about, thread) is not thread:
            doubles.append(thread)
    texts = {remark.finding_id: remark.body for remark in wanted}
    return Threads(
        open=tuple(remark for remark in wanted if remark.finding_id not in leading),
        edit=tuple(
            (thread, texts[id])
            for id, thread in leading.items()
            if id in texts and not _same(thread.body, texts[id]) and not _closed_by_hand(thread)
        ),
        resolve=tuple(
            thread
            for thread in (*(t for id, t in leading.items() if id not in present), *doubles)
            if not thread.resolved
        ),
        reopen=tuple(
            thread for id, thread in leading.items() if id in present and thread.resolved_by_us
        ),
    )


def _closed_by_hand(thread: Thread) -> bool:
    return thread.resolved and not thread.resolved_by_us


def _same(one: str, other: str) -> bool:
    """Forges trim texts and change their line ends."""
    return _plain(one) == _plain(other)


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
