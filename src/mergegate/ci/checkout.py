"""The checkout that a job runs in, and the change that it is about."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from mergegate.core.change import Change
from mergegate.core.errors import TargetError
from mergegate.core.report import Report
from mergegate.forges.context import CiContext
from mergegate.sandbox.git.clone import Wanted, fetch
from mergegate.sandbox.git.origin import connection
from mergegate.sandbox.git.repository import Repository
from mergegate.sandbox.process.run import MEBIBYTE

_MOST_BYTES = 1024 * MEBIBYTE
"""The largest change that is fetched, as on a host."""
_USER = "x-access-token"


@dataclass(frozen=True, slots=True)
class Checkout:
    """Where the job runs, and what it is about."""

    around: CiContext
    change: Change
    root: Path
    """The folder that is scanned."""
    repository: Repository
    found: Report | None = None
    """Its scan, where one was made before, without what our comments remember."""


def place(path: Path, around: CiContext) -> Checkout:
    """The checkout at ``path`` of the workspace; raises TargetError when it is no Git work tree."""
    root = around.workspace / path
    repository = Repository(root)
    return Checkout(around, around.completed(repository), root, repository)


@contextmanager
def fetched(
    path: Path, around: CiContext, change: Change, token: str, environment: Mapping[str, str]
) -> Iterator[Checkout]:
    """The last commit of ``change`` as plain files, in a folder that ends with the block.

    It comes from the repository that the change wants into, so a fork is never asked. Git runs
    nothing of it: no hook, filter, submodule or configuration. Raises TargetError when it cannot
    be had, or when ``path`` is no folder of it.
    """
    with tempfile.TemporaryDirectory(prefix="mergegate-") as room:
        top = Path(room).resolve()
        fetch(
            Wanted(
                url=around.clone_url,
                user=_USER,
                token=token,
                connection=connection(environment),
                branch=change.branch or change.base_branch,
                commit=change.head or "",
                into=top,
                most_bytes=_MOST_BYTES,
            )
        )
        root = top / path
        if root.resolve() != root or not root.is_dir():
            raise TargetError(f"the change has no folder {path}, or a link in its place")
        yield Checkout(replace(around, workspace=top), change, root, Repository(root))
