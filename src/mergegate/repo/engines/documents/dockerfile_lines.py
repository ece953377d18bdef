"""Lines of a Dockerfile as the instructions that BuildKit takes them for."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_DIRECTIVE = re.compile(r"#\s*([A-Za-z][A-Za-z0-9]*)\s*=\s*(.+?)\s*$")
_NAME = re.compile(r"(?:ONBUILD\s+)?(?:RUN|COPY|ADD)(?=\s)", re.IGNORECASE)
_WORD = re.compile(r"\s*((?:[^\s\"'\\]|\\.|\\$|\"(?:\\.|[^\"\\])*\"|'[^']*')+)", re.DOTALL)
_HEREDOC = re.compile(r"\d*<<(-?)([^<]+)")


@dataclass(frozen=True, slots=True)
class Entry:
    """An instruction as it is written."""

    text: str
    """Its lines joined by blanks, comments left out; here-documents after them, line by line."""
    start: int
    end: int
    breaks: Sequence[int]
    """Where in the text each further line of the instruction begins."""


def entries(text: str) -> Iterator[Entry]:
    """The instructions in order. Only a line feed ends a line: no other sign does for a builder."""
    return _Lines(text).entries()


class _Lines:
    def __init__(self, text: str) -> None:
        self._lines = [line.removesuffix("\r") for line in text.split("\n")]
        self._escape = self._escape_said()
        self._places: dict[bool, dict[str, list[int]]] = {}

    def _escape_said(self) -> str:
        """What joins lines; directives stand before all else."""
        for line in self._lines:
            said = _DIRECTIVE.match(line.strip())
            if said is None:
                break
            if said[1].lower() == "escape":
                return said[2] if said[2] == "`" else "\\"
        return "\\"

    def entries(self) -> Iterator[Entry]:
        at = 0
        while at < len(self._lines):
            start = at
            if not self._lines[at].strip() or self._lines[at].lstrip().startswith("#"):
                at += 1
                continue
            first, breaks, at = self._continued(at)
            body, at = self._heredocs(first, at)
            yield Entry("\n".join((first, *body)), start + 1, at, breaks)

    def _continued(self, at: int) -> tuple[str, list[int], int]:
        """The lines of one instruction as one, where each begins, and the index after them."""
        parts: list[str] = []
        breaks: list[int] = []
        length = 0
        is_apart = True
        while at < len(self._lines):
            raw = self._lines[at]
            line = raw.strip()
            at += 1
            if parts:
                breaks.append(length)
            if line.startswith("#") or not line:
                continue
            goes_on = self._goes_on(line)
            said = line.removesuffix(self._escape) if goes_on else line
            # A word may go on in the next line, where no blank stands between its parts.
            blank = " " if parts and (is_apart or raw[0].isspace()) else ""
            parts.append(blank + said.strip())
            length += len(parts[-1])
            is_apart = said.strip() != said
            if not goes_on:
                break
        return "".join(parts), [at + 1 for at in breaks], at

    def _goes_on(self, line: str) -> bool:
        """Whether a line is joined with the next; two of the signs stand for one of them."""
        return line.endswith(self._escape) and not line.endswith(self._escape * 2)

    def _heredocs(self, line: str, at: int) -> tuple[list[str], int]:
        """The here-documents that a line announces, and the index after them.

        One that nothing ends is none: what follows is searched as what it looks like.
        """
        body: list[str] = []
        for strips, name in _announced(line) if "<<" in line else ():
            end = self._end(name, strips, at)
            if end is None:
                break
            body += self._lines[at:end]
            at = end + 1
        return body, at

    def _end(self, name: str, strips: bool, at: int) -> int | None:
        if strips not in self._places:
            found = defaultdict(list)
            for number, line in enumerate(self._lines):
                found[line.lstrip("\t") if strips else line].append(number)
            self._places[strips] = dict(found)
        places = self._places[strips].get(name, ())
        place = bisect_left(places, at)
        return places[place] if place < len(places) else None


def _announced(line: str) -> Sequence[tuple[bool, str]]:
    """The here-documents that a line begins: whether tabs before their lines count, and the ends.

    Within quotes there is none, nor in a line whose quotes do not end.
    """
    found: list[tuple[bool, str]] = []
    name = _NAME.match(line)
    at = name.end() if name else len(line)
    while at < len(line):
        word = _WORD.match(line, at)
        if word is None:
            return found if not line[at:].strip() else ()
        at = word.end()
        if said := _HEREDOC.fullmatch(word[1]):
            found.append((said[1] == "-", re.sub(r"[\"'\\]", "", said[2])))
    return found
