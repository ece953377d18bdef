"""What stands before an engine in its argv and takes rights and network away.

Small programs of util-linux, or ``no_network.py``, that end by becoming the next one.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from mergegate.sandbox.process.account import Account, engines_account, was_let_read

Prefix = tuple[str, ...]

_OWN_NAMESPACE = ("unshare", "--net", "--")
_USERS_NAMESPACE = ("unshare", "--map-current-user", "--net", "--keep-caps", "--")
_NO_RIGHTS = (
    *("setpriv", "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all"),
    *("--no-new-privs", "--"),
)
"""Drops all capabilities, including those that a process has in a namespace of its own."""
_LENIENT_NAMESPACE = ("unshare", "--map-current-user", "--net", "--")
_FILTER: Prefix = (sys.executable, "-I", "-S", str(Path(__file__).with_name("no_network.py")))
"""Ours: containers rarely allow namespaces, but every kernel lets a process bind its own hands."""


def without_network(account: Account | None) -> Iterator[Prefix]:
    """Ways to take the network away, and the rights with it; the best first."""
    rights = without_rights(account)
    if account:
        yield (*_OWN_NAMESPACE, *rights)
    if _opens_ours_among_users(account):
        yield (*(rights if account else ()), *_USERS_NAMESPACE, *_NO_RIGHTS)
        yield (*(rights if account else ()), *_LENIENT_NAMESPACE)
    yield (*rights, *_FILTER)
    if account is None:
        yield _FILTER


def _opens_ours_among_users(account: Account | None) -> bool:
    """Whether Mergegate can be read in a namespace of users, where root's rights count no more."""
    return not (account.reads_all if account else was_let_read())


def takes_network(prefix: Prefix) -> bool:
    """Whether what starts behind ``prefix`` has no network."""
    return "--net" in prefix or _FILTER[-1] in prefix


def without_rights(account: Account | None) -> Prefix:
    """Become ``account``, without groups or rights of root; nothing started later gains any."""
    if account is None:
        return ("setpriv", "--no-new-privs", "--")
    kept = "-all,+dac_read_search" if account.reads_all else "-all"
    return (
        "setpriv",
        f"--reuid={account.uid}",
        f"--regid={account.gid}",
        "--clear-groups",
        f"--inh-caps={kept}",
        f"--ambient-caps={kept}",
        f"--bounding-set={kept}",
        "--no-new-privs",
        "--",
    )


def outer_limits(output_bytes: int, tasks: int | None) -> Prefix:
    """Limits that we can no longer set from outside once the process has another account."""
    program = shutil.which("prlimit")
    if program is None:
        return ()
    counted = () if tasks is None else (f"--nproc={tasks}:{tasks}",)
    return (program, f"--fsize={output_bytes}:{output_bytes}", "--core=0:0", *counted, "--")


@cache
def confined(account: Account | None, network: bool) -> Prefix:
    """The best prefix that works here; empty where not even rights can be given up."""
    ways = () if network else without_network(account)
    return _first_working((*ways, without_rights(account)))


def _first_working(ways: Iterable[Prefix]) -> Prefix:
    found = (_working(way) for way in ways)
    return next((prefix for prefix in found if prefix), ())


def _working(way: Prefix) -> Prefix | None:
    """``way`` with its program's path; None where it does not even start ``true``."""
    program, true = shutil.which(way[0]), shutil.which("true")
    if program is None or true is None:
        return None
    prefix = (program, *way[1:])
    environment = {"PATH": os.defpath}
    probe = subprocess.run([*prefix, true], capture_output=True, check=False, env=environment)
    return prefix if probe.returncode == 0 else None


def network_is_isolated() -> bool:
    """Whether engines here run without any network."""
    return takes_network(confined(engines_account(), network=False))


def rights_are_given_up() -> bool:
    """Whether engines have fewer rights than root: ours are few, or they get another account."""
    account = engines_account()
    return os.geteuid() != 0 or bool(account and confined(account, network=True))
