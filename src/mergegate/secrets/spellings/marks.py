"""What announces that something is spelled otherwise: words of ``marks.toml``."""

from pathlib import Path

from mergegate.core.data_table import read_lists
from mergegate.secrets.prefilter import literal_places
from mergegate.secrets.source import Source

_MARKS = read_lists(Path(__file__).with_suffix(".toml"))


def marked(source: Source, kind: str) -> list[int]:
    """Where a word of that kind stands, in order."""
    return sorted(place for word in _MARKS[kind] for place in literal_places(source.lower, word))
