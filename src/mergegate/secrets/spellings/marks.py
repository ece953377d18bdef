"""What announces that something is spelled otherwise: words of ``marks.toml``."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from mergegate.core.data_table import read_lists
from mergegate.secrets.literals import Literals
from mergegate.secrets.source import Source

_MARKS = read_lists(Path(__file__).with_suffix(".toml"))
_WORDS = Literals(word for words in _MARKS.values() for word in words)

Marks = Mapping[str, Sequence[int]]
"""Kind → where a word of it stands, in order."""


def marks(source: Source) -> Marks:
    """All of a text."""
    found = _WORDS.places(source.lower)
    return {
        kind: sorted(place for word in words for place in found.get(word, ()))
        for kind, words in _MARKS.items()
    }
