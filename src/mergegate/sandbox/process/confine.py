"""The programs that take rights and network away before an engine starts: argv prefixes, as data.

Nothing runs between fork and exec; each step is a small program of util-linux that ends by
becoming the next one.
"""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from mergegate.sandbox.process.account import Account

Prefix = tuple[str, ...]

_OWN_NAMESPACE = ("unshare", "--net", "--")
_USERS_NAMESPACE = ("unshare", "--map-current-user", "--net", "--keep-caps", "--")
_NO_RIGHTS = (
    *("setpriv", "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all"),
    *("--no-new-privs", "--"),
)
"""In a namespace of its own a process is almighty at first; these end that too."""
_LENIENT_NAMESPACE = ("unshare", "--map-current-user", "--net", "--")
_FILTER: Prefix = (sys.executable, "-I", "-S", str(Path(__file__).with_name("no_network.py")))
"""Ours: containers rarely allow namespaces, but every kernel lets a process bind its own hands."""


def without_network(account: Account | None) -> Iterator[Prefix]:
    """Ways to take the network away, and the rights with it; the best first."""
    rights = without_rights(account)
    if account:
        yield (*_OWN_NAMESPACE, *rights)
        yield (*rights, *_USERS_NAMESPACE, *_NO_RIGHTS)
        yield (*rights, *_LENIENT_NAMESPACE)
        yield (*rights, *_FILTER)
    else:
        yield (*_USERS_NAMESPACE, *_NO_RIGHTS)
        yield _LENIENT_NAMESPACE
        yield (*rights, *_FILTER)
        yield _FILTER


def takes_network(prefix: Prefix) -> bool:
    """Whether what starts behind ``prefix`` has no network."""
    return "--net" in prefix or _FILTER[-1] in prefix


def without_rights(account: Account | None) -> Prefix:
    """Become ``account``, without groups or capabilities; nothing started later gains any."""
    if account is None:
        return ("setpriv", "--no-new-privs", "--")
    return (
        "setpriv",
        f"--reuid={account.uid}",
        f"--regid={account.gid}",
        "--clear-groups",
        "--inh-caps=-all",
        "--bounding-set=-all",
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
