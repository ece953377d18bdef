"""A private folder in which engines see copies under names of ours.

The scanned tree chooses no file name, no configuration and no link that an engine meets:
each file is copied to ``<digest><suffix>``, so equal files are examined once. Where engines run
under an account of their own, it may read the copies and write into its rooms, nothing else.
"""

import hashlib
import os
import stat
import tempfile
from pathlib import Path
from types import TracebackType

from mergegate.core.errors import EngineFailed
from mergegate.core.tree import SourceFile
from mergegate.sandbox.process.account import engines_account

LARGEST_ANSWER_BYTES = 512 * 1024 * 1024


def read_regular(location: Path, most: int) -> bytes:
    """Up to ``most`` bytes of a regular file; never follows a link, never waits on a pipe."""
    descriptor = os.open(location, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "not a regular file")
        return file.read(most)


def read_answers(location: Path) -> str:
    """What an engine wrote for us; empty when there is no such file. Raises EngineFailed.

    The engine owns the folder: a link to something of ours must not be mistaken for an answer.
    """
    try:
        return read_regular(location, LARGEST_ANSWER_BYTES).decode("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise EngineFailed("the engine's answer is no readable file") from error


def same_bytes(location: Path, digest: str, size: int) -> bytes:
    """The bytes that were listed; raises EngineFailed when the file has changed since."""
    content = read_regular(location, size + 1)
    if hashlib.sha256(content).hexdigest() != digest:
        raise EngineFailed("the file changed during the scan", remedy="Scan again.")
    return content


_ENTER_ONLY, _LOOK, _READ = 0o710, 0o750, 0o640
"""Modes of folders and files for the engines' group, which has no other member."""


class Stage:
    """A context manager; the folder is removed when it closes."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="mergegate-", ignore_cleanup_errors=True)
        self._account = engines_account()
        self.root = Path(self._folder.name)
        """Absolute; also the engines' working folder and HOME."""
        self._show(self.root, _ENTER_ONLY)

    def __enter__(self) -> "Stage":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._folder.cleanup()

    def room(self, name: str) -> Path:
        """An empty folder for one engine, which owns it."""
        room = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self.root))
        if self._account:
            os.chown(room, self._account.uid, self._account.gid)
        return room

    def put(self, file: SourceFile, suffix: str | None = None) -> Path:
        """A copy of ``file`` named by its digest and ``suffix`` (default: its own)."""
        folder = self.root / "files" / file.digest[:2]
        copy = folder / f"{file.digest}{safe_suffix(file.suffix if suffix is None else suffix)}"
        if not copy.exists():
            self._shelf(folder)
            self._write(copy, same_bytes(file.location, file.digest, file.size))
        return copy

    def readable(self, file: SourceFile) -> Path:
        """Where an engine can read ``file``: in place, or a copy where the system refuses that."""
        if self._account is None or self._account.can_read(file.location):
            return file.location
        return self.put(file)

    def _shelf(self, folder: Path) -> None:
        for one in (folder.parent, folder):
            one.mkdir(exist_ok=True)
            self._show(one, _LOOK)

    def _write(self, copy: Path, content: bytes) -> None:
        """Write ``copy`` atomically: another engine may be looking for the same file."""
        descriptor, draft = tempfile.mkstemp(dir=copy.parent)
        with os.fdopen(descriptor, "wb") as out:
            out.write(content)
        self._show(Path(draft), _READ)
        Path(draft).replace(copy)

    def _show(self, path: Path, mode: int) -> None:
        if self._account:
            os.chown(path, -1, self._account.gid)
            path.chmod(mode)


def safe_suffix(suffix: str) -> str:
    """``suffix`` when it is a plain ASCII extension, else nothing."""
    plain = suffix.isascii() and suffix[1:].isalnum() and len(suffix) < 12
    return suffix if plain else ""
