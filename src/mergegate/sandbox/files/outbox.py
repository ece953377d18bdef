"""The folder for report files inside a hostile work tree: reached over no link, left to no root.

A change may track a link where the reports go; a program that follows it writes elsewhere, as root
in a container action. And what root leaves in a work tree, the runner's account cannot remove.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mergegate.core.errors import UsageError
from mergegate.sandbox.process.account import Account, hand_over

_REMEDY = "Name another folder with the setting `report`."


@contextmanager
def outbox(workspace: Path, name: Path) -> Iterator[Path]:
    """The folder ``name`` below ``workspace``, made if need be; in the end its owner's.

    An absolute path elsewhere is the caller's own business: no change reaches it. Raises
    UsageError when a relative one leads outside, is no folder, or a link leads to or out of it.
    """
    top = workspace.resolve()
    folder = _below(workspace, top, name)
    is_own = top in folder.parents
    if not is_own and not name.is_absolute():
        raise UsageError(f"{name} is no folder below the work tree", remedy=_REMEDY)
    try:
        if not is_own:
            folder.mkdir(parents=True, exist_ok=True)
        made = _ready(top, folder) if is_own else None
    except OSError as error:
        raise UsageError(
            f"the folder {name} cannot be made: {error.strerror}", remedy=_REMEDY
        ) from error
    try:
        yield folder
    finally:
        if made:
            _give_back(top, made)


def _ready(top: Path, folder: Path) -> Path:
    """Make ``folder`` where it is missing; the highest folder that is only the reports'."""
    is_new = not folder.exists()
    made = _made(top, folder)
    _refuse_links(folder)
    if is_new:
        # Or the next scan of this work tree would read what this one writes.
        (folder / ".gitignore").write_text("*\n", encoding="ascii")
    return made


def _below(workspace: Path, top: Path, name: Path) -> Path:
    """``name`` as a path below ``top`` where it is one, also one that spells the links to it."""
    folder = Path(os.path.normpath(workspace.absolute() / name))
    for spelling in (Path(os.path.normpath(workspace.absolute())), top):
        if folder.is_relative_to(spelling):
            return top / folder.relative_to(spelling)
    return folder


def _made(top: Path, folder: Path) -> Path:
    """Make what is missing; the highest folder that is only the reports', ``folder`` at least."""
    highest = folder
    for part in reversed([folder, *folder.parents][: len(folder.relative_to(top).parts)]):
        if part.is_symlink() or (part.exists() and not part.is_dir()):
            raise UsageError(f"{part.relative_to(top)} is a link or a file", remedy=_REMEDY)
        if not part.exists():
            part.mkdir()
            highest = part if highest == folder else highest
    return highest


def _refuse_links(folder: Path) -> None:
    with os.scandir(folder) as entries:
        link = next((entry.name for entry in entries if entry.is_symlink()), None)
    if link is not None:
        raise UsageError(f"the folder {folder.name} holds a link", remedy=_REMEDY)


def _give_back(top: Path, made: Path) -> None:
    if os.geteuid() != 0:
        return
    state = top.stat()
    os.chown(made, state.st_uid, state.st_gid, follow_symlinks=False)
    hand_over(made, Account(state.st_uid, state.st_gid))
