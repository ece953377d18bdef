"""The rights of a process that is started by root: those of the folder's owner, not root's.

A container action of GitHub must start as root to reach its work tree. Engines then work in rooms
that belong to an account without rights (:func:`engines_account`), and Git as the owner of the
work tree, so that it leaves nothing behind which only root can remove.
"""

import grp
import os
import pwd
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from mergegate.core.errors import UsageError

VARIABLE = "MERGEGATE_ENGINE_USER"
"""Environment variable that names the engines' account."""
USUAL_NAME = "mergegate-engine"
"""The account that is taken without the variable, where it exists."""
READABLE = (
    "Install Mergegate where every account may read, such as /opt/mergegate or /usr/local, or "
    "start it as another user than root."
)
_UNNAMED = range(65_533, 65_519, -1)
"""Numbers that Debian (policy manual, 9.2.2) and systemd (UIDS-GIDS) give to nobody: no file is
theirs."""
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
_READ_ALL = {"DAC_READ_SEARCH": 2}
"""The capability to read any file and to enter any folder."""


@dataclass(frozen=True, slots=True)
class Account:
    """A user with one group and no capabilities, save one where ``reads_all`` is set."""

    uid: int
    gid: int
    reads_all: bool = False
    """Whether it keeps root's right to read any file, and writes none: Mergegate itself lies where
    root alone may read, as below ``/root``."""

    @property
    def name(self) -> str:
        """As this machine calls it; empty where it has no name."""
        try:
            return pwd.getpwuid(self.uid).pw_name
        except KeyError:
            return ""

    def can_read(self, path: Path) -> bool:
        """Whether the modes of ``path`` and of all folders above it allow it; False when gone.

        Access control lists are not read: a caller must still handle a refusal as an error.
        """
        if self.reads_all:
            return path.exists()
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

    As root it is the one that the environment names, else the usual one, else one without a name.
    Raises UsageError when what is named is no account, or is root, and when the account cannot read
    Mergegate itself, nor may be let.
    """
    if not _may_become_others():
        return None
    found = _named(os.environ.get(VARIABLE)) or _unnamed()
    shut = next((one for one in _ours() if found and not found.can_read(one)), None)
    if found is None or shut is None:
        return found
    if _holds(_READ_ALL):
        return replace(found, reads_all=True)
    raise UsageError(
        f"engines never run as root, and the account that they get cannot read {shut}",
        remedy=READABLE,
    )


def _named(name: str | None) -> Account | None:
    try:
        found = pwd.getpwnam(name or USUAL_NAME)
    except KeyError as error:
        if name is None:
            return None
        raise UsageError(f"{VARIABLE} names no account of this machine") from error
    if found.pw_uid == 0:
        raise UsageError(f"{VARIABLE} names root", remedy="Name an account without rights.")
    return Account(found.pw_uid, found.pw_gid)


def _unnamed() -> Account | None:
    """None where all are taken, and where this namespace of users has none but root."""
    users = {one.pw_uid for one in pwd.getpwall()}
    groups = {one.gr_gid for one in grp.getgrall()}
    free = (
        number
        for number in _UNNAMED
        if number not in users | groups and _is_mapped("uid", number) and _is_mapped("gid", number)
    )
    return next((Account(number, number) for number in free), None)


def _is_mapped(kind: str, number: int) -> bool:
    """Whether this namespace of users has the number (user_namespaces(7))."""
    lines = Path(f"/proc/self/{kind}_map").read_text(encoding="ascii").splitlines()
    spans = (tuple(map(int, line.split())) for line in lines)
    return any(first <= number < first + count for first, _, count in spans)


def _ours() -> tuple[Path, ...]:
    """What runs when an engine starts: our interpreter, as it is named and as it is, and us."""
    program = Path(sys.executable)
    return (program, program.resolve(), Path(__file__).resolve())


def was_let_read() -> bool:
    """Whether we are an engine ourselves, of an account that may read every file."""
    return sys.platform == "linux" and os.geteuid() != 0 and _holds(_READ_ALL)


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
    return sys.platform == "linux" and os.geteuid() == 0 and _holds(_NEEDED)


def _holds(wanted: Mapping[str, int]) -> bool:
    """Whether all these capabilities are in effect."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return False
    held = next(
        (int(line.split()[1], 16) for line in status.splitlines() if line.startswith("CapEff:")), 0
    )
    return all(held >> number & 1 for number in wanted.values())
