"""Client secrets of native programs, told by what the code does with them.

Everyone who has such a program has its secret, so it proves nothing (RFC 8252, section 8.5). No
name, comment or import shows that: the file has to hand the value to a library that signs the
program's own user in, and to use it nowhere else.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mergegate.core.data_table import Named, read_table
from mergegate.secrets.source import Hit, Source

CLIENT_SECRETS = frozenset({"google-oauth-secret", "token-literal"})
"""The detectors that tell one."""
LARGEST_BYTES = 1 << 20
"""A longer file is not parsed: what signs a user in is short."""


@dataclass(frozen=True, kw_only=True)
class Flow:
    """A library's type or function, or a kind of file, that takes such a secret."""

    id: str
    suffix: str
    """The suffix of the files it is used in, which tells their grammar."""
    library: str
    """As it is imported; of a kind of file, what always stands in it."""
    name: str = ""
    """The type or function, behind the library's name; empty where the file as a whole is meant."""
    argument: str = ""
    """The name of a function's first argument, which holds the settings."""
    path: tuple[str, ...]
    """The keys that lead from the settings to the secret."""
    only: str = ""
    """The one key that the settings may have."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """What stands beside the secret: key → what the whole text of its value matches."""


FLOWS = tuple(read_table(Path(__file__).with_name("flows.toml"), Flow).values())
_LITERALS_IN = Named("mergegate.secrets.native.syntax.literals_for")
"""Grammars are loaded for a file that needs one, and few do."""


def native(
    source: Source, values: Mapping[tuple[str, str], Sequence[Hit]]
) -> frozenset[tuple[str, str]]:
    """Those of ``values``, detectors with secrets, that only sign-ins of native programs use."""
    asked = [one for one in values if one[0] in CLIENT_SECRETS]
    flows = [one for one in FLOWS if one.suffix == source.suffix and one.library in source.text]
    if not asked or not flows or len(source.data) > LARGEST_BYTES:
        return frozenset()
    spans: Sequence[tuple[int, int]] = sorted(_LITERALS_IN(source.data, source.suffix, flows))
    return frozenset(
        one
        for one in asked
        if all(_is_within(place, spans) for place in _places(source.text, one[1], values[one]))
    )


def _places(text: str, value: str, hits: Iterable[Hit]) -> Iterator[tuple[int, int]]:
    """Where ``value`` stands: where a detector found it, spelled otherwise too, and elsewhere."""
    for hit in hits:
        yield hit.start, hit.end
    place = text.find(value)
    while place >= 0:
        yield place, place + len(value)
        place = text.find(value, place + len(value))


def _is_within(place: tuple[int, int], spans: Sequence[tuple[int, int]]) -> bool:
    """Whether one of the sorted ``spans``, which lie apart, holds all of ``place``."""
    start, end = place
    before = bisect_right(spans, (start, end)) - 1
    return before >= 0 and spans[before][0] <= start and end <= spans[before][1]
