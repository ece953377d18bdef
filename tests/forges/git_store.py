"""What a forge does with Git when it makes a commit, over the objects of a test's repository."""

import itertools
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_WHO = {
    "GIT_AUTHOR_NAME": "A Forge",
    "GIT_AUTHOR_EMAIL": "forge@example.org",
    "GIT_COMMITTER_NAME": "A Forge",
    "GIT_COMMITTER_EMAIL": "forge@example.org",
}
_SECONDS = itertools.count(1_800_000_000)
"""When commits are made: two of the same content within one second would be one commit."""


@dataclass(frozen=True)
class GitStore:
    """The objects of one repository; no reference of it is looked at."""

    root: Path

    def blob(self, content: bytes) -> str:
        return self._git("hash-object", "-w", "--stdin", stdin=content)

    def tree_of(self, commit: str) -> str:
        return self._git("rev-parse", f"{commit}^{{tree}}")

    def parents(self, commit: str) -> list[str]:
        return self._git("rev-list", "--parents", "-n1", commit).split()[1:]

    def message(self, commit: str) -> str:
        return self._git("show", "-s", "--format=%B", commit)

    def has(self, commit: str) -> bool:
        return self._run("cat-file", "-e", f"{commit}^{{commit}}").returncode == 0

    def is_before(self, commit: str, later: str) -> bool:
        return self._run("merge-base", "--is-ancestor", commit, later).returncode == 0

    def tree(self, base: str, entries: Mapping[str, tuple[str, str]]) -> str:
        """The tree ``base`` with path → mode and blob."""
        with tempfile.TemporaryDirectory() as room:
            index = {"GIT_INDEX_FILE": str(Path(room, "index"))}
            self._git("read-tree", base, environment=index)
            for path, (mode, oid) in entries.items():
                told = f"{mode},{oid},{path}"
                self._git("update-index", "--add", "--cacheinfo", told, environment=index)
            return self._git("write-tree", environment=index)

    def commit(self, tree: str, parents: Sequence[str], message: str) -> str:
        named = [word for one in parents for word in ("-p", one)]
        now = {"GIT_COMMITTER_DATE": f"{next(_SECONDS)} +0000"}
        return self._git("commit-tree", tree, *named, stdin=message.encode(), environment=now)

    def content(self, commit: str, path: str) -> bytes | None:
        done = self._run("cat-file", "blob", f"{commit}:{path}")
        return done.stdout if done.returncode == 0 else None

    def mode(self, commit: str, path: str) -> str:
        return self._git("ls-tree", commit, "--", path).split()[0]

    def changed(self, before: str, after: str) -> list[str]:
        return self._git("diff", "--name-only", before, after).split("\n")

    def last_for(self, commit: str, path: str) -> str:
        """The last commit up to ``commit`` that touched ``path``."""
        return self._git("rev-list", "-1", commit, "--", path)

    def _git(
        self, *words: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None
    ) -> str:
        done = self._run(*words, stdin=stdin, environment=environment)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode().strip()

    def _run(
        self, *words: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None
    ) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            ["git", "--literal-pathspecs", *words],
            cwd=self.root,
            input=stdin,
            capture_output=True,
            check=False,
            env={**os.environ, **_WHO, **(environment or {})},
        )
