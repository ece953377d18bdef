"""Which files of a work tree are not as its commit has them: then the commit was not scanned.

Git's own index is not asked: it can be told to look away, and to run filters.
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from mergegate.core.tree import Tree, display
from mergegate.sandbox.files.pointers import pointed_digest
from mergegate.sandbox.files.seen import Seen
from mergegate.sandbox.files.stage import read_regular
from mergegate.sandbox.git.entries import Entry
from mergegate.sandbox.git.repository import Repository

_SHA1_DIGITS = 40
_LARGEST_POINTER_BYTES = 1024


def altered(
    repository: Repository, commit: str, tree: Tree, most_bytes: int, seen: Seen | None = None
) -> tuple[str, ...]:
    """The paths of ``commit`` below the root that ``tree``, the work tree, lacks or has otherwise.

    Line ends aside, and what Git LFS keeps elsewhere. What is larger than ``most_bytes``, or told
    as not scanned, is none of them. What ``seen`` knows is not read anew. Raises UsageError for a
    clone that lacks files of the commit.
    """
    told = {one.path for one in tree.files} | {one.path for one in tree.links}
    skipped = {one.path for one in tree.skipped}
    folders = tuple(path for path in skipped if path.endswith("/"))
    found = []
    for one in repository.entries(commit):
        path = display(one.raw_path)
        if not one.is_file or one.size > most_bytes or path in skipped or path.startswith(folders):
            continue
        is_lost = path not in told and not tree.limits  # beyond a limit not all is told by name
        if is_lost or (path in told and _differs(repository.root, one, most_bytes, seen)):
            found.append(one)
    short = [one for one in found if one.size <= _LARGEST_POINTER_BYTES]
    kept = {
        one.raw_path
        for one, content in repository.blobs(short)
        if (digest := pointed_digest(content)) and digest == _digest(repository.root, one)
    }
    return tuple(display(one.raw_path) for one in found if one.raw_path not in kept)


def _differs(root: Path, entry: Entry, most_bytes: int, seen: Seen | None) -> bool:
    place = _place(root, entry)
    if seen and seen.is_blob(place, entry.oid):
        return False
    try:
        state = place.lstat()
        content = read_regular(place, most_bytes + 1)
    except OSError:
        return True
    if all(blob_id(form, entry.oid) != entry.oid for form in _forms(content, entry.size)):
        return True
    if seen:
        seen.keep_blob(place, entry.oid, state)
    return False


def _forms(content: bytes, size: int) -> Iterator[bytes]:
    """``content``, and as it is with the line ends that Git keeps, where it can be of ``size``."""
    if len(content) == size:
        yield content
    if len(content) - size == content.count(b"\r\n") > 0:
        yield content.replace(b"\r\n", b"\n")


def _digest(root: Path, entry: Entry) -> str:
    """SHA-256 of a whole file; empty where it cannot be read."""
    try:
        with _place(root, entry).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _place(root: Path, entry: Entry) -> Path:
    return root / os.fsdecode(entry.raw_path)


def blob_id(content: bytes, like: str) -> str:
    """Git's name of ``content`` as a file, in the hash format that ``like`` is written in."""
    blob = b"blob %d\0" % len(content) + content
    if len(like) == _SHA1_DIGITS:
        return hashlib.sha1(blob, usedforsecurity=False).hexdigest()
    return hashlib.sha256(blob).hexdigest()
