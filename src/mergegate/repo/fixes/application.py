"""Fixes written into a work tree: all of a file or nothing, never over what is not committed."""

import os
import stat
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.report import Mended
from mergegate.sandbox.files.stage import read_regular

NOT_COMMITTED = "it has changes that are not committed"


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of the files that have fixes; of those that were not written, why."""

    written: tuple[Mended, ...]
    kept: tuple[tuple[str, str], ...]
    """Files that were left as they are."""
    failed: tuple[tuple[str, str], ...] = ()
    """Files that cannot be written."""


def write(
    root: Path, mended: Sequence[Mended], is_committed: Callable[[Mended], bool] | None
) -> Applied:
    """Writes each file after its fixes; ``is_committed`` tells whether Git could bring it back.

    None leaves that question out. What goes wrong with one file keeps no other from its fixes.
    """
    written, kept, failed = [], [], []
    for one in mended:
        if is_committed is not None and not is_committed(one):
            kept.append((one.path, NOT_COMMITTED))
        elif why := _unfit(root, one):
            kept.append((one.path, why))
        else:
            try:
                _replace(root / one.name, one.after.encode())
                written.append(one)
            except OSError as error:
                failed.append((one.path, error.strerror or str(error)))
    return Applied(tuple(written), tuple(kept), tuple(failed))


def _unfit(root: Path, one: Mended) -> str:
    """Why the file is to be left as it is; empty where it is what was scanned."""
    if not one.name:
        return "its name holds a secret"
    place, before = root / one.name, one.before.encode()
    try:
        is_same = read_regular(place, len(before) + 1) == before
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    if not is_same or place.parent.resolve() != (root.resolve() / one.name).parent:
        return "it was changed while it was scanned"
    return ""


def _replace(place: Path, content: bytes) -> None:
    """Under a name that nothing in the repository can have taken, however long the file's is."""
    mode = stat.S_IMODE(place.lstat().st_mode)
    handle, name = tempfile.mkstemp(prefix=".mergegate-", dir=place.parent)
    new = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        new.chmod(mode)
        new.replace(place)
    except OSError:
        new.unlink(missing_ok=True)
        raise
