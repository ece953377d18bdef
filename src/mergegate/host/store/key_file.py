"""The key that seals secrets on a host that was given none: made once, beside the database."""

import errno
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from mergegate.core.errors import StoreError
from mergegate.host.store.sealing import is_key, new_key

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_INSTEAD = "or set MERGEGATE_SECRET_KEYS."


def kept_key(file: Path) -> str:
    """The key in ``file``, which is made with mode 0600 where it is missing.

    However many processes start at once, one key comes to be. Raises StoreError.
    """
    try:
        if not file.exists():
            _make(file)
        key = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError) as error:
        raise _refusal(file, error) from error
    if not is_key(key):
        raise StoreError(f"{file} holds no key", remedy=f"Restore it from a backup, {_INSTEAD}")
    return key


def _refusal(file: Path, error: OSError | UnicodeError) -> StoreError:
    if isinstance(error, UnicodeError):
        what, remedy = "it is no text", "Restore it from a backup"
    else:
        what = os.strerror(error.errno or 0)
        full = error.errno in _FULL
        remedy = (
            "Free disk space" if full else "Let this account read the file and write its folder"
        )
    return StoreError(
        f"the key that seals secrets cannot be kept in {file}: {what}",
        remedy=f"{remedy}, {_INSTEAD}",
    )


def _make(file: Path) -> None:
    """Written whole under another name first: who reads it never reads half of it."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as out:
            out.write(f"{new_key()}\n")
            out.flush()
            os.fsync(descriptor)
        with suppress(FileExistsError):
            os.link(name, file)
    finally:
        Path(name).unlink()
    _settle(file.parent)


def _settle(folder: Path) -> None:
    """The name too must be on the disk before anything is sealed: without the key it is lost."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
