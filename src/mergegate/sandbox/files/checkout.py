"""A folder on disk → its Tree: what is listed, what is left out and why.

Links are recorded and never followed, special files never opened, other repositories inside
never entered; every limit that is reached is named.
"""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from mergegate.core.data_table import read_lists
from mergegate.core.errors import TargetError
from mergegate.core.languages import language_of
from mergegate.core.tree import Link, Reason, Skipped, SourceFile, Tree, display
from mergegate.sandbox.files.altered import blob_id
from mergegate.sandbox.files.links import with_linked_names
from mergegate.sandbox.files.pointers import pointed_digest
from mergegate.sandbox.files.record import source_file
from mergegate.sandbox.files.seen import Seen
from mergegate.sandbox.files.stage import read_regular
from mergegate.sandbox.git.entries import Entry
from mergegate.sandbox.git.repository import Repository

MEBIBYTE = 1024 * 1024
_LINK, _SUBMODULE = "120000", "160000"
_TOOL_FOLDERS = read_lists(Path(__file__).with_name("tool_folders.toml"))
_MOST_PATHS = 2_000_000
_MOST_NAMED = 1_000
_ELSEWHERE = "Git LFS keeps its content elsewhere"


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much of a folder is looked at."""

    files: int = 200_000
    """That hold something."""
    file_bytes: int = 5 * MEBIBYTE
    """A larger file is named, not scanned."""
    total_bytes: int = 4096 * MEBIBYTE
    depth: int = 200
    """Folders below the root."""

    @property
    def too_large(self) -> str:
        """Why a file beyond ``file_bytes`` is skipped."""
        return f"larger than {self.file_bytes // MEBIBYTE} MiB"


@dataclass(slots=True)
class _Listing:
    bounds: Bounds
    readings: Path | None
    seen: Seen | None = None
    files: list[SourceFile] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    limits: dict[str, None] = field(default_factory=dict)
    filled: int = 0
    """Files that hold something."""
    bytes: int = 0

    def skip(self, path: str, cause: Reason, reason: str, size: int = 0) -> None:
        self.skipped.append(Skipped(path, reason, size, cause))

    def add(self, file: SourceFile) -> None:
        """Take a file in, unless its name or first line says source and its bytes are no text."""
        if file.binary and (file.language or language_of(file.path)):
            self.skip(file.path, Reason.ENCODING, "its bytes are no text", file.size)
            return
        self.files.append(file)
        self.filled += file.size > 0

    def tree(self) -> Tree:
        files, lost = with_linked_names(self.files, self.links, self.readings)
        for link in lost:
            self.skip(link.path, Reason.LINK, "a link to what is no file of the repository")
        return Tree(
            tuple(sorted(files, key=lambda file: file.path)),
            tuple(sorted(set(self.skipped))),
            tuple(sorted(self.links)),
            tuple(self.limits),
        )


def read_tree(
    root: Path,
    bounds: Bounds = Bounds(),
    repository: Repository | None = None,
    readings: Path | None = None,
    seen: Seen | None = None,
) -> Tree:
    """The files below ``root``: those Git lists where it lists any, else all but tool folders.

    ``readings`` is a private folder for what engines read in place of a file's own bytes; see
    ``source_file``. What ``seen`` knows is not read anew. Raises TargetError when ``root`` is not a
    readable folder.
    """
    if not root.is_dir():
        raise TargetError(f"{root} is not a folder", remedy="Give the path of a repository.")
    listing = _Listing(bounds, readings, seen)
    top = root.resolve()
    listed = repository.listed() if repository else []
    within = _within(top, listed, listing) if listed else _walk(top, listing)
    paths = list(islice(within, _MOST_PATHS))
    if len(paths) > bounds.files:  # what is code must not stand behind what is not
        paths.sort(key=lambda raw: language_of(display(raw)) is None)
    for number, raw in enumerate(paths):
        if listing.filled >= bounds.files:
            _name_the_rest(paths[number:], listing)
            break
        _look(top, raw, listing)
    if next(iter(within), None) is not None:
        listing.limits[f"only the first {_MOST_PATHS:,} paths were looked at"] = None
    return listing.tree()


def _name_the_rest(paths: Sequence[bytes], listing: _Listing) -> None:
    most = f"only {listing.bounds.files:,} files were scanned, and {len(paths):,} were not"
    listing.limits[most] = None
    for raw in paths[:_MOST_NAMED]:
        listing.skip(display(raw), Reason.LIMIT, "beyond the limit of the whole scan")


def _within(top: Path, listed: Iterable[bytes], listing: _Listing) -> Iterator[bytes]:
    """Leave out paths whose folder is a link: the index may claim what the disk does not hold."""
    real: dict[bytes, bool] = {}
    root = os.fsencode(top)
    for raw in listed:
        folder = os.path.dirname(raw)
        if folder not in real:
            there = os.path.join(root, folder) if folder else root
            real[folder] = os.path.realpath(there) == there
        if real[folder]:
            yield raw
        else:
            listing.skip(display(raw), Reason.LINK, "lies behind a symbolic link")


def _walk(top: Path, listing: _Listing) -> Iterator[bytes]:
    root = os.fsencode(top)
    pending = [(b"", 0)]
    while pending:
        folder, depth = pending.pop()
        for entry in _entries(os.path.join(root, folder), folder, listing):
            raw = os.path.join(folder, entry.name)
            if not entry.is_dir(follow_symlinks=False):
                yield raw
            elif _is_filled_by_a_tool(entry):
                listing.skip(display(raw) + "/", Reason.TOOL_FOLDER, "tool folder")
            elif depth >= listing.bounds.depth:
                listing.skip(display(raw) + "/", Reason.LIMIT, "nested too deeply")
                listing.limits[f"folders deeper than {listing.bounds.depth} were not entered"] = (
                    None
                )
            else:
                pending.append((raw, depth + 1))


def _is_filled_by_a_tool(folder: os.DirEntry[bytes]) -> bool:
    """Whether it is called as a tool's folder is, and holds what the tool leaves in it."""
    marks = _TOOL_FOLDERS.get(os.fsdecode(folder.name))
    if not marks:
        return False
    try:
        held = os.listdir(os.fsdecode(folder.path))
    except OSError:
        return False  # it is named as unreadable when it is entered
    if folder.name == b"__pycache__":
        return all(name.endswith(marks) for name in held)
    return not set(marks).isdisjoint(held)


def _entries(location: bytes, folder: bytes, listing: _Listing) -> list[os.DirEntry[bytes]]:
    try:
        with os.scandir(location) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        listing.skip(display(folder) + "/", Reason.UNREADABLE, f"unreadable: {error.strerror}")
        return []


def _look(top: Path, raw: bytes, listing: _Listing) -> None:
    path = display(raw.rstrip(b"/"))
    location = top / os.fsdecode(raw)
    try:
        state = location.lstat()
    except FileNotFoundError:
        listing.skip(_missing(top, raw), Reason.NOT_CHECKED_OUT, "Git tracks it; it is not here")
        return
    except OSError as error:
        listing.skip(path, Reason.UNREADABLE, f"unreadable: {error.strerror}")
        return
    if stat.S_ISLNK(state.st_mode):
        listing.links.append(_link(raw, os.readlink(os.fsencode(location))))
    elif stat.S_ISDIR(state.st_mode):
        listing.skip(f"{path}/", *_why_not_entered(location, tracked=not raw.endswith(b"/")))
    elif not stat.S_ISREG(state.st_mode):
        listing.skip(path, Reason.UNREADABLE, "not a regular file")
    else:
        _read(location, path, state, listing)


def _missing(top: Path, raw: bytes) -> str:
    """What is not there: the file, or the highest folder that is missing with it, with a slash."""
    missing = raw
    while (folder := os.path.dirname(missing)) and not os.path.lexists(top / os.fsdecode(folder)):
        missing = folder
    return display(missing) + ("/" if missing != raw else "")


def _why_not_entered(folder: Path, *, tracked: bool) -> tuple[Reason, str]:
    """Git lists a folder instead of its files where it is a repository, or cannot be opened."""
    if tracked:
        return Reason.NOT_CHECKED_OUT, "a submodule, which is a repository of its own"
    if os.path.lexists(folder / ".git"):
        return Reason.NOT_CHECKED_OUT, "another repository inside this one"
    return Reason.UNREADABLE, "unreadable: Git could not open it"


def _read(location: Path, path: str, state: os.stat_result, listing: _Listing) -> None:
    bounds, size, seen = listing.bounds, state.st_size, listing.seen
    if size > bounds.file_bytes:
        listing.skip(path, Reason.SIZE, bounds.too_large, size)
        return
    if listing.bytes + size > bounds.total_bytes:
        most = f"only the first {bounds.total_bytes // MEBIBYTE:,} MiB were scanned"
        listing.limits[most] = None
        listing.skip(path, Reason.LIMIT, "beyond the limit of the whole scan", size)
        return
    if seen and (known := seen.record(location, path, state)):
        listing.bytes += size
        listing.add(known)
        return
    try:
        content = read_regular(location, bounds.file_bytes)
    except OSError as error:
        listing.skip(path, Reason.UNREADABLE, f"unreadable: {error.strerror}", size)
        return
    listing.bytes += len(content)
    if pointed_digest(content):
        listing.skip(path, Reason.POINTER, _ELSEWHERE, size)
        return
    record = source_file(path, location, content, listing.readings)
    listing.add(record)
    if seen:
        seen.keep(location, record, state)


def _link(raw: bytes, target: bytes) -> Link:
    """The record of a link; an absolute target counts as leaving the repository."""
    reached = os.path.normpath(os.path.join(os.path.dirname(raw), target))
    leaves = reached.startswith(b"/") or reached.split(b"/")[0] == b".."
    return Link(display(raw), display(target), leaves)


def base_tree(
    repository: Repository, commit: str, head: Tree, folder: Path, bounds: Bounds = Bounds()
) -> Tree:
    """The tree of ``commit``; files that ``head`` holds unchanged are shared with it.

    What engines read of the others is written below ``folder`` under names of ours.
    """
    listing = _Listing(bounds, folder)
    known = {file.path: file for file in head.files if file.verbatim and not file.programs}
    changed = []
    for entry in repository.entries(commit):
        path = display(entry.raw_path)
        file = known.get(path)
        if file and file.size == entry.size and _is(file, entry):
            listing.add(file)
        elif entry.size > bounds.file_bytes:
            listing.skip(path, Reason.SIZE, bounds.too_large, entry.size)
        elif entry.mode != _SUBMODULE:
            changed.append(entry)
    for number, (entry, content) in enumerate(repository.blobs(changed)):
        _take(entry, content, folder / f"{number}", listing, known)
    return listing.tree()


def _take(
    entry: Entry,
    content: bytes,
    location: Path,
    listing: _Listing,
    known: Mapping[str, SourceFile],
) -> None:
    path, file = display(entry.raw_path), known.get(display(entry.raw_path))
    digest = pointed_digest(content)
    if entry.mode == _LINK:
        listing.links.append(_link(entry.raw_path, content))
    elif file and file.digest == digest:
        listing.add(file)  # the work tree holds what Git LFS keeps
    elif digest:
        listing.skip(path, Reason.POINTER, _ELSEWHERE, entry.size)
    else:
        location.write_bytes(content)
        listing.add(source_file(path, location, content, listing.readings))


def _is(file: SourceFile, entry: Entry) -> bool:
    return blob_id(read_regular(file.location, file.size + 1), entry.oid) == entry.oid
