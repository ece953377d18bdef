"""What may be written into a repository through its forge: commits, and one change of ours.

Nothing here pushes: the forge makes the commit, and only where the branch is still as it was seen.
"""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from mergegate.core.errors import ForgeError
from mergegate.forges.marker import Hiding, hidden


class BranchMoved(ForgeError):
    """The branch is not at the commit any more that was expected there, or it is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a change comes from, as the forge says now."""

    branch: str
    is_own: bool
    """Whether it lies in the repository that the change wants into, and in no fork."""
    into: str
    """The branch that the change wants into."""
    is_open: bool = True
    """False once the change is merged or closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A branch of the repository."""

    name: str
    tip: str
    is_default: bool
    is_protected: bool
    """Whether the forge says so; what a token may not be told counts as no."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFile:
    """A file that is there already, as it is to become."""

    path: str
    """From the top of the repository."""
    content: bytes
    executable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCommit:
    """A commit to make on a branch."""

    branch: str
    expected: str | None
    """The tip of the branch now; None where there is no such branch."""
    parent: str
    """The commit to stand on. Another one than ``expected`` replaces what the branch held."""
    message: str
    files: Sequence[ChangedFile]
    restored: Sequence[ChangedFile] = ()
    """What an earlier commit of ours on the branch changed and this one does not, as ``parent`` has
    it: for a forge that cannot replace a branch and stands on ``expected``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """A commit that the forge made."""

    commit: str
    url: str
    """Where it can be seen; empty where the forge does not tell."""
    remark: str = ""
    """What its reader has to know, a sentence without a full stop; empty for nothing."""


class Branches(Protocol):
    """The branches of the repository."""

    def find(self, name: str) -> Branch | None:
        """The branch as it is now; None where there is none. Raises ForgeError."""

    def holds(self, commit: str, files: Sequence[ChangedFile]) -> bool:
        """Whether ``commit`` has every one of the files as it is given. Raises ForgeError."""

    def commit(self, new: NewCommit) -> Committed:
        """Make the commit; raises BranchMoved where the branch is not as expected, ForgeError."""

    def remove(self, name: str, tip: str) -> None:
        """Delete the branch while it is at ``tip``; raises BranchMoved, ForgeError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What a change of ours remembers."""

    tip: str
    """The commit that we left its branch at: with another tip somebody else has been there."""
    digest: str
    """Tells whether two own_changes propose the same."""
    paths: tuple[str, ...] = ()
    """The files that our commits on the branch have changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnChange:
    """A pull request that we opened, known by its author and its marker."""

    id: str
    url: str
    memory: Memory
    is_open: bool
    is_merged: bool = False


class OwnChanges(Protocol):
    """The pull requests that we opened from a branch of ours."""

    def ours(self, branch: str) -> Sequence[OwnChange]:
        """Those from ``branch``, open or not, newest first; raises ForgeError."""

    def open(self, branch: str, into: str, title: str, body: str) -> str:
        """A new one; returns its address. Raises ForgeError."""

    def edit(self, own: OwnChange, title: str, body: str) -> None:
        """Another title and text; raises ForgeError."""

    def close(self, own: OwnChange) -> None:
        """Close it without a merge; raises ForgeError."""


_MOST_BYTES = 64 * 1024
_MEMORY = re.compile(
    r"^(?:<!-- |\[//\]: # \()mergegate:upgrades ([\w=-]+)(?: -->|\))$", re.MULTILINE
)


def remember(memory: Memory, hiding: Hiding) -> str:
    """The hidden line that :func:`recall` reads."""
    plain = json.dumps(asdict(memory), separators=(",", ":")).encode()
    return hidden(
        f"mergegate:upgrades {base64.urlsafe_b64encode(zlib.compress(plain, 9)).decode()}", hiding
    )


def recall(body: str) -> Memory | None:
    """What the text of a change remembers; None for none, and for one that is damaged."""
    found = _MEMORY.search(body)
    if found is None:
        return None
    try:
        return _memory(json.loads(_unpacked(found[1])))
    except (ValueError, TypeError, KeyError, RecursionError, binascii.Error, zlib.error):
        return None


def _unpacked(packed: str) -> bytes:
    engine = zlib.decompressobj()
    plain = engine.decompress(base64.urlsafe_b64decode(packed), _MOST_BYTES)
    if not engine.eof:
        raise ValueError("it is larger than ever written")
    return plain


def _memory(said: dict[str, Any]) -> Memory:
    tip, digest, paths = said["tip"], said["digest"], said["paths"]
    if not all(isinstance(one, str) for one in (tip, digest, *paths)):
        raise TypeError("texts were expected")
    return Memory(tip=tip, digest=digest, paths=tuple(paths))
