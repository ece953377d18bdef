"""The CI files of a repository on disk: read as hostile, written with care."""

import fnmatch
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.errors import TargetError
from mergegate.doctor.predict.bitbucket.pipeline import ENTRY as BITBUCKET
from mergegate.doctor.predict.github.view import FOLDER
from mergegate.doctor.predict.gitlab.pipeline import ENTRY as GITLAB
from mergegate.doctor.predict.gitlab.pipeline import local_includes
from mergegate.doctor.predict.yaml.parse import ABSENT, LARGEST_CHARACTERS, Unreadable, root
from mergegate.sandbox.files.stage import read_regular
from mergegate.sandbox.git.repository import Repository

MOST_FILES = 200
_FIXED = frozenset(
    {
        GITLAB,
        BITBUCKET,
        "action.yml",
        "action.yaml",
        ".github/dependabot.yml",
        ".github/dependabot.yaml",
    }
)


def wanted(listed: Iterable[str], held: Mapping[str, str]) -> tuple[str, ...]:
    """The paths in ``listed`` that are to be read next; empty when ``held`` is complete.

    Call it again with what was read: a file may include others.
    """
    patterns = [
        pattern
        for path, text in held.items()
        if path == GITLAB or not (path in _FIXED or path.startswith(FOLDER))
        for pattern in _included(text)
    ]
    found = [
        path
        for path in listed
        if path not in held and (_is_fixed(path) or _is_included(path, patterns))
    ]
    return tuple(sorted(found)[: max(MOST_FILES - len(held), 0)])


def _is_fixed(path: str) -> bool:
    return path in _FIXED or (
        path.startswith(FOLDER)
        and path.endswith((".yml", ".yaml"))
        and "/" not in path.removeprefix(FOLDER)
    )


def _is_included(path: str, patterns: list[str]) -> bool:
    return any(path == one or ("*" in one and fnmatch.fnmatchcase(path, one)) for one in patterns)


def _included(text: str) -> tuple[str, ...]:
    try:
        return local_includes(root(text) or ABSENT)
    except Unreadable:
        return ()


_MOST_LISTED = 20_000
_MOST_BYTES = 4 * LARGEST_CHARACTERS
"""A character takes at most four bytes."""
_ENDINGS = (".yml", ".yaml")
_LEFT_OUT = frozenset({".git", "node_modules", ".venv", "venv"})
_NOT_TEXT = "\0"
"""Stands for a file that is not UTF-8: no reader takes it, and nothing is ever written back."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """A folder, and the Git repository around it where there is one."""

    root: Path
    repository: Repository | None

    @classmethod
    def at(cls, path: Path) -> "Checkout":
        """The checkout at ``path``."""
        root = path.resolve()
        return cls(root, Repository.around(root))

    @property
    def branch(self) -> str | None:
        """The branch checked out; None when detached or unknown."""
        return self.repository.branch() if self.repository else None

    @property
    def provider(self) -> str | None:
        """The platform that the origin tells; None where it does not."""
        origin = self.repository.origin() if self.repository else None
        return origin[0] if origin else None

    def ci_files(self) -> Mapping[str, str]:
        """Every CI file and what it includes: path with ``/`` → text."""
        listed = tuple(self._listed())
        held: dict[str, str] = {}
        while asked := wanted(listed, held):
            held |= {path: self._text(path) for path in asked}
        return held

    def write(self, changes: Mapping[str, str], read: Mapping[str, str]) -> None:
        """Write ``changes``; raises TargetError when a file is not what was read, or no file."""
        for path in changes:
            if self._text(path, absent="") != read.get(path, ""):
                raise TargetError(
                    f"{path} changed while it was looked at", remedy="Run doctor again."
                )
        for path, text in sorted(changes.items()):
            self._write(path, text.encode("utf-8"))

    def _listed(self) -> Iterator[str]:
        paths = self.repository.listed() if self.repository else None
        names = (raw.decode("utf-8", "replace") for raw in paths) if paths else self._walked()
        yield from (name for name in names if name.endswith(_ENDINGS))

    def _walked(self) -> Iterator[str]:
        seen = 0
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(set(folders) - _LEFT_OUT)
            for name in sorted(files):
                seen += 1
                if seen > _MOST_LISTED:
                    return
                yield (Path(folder) / name).relative_to(self.root).as_posix()

    def _text(self, path: str, absent: str = _NOT_TEXT) -> str:
        location = self.root / path
        if not self._inside(location):
            return _NOT_TEXT
        try:
            return read_regular(location, _MOST_BYTES + 1).decode("utf-8")
        except FileNotFoundError:
            return absent
        except (OSError, UnicodeDecodeError):
            return _NOT_TEXT

    def _inside(self, location: Path) -> bool:
        """Whether no link on the way leads out of the repository."""
        return location.parent.resolve().is_relative_to(self.root)

    def _write(self, path: str, content: bytes) -> None:
        location = self.root / path
        if not self._inside(location) or location.is_symlink():
            raise TargetError(f"{path} leads out of the repository", remedy="Remove the link.")
        try:
            location.parent.mkdir(parents=True, exist_ok=True)
            _replace(location, content)
        except OSError as error:
            raise TargetError(f"{path} cannot be written: {error.strerror}") from error


def _replace(location: Path, content: bytes) -> None:
    """Whole or not at all; an existing file keeps its mode."""
    fresh = location.with_name(f".{location.name}.{os.getpid()}")
    mode = location.stat().st_mode & 0o777 if location.exists() else 0o644
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        fresh.chmod(mode)
        fresh.replace(location)
    finally:
        with suppress(FileNotFoundError):
            fresh.unlink()
