"""Review threads on the lines of a merge request."""

from collections.abc import Sequence
from functools import cached_property
from http import HTTPStatus
from typing import Any

from gitlab.exceptions import GitlabCreateError
from gitlab.v4.objects import ProjectMergeRequest

from mergegate.core.errors import OffDiff
from mergegate.forges.gitlab import diffs
from mergegate.forges.gitlab.connection import PAGE, Connection, commit, every, number
from mergegate.forges.gitlab.notes import posted
from mergegate.forges.gitlab.refusals import asking
from mergegate.forges.publication import Remark, Thread


class Discussions:
    """The threads of a merge request that are ours."""

    def __init__(
        self, connection: Connection, request: ProjectMergeRequest, head: str | None
    ) -> None:
        self._connection = connection
        self._request = request
        self._head = head

    def threads(self) -> Sequence[Thread]:
        """Those on lines whose first note is ours, oldest first; raises ForgeError."""
        with asking("list the discussions"):
            found = every(self._request.discussions.list(iterator=True, per_page=PAGE))
            ours = [_thread(said, self._connection.own_id) for said in found if self._is_ours(said)]
        return sorted(ours, key=lambda thread: number(thread.comment_id))

    def open(self, remark: Remark) -> None:
        """A thread on the lines, or on the last of them; raises OffDiff where there is no place."""
        places = diffs.positions(self._version, remark.path, remark.start_line, remark.end_line)
        if not any(self._opened(remark.body, place) for place in places):
            raise OffDiff("GitLab's diff shows no such lines")

    def edit(self, thread: Thread, body: str) -> None:
        """Another text for the first note of a thread of ours; raises ForgeError."""
        with asking("edit a thread"):
            discussion = self._request.discussions.get(thread.id, lazy=True)
            discussion.notes.update(number(thread.comment_id), {"body": posted(body)})

    def resolve(self, thread: Thread) -> None:
        """Close it, which the role Developer may; raises ForgeError."""
        with asking("resolve a thread"):
            self._request.discussions.update(thread.id, {"resolved": True})

    def reopen(self, thread: Thread) -> None:
        """Open it again; raises ForgeError."""
        with asking("open a thread again"):
            self._request.discussions.update(thread.id, {"resolved": False})

    def _opened(self, body: str, position: dict[str, Any]) -> bool:
        """Whether GitLab took the thread; it says 400 where it cannot find the line."""
        with asking("open a thread on a line"):
            try:
                self._request.discussions.create({"body": posted(body), "position": position})
            except GitlabCreateError as error:
                if error.response_code == HTTPStatus.BAD_REQUEST and _about_the_line(error):
                    return False
                raise
        return True

    @cached_property
    def _version(self) -> diffs.Version:
        """The diff that threads are fixed to; raises OffDiff when it is not that of the head.

        The head is read after the diff: one that moved meanwhile is noticed.
        """
        with asking("show the diff of the merge request"):
            path = f"{self._request.manager.path}/{self._request.encoded_id}"
            pages = self._connection.gitlab.http_list(f"{path}/diffs", iterator=True, per_page=PAGE)
            files = [diffs.file(said) for said in pages]
            now = self._connection.gitlab.http_get(path)
            refs = now["diff_refs"] if isinstance(now, dict) else None
        if not refs or commit(refs.get("head_sha")) is None or refs["head_sha"] != self._head:
            raise OffDiff("The merge request has moved on while its diff was read")
        return diffs.Version(
            base=str(refs["base_sha"]),
            start=str(refs["start_sha"]),
            head=str(refs["head_sha"]),
            files={file.new_path: file for file in files},
        )

    def _is_ours(self, said: dict[str, Any]) -> bool:
        first = said["notes"][0]
        return first.get("type") == "DiffNote" and self._connection.wrote(first)


def _thread(said: dict[str, Any], own_id: int) -> Thread:
    """Resolved is a thread whose notes all are; by us only when we resolved every one."""
    notes = [note for note in said["notes"] if note.get("resolvable")]
    resolved = bool(notes) and all(note.get("resolved") for note in notes)
    return Thread(
        id=str(said["id"]),
        comment_id=str(int(said["notes"][0]["id"])),
        body=str(said["notes"][0]["body"]),
        resolved=resolved,
        resolved_by_us=resolved
        and all((note.get("resolved_by") or {}).get("id") == own_id for note in notes),
    )


def _about_the_line(error: GitlabCreateError) -> bool:
    """``Note {:line_code=>["can't be blank", "must be a valid line code"]}`` and the like."""
    said = str(error.error_message)
    return "line_code" in said or "position" in said
