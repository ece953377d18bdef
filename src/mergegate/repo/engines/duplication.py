"""Find long blocks of production code that repeat earlier ones, line for line.

Lines are compared without layout; comments, docstrings, imports, lone brackets and rows of numbers
are left out. Where fifty lines in a row all occur twice, windows of them are hashed as they roll
by; every sixteenth is remembered, so that memory stays small and every clone of the least length
still contains one. Time is linear.
"""

import re
import time
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mergegate import __version__
from mergegate.core.errors import EngineFailed, EngineTimeout
from mergegate.core.report import EngineRun, EngineStatus
from mergegate.core.tree import Reason, Skipped, SourceFile, Tree
from mergegate.repo.engines.lizard import is_written
from mergegate.repo.facts.code import Clone, Duplication, Span
from mergegate.sandbox.engines.engine import EngineContext, Gathered
from mergegate.sandbox.files.stage import read_regular

LEAST_LINES = 50
"""Compared lines that make a clone: shorter repetition is often the clearer code."""
MAX_FILE_BYTES = 2 << 20
MAX_LINES = 2_000_000
_TOO_LARGE = f"duplication: larger than {MAX_FILE_BYTES >> 20} MiB"
LANGUAGES = frozenset(
    {
        "bash", "c", "cpp", "csharp", "go", "java", "javascript", "kotlin", "php", "python", "ruby",
        "rust", "scala", "swift", "typescript",
    }
)  # fmt: skip

_WINDOW = 32
_STRIDE = 16
"""A clone of LEAST_LINES holds a remembered window: 32 + 16 - 1 is less than 50."""
_CANDIDATES = 4
"""Earlier places that are tried for a window; more occur only in generated code."""
_LONG_RUN = re.compile(b"\x01{%d,}" % LEAST_LINES)
_PRIME = (1 << 61) - 1
_BASE = 1_000_003
_LEAVING = pow(_BASE, _WINDOW - 1, _PRIME)

_COMMENTS = (b"#", b"//", b"*", b"--")
_IMPORTS = re.compile(
    rb"(?:import|from|use|using|package|require|require_once|include|pub use|extern)\b"
    rb"|export (?:\*|\{)|.{0,80}?= ?require\("
)
_CLOSING = {b"(": b")", b"{": b"}"}
_DOCSTRINGS = re.compile(rb"[rR]?(\"\"\"|''')")
_TELLING = re.compile(rb"[g-wyzG-WYZ_]")
"""A letter that no number holds: brackets alone and rows of numbers are not compared."""


Lines = tuple[tuple[int, bytes], ...]
"""Number and normalised text of the lines of a file that count."""


class DuplicationFinder:
    """Engine: clones across the production code of the whole tree."""

    name = "duplication"

    def __init__(self) -> None:
        self._known: dict[str, Lines] = {}

    def version(self) -> str:
        """Ours: no other program takes part."""
        return __version__

    def gather(self, tree: Tree, context: EngineContext) -> Gathered:
        """Every clone; files beyond a limit are named, never dropped in silence.

        Raises EngineTimeout.
        """
        started = time.monotonic()
        _prove()
        wanted = [file for file in tree.files if _wants(file)]
        search, limited = _Search(), list[Skipped]()
        for number, file in enumerate(wanted):
            if time.monotonic() - started > context.limits.timeout_s:
                raise EngineTimeout(f"it did not finish within {context.limits.timeout_s:.0f} s")
            if len(search.ids) > MAX_LINES:
                limited.append(_beyond(wanted[number:]))
                break
            if file.size > MAX_FILE_BYTES:
                limited.append(Skipped(file.path, _TOO_LARGE, file.size, Reason.SIZE))
            else:
                search.read(file.path, self._lines(file))
        run = EngineRun(
            name=self.name,
            version=self.version(),
            status=_status(wanted, limited),
            duration_ms=round((time.monotonic() - started) * 1000),
            files=len(wanted),
        )
        return Gathered((search.fact(),), run, tuple(limited))

    def _lines(self, file: SourceFile) -> Lines:
        """Read once a run: the base of a change holds the same files but a few."""
        if file.digest not in self._known:
            data = read_regular(file.location, MAX_FILE_BYTES)
            self._known[file.digest] = tuple(compared_lines(data))
        return self._known[file.digest]


def _prove() -> None:
    """Raise EngineFailed unless what stands twice is found in known lines."""
    known, search = "\n".join(f"line_{n}()" for n in range(LEAST_LINES)).encode(), _Search()
    for path in ("one", "two"):
        search.read(path, tuple(compared_lines(known)))
    if len(search.fact().clones) != 1:
        raise EngineFailed("the known clone was not found")


def _wants(file: SourceFile) -> bool:
    return file.language in LANGUAGES and is_written(file)


def _beyond(rest: Sequence[SourceFile]) -> Skipped:
    """What is not compared any more, said once."""
    more = f" and {len(rest) - 1:,} more files" if len(rest) > 1 else ""
    why = f"the repository holds more than {MAX_LINES:,} lines: this{more} were not compared"
    return Skipped(rest[0].path, f"duplication: {why}", rest[0].size, Reason.LIMIT)


def _status(wanted: Sequence[SourceFile], limited: Sequence[Skipped]) -> EngineStatus:
    if not wanted:
        return EngineStatus.IDLE
    return EngineStatus.LIMITED if limited else EngineStatus.OK


def compared_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and normalised text of the lines that count."""
    closing = b""
    for number, raw in enumerate(data.split(b"\n"), start=1):
        line = raw.strip()
        if closing:
            closing = b"" if closing in line else closing
        elif line.startswith(b"/*"):
            closing = b"" if b"*/" in line else b"*/"
        elif line.startswith(_COMMENTS):
            continue
        elif _IMPORTS.match(line):
            closing = _CLOSING.get(line[-1:], b"")
        elif quotes := _DOCSTRINGS.match(line):
            closing = b"" if quotes[1] in line[quotes.end() :] else quotes[1]
        elif _TELLING.search(line):
            yield number, b" ".join(line.split())


@dataclass
class _Search:
    """All lines read so far as numbers, equal where the lines are; a break after each file."""

    ids: "array[int]" = field(default_factory=lambda: array("q"))
    numbers: "array[int]" = field(default_factory=lambda: array("l"))
    owners: list[tuple[int, str]] = field(default_factory=list)
    """Where each file's lines start in ``ids``."""
    known: dict[bytes, int] = field(default_factory=dict)
    windows: dict[int, list[int]] = field(default_factory=dict)
    """Hash of a remembered window → where it starts."""
    clones: list[Clone] = field(default_factory=list)
    compared: int = 0

    def read(self, path: str, lines: Lines) -> None:
        """Add a file and record what in it repeats what came before."""
        start = len(self.ids)
        self.owners.append((start, path))
        for number, line in lines:
            self.ids.append(self.known.setdefault(line, len(self.known) + 1))
            self.numbers.append(number)
        self.compared += len(self.ids) - start
        self.ids.append(-len(self.owners))  # equal to nothing: no clone crosses files
        self.numbers.append(0)

    def fact(self) -> Duplication:
        """Every clone among the files that were read."""
        for start, end in self._repeating():
            self._search(start, end)
        return Duplication(tuple(sorted(self.clones)), self.compared)

    def _repeating(self) -> Iterator[tuple[int, int]]:
        """Runs of lines that all occur a second time somewhere: a clone lies in one of them."""
        twice = {identity for identity, count in Counter(self.ids).items() if count > 1}
        marks = bytes([identity in twice for identity in self.ids])
        return (match.span() for match in _LONG_RUN.finditer(marks))

    def _search(self, start: int, end: int) -> None:
        rolled, done, first = 0, start, self._first_line(start)
        for at, identity in enumerate(self.ids[start:end], start=start - _WINDOW + 1):
            if at > start:
                rolled -= self.ids[at - 1] * _LEAVING
            rolled = (rolled * _BASE + identity) % _PRIME
            if at < start:
                continue
            if at >= done:
                done = self._match(self.windows.get(rolled, ()), at, done)
            if (at - first) % _STRIDE == 0:
                places = self.windows.setdefault(rolled, [])
                if len(places) < _CANDIDATES:
                    places.append(at)

    def _first_line(self, place: int) -> int:
        """Where the file that ``place`` lies in starts."""
        return self.owners[bisect_right(self.owners, place, key=lambda owned: owned[0]) - 1][0]

    def _match(self, candidates: Sequence[int], at: int, done: int) -> int:
        """Record the longest, then earliest, clone around ``at``; where it ends, else ``done``.

        Tables are passed over in the same way, lest each of their rows is tried anew.
        """
        found = [self._around(earlier, at, done) for earlier in candidates]
        length, earlier, later = max(
            found, key=lambda around: (around[0], -around[1]), default=(0, 0, 0)
        )
        if length < LEAST_LINES:
            return done
        if not self._is_table(later, length):
            copy, original = self._span(later, length), self._span(earlier, length)
            self.clones.append(Clone(copy, original, length))
        return later + length

    def _around(self, earlier: int, later: int, done: int) -> tuple[int, int, int]:
        """Length and both starts of the equal lines around two places, not overlapping.

        A clone begins less than a stride before the first remembered window in it.
        """
        ids, first = self.ids, max(done, later - _STRIDE)
        while earlier > 0 and later > first and ids[earlier - 1] == ids[later - 1]:
            earlier, later = earlier - 1, later - 1
        length, longest = 0, later - earlier
        while length < longest and ids[earlier + length] == ids[later + length]:
            length += 1
        return length, earlier, later

    def _is_table(self, start: int, length: int) -> bool:
        """Whether the same few lines repeat: rows of data, not code."""
        return len(set(self.ids[start : start + length])) * 2 < length

    def _span(self, start: int, length: int) -> Span:
        owner = bisect_right(self.owners, start, key=lambda owned: owned[0]) - 1
        return Span(self.owners[owner][1], self.numbers[start], self.numbers[start + length - 1])
