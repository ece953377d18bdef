"""What a forge can do for us; an adapter implements what its host can honour."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from mergegate.forges.branches import Branches, OwnChanges, Source
from mergegate.forges.publication import Comment, Publication, Remark, Thread


class Conversation(Protocol):
    """The comments on a change."""

    def comments(self) -> Sequence[Comment]:
        """Our own summary comments, oldest first; raises ForgeError."""

    def write(self, body: str) -> Comment:
        """A new comment; raises ForgeError."""

    def edit(self, comment_id: str, body: str) -> None:
        """Another text for a comment of ours; raises ForgeError."""

    def remove(self, comment_id: str) -> None:
        """Delete a comment of ours that a second run wrote at the same time; raises ForgeError."""


class Reviews(Protocol):
    """Threads on lines of the change."""

    def threads(self) -> Sequence[Thread]:
        """The threads that we opened, oldest first, with their state; raises ForgeError."""

    def open(self, remark: Remark) -> None:
        """A new thread; raises :class:`OffDiff` where the forge shows no such lines."""

    def edit(self, thread: Thread, body: str) -> None:
        """Another text for the first comment of a thread of ours; raises ForgeError."""

    def resolve(self, thread: Thread) -> None:
        """Close it; raises ForgeError."""

    def reopen(self, thread: Thread) -> None:
        """Open it again; raises ForgeError."""


class Verdicts(Protocol):
    """What a merge is allowed or refused by."""

    def announce(self, publication: Publication) -> Sequence[str]:
        """Set check, status or report of the commit, annotations included.

        Returns what had to be left out, a sentence each (``Shown 1,000 of 1,200 annotations``);
        raises ForgeError.
        """


class Progress(Protocol):
    """What stands where the verdict will stand, as long as there is none."""

    def begin(self, head: str) -> None:
        """Say that the commit is being scanned: whatever stood there no longer does.

        Raises ForgeError.
        """

    def stop(self, head: str) -> None:
        """Say that the scan was called off, where :meth:`begin` stands; raises ForgeError."""


class Record(Protocol):
    """What was said of earlier commits."""

    def has_passed(self, commit: str) -> bool:
        """Whether ``commit`` passed as one of the branch that the run is about, or of its change.

        A pass of a pull request is none of a branch: it speaks of what the request changes, against
        the branch it wanted into then. Raises ForgeError.
        """


class Uploads(Protocol):
    """Findings for the forge's own list of alerts."""

    def upload(self, publication: Publication) -> Sequence[str]:
        """Send what the forge takes; returns what was left out; raises ForgeError."""


class Standing(StrEnum):
    """What somebody may do in the repository."""

    NONE = "none"
    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


class People(Protocol):
    """Tells which people may give orders."""

    def standing(self, account: str) -> Standing:
        """The account's standing, asked of the platform now; raises ForgeError."""


class Authorship(Protocol):
    """Tells who brought the change."""

    def authors(self) -> frozenset[str]:
        """Who opened it or wrote a commit of it, as an order names its author, in lower case.

        An author of a commit whom the platform knows no account of is left out. Raises ForgeError,
        also where there are more commits than it tells of.
        """


class Replies(Protocol):
    """Answers to a comment command."""

    def reply(self, comment_id: str, body: str) -> None:
        """An answer that the reader sees below or beside the comment; raises ForgeError."""

    def acknowledge(self, comment_id: str, done: bool) -> None:
        """A reaction: seen, or refused; raises ForgeError."""


class Ledgers(Protocol):
    """The one issue that tells of the default branch."""

    def post(self, title: str, body: str, open: bool) -> str:
        """Create, update, reopen or close the issue of ours; returns its address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forge:
    """One repository on one forge, with what this token and this event allow."""

    name: str
    head: str | None = None
    """The last commit of the change as the forge says now; None without a change."""
    base: str | None = None
    """The tip of the branch that the change wants into, likewise."""
    source: Source | None = None
    """The branch of the change, likewise; None where the forge does not tell."""
    conversation: Conversation | None = None
    reviews: Reviews | None = None
    verdicts: Verdicts | None = None
    progress: Progress | None = None
    record: Record | None = None
    uploads: Uploads | None = None
    people: People | None = None
    authorship: Authorship | None = None
    replies: Replies | None = None
    ledger: Ledgers | None = None
    branches: Branches | None = None
    own_changes: OwnChanges | None = None
