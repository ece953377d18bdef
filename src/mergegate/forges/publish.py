"""Say one answer on one forge: check first, then comment, threads and alerts.

A failure to publish never changes the answer: it is told, and the other surfaces go on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from mergegate.core.errors import ForgeError, OffDiff
from mergegate.forges import reconcile
from mergegate.forges.marker import recall
from mergegate.forges.ports import Conversation, Forge, Reviews
from mergegate.forges.publication import Publication, Remark

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
    """One comment, whoever else writes at the same time: written, read again, settled."""
    for _ in range(_ATTEMPTS):
        found = reconcile.summary(conversation.comments())
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


def _remove_doubles(found: reconcile.Summary, conversation: Conversation) -> None:
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


def _plan(publication: Publication, reviews: Reviews) -> reconcile.Threads:
    plan = reconcile.threads(reviews.threads(), publication.remarks, publication.present)
    # What an engine that failed would have found is not gone.
    return plan if publication.complete else replace(plan, resolve=())


def _settle(plan: reconcile.Threads, reviews: Reviews) -> None:
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
