"""How a store comes into its place: built beside it by one at a time, then renamed at once."""

import fcntl
import os
import shutil
import sqlite3
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from mergegate.core.errors import StoreError
from mergegate.packages.advisories import tables

DRAFT = "draft.sqlite"
"""The file in a workplace that becomes the store."""
_HELD = "held"
"""The file that marks a workplace whose folder is locked while its process lives."""
_ABANDONED_S = 24 * 3600.0
"""The age of an abandoned workplace without a lock, as older releases or file systems leave."""


class StoreBusy(StoreError):
    """Another process is writing the store."""


@contextmanager
def alone(store: Path, patience_s: float = 1.0) -> Iterator[None]:
    """One at a time; the lock ends with the process, however that ends.

    Raises StoreBusy, and StoreError where nothing can be written.
    """
    with closing(_lock(store.with_name(f"{store.name}.lock"), patience_s)):
        yield


def _lock(beside: Path, patience_s: float) -> sqlite3.Connection:
    try:
        beside.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as opening:
            lock = sqlite3.connect(beside, timeout=patience_s, isolation_level=None)
            opening.callback(lock.close)
            lock.execute("BEGIN EXCLUSIVE")
            opening.pop_all()
            return lock
    except (OSError, sqlite3.OperationalError) as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            raise StoreBusy("the advisory store is being updated already") from error
        raise StoreError(
            "the advisory store is not writable",
            remedy="Let this account write the folder that holds it.",
        ) from error


@contextmanager
def claimed(store: Path) -> Iterator[None]:
    """One of many who would all renew ``store``; raises at once, as :func:`alone`.

    Unlike that it does not lock the store: a scan that lacks an ecosystem may write meanwhile.
    """
    with alone(store.with_name(f"{store.name}.renewal"), patience_s=0):
        yield


@contextmanager
def workplace(store: Path) -> Iterator[Path]:
    """A folder on the store's own file system, so that the last step is a rename."""
    _remove_abandoned(store)
    with tempfile.TemporaryDirectory(prefix=_prefix(store), dir=store.parent) as made:
        folder = Path(made)
        with _locked(folder) as is_locked:
            if is_locked:
                (folder / _HELD).touch()
            yield folder


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Whether we hold it alone, until this is left or the process ends."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        yield _has_locked(opened)
    finally:
        os.close(opened)


def _has_locked(opened: int) -> bool:
    with suppress(OSError):
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _remove_abandoned(store: Path) -> None:
    """The leftovers of killed processes, which would fill the disk in time."""
    for folder in store.parent.glob(f"{_prefix(store)}*"):
        with suppress(OSError):  # it is no folder, or another removes it too
            if _is_abandoned(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _is_abandoned(folder: Path) -> bool:
    with _locked(folder) as is_locked:
        if (folder / _HELD).exists():
            return is_locked
        return folder.stat().st_mtime < time.time() - _ABANDONED_S


def _prefix(store: Path) -> str:
    return f"{store.name}-"


def complete(draft: Path, store: Path) -> None:
    """Give ``draft`` what ``store`` holds of other ecosystems; raises StoreError."""
    if tables.status(store) is None:
        return
    old = f"{store.resolve().as_uri()}?mode=ro&immutable=1"
    with closing(
        sqlite3.connect(draft.resolve().as_uri(), uri=True, isolation_level=None)
    ) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("ATTACH ? AS old", (old,))
        connection.execute(
            "INSERT INTO affected SELECT * FROM old.affected"
            " WHERE ecosystem NOT IN (SELECT ecosystem FROM main.source)"
        )
        connection.execute(
            "INSERT INTO exploitation SELECT * FROM old.exploitation"
            " WHERE list NOT IN (SELECT ecosystem FROM main.source)"
        )
        connection.execute("INSERT OR IGNORE INTO source SELECT * FROM old.source")


def own(draft: Path) -> None:
    """Make what another account may have drafted ours.

    Raises StoreError for a link, and for what would do more in who opens it than hold records.
    """
    file = os.open(draft, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        facts = os.fstat(file)
        if not stat.S_ISREG(facts.st_mode) or facts.st_nlink != 1:
            raise StoreError("what was drafted for the advisory store is no file of its own")
        if facts.st_uid != os.geteuid():
            os.fchown(file, os.geteuid(), os.getegid())
    finally:
        os.close(file)
    tables.refuse_others(draft)


def replace(draft: Path, store: Path) -> None:
    """Rename ``draft`` to ``store``, once it is on the disk."""
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    draft.replace(store)
    if os.name == "posix":
        folder = os.open(store.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
