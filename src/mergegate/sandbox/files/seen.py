"""A cache of file records between scans of one process, so that only changed files are read."""

import os
import time
from pathlib import Path
from typing import TypeVar

from mergegate.core.tree import SourceFile

_SETTLED_NS = 2_000_000_000
"""A file that changed more recently may change again unseen, within one tick of the clock that its
times are told by. No file system in use ticks more coarsely."""
_MOST = 500_000
"""Files that are remembered; then all are forgotten, for most are of folders that are gone."""
_State = tuple[int, ...]
_T = TypeVar("_T")


class Seen:
    """File records, each with the file's state (size, times, inode) from before it was read.

    The state holds the time of the last change, which no program sets, beside place and size.
    """

    def __init__(self) -> None:
        self._records: dict[Path, tuple[_State, SourceFile]] = {}
        self._blobs: dict[Path, tuple[_State, str]] = {}

    def record(self, location: Path, path: str, state: os.stat_result) -> SourceFile | None:
        """The cached record of the file; None if the file has changed."""
        was, record = self._records.get(location, ((), None))
        return record if record and was == _state(state) and record.path == path else None

    def keep(self, location: Path, record: SourceFile, state: os.stat_result) -> None:
        """Remember a record that needs nothing but the file itself; of others nothing is kept."""
        if record.verbatim and not record.programs and record.location == location:
            _keep(self._records, location, state, record)

    def is_blob(self, location: Path, oid: str) -> bool:
        """Whether the file was found to be what Git calls ``oid``, and is as it was."""
        was, known = self._blobs.get(location, ((), ""))
        if known != oid:
            return False
        try:
            return was == _state(location.lstat())
        except OSError:
            return False

    def keep_blob(self, location: Path, oid: str, state: os.stat_result) -> None:
        """Remember that the file is what Git calls ``oid``."""
        _keep(self._blobs, location, state, oid)


def _state(of: os.stat_result) -> _State:
    return (of.st_dev, of.st_ino, of.st_size, of.st_mtime_ns, of.st_ctime_ns)


def _keep(known: dict[Path, tuple[_State, _T]], at: Path, state: os.stat_result, what: _T) -> None:
    if time.time_ns() - state.st_ctime_ns < _SETTLED_NS:
        known.pop(at, None)
        return
    if len(known) >= _MOST:
        known.clear()
    known[at] = (_state(state), what)
