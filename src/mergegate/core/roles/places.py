"""What manifests say of the files around them: packaged, copied, tested, documented, deployed."""

import base64
import binascii
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from mergegate.core.data_table import read_lists, read_table
from mergegate.core.languages import is_code
from mergegate.core.roles.starts import may_start, started
from mergegate.core.tree import Role, SourceFile

_HERE = Path(__file__).parent
_NAMES = {
    name: f"(?:{'|'.join(alternatives)})"
    for name, alternatives in read_lists(_HERE / "names.toml").items()
}
_SUGGESTED = {role: f"(?i:{_NAMES[role]})/" for role in (Role.TEST, Role.EXAMPLE, Role.DOCS)}
_TEST_FOLDER = re.compile(f"(?:.*/)?{_SUGGESTED[Role.TEST]}")
_ALL_TESTS = re.compile(f"(?:.*?/)??{_NAMES['all_tests']}(?=/)")
_GO_TEST_FOLDER = re.compile(f"(?:.*/)?(?i:{_NAMES['go_test']})/")
_DEPLOYMENT = re.compile(_NAMES["deployments"])
_WORD = re.compile(r"[^\s\"',;\[\](){}]+")
_DEEPEST = 128
"""Folders of a path that a deployment names; it is kept once for each of them."""
_DEPLOYED = re.compile(r"[\w.-]+(?:/[\w.-]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A row of ``places.toml``."""

    id: str
    role: Role
    file: str
    up: int = 0
    holds: str = ""
    lists: str = ""
    below: str = ""
    into: str = ""
    data: bool = False
    """Whether no program is meant."""
    whole: bool = False
    """Whether it speaks of the outermost folder above it that holds nothing but tests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Packager:
    """A row of ``packagers.toml``."""

    id: str
    file: str
    holds: str
    packs: str
    lacks: str = "(?!)"
    but: str = "(?!)"


def _spelled(pattern: str) -> str:
    """``pattern`` with the names of folders that suggest a role in their places."""
    for role, names in _SUGGESTED.items():
        pattern = pattern.replace(f"{{{role}}}", names)
    return pattern


@cache
def compiled(pattern: str, flags: re.RegexFlag = re.MULTILINE) -> re.Pattern[str]:
    """``pattern``, with those names, compiled when a tree first has a file for it."""
    return re.compile(_spelled(pattern), flags)


_PLACES = tuple(read_table(_HERE / "places.toml", _Place).values())
_PACKAGERS = tuple(read_table(_HERE / "packagers.toml", _Packager).values())
GO_MODULE = re.compile(r"(?:.*/)?go\.mod")
_MANIFESTS = (*(row.file for row in _PLACES), *(row.file for row in _PACKAGERS), GO_MODULE.pattern)
_MANIFEST = re.compile("|".join(map(_spelled, _MANIFESTS)))


@lru_cache(maxsize=1 << 16)
def is_evidence(path: str) -> bool:
    """Whether the text of the file at ``path`` may say what others are for."""
    return bool(_MANIFEST.fullmatch(path) or _DEPLOYMENT.fullmatch(path)) or may_start(path)


def is_deployment(path: str) -> bool:
    """Whether the file at ``path`` says what runs in production."""
    return _DEPLOYMENT.fullmatch(path) is not None


def is_test_folder(path: str) -> bool:
    """Whether a folder of ``path`` is called as those of tests are; no evidence by itself."""
    return _TEST_FOLDER.match(path) is not None


def is_go_test_folder(path: str) -> bool:
    """Whether a folder of ``path`` is called as only packages for tests are."""
    return _GO_TEST_FOLDER.match(path) is not None


def tree_of_tests(path: str) -> str:
    """The outermost folder of ``path`` that is called as those are which hold tests, else empty."""
    outermost = _ALL_TESTS.match(path)
    return outermost[0] if outermost else ""


@dataclass(frozen=True, slots=True)
class Area:
    """Files below a folder that a manifest speaks of."""

    role: Role
    below: re.Pattern[str]
    listed: Mapping[str, str] | None = None
    """Paths → SHA-256 in hexadecimal, empty for any; None where nothing is listed."""
    data: bool = False
    """Whether it speaks of no program."""

    def means(self, path: str, file: SourceFile) -> bool:
        """Whether it speaks of ``file``, whose path below the folder is ``path``."""
        if not self.below.match(path) or (self.data and is_code(file.language)):
            return False
        return self.listed is None or any(
            self.listed.get(name, "no digest") in ("", file.digest) for name in _prefixes(path)
        )


def _prefixes(path: str) -> Iterator[str]:
    """``path``, what is above it, and it without its suffix."""
    yield path.rpartition(".")[0]
    while path:
        yield path
        path = path.rpartition("/")[0]


def areas(texts: Mapping[str, str]) -> Mapping[str, list[Area]]:
    """Folder → what the manifests among ``texts`` say of files below it."""
    found: dict[str, list[Area]] = defaultdict(list)
    for path, text in texts.items():
        # Else every open bracket would have the rest of the text searched for its end again.
        closed = f"{text}\n])"
        for folder, area in (*_places(path, closed), *_outside(path, closed)):
            found[folder].append(area)
    return found


def _places(path: str, text: str) -> Iterator[tuple[str, Area]]:
    for row in _PLACES:
        if compiled(row.file).fullmatch(path) and (
            not row.holds or compiled(row.holds).search(text)
        ):
            listed = _listed(compiled(row.lists), text) if row.lists else None
            if listed is None or listed:
                yield _folder(row, path), Area(row.role, compiled(row.below), listed, row.data)


def _folder(row: _Place, path: str) -> str:
    """The folder that the file at ``path`` speaks of."""
    outermost = tree_of_tests(path) if row.whole else ""
    inner = [row.into] if row.into else []
    return outermost or "/".join([*path.split("/")[: -1 - row.up], *inner])


def _listed(lists: re.Pattern[str], text: str) -> Mapping[str, str]:
    """Every path that is captured; what is written for the whole folder is none."""
    found = {}
    for match in lists.finditer(text):
        digest = _hexadecimal(match[2]) if lists.groups > 1 else ""
        for word in _WORD.findall(match[1]):
            found[_plain(word)] = digest
    return {name: digest for name, digest in found.items() if name}


def _plain(word: str) -> str:
    """A path as manifests write it, without ``./`` before and wildcards behind."""
    return re.sub(r"/?\*.*$", "", word.removeprefix("./").lstrip("/")).rstrip("/.")


def _hexadecimal(digest: str) -> str:
    """A digest in URL-safe base 64 as hexadecimal; what is none fits no file."""
    try:
        return base64.urlsafe_b64decode(digest + "=" * (-len(digest) % 4)).hex() or "none"
    except (ValueError, binascii.Error):
        return "none"


def _outside(path: str, text: str) -> Iterator[tuple[str, Area]]:
    """The folders for tests, samples and documentation that a manifest does not package."""
    folder = path.rpartition("/")[0]
    for row in _PACKAGERS:
        if not compiled(row.file).fullmatch(path):
            continue
        said = compiled(row.but).sub("", text)
        if compiled(row.holds).search(said) and not compiled(row.lacks).search(said):
            packed = {_packed(name) for name in _listed(compiled(row.packs), said)}
            for role, names in _SUGGESTED.items():
                without = "|".join(map(re.escape, sorted(packed))) or "(?!)"
                yield folder, Area(role, re.compile(f"(?!(?:{without})/){names}"))


def _packed(name: str) -> str:
    """The folder that is packaged; of a file the topmost, as what it needs lies beside it."""
    return name.partition("/")[0] if "." in name.rpartition("/")[2] else name


def deployed(path: str, text: str) -> frozenset[str]:
    """What the text of a deployment may run, as paths below its folder or the root.

    Of a deployment that is every path that it names, of other settings and scripts what they hand
    to a program. Each counts from each of its folders on, dotted modules are paths, and so is what
    stands before a function's name.
    """
    words = _DEPLOYED.findall(text) if _DEPLOYMENT.fullmatch(path) else started(path, text)
    named = (
        one
        for word in map(_plain, words)
        for short in (word, word.rpartition(".")[0])
        for one in {short.strip("/"), short.replace(".", "/").strip("/")}
        if one
    )
    return frozenset(
        "/".join(parts[start:])
        for parts in (one.split("/")[-_DEEPEST:] for one in named)
        for start in range(len(parts))
    )
