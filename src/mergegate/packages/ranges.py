"""Whether an advisory holds a version, also where the boundaries of its ranges are no versions.

A boundary that is none (``2.6.0-NA``) is read as far as it can be, and so that rather more versions
are affected, and of several last affected versions in a row the last one counts; what rests on that
alone is a guess, which is told.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from mergegate.packages.dependencies import AdvisoryRecord, AffectedRange
from mergegate.packages.ecosystems import Ecosystem
from mergegate.packages.versions import Incomparable, Key

# At one version a fix comes before a new introduction: then the version itself is affected. It is
# also affected when it is both the first and the last one.
_WIDE = {"fixed": 0, "introduced": 1, "last_affected": 2}
_NARROW = {"introduced": 0, "fixed": 1, "last_affected": 1}

_Point = tuple[Key, ...]
"""A version's place among all: ``(1, key)``."""
_FIRST: _Point = (0,)
_LAST: _Point = (2,)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a record says of a version."""

    affected: bool
    guesses: tuple[str, ...] = ()
    """Why it is only supposed to be affected, one sentence each; empty where it surely is."""


def evaluate(record: AdvisoryRecord, ecosystem: Ecosystem, version: str) -> Evaluation:
    """Whether ``record`` affects ``version``, by its listed versions or any of its ranges.

    Raises Incomparable when nothing of ``version`` can be compared and it is not listed.
    """
    if version in record.versions:
        return Evaluation(True)
    low, high = _points(ecosystem.meant(version), ecosystem)
    if low == high and low in _listed(record.versions, ecosystem):
        return Evaluation(True)
    ends = (low, high)
    may = any(_holds(piece, ecosystem, at, wide=True) for piece in record.ranges for at in ends)
    if not may or all(
        any(_holds(piece, ecosystem, at, wide=False) for piece in record.ranges) for at in ends
    ):
        return Evaluation(may)
    texts = (version, *(text for piece in record.ranges for _, text in piece.events))
    odd = tuple(dict.fromkeys(_odd(texts, ecosystem)))
    return Evaluation(True, odd or ("it names several last affected versions in a row",))


def fixes(record: AdvisoryRecord) -> Iterator[str]:
    """Every version that the record calls fixed."""
    for piece in record.ranges:
        yield from (version for event, version in piece.events if event == "fixed")


@lru_cache(maxsize=4096)
def _listed(versions: tuple[str, ...], ecosystem: Ecosystem) -> frozenset[_Point]:
    """Listed versions by place, so that other spellings of them are found as well."""
    return frozenset(_places(versions, ecosystem))


def _places(versions: tuple[str, ...], ecosystem: Ecosystem) -> Iterator[_Point]:
    for version in versions:
        try:
            yield 1, ecosystem.order(version)
        except Incomparable:
            continue  # listed as text: one that cannot be compared is no spelling of another


def _holds(piece: AffectedRange, ecosystem: Ecosystem, at: _Point, *, wide: bool) -> bool:
    """``wide``: as many versions as the boundaries may mean, else as few."""
    inside = False
    limits: list[bool] = []
    for event, bound in _bounds(piece, ecosystem, wide):
        if event == "limit":
            limits.append(at < bound)
        elif event == "introduced":
            inside = inside or at >= bound
        elif at > bound or (event == "fixed" and at == bound):
            inside = False
    return inside and (not limits or any(limits))


@lru_cache(maxsize=16_384)
def _bounds(
    piece: AffectedRange, ecosystem: Ecosystem, wide: bool
) -> tuple[tuple[str, _Point], ...]:
    """Events by version; OSV's algorithm would end at the first of several last affected ones."""
    bounds = []
    for event, text in piece.events:
        low, high = _boundary(text, ecosystem)
        bounds.append((event, low if (event == "introduced") is wide else high))
    order = _WIDE if wide else _NARROW
    bounds.sort(key=lambda one: (one[1], order.get(one[0], 3)))
    following = [*(event for event, _ in bounds[1:]), ""]
    return tuple(
        bound
        for bound, after in zip(bounds, following, strict=True)
        if not (wide and bound[0] == after == "last_affected")
    )


def _boundary(text: str, ecosystem: Ecosystem) -> tuple[_Point, _Point]:
    """What lies between may be meant: everything, where nothing of ``text`` can be compared."""
    if text == "0":
        return _FIRST, _FIRST
    if text == "*":
        return _LAST, _LAST
    try:
        return _points(text, ecosystem)
    except Incomparable:
        return _FIRST, _LAST


def _points(text: str, ecosystem: Ecosystem) -> tuple[_Point, _Point]:
    try:
        key = ecosystem.order(text)
    except Incomparable:
        low, high = ecosystem.span(text)
        return (1, low), (1, high)
    return (1, key), (1, key)


def _odd(texts: tuple[str, ...], ecosystem: Ecosystem) -> Iterator[str]:
    """Why each of ``texts`` is no version, where it is none."""
    for text in texts:
        try:
            _ = text in ("0", "*") or ecosystem.order(text)
        except Incomparable as error:
            yield error.what
