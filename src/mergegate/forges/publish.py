"""Say one answer on one forge: check first, then comment, threads and alerts.

What stands there is compared with what should: so what is written, edited, resolved and left.

A failure to publish never changes the answer: it is told, and the other surfaces go on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from mergegate.core.errors import ForgeError, OffDiff
from mergegate.forges.marker import State, is_summary, marked, recall
from mergegate.forges.ports import Conversation, Forge, Reviews
from mergegate.forges.publication import Comment, Publication, Remark, Thread


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
    """Threads with the new text of their first comment."""
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


_ATTEMPTS = 3
"""How often a comment is written again because a second run wrote at the same time."""


@dataclass(slots=True)
class Published:
    """What came of it, a sentence each."""

    done: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What was left out, and why that is right."""
    problems: list[str] = field(default_factory=list)
    """What failed, and what to do about it."""


def publish(publication: Publication, forge: Forge, sequence: int) -> Published:
    """Write to every surface that ``forge`` has; raises nothing that a forge can cause.

    ``forge`` is read anew for this: what it says of the head is compared with what was scanned.
    """
    said = Published()
    if forge.verdicts:
        announce = forge.verdicts.announce
        _attempt(said, "check", lambda: said.notes.extend(announce(publication)))
    if _has_moved(publication, forge):
        said.notes.append(
            f"The change has moved on from {publication.head[:10]} during the scan: the run of"
            " its new head answers in comment and threads"
        )
        return said
    if forge.conversation:
        conversation = forge.conversation
        _attempt(said, "comment", lambda: _comment(publication, conversation, sequence, said))
    if forge.reviews:
        reviews = forge.reviews
        _attempt(said, "review threads", lambda: _threads(publication, reviews, said))
    if forge.uploads:
        upload = forge.uploads.upload
        _attempt(said, "alerts", lambda: said.notes.extend(upload(publication)))
    return said


def _has_moved(publication: Publication, forge: Forge) -> bool:
    return forge.head is not None and forge.head != publication.head


def _attempt(said: Published, surface: str, work: Callable[[], None]) -> None:
    try:
        work()
    except ForgeError as error:
        said.problems.append(f"{surface}: {error}")
    else:
        said.done.append(surface)


def _comment(
    publication: Publication, conversation: Conversation, sequence: int, said: Published
) -> None:
    """Leave exactly one comment, though other jobs may write at the same time."""
    for _ in range(_ATTEMPTS):
        found = summary(conversation.comments())
        _remove_doubles(found, conversation)
        if found.outranks(sequence):
            said.notes.append("A newer run has answered already: its comment stays")
            return
        if found.comment and _says(found.comment.body, publication.head, sequence):
            return
        body = publication.comment(found.state)
        if found.comment:
            conversation.edit(found.comment.id, body)
        else:
            conversation.write(body)


def _says(body: str, head: str, sequence: int) -> bool:
    """Whether the comment is this run's answer already."""
    state = recall(body)
    return state is not None and (state.head, state.sequence) == (head, sequence)


def _remove_doubles(found: Summary, conversation: Conversation) -> None:
    for double in found.doubles:
        try:
            conversation.remove(double.id)
        except ForgeError:
            continue  # the other run was faster


def _threads(publication: Publication, reviews: Reviews, said: Published) -> None:
    plan = _plan(publication, reviews)
    _settle(plan, reviews)
    for thread in plan.reopen:
        reviews.reopen(thread)
    for thread, body in plan.edit:
        reviews.edit(thread, body)
    if not plan.open:
        return
    _open(plan.open, reviews, said)
    _settle(_plan(publication, reviews), reviews)


def _plan(publication: Publication, reviews: Reviews) -> Threads:
    plan = threads(reviews.threads(), publication.remarks, publication.present)
    # What an engine that failed would have found is not gone.
    return plan if publication.complete else replace(plan, resolve=())


def _settle(plan: Threads, reviews: Reviews) -> None:
    for thread in plan.resolve:
        reviews.resolve(thread)


def _open(remarks: Sequence[Remark], reviews: Reviews, said: Published) -> None:
    refused = 0
    for remark in remarks:
        try:
            reviews.open(remark)
        except OffDiff:
            refused += 1
    if refused:
        said.notes.append(
            f"{refused} of {len(remarks)} remarks stand on lines that the forge does not show:"
            " they are in the comment and the annotations"
        )
