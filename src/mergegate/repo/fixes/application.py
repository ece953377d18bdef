"""Fixes written into a work tree: all of a file or nothing, never over what is not committed."""

import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.errors import UsageError
from mergegate.core.report import Mended
from mergegate.sandbox.files.stage import read_regular

NOT_COMMITTED = "it has changes that are not committed"


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of the files that have fixes."""

    written: tuple[Mended, ...]
    kept: tuple[tuple[str, str], ...]
    """Files that were left as they are, each with the reason."""


def write(
    root: Path, mended: Sequence[Mended], is_committed: Callable[[str], bool] | None
) -> Applied:
    """Writes each file after its fixes; ``is_committed`` tells whether Git could bring it back.

    None leaves that question out. Raises UsageError where a file cannot be written.
    """
    written, kept = [], []
    for one in mended:
        if is_committed is not None and not is_committed(one.path):
            kept.append((one.path, NOT_COMMITTED))
        elif why := _write(root, one):
            kept.append((one.path, why))
        else:
            written.append(one)
    return Applied(tuple(written), tuple(kept))


def _write(root: Path, one: Mended) -> str:
    """Why the file was left as it is; empty where it was written."""
    place, before = root / one.path, one.before.encode()
    try:
        is_same = read_regular(place, len(before) + 1) == before
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    if not is_same or place.parent.resolve() != (root.resolve() / one.path).parent:
        return "it was changed while it was scanned"
    try:
        mode = stat.S_IMODE(place.lstat().st_mode)
        new = place.with_name(f".{place.name}.mergegate")
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(one.after.encode())
            new.chmod(mode)
            new.replace(place)
        except OSError:
            new.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UsageError(
            f"{one.path} cannot be written: {error.strerror}",
            remedy="Make it writable, or take the patch: --format patch=FILE.",
        ) from error
    return ""
