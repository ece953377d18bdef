"""The checkout that a job runs in, and the change that it is about."""

from dataclasses import dataclass
from pathlib import Path

from mergegate.core.change import Change
from mergegate.core.report import Report
from mergegate.forges.context import CiContext
from mergegate.sandbox.git.repository import Repository


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
