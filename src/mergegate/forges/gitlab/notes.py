"""The summary as one note of the merge request: a note, since an open thread may block a merge."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from gitlab.exceptions import GitlabDeleteError
from gitlab.v4.objects import ProjectMergeRequest

from mergegate.core.errors import ForgeError
from mergegate.forges.gitlab.commands import inert
from mergegate.forges.gitlab.connection import PAGE, Connection, every, number
from mergegate.forges.gitlab.refusals import asking
from mergegate.forges.publication import Comment

MOST_CHARACTERS = 1_000_000
"""Of a note or a description (https://docs.gitlab.com/administration/instance_limits/)."""


class Notes:
    """The comments on a merge request that are ours."""

    def __init__(self, connection: Connection, request: ProjectMergeRequest) -> None:
        self._connection = connection
        self._notes = request.notes

    def comments(self) -> Sequence[Comment]:
        """Ours on no line, oldest first; GitLab's own and everybody else's are left out."""
        with asking("list the notes"):
            found = self._notes.list(
                iterator=True,
                per_page=PAGE,
                sort="asc",
                order_by="created_at",
                activity_filter="only_comments",
            )
            ours = [_comment(said) for said in every(found) if self._is_ours(said)]
        return sorted(ours, key=lambda comment: number(comment.id))

    def write(self, body: str) -> Comment:
        """A new note; raises ForgeError."""
        with asking("write a note"):
            return _comment(self._notes.create({"body": posted(body)}).asdict())

    def edit(self, comment_id: str, body: str) -> None:
        """Another text for a note of ours; raises ForgeError."""
        with asking("edit a note"):
            self._notes.update(number(comment_id), {"body": posted(body)})

    def remove(self, comment_id: str) -> None:
        """Delete a note of ours; one that is gone already is as good; raises ForgeError."""
        with asking("delete a note"):
            try:
                self._notes.delete(number(comment_id))
            except GitlabDeleteError as error:
                if error.response_code != HTTPStatus.NOT_FOUND:
                    raise

    def _is_ours(self, said: dict[str, Any]) -> bool:
        on_a_line = said.get("type") == "DiffNote"
        return not on_a_line and not said.get("system") and self._connection.wrote(said)


def posted(body: str) -> str:
    """``body`` as GitLab gets it: obeyed in nothing, and within its limit; raises ForgeError."""
    text = inert(body)
    if len(text) > MOST_CHARACTERS:
        raise ForgeError(f"A note of {len(text):,} characters is longer than GitLab takes")
    return text


def _comment(said: dict[str, Any]) -> Comment:
    return Comment(id=str(int(said["id"])), body=str(said["body"]))
