"""What was left behind: conflict markers, and statements for debugging or for one test alone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mergegate.core.data_table import read_table
from mergegate.repo.engines.markers.hit import Hit
from mergegate.repo.facts.code import MarkerKind

_CONFLICT = re.compile(rb"^(?:<{7} |={7}(?=\r?$)|>{7} )", re.MULTILINE)


def conflicts(data: bytes) -> Iterator[Hit]:
    """Merges of which all three markers stand in order."""
    if b"<<<<<<< " not in data or b">>>>>>> " not in data:
        return
    opened, halved = -1, False
    for mark in _CONFLICT.finditer(data):
        sign = mark[0][:1]
        if sign == b"<":
            opened, halved = mark.start(), False
        elif sign == b"=":
            halved = opened >= 0
        elif halved:
            yield Hit(opened, MarkerKind.CONFLICT, "<<<<<<<")
            opened, halved = -1, False


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement that starts a line, tried only where one of its words occurs."""

    id: str
    languages: tuple[str, ...]
    kind: MarkerKind
    words: tuple[str, ...]
    """The words in lower case."""
    pattern: str

    def search(self, data: bytes, lower: bytes) -> Iterator[Hit]:
        """Each occurrence in ``data``, which in lower case is ``lower``."""
        if any(word.encode() in lower for word in self.words):
            for hit in _starting(self.pattern).finditer(data):
                yield Hit(hit.start(1), self.kind, hit[1].decode("ascii", "replace").strip())


@cache
def _starting(pattern: str) -> re.Pattern[bytes]:
    return re.compile(rb"^[ \t]{0,200}(" + pattern.encode() + rb")", re.MULTILINE)


STATEMENTS = read_table(Path(__file__).with_name("statements.toml"), Statement)
