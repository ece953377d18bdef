"""Hosts, directives, features, headers, cookies and fields that the checks know by name."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.data_table import read_table


@dataclass(frozen=True, slots=True)
class _List:
    id: str
    names: tuple[str, ...]


KNOWN: Mapping[str, frozenset[str]] = {
    id: frozenset(one.names)
    for id, one in read_table(Path(__file__).with_name("known.toml"), _List).items()
}
"""Names by what they have in common; ``known.toml`` says where they come from."""


def pattern(id: str) -> re.Pattern[str]:
    """A pattern that matches what any pattern of a list does, whatever the letter case."""
    return re.compile("|".join(sorted(KNOWN[id])), re.IGNORECASE)
