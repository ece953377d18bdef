"""Versions and what is asked of them, as Masterminds' library compares them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeAlias

_VERSION = re.compile(
    r"v?(?P<major>\d{1,9}|[xX*])(?:\.(?P<minor>\d{1,9}|[xX*]))?(?:\.(?P<patch>\d{1,9}|[xX*]))?"
    r"(?:-(?P<before>[\w.-]+))?(?:\+[\w.-]+)?"
)
_TERM = re.compile(r"(?P<sign>!=|=<|=>|<=|>=|~>|[=<>^~]?)\s*(?P<version>[^\s,|=<>^~!]+)")
_RANGE = re.compile(r"(\S+)\s+-\s+(\S+)")

_Key: TypeAlias = "tuple[int, int, int]"


@dataclass(frozen=True, slots=True)
class Version:
    """A version, as many of whose numbers count as were written."""

    numbers: tuple[int, ...]
    before: str = ""

    @property
    def key(self) -> _Key:
        """All three numbers."""
        major, minor, patch = (*self.numbers, 0, 0, 0)[:3]
        return major, minor, patch


def parse(written: str) -> Version:
    """Raises ValueError."""
    match = _VERSION.fullmatch(written.strip())
    if match is None:
        raise ValueError("it is no version")
    numbers: list[int] = []
    for name in ("major", "minor", "patch"):
        part = match[name]
        if part is None or not part.isdigit():
            break
        numbers.append(int(part))
    return Version(tuple(numbers), match["before"] or "")


def order(one: Version, other: Version) -> int:
    """Below 0 where ``one`` comes first, 0 where they are equal."""
    if one.key != other.key:
        return -1 if one.key < other.key else 1
    if not one.before or not other.before:
        return bool(other.before) - bool(one.before)
    for here, there in zip_longest(one.before.split("."), other.before.split("."), fillvalue=""):
        if here != there:
            mine, its = _rank(here), _rank(there)
            return -1 if mine < its else 1
    return 0


def _rank(part: str) -> tuple[int, int, str]:
    if not part:
        return 0, 0, ""
    return (1, int(part), "") if part.isdigit() else (2, 0, part)


def _raised(version: Version, at: int) -> Version:
    """The first version whose number ``at`` is greater."""
    numbers = [*version.key[: at + 1]]
    numbers[at] += 1
    return Version((*numbers, *(0,) * (2 - at)))


def _upper(sign: str, wanted: Version) -> Version | None:
    """The end of what a term with ``sign`` allows; None where it has none."""
    given = len(wanted.numbers)
    if not given:
        return None
    if sign == "^":
        first = next((at for at, one in enumerate(wanted.numbers) if one), given - 1)
        return _raised(wanted, min(first, given - 1))
    if sign in {"~", "~>"}:
        return _raised(wanted, min(1, given - 1))
    return _raised(wanted, given - 1)


def _meets(sign: str, wanted: Version, version: Version) -> bool:
    if version.before and not wanted.before:
        return False
    compared = order(version, wanted)
    end = _upper(sign, wanted)
    inside = compared >= 0 and (end is None or order(version, end) < 0)
    if len(wanted.numbers) == 3 and sign in {"", "=", "!="}:
        inside = compared == 0
    return {
        ">": compared > 0 and not (inside and len(wanted.numbers) < 3),
        "<": compared < 0,
        ">=": compared >= 0,
        "=>": compared >= 0,
        "<=": compared <= 0 or inside,
        "=<": compared <= 0 or inside,
        "!=": not inside,
    }.get(sign, inside)


def compare(constraint: str, version: str) -> bool:
    """Whether ``version`` meets ``constraint``. Raises ValueError."""
    found = parse(version)
    return any(_meets_all(one, found) for one in constraint.split("||"))


def _meets_all(constraint: str, version: Version) -> bool:
    written = _RANGE.sub(r">=\1 <=\2", constraint)
    left = _TERM.sub("", written).replace(",", "").strip()
    terms = [(one["sign"], parse(one["version"])) for one in _TERM.finditer(written)]
    if left or not terms:
        raise ValueError("it is no constraint")
    return all(_meets(sign, wanted, version) for sign, wanted in terms)


def _semver(written: str) -> dict[str, object]:
    version = parse(written)
    major, minor, patch = version.key
    return {
        "Major": major,
        "Minor": minor,
        "Patch": patch,
        "Prerelease": version.before,
        "Metadata": "",
        "Original": written,
    }


KNOWING: Mapping[str, Callable[..., object]] = {
    "semverCompare": lambda constraint, version: compare(
        constraint, str(version["Version"] if isinstance(version, dict) else version)
    ),
    "semver": _semver,
}
