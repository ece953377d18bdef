"""Whether a version is affected: OSV's evaluation algorithm (schema 1.7, section Evaluation)."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from mergegate.packages.dependencies import AdvisoryRecord, AffectedRange
from mergegate.packages.versions import Incomparable, Key, Order

# At one version a fix comes before a new introduction: then the version itself is affected.
_ORDER = {"fixed": 0, "last_affected": 0, "introduced": 1}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a record says of a version."""

    affected: bool
    doubts: tuple[str, ...] = ()
    """Parts of the record that could not be compared, one sentence each."""


def evaluate(record: AdvisoryRecord, order: Order, version: str) -> Evaluation:
    """By the listed versions or any range.

    Raises Incomparable when ``version`` has no place in ``order`` and not listed as it stands.
    """
    if version in record.versions:
        return Evaluation(True)
    wanted = order(version)
    doubts: list[str] = []
    for piece in record.ranges:
        try:
            if _in_range(piece, order, wanted):
                return Evaluation(True)
        except Incomparable as error:
            doubts.append(f"{record.id}: {error}")
    listed = wanted in _listed(record.versions, order)
    return Evaluation(listed, () if listed else tuple(doubts))


def fixes(record: AdvisoryRecord) -> Iterator[str]:
    """Every version that the record calls fixed."""
    for piece in record.ranges:
        yield from (version for event, version in piece.events if event == "fixed")


@lru_cache(maxsize=4096)
def _listed(versions: tuple[str, ...], order: Order) -> frozenset[Key]:
    """Listed versions by key, so that other spellings of them are found as well."""
    return frozenset(_keys(versions, order))


def _keys(versions: tuple[str, ...], order: Order) -> Iterator[Key]:
    for version in versions:
        try:
            yield order(version)
        except Incomparable:
            continue  # listed as text: one that cannot be compared is no spelling of another


def _in_range(piece: AffectedRange, order: Order, wanted: Key) -> bool:
    if not _before_limits(piece, order, wanted):
        return False
    affected = False
    for event, bound in _bounds(piece, order):
        if event == "introduced" and (bound is None or wanted >= bound):
            affected = True
        elif bound is not None and (
            (event == "fixed" and wanted >= bound) or (event == "last_affected" and wanted > bound)
        ):
            affected = False
    return affected


def _before_limits(piece: AffectedRange, order: Order, wanted: Key) -> bool:
    limits = [version for event, version in piece.events if event == "limit"]
    return not limits or any(limit == "*" or wanted < order(limit) for limit in limits)


@lru_cache(maxsize=16_384)
def _bounds(piece: AffectedRange, order: Order) -> tuple[tuple[str, Key | None], ...]:
    """Events by version; None stands for ``0``, which is before every version."""
    events = [event for event in piece.events if event[0] in _ORDER]
    first = [(name, None) for name, version in events if version == "0"]
    rest = [(name, order(version)) for name, version in events if version != "0"]
    rest.sort(key=lambda event: _ORDER[event[0]])
    rest.sort(key=lambda event: event[1])
    return (*first, *rest)
