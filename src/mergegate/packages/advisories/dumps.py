"""OSV dumps, taken as hostile: folders and zips of records, read as streams within budgets.

Nothing is ever extracted to a path of the archive's choosing; records are only held in memory,
one at a time.
"""

import gzip
import io
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO

from mergegate.core.errors import StoreError
from mergegate.packages.ecosystems import ECOSYSTEMS

MEBIBYTE = 1024 * 1024
MAX_DOCUMENT_BYTES = 32 * MEBIBYTE
MAX_TOTAL_BYTES = 8 * 1024 * MEBIBYTE
MAX_ARCHIVE_BYTES = 2 * 1024 * MEBIBYTE
MAX_ENTRIES = 1_000_000
MAX_DIRECTORY_BYTES = 160 * MEBIBYTE
"""A zip's list of entries is read at once: some 1,000,000 entries of usual names."""
MAX_RATIO = 200
RATIO_COUNTS_FROM_BYTES = 64 * MEBIBYTE
MAX_FOLDER_DEPTH = 4

LABELS = {
    *ECOSYSTEMS,
    "AlmaLinux", "Alpine", "Android", "Bitnami", "CRAN", "ConanCenter", "Debian", "GHC",
    "GitHub Actions", "Hackage", "Hex", "Julia", "Linux", "Maven", "NuGet", "OSS-Fuzz", "OpenSUSE",
    "Packagist", "Pub", "Red Hat", "Rocky Linux", "RubyGems", "SwiftURL", "Ubuntu",
}  # fmt: skip
"""Names that a folder or zip may carry to say that all in it is about one ecosystem."""

_TABLES = (".csv", ".csv.gz")
_ENDINGS = (".json", ".zip", *_TABLES)
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@dataclass(frozen=True, slots=True)
class Document:
    """One file that should hold a record."""

    label: str
    """The ecosystem that its folder or zip is named for; empty when that says nothing."""
    data: bytes | None
    """None for entries that are refused: links, paths that climb, damaged or encrypted ones."""
    is_table: bool = False
    """Whether it is CSV, and so no record."""


@dataclass(slots=True)
class Budget:
    """What is left for one update, over all its archives."""

    total_bytes: int = MAX_TOTAL_BYTES
    entries: int = MAX_ENTRIES

    def take(self, read: int) -> None:
        """Account for one document; raises StoreError when it is too much."""
        self.total_bytes -= read
        self.entries -= 1
        if self.total_bytes < 0 or self.entries < 0:
            raise StoreError(
                "the advisory dump is larger than any real one: it was not imported",
                remedy="Check where it comes from.",
            )


def documents(source: Path, budget: Budget) -> Iterator[Document]:
    """Every document of a zip, a folder or a single record; raises StoreError on a bomb."""
    if source.is_dir():
        yield from _folder(source, budget, depth=0)
    elif source.name.lower().endswith((".json", *_TABLES)):
        yield _file(source, budget)
    elif source.is_file():
        with source.open("rb") as stream:
            yield from _zip(stream, label_of(PurePosixPath(*source.parts[-2:])), budget, depth=0)
    else:
        raise StoreError(f"there is no advisory dump at {source.name}")


def changed(source: Path) -> datetime:
    """When the youngest of what :func:`documents` would read came here; raises StoreError."""
    try:
        since_1970 = max(_moments(source, depth=0))
    except OSError as error:
        raise StoreError(f"there is no advisory dump at {source.name}") from error
    return datetime.fromtimestamp(since_1970, UTC)


def _moments(source: Path, depth: int) -> Iterator[float]:
    """The inodes' change times, in seconds: a copy may keep the modification time of its source."""
    yield max(source.stat().st_ctime, source.lstat().st_ctime)
    if not source.is_dir() or depth > MAX_FOLDER_DEPTH:
        return
    for path in source.iterdir():
        if not path.is_symlink() and (path.name.endswith(_ENDINGS) or path.is_dir()):
            yield from _moments(path, depth + 1)


def label_of(path: PurePosixPath) -> str:
    """``PyPI`` for PyPI.zip, PyPI/all.zip and PyPI/X.json; empty when the name says nothing."""
    return next((name for name in (path.stem, path.parent.name) if name in LABELS), "")


def _folder(folder: Path, budget: Budget, depth: int) -> Iterator[Document]:
    if depth > MAX_FOLDER_DEPTH:
        return
    for path in sorted(folder.iterdir()):
        if path.is_symlink():
            continue
        if path.is_dir():
            yield from _folder(path, budget, depth + 1)
        elif path.name.endswith((".json", *_TABLES)):
            yield _file(path, budget)
        elif path.suffix == ".zip":
            with path.open("rb") as stream:
                label = label_of(PurePosixPath(*path.parts[-2:]))
                yield from _zip(stream, label, budget, depth=0)


def _file(path: Path, budget: Budget) -> Document:
    with path.open("rb") as stream:
        data = _bounded(stream, path.name)
    return _document(PurePosixPath(*path.parts[-2:]), data, budget)


def _document(path: PurePosixPath, data: bytes | None, budget: Budget, label: str = "") -> Document:
    """What a file of this name holds, unpacked where it is one compressed table."""
    if data is not None and path.suffix == ".gz":
        data = _gunzipped(data, path.name)
    budget.take(len(data or b""))
    return Document(label or label_of(path), data, path.name.endswith(_TABLES))


def _gunzipped(data: bytes, name: str) -> bytes | None:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            return _bounded(stream, name)
    except (OSError, EOFError, zlib.error):
        return None


def _zip(stream: IO[bytes], label: str, budget: Budget, depth: int) -> Iterator[Document]:
    size = stream.seek(0, 2)
    if size > MAX_ARCHIVE_BYTES:
        raise StoreError(f"the archive is larger than {MAX_ARCHIVE_BYTES // MEBIBYTE} MiB")
    guarded = _Guarded(stream)
    try:
        archive = zipfile.ZipFile(guarded)
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise StoreError("the advisory dump is not a zip file, or it is damaged") from error
    guarded.is_listing = False
    unpacked = 0
    with archive:
        for info in archive.infolist():
            if not info.filename.endswith(_ENDINGS):
                budget.take(0)
                continue
            data = _entry(archive, info)
            unpacked += len(data or b"")
            _refuse_bomb(unpacked, size)
            yield from _unpacked(info, data, label, budget, depth)


def _unpacked(
    info: zipfile.ZipInfo, data: bytes | None, label: str, budget: Budget, depth: int
) -> Iterator[Document]:
    """The entry itself, or what the zip in it holds; zips in zips in zips are refused."""
    path = PurePosixPath(info.filename)
    if data is None or path.suffix != ".zip":
        yield _document(path, data, budget, label)
        return
    budget.take(len(data))
    if depth > 0:
        yield Document(label, None)
    else:
        with tempfile.SpooledTemporaryFile(max_size=MEBIBYTE) as inner:
            inner.write(data)
            yield from _zip(inner, label_of(path) or label, budget, depth + 1)


def _entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes | None:
    if not _is_harmless(info):
        return None
    try:
        with archive.open(info) as stream:
            return _bounded(stream, info.filename, nested=info.filename.endswith(".zip"))
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError):
        return None


def _is_harmless(info: zipfile.ZipInfo) -> bool:
    """No link, no way out, no encryption, no compression that OSV's dumps do not use."""
    path = PurePosixPath(info.filename)
    mode = info.external_attr >> 16
    climbs = path.is_absolute() or ".." in path.parts or "\\" in info.filename
    plain = stat.S_IFMT(mode) in (0, stat.S_IFREG) and not info.flag_bits & 0x1
    return plain and not climbs and info.compress_type in _COMPRESSIONS


def _bounded(stream: IO[bytes] | gzip.GzipFile, name: str, *, nested: bool = False) -> bytes:
    """All of ``stream``, never more than the cap in memory; raises StoreError beyond it."""
    cap = MAX_ARCHIVE_BYTES // 4 if nested else MAX_DOCUMENT_BYTES
    data = stream.read(cap + 1)
    if len(data) > cap:
        shown = PurePosixPath(name).name[:80]
        raise StoreError(f"{shown!r} in the advisory dump unpacks to more than {cap} bytes")
    return data


def _refuse_bomb(unpacked: int, packed: int) -> None:
    if unpacked > RATIO_COUNTS_FROM_BYTES and unpacked > packed * MAX_RATIO:
        raise StoreError(
            f"the advisory dump unpacks to more than {MAX_RATIO} times its size: "
            "it was not imported",
            remedy="Check where it comes from.",
        )


class _Guarded(io.BufferedIOBase):
    """A zip whose list of entries is not read where it is longer than any real one.

    Where that list stands and how long it is, a zip says in several places that need not agree; how
    much is read is seen here, whichever of them counts.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.is_listing = True

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def seekable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        wanted = -1 if size is None else size
        if self.is_listing and wanted > MAX_DIRECTORY_BYTES:
            raise StoreError("the advisory dump lists more entries than any real one")
        return self._stream.read(wanted)
