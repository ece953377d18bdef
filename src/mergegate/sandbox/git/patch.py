"""Read Git's patches, whose paths and lines are hostile: pure, bytes in, places out."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from mergegate.core.tree import display

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_HEADER = re.compile(rb"^(diff --git |--- |\+\+\+ |rename from |rename to |@@ )(.*)$", re.MULTILINE)
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_LETTERS = {
    b"a": b"\a",
    b"b": b"\b",
    b"t": b"\t",
    b"n": b"\n",
    b"v": b"\v",
    b"f": b"\f",
    b"r": b"\r",
}
_NOWHERE = b"/dev/null"


@dataclass(frozen=True, slots=True)
class Hunk:
    """Where a run of lines stood and stands; with a count of 0, after the line ``start``."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int


@dataclass(slots=True)
class FilePatch:
    """What happened to one file; without hunks it was renamed, or is binary."""

    old: bytes = b""
    new: bytes = b""
    hunks: list[Hunk] = field(default_factory=list)

    def _read(self, keyword: bytes, rest: bytes) -> None:
        if keyword == b"@@ ":
            if match := _HUNK.match(keyword + rest):
                self.hunks.append(_hunk(match))
        elif self.hunks:
            return  # a line of content that looks like a header
        elif keyword in {b"--- ", b"rename from "}:
            self.old = _path(rest, b"a/" if keyword == b"--- " else b"")
        elif keyword in {b"+++ ", b"rename to "}:
            self.new = _path(rest, b"b/" if keyword == b"+++ " else b"")


def files(patch: bytes) -> Iterator[FilePatch]:
    """One entry per file of a patch of one comparison that has hunks or another name."""
    current = FilePatch()
    for match in _HEADER.finditer(patch):
        if match[1] == b"diff --git ":
            yield from _finished(current)
            current = FilePatch()
        else:
            current._read(match[1], match[2])
    yield from _finished(current)


def shown(patch: bytes) -> dict[str, tuple[tuple[int, int], ...]]:
    """Per path of the new tree the inclusive ranges of its lines that the patch holds."""
    return {
        display(file.new): ranges
        for file in files(patch)
        if (ranges := tuple(_range(hunk) for hunk in file.hunks if hunk.new_count))
    }


@dataclass(frozen=True, slots=True)
class Renumbering:
    """Where the lines of one commit stand in another, which differs in some files."""

    moved: Mapping[str, tuple[str, tuple[Hunk, ...]]]
    """Path here → path there, and what changed between; a path not listed is the same."""

    def place(self, path: str, line: int) -> tuple[str, int] | None:
        """Path and line there; None for a line that only this commit has."""
        if path not in self.moved:
            return path, line
        there, hunks = self.moved[path]
        offset = 0
        for hunk in hunks:
            if line < hunk.old_start + max(hunk.old_count, 1):
                if hunk.old_count and line >= hunk.old_start:
                    return None
                break
            offset += hunk.new_count - hunk.old_count
        return there, line + offset


def renumbering(patch: bytes) -> Renumbering:
    """What a patch without context lines says about the numbers of the old lines."""
    return Renumbering(
        {display(file.old): (display(file.new), tuple(file.hunks)) for file in files(patch)}
    )


def _finished(file: FilePatch) -> Iterator[FilePatch]:
    if file.new and file.old:
        yield file


def _hunk(match: re.Match[bytes]) -> Hunk:
    counts = [1 if match[group] is None else int(match[group]) for group in (2, 4)]
    return Hunk(int(match[1]), counts[0], int(match[3]), counts[1])


def _range(hunk: Hunk) -> tuple[int, int]:
    return hunk.new_start, hunk.new_start + hunk.new_count - 1


def _path(text: bytes, prefix: bytes) -> bytes:
    """Git quotes a name with control characters, quotes or backslashes as C would.

    Behind a name with blanks it sets a tab; a name that ends in a tab is quoted.
    """
    if text.startswith(b'"'):
        text = _ESCAPE.sub(_unescaped, text.removesuffix(b"\t")[1:-1])
    else:
        text = text.removesuffix(b"\t")
    return text if text == _NOWHERE else text.removeprefix(prefix)


def _unescaped(match: re.Match[bytes]) -> bytes:
    said = match[1]
    if len(said) == 3:
        return bytes([int(said, 8)])
    return _LETTERS.get(said, said)
