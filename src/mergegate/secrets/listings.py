"""Lists of accounts that nothing but the name of their file tells: each line is one of a kind."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mergegate.core.data_table import read_table
from mergegate.core.severity import Confidence
from mergegate.secrets import filters
from mergegate.secrets.source import Hit, Source

DETECTOR = "listed-password"
_LONGEST = 65_536
_SUFFIXES = frozenset({"", ".conf", ".txt", ".client", ".properties", ".users", ".passwd"})


@dataclass(frozen=True)
class Listing:
    """One kind of line, and the files that consist of such lines."""

    id: str
    names: str
    """The end of the path, in small letters."""
    line: str
    """The whole line; its group ``value`` is secret."""

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern of a line."""
        return re.compile(self.line)


_LISTINGS = tuple(read_table(Path(__file__).with_suffix(".toml"), Listing).values())
_NAMES = re.compile("|".join(rf"(?:^|/)(?:{one.names})$" for one in _LISTINGS))


def is_listing(path: str) -> bool:
    """Whether a file at ``path``, in small letters, is known to be such a list."""
    return _NAMES.search(path) is not None


def listings(source: Source) -> Iterator[Hit]:
    """The passwords of a file of which every line is of one kind; its path decides later."""
    if source.suffix not in _SUFFIXES or len(source.text) > _LONGEST:
        return
    for listing in _LISTINGS:
        for match in _accounts(source.text, listing.compiled):
            value = match["value"]
            if filters.classes(value) >= 2 and len(value) >= 6 and not _is_plain(value):
                yield Hit(*match.span("value"), DETECTOR, Confidence.MEDIUM, rank=0)


def _is_plain(value: str) -> bool:
    doubts = (filters.is_common, filters.is_placeholder, filters.is_name, filters.is_pattern)
    return any(doubt(value) for doubt in doubts)


def _accounts(text: str, line: re.Pattern[str]) -> Sequence[re.Match[str]]:
    """One match a line; none where a line that is no comment is of another kind."""
    found: list[re.Match[str]] = []
    start = 0
    for written in text.splitlines(keepends=True):
        plain = written.rstrip()
        if plain and not plain.startswith(("#", ";")):
            match = line.fullmatch(text, start, start + len(plain))
            if match is None:
                return ()
            found.append(match)
        start += len(written)
    return found
