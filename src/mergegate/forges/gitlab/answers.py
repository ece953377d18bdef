"""Answers to a comment command on a merge request."""

from http import HTTPStatus
from typing import Any

from gitlab.exceptions import GitlabCreateError
from gitlab.v4.objects import ProjectMergeRequest

from mergegate.forges.gitlab.connection import PAGE, every, number
from mergegate.forges.gitlab.notes import posted
from mergegate.forges.gitlab.refusals import asking

_SEEN, _REFUSED = "thumbsup", "thumbsdown"


class Answers:
    """Reactions and replies on one merge request."""

    def __init__(self, request: ProjectMergeRequest) -> None:
        self._request = request

    def reply(self, comment_id: str, body: str) -> None:
        """In the comment's thread where it has one, else as a note of its own.

        A reply to a single note would make it a thread, and an open thread may block the merge.
        """
        text = {"body": posted(body)}
        with asking("reply to a comment"):
            thread = self._thread_of(number(comment_id))
            if thread is None:
                self._request.notes.create(text)
            else:
                self._request.discussions.get(thread, lazy=True).notes.create(text)

    def acknowledge(self, comment_id: str, done: bool) -> None:
        """A thumb up or down; one that is there already is as good; raises ForgeError."""
        with asking("react to a comment"):
            note = self._request.notes.get(number(comment_id), lazy=True)
            try:
                note.awardemojis.create({"name": _SEEN if done else _REFUSED})
            except GitlabCreateError as error:
                if not _is_there(error):
                    raise

    def _thread_of(self, note: int) -> str | None:
        found = every(self._request.discussions.list(iterator=True, per_page=PAGE))
        threads = (said for said in found if not said.get("individual_note"))
        return next((str(said["id"]) for said in threads if _holds(said, note)), None)


def _holds(said: dict[str, Any], note: int) -> bool:
    return any(one.get("id") == note for one in said["notes"])


def _is_there(error: GitlabCreateError) -> bool:
    """``404 Award Emoji Name has already been taken Not Found``."""
    said = str(error.error_message)
    return error.response_code == HTTPStatus.NOT_FOUND and "already been taken" in said
