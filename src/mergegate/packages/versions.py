"""Orders of versions.

PyPI: PEP 440, by ``packaging``. npm, Go and crates.io: Semantic Versioning 2.0.0, item 11; Go's
pseudo-versions are pre-releases of it and ``+incompatible`` is build metadata, which never
counts.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from packaging.version import InvalidVersion, Version

from mergegate.core.errors import EngineFailed

MAX_LENGTH = 256

_SEMVER = re.compile(
    r"^[v=]*(\d{1,40})(?:\.(\d{1,40}))?(?:\.(\d{1,40}))?"
    r"(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]*)?$",
    re.ASCII,
)

Key = Any
"""Comparable with keys of the same order only."""
Order = Callable[[str], Key]
"""Version → what sorts; raises Incomparable."""
Span = Callable[[str], tuple[Key, Key]]
"""Text that is no version, but begins with one's release → the first key of all versions that it
may mean, and the first beyond them; raises Incomparable."""


_RELEASE = re.compile(r"[v=]*(\d{1,40}(?:\.\d{1,40}){0,9})(?!\d)", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


class Incomparable(EngineFailed):
    """A text that is no version of its ecosystem."""


def pep440_span(text: str) -> tuple[Version, Version]:
    """``2.6.0-NA`` means some version from 2.6.0.dev0 to before 2.6.1.dev0; raises Incomparable."""
    release, following = _release(text)
    return pep440_key(f"{release}.dev0"), pep440_key(f"{following}.dev0")


def semver_span(text: str) -> tuple[Key, Key]:
    """``1.2.3.4`` means some version of 1.2.3, ``1.2.x`` one of 1.2; raises Incomparable."""
    release, following = _release(text, most=3)
    return semver_key(f"{release}-0"), semver_key(f"{following}-0")


def no_span(text: str) -> tuple[Key, Key]:
    """Nothing is known of texts that are no version; raises Incomparable."""
    raise Incomparable(f"{text!r} is no version")


@lru_cache(maxsize=65_536)
def pep440_key(text: str) -> Version:
    """PEP 440's order; raises Incomparable."""
    try:
        return Version(short(text))
    except InvalidVersion as error:
        raise Incomparable(f"{text!r} is no PEP 440 version") from error


@lru_cache(maxsize=65_536)
def semver_key(text: str) -> tuple[tuple[int, int, int], tuple[tuple[int, int, str], ...]]:
    """SemVer's precedence; missing minor and patch count as 0; raises Incomparable."""
    found = _SEMVER.match(short(text))
    if found is None:
        raise Incomparable(f"{text!r} is no semantic version")
    major, minor, patch, pre = found.groups()
    release = (int(major), int(minor or 0), int(patch or 0))
    return release, precedence(pre)


def pep440_line(text: str) -> tuple[int, int]:
    """Epoch and major version, which small upgrades keep; raises Incomparable."""
    version = pep440_key(text)
    return version.epoch, version.major


def semver_line(text: str) -> tuple[int, int]:
    """Major version, and by SemVer's rule for unstable ones the minor of major 0."""
    major, minor, _ = semver_key(text)[0]
    return major, 0 if major else minor


def go_line(text: str) -> int:
    """Major version, which is part of a module's path from 2 on; raises Incomparable."""
    return semver_key(text)[0][0]


def go_spelling(version: str) -> str:
    """``version`` with the leading ``v`` that Go's tools expect."""
    return f"v{version.removeprefix('v')}"


def crate_spelling(version: str) -> str:
    """Without ``-0``, by which RustSec marks the pre-releases of a release."""
    return version.removesuffix("-0")


def _release(text: str, most: int = 10) -> tuple[str, str]:
    """The numbers that ``text`` begins with, and the next ones of as many parts.

    Raises Incomparable where there are none, and for a day: its year is no release.
    """
    found = _RELEASE.match(short(text))
    if found is None or _DAY.match(text):
        raise Incomparable(f"{text!r} does not begin with a release")
    parts = found.group(1).split(".")[:most]
    return ".".join(parts), ".".join([*parts[:-1], str(int(parts[-1]) + 1)])


def short(text: str) -> str:
    """``text``; raises Incomparable where no real version is as long."""
    if len(text) > MAX_LENGTH:
        raise Incomparable("the version is longer than any real one")
    return text


def precedence(pre: str | None) -> tuple[tuple[int, int, str], ...]:
    """Numbers below words, fewer parts below more, and a release above all its pre-releases."""
    if pre is None:
        return ((2, 0, ""),)
    return tuple(_part(part) for part in pre.split("."))


def _part(part: str) -> tuple[int, int, str]:
    return (0, int(part[:256]), "") if part.isdigit() else (1, 0, part)
