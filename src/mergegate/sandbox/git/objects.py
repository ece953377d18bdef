"""Read the listings and contents that Git prints of its objects: pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

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


def entry(record: bytes) -> Entry:
    """One record of ``ls-tree -z -l``."""
    facts, _, path = record.partition(b"\t")
    mode, _, oid, size = facts.decode("ascii").split()
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
