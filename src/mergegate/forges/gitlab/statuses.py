"""The verdict as a commit status, in the pipeline of the merge request where that is known."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from gitlab.exceptions import GitlabCreateError

from mergegate.core.report import Gate
from mergegate.forges.gitlab.connection import Connection
from mergegate.forges.gitlab.refusals import asking
from mergegate.forges.progress import SCANNING, STOPPED
from mergegate.forges.publication import Publication

NAME = "mergegate"
MOST_CHARACTERS = 255
"""Of a status's description and of its address."""
_STATES = {Gate.PASSED: "success", Gate.FAILED: "failed", Gate.INCOMPLETE: "failed"}
_NO_PLACE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY})


class Statuses:
    """Annotations have no place in a status: GitLab shows them from the report artifacts."""

    def __init__(self, connection: Connection, *, run_url: str, pipeline: int | None) -> None:
        self._connection = connection
        self._run_url = run_url
        self._pipeline = pipeline

    def begin(self, head: str) -> None:
        """See the port."""
        self._set(head, "running", SCANNING)

    def stop(self, head: str) -> None:
        """See the port."""
        self._set(head, "canceled", STOPPED)

    def announce(self, publication: Publication) -> Sequence[str]:
        """Set the status of the commit; raises ForgeError."""
        self._set(publication.head, _STATES[publication.gate], publication.headline)
        return ()

    def _set(self, head: str, state: str, line: str) -> None:
        status = self._status(state, line)
        pipeline = {"pipeline_id": self._pipeline} if self._pipeline else {}
        if not (pipeline and self._was_set(head, status | pipeline)):
            self._was_set(head, status, last=True)

    def _status(self, state: str, line: str) -> dict[str, Any]:
        url = self._run_url
        link = url.startswith("https://") and len(url) <= MOST_CHARACTERS
        return {
            "name": NAME,
            "state": state,
            "description": _cut(line),
        } | ({"target_url": url} if link else {})

    def _was_set(self, head: str, status: dict[str, Any], *, last: bool = False) -> bool:
        """False when the pipeline is full or another commit's, as with merged results."""
        with asking("set the status of a commit"):
            try:
                self._connection.project.commits.get(head, lazy=True).statuses.create(status)
            except GitlabCreateError as error:
                if not last and error.response_code in _NO_PLACE:
                    return False
                if not _stands_already(error):
                    raise
        return True


def _stands_already(error: GitlabCreateError) -> bool:
    """``Cannot transition status via :run from :running``: it says what we want it to say."""
    said = str(error.error_message)
    return error.response_code == HTTPStatus.BAD_REQUEST and "Cannot transition status" in said


def _cut(headline: str) -> str:
    whole = len(headline) <= MOST_CHARACTERS
    return headline if whole else f"{headline[: MOST_CHARACTERS - 1]}…"
