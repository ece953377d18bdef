"""The comments on a pull request that we wrote ourselves."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from mergegate.forges.github.door import Door
from mergegate.forges.github.identity import Identity
from mergegate.forges.github.refusals import Errand, Unseen
from mergegate.forges.github.shapes import maybe, pick
from mergegate.forges.marker import is_summary
from mergegate.forges.publication import Comment

_NEEDS = "pull-requests: write"
_READ = Errand("list the comments", "pull-requests: read")
_WRITE = Errand("write the summary comment", _NEEDS)
_EDIT = Errand("edit the summary comment", _NEEDS)
_REMOVE = Errand("remove a second summary comment", _NEEDS)


class IssueComments:
    """GitHub keeps the conversation of a pull request with the issue of the same number."""

    def __init__(self, door: Door, repository: str, number: int, identity: Identity) -> None:
        self._door = door
        self._issues = f"/repos/{repository}/issues"
        self._list = f"{self._issues}/{number}/comments"
        self._identity = identity

    def comments(self) -> Sequence[Comment]:
        """Ours that carry the summary's marker, oldest first, as GitHub lists them."""
        rows = self._door.pages(self._list, _READ)
        candidates = [row for row in rows if is_summary(maybe(row, str, "body") or "")]
        return [_comment(row) for row in candidates if self._is_ours(row)]

    def write(self, body: str) -> Comment:
        """A new comment."""
        return _comment(self._door.send("POST", self._list, _WRITE, body={"body": body}))

    def edit(self, comment_id: str, body: str) -> None:
        """Another text."""
        self._door.send("PATCH", self._at(comment_id), _EDIT, body={"body": body})

    def remove(self, comment_id: str) -> None:
        """Delete it; no error when another run was faster."""
        with suppress(Unseen):
            self._door.send("DELETE", self._at(comment_id), _REMOVE)

    def _is_ours(self, row: Any) -> bool:
        """By the author's number; whoever copies our marker has another."""
        return maybe(row, int, "user", "id") == self._identity.account.id

    def _at(self, comment_id: str) -> str:
        return f"{self._issues}/comments/{comment_id}"


def _comment(row: Any) -> Comment:
    return Comment(id=str(pick(row, int, "id")), body=pick(row, str, "body"))
