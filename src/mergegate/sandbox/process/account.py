"""The rights of a process that is started by root: those of the folder's owner, not root's.

A container action of GitHub must start as root to reach its work tree. Engines then work in rooms
that belong to an account without rights (:func:`engines_account`), and Git as the owner of the
work tree, so that it leaves nothing behind which only root can remove.
"""

import os
import pwd
import stat
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mergegate.core.errors import UsageError

VARIABLE = "MERGEGATE_ENGINE_USER"
"""Environment variable that names the engines' account."""
USUAL_NAME = "mergegate-engine"
"""The account that is taken without the variable, where it exists."""
_NO_GROUP = 65534
"""A folder's own group may open the container engine's socket (``docker`` on GitHub's runners)."""
_NEEDED = {
    "CHOWN": 0,
    "DAC_OVERRIDE": 1,
    "FOWNER": 3,
    "KILL": 5,
    "SETGID": 6,
    "SETUID": 7,
    "SETPCAP": 8,
}
"""Capabilities (linux/capability.h) to start, feed, read, stop and clean up for another account."""


@dataclass(frozen=True, slots=True)
class Account:
    """A user with one group and no capabilities."""

    uid: int
    gid: int

    def can_read(self, path: Path) -> bool:
        """Whether the modes of ``path`` and of all folders above it allow it; False when gone.

        Access control lists are not read: a caller must still handle a refusal as an error.
        """
        try:
            reachable = all(self._may(folder, stat.S_IXOTH) for folder in path.parents)
            return reachable and self._may(path, self._wanted(path))
        except OSError:
            return False

    def _wanted(self, path: Path) -> int:
        return stat.S_IROTH | stat.S_IXOTH if path.is_dir() else stat.S_IROTH

    def _may(self, path: Path, wanted: int) -> bool:
        """``wanted`` as bits for others; the first class that fits decides, as in the kernel."""
        facts = path.stat()
        shift = 6 if facts.st_uid == self.uid else 3 if facts.st_gid == self.gid else 0
        return (facts.st_mode >> shift) & wanted == wanted


@cache
def engines_account() -> Account | None:
    """The account that engines run as; None for our own, when we cannot become another.

    Raises UsageError when the account that the environment names is none, or is root.
    """
    if not _may_become_others():
        return None
    named = os.environ.get(VARIABLE)
    try:
        found = pwd.getpwnam(named or USUAL_NAME)
    except KeyError as error:
        if named is None:
            return None
        raise UsageError(f"{VARIABLE} names no account of this machine") from error
    if found.pw_uid == 0:
        raise UsageError(f"{VARIABLE} names root", remedy="Name an account without rights.")
    return Account(found.pw_uid, found.pw_gid)


def account_for(folder: Path) -> Account | None:
    """The account that works in ``folder``: its owner; None when only we can, or it is gone."""
    if not _may_become_others():
        return None
    try:
        owner = folder.stat().st_uid
    except OSError:
        return None
    engines = engines_account()
    if engines and owner == engines.uid:
        return engines
    account = Account(owner, _NO_GROUP if owner else 0)
    return account if account.can_read(folder.resolve()) else None


def hand_over(folder: Path, account: Account) -> None:
    """Give ``account`` what root wrote into ``folder``; links and shared files stay as they are."""
    for _, folders, files, inside in os.fwalk(folder, follow_symlinks=False):
        for name in (*folders, *files):
            facts = os.stat(name, dir_fd=inside, follow_symlinks=False)
            plain = stat.S_ISDIR(facts.st_mode) or (
                stat.S_ISREG(facts.st_mode) and facts.st_nlink == 1
            )
            if plain and facts.st_uid == 0:
                os.chown(name, account.uid, account.gid, dir_fd=inside, follow_symlinks=False)


@cache
def _may_become_others() -> bool:
    """Whether we are root with all that it takes; a container may have taken some of it away."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return False
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return False
    held = next(
        (int(line.split()[1], 16) for line in status.splitlines() if line.startswith("CapEff:")), 0
    )
    return all(held >> number & 1 for number in _NEEDED.values())
