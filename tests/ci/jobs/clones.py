"""The clone that a job scans: ``topic`` beside ``main``, and what the job leaves behind."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tests.conftest import CLEAN
from tests.sandbox.git.origins import Heard, served
from tests.sandbox.git.test_repository import commit, git

WEAK = 'import os\n\n\ndef run(request):\n    os.system("ls " + request.args["x"])\n'
WEAK_LINE = 5
OPEN = """apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: everybody}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:unauthenticated"}]
"""
"""A manifest with a critical flaw in its line ``WEAK_LINE``."""
CLOSED = OPEN.replace("system:unauthenticated", "operators").replace("cluster-admin", "view")
FIRST = {"clean.py": f"{CLEAN}\n", "clean.yaml": CLOSED}
"""A change without a flaw, with something in it for every search."""
CHEAP = ("--only", "iac")
"""Enough of a search where a test is about what becomes of it: it starts no other program."""
DEEP = ("--only", "code,secrets")
"""A search as most jobs' are, by engines that are programs of their own."""
REPOSITORY = "group/sub/app"


@dataclass(frozen=True)
class Clone:
    """A work tree with ``topic`` checked out, and all that the forge has of ``main``."""

    root: Path

    @property
    def head(self) -> str:
        """The change's own last commit, whatever is checked out."""
        return git(self.root, "rev-parse", "refs/heads/topic")

    @property
    def checked_out(self) -> str:
        return git(self.root, "rev-parse", "HEAD")

    @property
    def main(self) -> str:
        return git(self.root, "rev-parse", "refs/heads/main")

    @property
    def fork(self) -> str:
        """Where ``topic`` left ``main``."""
        return git(self.root, "merge-base", "main", "topic")

    @property
    def outside(self) -> Path:
        """Beside the work tree: no change reaches it."""
        return self.root.parent

    @property
    def report(self) -> Path:
        return self.outside / "report"

    @property
    def left(self) -> dict[str, str]:
        """The report files by name."""
        return {one.name: one.read_text() for one in self.report.iterdir()}

    def push(self, files: Mapping[str, str]) -> str:
        """A commit on ``topic``; its name."""
        git(self.root, "switch", "-q", "topic")
        return self._committed(files)

    def push_to_main(self, files: Mapping[str, str]) -> str:
        """A commit on ``main``, which the forge has at once; ``topic`` stays where it was."""
        git(self.root, "switch", "-q", "main")
        self._committed(files)
        git(self.root, "update-ref", "refs/remotes/origin/main", "main")
        git(self.root, "switch", "-q", "topic")
        return self.main

    def rebase(self) -> None:
        git(self.root, "rebase", "-q", "main")

    def merge(self, first: str, second: str) -> str:
        """Check out a test merge; its name. GitLab merges into the target, Bitbucket into ours."""
        git(self.root, "switch", "-q", "--detach", first)
        git(self.root, "merge", "-q", "--no-ff", "--no-edit", second)
        return self.checked_out

    def files(self, commit: str) -> dict[str, str]:
        """What ``commit`` holds, by path."""
        names = git(self.root, "ls-tree", "-r", "-z", "--name-only", commit).split("\0")
        return {one: git(self.root, "show", f"{commit}:{one}") + "\n" for one in names if one}

    def _committed(self, files: Mapping[str, str]) -> str:
        for name, text in files.items():
            file = self.root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return commit(self.root, "a push")

    @contextmanager
    def shallow(self, wanted: str) -> Iterator[tuple["Clone", str, Heard]]:
        """A clone of the last commit alone, and the server that has the rest.

        ``wanted`` is the Authorization that the server lets in.
        """
        site = self.outside / "site"
        bare = site / f"{REPOSITORY}.git"
        git(self.outside, "clone", "-q", "--mirror", str(self.root), str(bare))
        here = replace(self, root=self.outside / "shallow" / "repo")
        here.root.mkdir(parents=True)
        git(here.root, "init", "-q", "-b", "topic")
        git(here.root, "fetch", "-q", "--depth=1", f"file://{bare}", "topic")
        git(here.root, "reset", "-q", "--hard", "FETCH_HEAD")
        with served(site, wanted=wanted) as (address, heard):
            git(here.root, "remote", "add", "origin", f"{address}/{REPOSITORY}.git")
            yield here, address, heard


def cloned(root: Path) -> Clone:
    """``root``, a repository with one commit, as the clone of a change that is clean."""
    git(root, "update-ref", "refs/remotes/origin/main", "main")
    git(root, "switch", "-q", "-c", "topic")
    clone = Clone(root)
    clone.push(FIRST)
    return clone
