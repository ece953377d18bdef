"""Orders of versions that are neither PEP 440's nor plain Semantic Versioning.

Each follows what the ecosystem's own tool does: RubyGems' ``Gem::Version``, Composer's
``composer/semver``, Maven's ``ComparableVersion`` as the POM reference tells it, NuGet's and Pub's
variants of Semantic Versioning, and Conan's.
"""

import re
from functools import lru_cache, total_ordering
from itertools import zip_longest

from mergegate.packages.versions import Incomparable, Key, precedence, semver_key, short

_NUMBER = re.compile(r"[vV]?(\d{1,40})", re.ASCII)
_WORDS = re.compile(r"\d+|[A-Za-z]+", re.ASCII)
_GEM = re.compile(r"\d+(?:\.[0-9A-Za-z]+)*(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?", re.ASCII)


def major_line(text: str) -> int:
    """The number that a version begins with, which small upgrades keep; raises Incomparable."""
    found = _NUMBER.match(short(text))
    if found is None:
        raise Incomparable(f"{text!r} begins with no number")
    return int(found[1])


@lru_cache(maxsize=65_536)
def gem_key(text: str) -> Key:
    """Gem::Version's order: words below numbers, and trailing zeros count for nothing."""
    if not _GEM.fullmatch(short(text)):
        raise Incomparable(f"{text!r} is no version of a gem")
    parts = _WORDS.findall(text.replace("-", ".pre."))
    first = next((at for at, one in enumerate(parts) if not one.isdigit()), len(parts))
    known = [*_without_zeros(parts[:first]), *_without_zeros(parts[first:])]
    return (*((1, int(one), "") if one.isdigit() else (0, 0, one) for one in known), (1, 0, ""))


def _without_zeros(parts: list[str]) -> list[str]:
    while parts and not parts[-1].strip("0"):
        parts = parts[:-1]
    return parts


_COMPOSER = re.compile(
    r"[vV]?(\d{1,40}(?:\.\d{1,40}){0,5})"
    r"(?:[._-]?(stable|beta|b|rc|alpha|a|patch|pl|p)((?:[.-]?\d{1,40}){0,9}))?"
    r"([.-]?dev)?(?:\+\S*)?",
    re.ASCII | re.IGNORECASE,
)
_STAGES = {"a": 1, "alpha": 1, "b": 2, "beta": 2, "rc": 3, "": 4, "stable": 4}
_PATCHED = 5


@lru_cache(maxsize=65_536)
def composer_key(text: str) -> Key:
    """dev < alpha < beta < RC < stable < patch; a branch is no version."""
    found = _COMPOSER.fullmatch(short(text))
    if found is None:
        raise Incomparable(f"{text!r} is no version of Composer's")
    release, stage, number, dev = found.groups()
    parts = tuple(int(one) for one in release.split("."))
    numbers = tuple(int(one) for one in re.findall(r"\d+", number or ""))
    step = _STAGES.get((stage or "").lower(), _PATCHED)
    if dev and not stage:
        step = 0
    return (*parts, *(0,) * (6 - len(parts))), step, numbers, not dev


_MAVEN = re.compile(r"[0-9A-Za-z][\w.+-]*", re.ASCII)
_MAVEN_TOKEN = re.compile(r"([.-]?)(\d+|[^\d.-]+)|([.-])(?=[.-]|$)")
_QUALIFIERS = {"alpha": 0, "beta": 1, "milestone": 2, "rc": 3, "cr": 3, "snapshot": 4,
               "": 5, "final": 5, "ga": 5, "release": 5, "sp": 6}  # fmt: skip
_UNKNOWN = 7
_SHORT_QUALIFIERS = {"a": "alpha", "b": "beta", "m": "milestone"}
_Token = tuple[int, int, str]
"""``(0, rank, word)`` for a qualifier, ``(1, number, "")`` after ``-``, ``(2, …)`` after ``.``."""
_NO_QUALIFIER: _Token = (0, _QUALIFIERS[""], "")


@total_ordering
class MavenVersion:
    """A version by its tokens, which are padded as what they are compared with asks for."""

    def __init__(self, tokens: tuple[_Token, ...]) -> None:
        self._tokens = tokens

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MavenVersion) and self._tokens == other._tokens

    def __hash__(self) -> int:
        return hash(self._tokens)

    def __lt__(self, other: "MavenVersion") -> bool:
        for one, two in zip_longest(self._tokens, other._tokens):
            left, right = one or _padding(two), two or _padding(one)
            if left != right:
                return left < right
        return False


def _padding(other: _Token) -> _Token:
    return (2, 0, "") if other[0] == 2 else _NO_QUALIFIER


@lru_cache(maxsize=65_536)
def maven_key(text: str) -> MavenVersion:
    """ComparableVersion's order; a text without a digit is a name and no version."""
    if not _MAVEN.fullmatch(short(text)) or not re.search(r"\d", text):
        raise Incomparable(f"{text!r} is no version of Maven's")
    return MavenVersion(tuple(_trimmed(_maven_tokens(text.lower()))))


def _maven_tokens(text: str) -> list[tuple[str, _Token]]:
    """Each token with its separator; a change between digits and letters is a hyphen."""
    found: list[tuple[str, _Token]] = []
    matches = list(_MAVEN_TOKEN.finditer(text))
    for at, match in enumerate(matches):
        separator, word = match[1] or match[3] or ("-" if at else "."), match[2] or "0"
        if word.isdigit():
            found.append((separator, (2 if separator == "." else 1, int(word), "")))
            continue
        following = matches[at + 1] if at + 1 < len(matches) else None
        if following and not following[1] and following[2]:
            word = _SHORT_QUALIFIERS.get(word, word)
        rank = _QUALIFIERS.get(word, _UNKNOWN)
        found.append(("-", (0, rank, word if rank == _UNKNOWN else "")))
    return found


def _trimmed(tokens: list[tuple[str, _Token]]) -> list[_Token]:
    """Without the tokens before the end, and before each hyphen, that say nothing."""
    kept: list[_Token] = []
    for separator, token in tokens:
        if separator == "-":
            _drop_empty(kept)
        kept.append(token)
    _drop_empty(kept)
    return kept


def _drop_empty(kept: list[_Token]) -> None:
    while kept and (kept[-1] == _NO_QUALIFIER or kept[-1] in ((1, 0, ""), (2, 0, ""))):
        kept.pop()


_NUGET = re.compile(
    r"(\d{1,40}(?:\.\d{1,40}){0,3})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+\S*)?", re.ASCII
)


@lru_cache(maxsize=65_536)
def nuget_key(text: str) -> Key:
    """Semantic Versioning with a fourth number, and labels whose case counts for nothing."""
    found = _NUGET.fullmatch(short(text))
    if found is None:
        raise Incomparable(f"{text!r} is no version of NuGet's")
    parts = tuple(int(one) for one in found[1].split("."))
    label = found[2].lower() if found[2] else None
    return (*parts, *(0,) * (4 - len(parts))), precedence(label)


@lru_cache(maxsize=65_536)
def pub_key(text: str) -> Key:
    """Semantic Versioning in which build metadata counts last, and none comes first."""
    _, plus, build = text.partition("+")
    return semver_key(text), precedence(build) if plus and build else ()


_CONAN = re.compile(
    r"[0-9A-Za-z_]+(?:\.[0-9A-Za-z_]+)*(?:-[0-9A-Za-z_.-]+)?(?:\+[\w.-]*)?", re.ASCII
)
_CONAN_PART = re.compile(r"(\d*)(\w*)", re.ASCII)


@lru_cache(maxsize=65_536)
def conan_key(text: str) -> Key:
    """Numbers by value, letters behind them by name (``1.1.1q``), pre-releases first."""
    if not _CONAN.fullmatch(short(text)) or not re.search(r"\d", text):
        raise Incomparable(f"{text!r} is no version of Conan's")
    release, dash, before = text.partition("+")[0].partition("-")
    parts = [_conan_part(one) for one in release.split(".")]
    while parts and parts[-1] == (0, ""):
        parts.pop()
    return tuple(parts), precedence(before if dash else None)


def _conan_part(part: str) -> tuple[int, str]:
    found = _CONAN_PART.match(part)
    number, letters = found.groups() if found else ("", part)
    return int(number or -1), letters


_MOVING = re.compile(r"v?(\d{1,40})(?:\.(\d{1,40}))?", re.ASCII)
_NEWEST = str(10**9)


def newest_of_line(text: str) -> str:
    """What the tags ``v4`` and ``v4.1`` of an action mean, which move on with its releases."""
    found = _MOVING.fullmatch(text)
    return f"{found[1]}.{found[2] or _NEWEST}.{_NEWEST}" if found else text
