"""The key that seals secrets on a host that was given none: made once, beside the database."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from mergegate.errors import StoreError
from mergegate.store.service.sealing import new_key


def kept_key(file: Path) -> str:
    """The key in ``file``, which is made with mode 0600 where it is missing.

    However many processes start at once, one key comes to be. Raises StoreError.
    """
    try:
        if not file.exists():
            _make(file)
        return file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError) as error:
        raise StoreError(
            f"the key that seals secrets cannot be kept in {file}",
            remedy="Let this account write the folder, or set MERGEGATE_SECRET_KEYS.",
        ) from error


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
