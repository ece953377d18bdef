"""Where a line stands in GitLab's diff of a merge request, and how GitLab names the place; pure."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

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
    """By number in the new file; None where GitLab does not show so large a diff."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """The state of a merge request that a thread is fixed to."""

    base: str
    start: str
    head: str
    files: Mapping[str, File]
    """By path after the change."""


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
