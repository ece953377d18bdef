"""What commits brought, as Git's raw comparisons tell it: pure, bytes in, places out."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Brought:
    """A path that a commit changed; a merge, where it is as none of its parents has it."""

    commit: str
    raw_path: bytes
    mode: str
    """Octal: ``100644`` file, ``120000`` link, ``160000`` submodule, ``000000`` deleted."""
    oid: str
    """The object that it is now; empty when it was deleted."""
    before: tuple[str, ...]
    """The objects that it was in the parents that had it."""


def brought(output: bytes) -> Iterator[Brought]:
    """Read ``diff-tree --stdin -r -c --raw -z``: a commit's name, then its paths."""
    commit = ""
    words = iter(output.split(b"\0"))
    for word in words:
        if word.startswith(b":"):
            yield _brought(commit, word.decode("ascii"), next(words))
        else:
            commit = word.decode("ascii")


def _brought(commit: str, facts: str, raw_path: bytes) -> Brought:
    """``:<mode><mode> <object><object> <status>``, with a mode and an object more a parent."""
    parents = len(facts) - len(facts.lstrip(":"))
    words = facts.lstrip(":").split()
    *before, oid = (word if word.strip("0") else "" for word in words[parents + 1 : -1])
    return Brought(commit, raw_path, words[parents], oid, tuple(filter(None, before)))
