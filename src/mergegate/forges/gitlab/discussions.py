"""Review threads on the lines of a merge request."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from typing import Any

from gitlab.exceptions import GitlabCreateError
from gitlab.v4.objects import ProjectMergeRequest

from mergegate.core.errors import OffDiff
from mergegate.forges.gitlab.connection import PAGE, Connection, asking, commit, every, number
from mergegate.forges.gitlab.notes import posted
from mergegate.forges.publication import Remark, Thread

_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the new file that the diff shows."""

    old: int
    """Its number in the old file; of an added line the number of the old line that follows."""
    new: int
    """Its number in the new file, from 1."""
    added: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """What the diff says of one file."""

    old_path: str
    new_path: str
    lines: Mapping[int, Line] | None
    """Line number in the new file → line; None where GitLab shows no diff of this size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """The state of a merge request that a thread is fixed to."""

    base: str
    start: str
    head: str
    files: Mapping[str, File]
    """Path after the change → file."""


def file(said: Mapping[str, Any]) -> File:
    """One entry of ``/diffs``; raises KeyError when it is none."""
    hidden = bool(said.get("collapsed") or said.get("too_large"))
    return File(
        old_path=str(said["old_path"]),
        new_path=str(said["new_path"]),
        lines=None if hidden else lines(str(said["diff"])),
    )


def lines(diff: str) -> dict[int, Line]:
    """The new and the unchanged lines of a file's hunks, by number in the new file."""
    return {line.new: line for line in _lines(diff)}


def _lines(diff: str) -> Iterator[Line]:
    old = new = old_left = new_left = 0
    for row in diff.split("\n"):
        header = _HUNK.match(row)
        if header:
            old, new = int(header[1]), int(header[3])
            old_left, new_left = int(header[2] or 1), int(header[4] or 1)
        elif row.startswith("+") and new_left:
            yield Line(old, new, added=True)
            new, new_left = new + 1, new_left - 1
        elif row.startswith("-") and old_left:
            old, old_left = old + 1, old_left - 1
        elif not row.startswith("\\") and old_left and new_left:
            yield Line(old, new, added=False)
            old, new, old_left, new_left = old + 1, new + 1, old_left - 1, new_left - 1


def positions(version: Version, path: str, start: int, end: int) -> Iterator[dict[str, Any]]:
    """Where to put a thread about ``start``–``end``, best first; nothing when it has no place.

    First the range, then its last line: GitLab keeps a thread at the last line in any case.
    An added line is named by its new number, an unchanged one by both
    (https://docs.gitlab.com/api/discussions/, read for 19.5).
    """
    file = version.files.get(path)
    if file is None:
        return
    place = _place(version, file)
    if file.lines is None:
        # GitLab itself knows the lines that it does not show; an added one needs no old number.
        yield place | {"new_line": end}
        return
    last = file.lines.get(end)
    if last is None:
        return
    place |= _numbers(last)
    first = file.lines.get(start)
    if first is not None and first.new < last.new:
        yield place | {"line_range": {"start": _edge(file, first), "end": _edge(file, last)}}
    yield place


def _place(version: Version, file: File) -> dict[str, Any]:
    return {
        "position_type": "text",
        "base_sha": version.base,
        "start_sha": version.start,
        "head_sha": version.head,
        "old_path": file.old_path,
        "new_path": file.new_path,
    }


def _numbers(line: Line) -> dict[str, int]:
    return {"new_line": line.new} if line.added else {"old_line": line.old, "new_line": line.new}


def _edge(file: File, line: Line) -> dict[str, Any]:
    # Not for secrecy: GitLab names a file by this hash of its path.
    name = hashlib.sha1(file.new_path.encode(), usedforsecurity=False).hexdigest()
    return {
        "line_code": f"{name}_{line.old}_{line.new}",
        "type": "new" if line.added else None,
        "old_line": None if line.added else line.old,
        "new_line": line.new,
    }


class Discussions:
    """The threads of a merge request that are ours."""

    def __init__(
        self, connection: Connection, request: ProjectMergeRequest, head: str | None
    ) -> None:
        self._connection = connection
        self._request = request
        self._head = head

    def threads(self) -> Sequence[Thread]:
        """The threads on lines whose first note is ours, oldest first; raises ForgeError."""
        with asking("list the discussions"):
            found = every(self._request.discussions.list(iterator=True, per_page=PAGE))
            ours = [_thread(said, self._connection.own_id) for said in found if self._is_ours(said)]
        return sorted(ours, key=lambda thread: number(thread.comment_id))

    def open(self, remark: Remark) -> None:
        """A thread on the lines, or on the last of them; raises OffDiff where there is no place."""
        places = positions(self._version, remark.path, remark.start_line, remark.end_line)
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
    def _version(self) -> Version:
        """The diff that threads are fixed to; raises OffDiff when it is not that of the head.

        The head is read after the diff: one that moved meanwhile is noticed.
        """
        with asking("show the diff of the merge request"):
            path = f"{self._request.manager.path}/{self._request.encoded_id}"
            pages = self._connection.gitlab.http_list(f"{path}/diffs", iterator=True, per_page=PAGE)
            files = [file(said) for said in pages]
            now = self._connection.gitlab.http_get(path)
            refs = now["diff_refs"] if isinstance(now, dict) else None
        if not refs or commit(refs.get("head_sha")) is None or refs["head_sha"] != self._head:
            raise OffDiff("The merge request has moved on while its diff was read")
        return Version(
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
