"""Comments, threads and answers on a pull request of Bitbucket, by the ports."""

from collections.abc import Sequence

from mergegate.forges.bitbucket.discussion import Discussion
from mergegate.forges.bitbucket.shapes import Remembered
from mergegate.forges.marker import is_summary, marked
from mergegate.forges.publication import Comment, Remark, Thread


class PullRequestConversation:
    """The port :class:`~mergegate.forges.ports.Conversation`."""

    def __init__(self, discussion: Discussion) -> None:
        self._discussion = discussion

    def comments(self) -> Sequence[Comment]:
        """Our own summary comments, oldest first; raises ForgeError."""
        ours = self._discussion.ours()
        return [_comment(one) for one in ours if _is_plain(one) and is_summary(one.body)]

    def write(self, body: str) -> Comment:
        """A new comment; raises ForgeError."""
        return _comment(self._discussion.post(body))

    def edit(self, comment_id: str, body: str) -> None:
        """Another text for a comment of ours; raises ForgeError."""
        self._discussion.edit(comment_id, body)

    def remove(self, comment_id: str) -> None:
        """Delete a comment of ours; raises ForgeError."""
        self._discussion.delete(comment_id)


class PullRequestReviews:
    """The port :class:`~mergegate.forges.ports.Reviews`."""

    def __init__(self, discussion: Discussion) -> None:
        self._discussion = discussion

    def threads(self) -> Sequence[Thread]:
        """The threads that we opened, oldest first; raises ForgeError."""
        ours = self._discussion.ours()
        return [self._thread(one) for one in ours if _opens_thread(one)]

    def open(self, remark: Remark) -> None:
        """A new thread on the new file's lines; raises OffDiff or ForgeError."""
        inline: dict[str, str | int] = {"path": remark.path, "to": remark.end_line}
        if remark.start_line < remark.end_line:
            # Not in the published schema, but kept and shown as a range.
            inline["start_to"] = remark.start_line
        self._discussion.post(remark.body, inline=inline)

    def edit(self, thread: Thread, body: str) -> None:
        """Another text for the first comment of a thread of ours; raises ForgeError."""
        self._discussion.edit(thread.comment_id, body)

    def resolve(self, thread: Thread) -> None:
        """Close it; raises ForgeError."""
        self._discussion.resolve(thread.id)

    def reopen(self, thread: Thread) -> None:
        """Open it again; raises ForgeError."""
        self._discussion.reopen(thread.id)

    def _thread(self, first: Remembered) -> Thread:
        """A thread bears the number of its first comment."""
        return Thread(
            id=str(first.id),
            comment_id=str(first.id),
            body=first.body,
            resolved=first.resolved,
            resolved_by_us=first.resolved and first.resolved_by == self._discussion.me,
        )


class PullRequestReplies:
    """The port :class:`~mergegate.forges.ports.Replies`."""

    def __init__(self, discussion: Discussion) -> None:
        self._discussion = discussion

    def reply(self, comment_id: str, body: str) -> None:
        """An answer below the comment; raises ForgeError."""
        self._discussion.answer(comment_id, body)

    def acknowledge(self, comment_id: str, done: bool) -> None:
        """Nothing: Bitbucket's API knows no reactions. The reply says what there is to say."""


def _comment(said: Remembered) -> Comment:
    return Comment(id=str(said.id), body=said.body)


def _is_plain(said: Remembered) -> bool:
    return not said.inline and not said.answer


def _opens_thread(said: Remembered) -> bool:
    return said.inline and not said.answer and marked(said.body) is not None
