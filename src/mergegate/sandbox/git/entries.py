"""Paths of a commit's tree, and the bytes of their files, as Git prints them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mergegate.core.errors import UsageError

_BATCH_BYTES = 64 * 1024 * 1024
_RECORD_WORDS = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """One path of a commit's tree."""

    mode: str
    """Octal: ``100644`` file, ``120000`` link, ``160000`` submodule."""
    oid: str
    size: int
    """Bytes; 0 for a submodule."""
    raw_path: bytes

    @property
    def is_file(self) -> bool:
        """Whether it is neither a link nor a folder nor a submodule."""
        return self.mode.startswith("100")


FETCH_ALL = "Check out without a `filter`, or run `git fetch --refetch --no-filter`."


def incomplete_clone(missing: int) -> UsageError:
    """What to say of a clone that lacks ``missing`` files of a commit, or more."""
    return UsageError(
        f"the clone lacks files of the base ({missing:,} or more), as a partial clone does",
        remedy=FETCH_ALL,
    )


def entry(record: bytes) -> Entry:
    """One record of ``ls-tree -z -l``; raises UsageError for a file that the clone lacks."""
    facts, _, path = record.partition(b"\t")
    mode, _, oid, size = facts.decode("ascii").split()
    if size == "BAD":
        raise incomplete_clone(1)
    return Entry(mode, oid, 0 if size == "-" else int(size), path)


def batches(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """The entries in groups of about 64 MiB, at least one in each."""
    batch: list[Entry] = []
    held = 0
    for one in entries:
        batch.append(one)
        held += one.size
        if held > _BATCH_BYTES:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


def contents(batch: Sequence[Entry], output: bytes) -> Iterator[tuple[Entry, bytes]]:
    r"""Parse ``<oid> blob <size>\n<bytes>\n`` records; a missing object is left out."""
    at = 0
    for one in batch:
        end = output.index(b"\n", at)
        header = output[at:end].split()
        at = end + 1
        if len(header) == _RECORD_WORDS:
            size = int(header[2])
            yield one, output[at : at + size]
            at += size + 1
