"""Git's command line, with hooks, filters, external programs, lazy fetches and pagers off."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from mergegate.core.data_table import read_lists
from mergegate.sandbox.process.run import Completed, Limits, find_program, run

_LISTS = read_lists(Path(__file__).with_name("options.toml"))


def settings(name: str) -> tuple[str, ...]:
    """Options that give Git the settings listed under ``name`` in ``options.toml``."""
    return tuple(word for one in _LISTS[name] for word in ("-c", one))


SAFE = ("--no-pager", "--no-replace-objects", "--literal-pathspecs", *settings("safe"))
"""Options before any command: nothing that the repository names is run."""
FETCH = _LISTS["fetch-command"]
"""The command that asks a host for commits, with its options."""
PATCH = _LISTS["patch-options"]
"""Options of a command that shows lines."""
RAW = _LISTS["raw-options"]
"""Options of a command that lists what changed."""
ENVIRONMENT = {
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_GRAFT_FILE": "/dev/null",
}


def git(
    arguments: Sequence[str],
    folder: Path,
    limits: Limits,
    *,
    environment: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    network: bool = False,
) -> Completed:
    """Run Git in ``folder`` so that nothing of the repository is run; raises as ``process.run``."""
    return run(
        [find_program("git"), *SAFE, *arguments],
        cwd=folder,
        limits=limits,
        environment=ENVIRONMENT | dict(environment or {}),
        stdin=stdin,
        network=network,
    )
