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


class Incomparable(EngineFailed):
    """A text that is no version of its ecosystem."""


@lru_cache(maxsize=65_536)
def pep440_key(text: str) -> Version:
    """PEP 440's order; raises Incomparable."""
    try:
        return Version(_short(text))
    except InvalidVersion as error:
        raise Incomparable(f"{text!r} is no PEP 440 version") from error


@lru_cache(maxsize=65_536)
def semver_key(text: str) -> tuple[tuple[int, int, int], tuple[tuple[int, int, str], ...]]:
    """SemVer's precedence; missing minor and patch count as 0; raises Incomparable."""
    found = _SEMVER.match(_short(text))
    if found is None:
        raise Incomparable(f"{text!r} is no semantic version")
    major, minor, patch, pre = found.groups()
    release = (int(major), int(minor or 0), int(patch or 0))
    return release, _precedence(pre)


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


def _short(text: str) -> str:
    if len(text) > MAX_LENGTH:
        raise Incomparable("the version is longer than any real one")
    return text


def _precedence(pre: str | None) -> tuple[tuple[int, int, str], ...]:
    """Numbers below words, fewer parts below more, and a release above all its pre-releases."""
    if pre is None:
        return ((2, 0, ""),)
    return tuple(_part(part) for part in pre.split("."))


def _part(part: str) -> tuple[int, int, str]:
    return (0, int(part[:256]), "") if part.isdigit() else (1, 0, part)
