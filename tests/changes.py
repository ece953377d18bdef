"""Changes to a repository of one's own, and what a scan says of each."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

PROGRAM = Path(sys.executable).with_name("mergegate")
OPTIONS = ("--offline", "--fail-on", "new", "--format", "json", "--only")
_ENVIRONMENT = {
    "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    **{
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (
            ("NAME", "a"),
            ("EMAIL", "a@example.org"),
            ("DATE", "2026-01-01T00:00:00Z"),
        )
    },
}
CLEAN = '"""A clean module."""\n\n\ndef add(a, b):\n    return a + b\n'


class Project:
    """A small clean repository with the change that is scanned."""

    def __init__(self, root: Path) -> None:
        self.root = root
        fresh = _fresh()
        shutil.copytree(fresh.name, root, symlinks=True)
        self.base = self.git("rev-parse", "HEAD")
        """What the change is measured from."""

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", "-C", self.root, *arguments],
            env=_ENVIRONMENT,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def put(self, path: str, content: str | bytes) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self) -> str:
        self.git("add", "-A", "-f", ".")
        self.git("commit", "-q", "--allow-empty", "-m", "x")
        return self.git("rev-parse", "HEAD")

    def starts_here(self) -> None:
        """What stands there now is the base's."""
        self.base = self.commit()


@cache
def _fresh() -> "TemporaryDirectory[str]":
    """A project to copy: to begin one anew takes ten times as long."""
    folder: TemporaryDirectory[str] = TemporaryDirectory()
    begun = Project.__new__(Project)
    begun.root = Path(folder.name)
    begun.git("init", "-q", "-b", "main")
    begun.put("clean.py", CLEAN)
    begun.commit()
    return folder


@dataclass(frozen=True)
class Said:
    """What a scan said of a change."""

    code: int
    report: dict[str, Any] = field(default_factory=dict)
    error: str = ""

    @property
    def reasons(self) -> Sequence[str]:
        """Why the change does not pass."""
        compared = self.report.get("comparison") or {}
        return [*compared.get("verdict", {}).get("reasons", ()), *filter(None, [self.error])]


def scanned(project: Project, data: Path, aspects: str) -> Said:
    """The change in ``project``; answers of engines are kept below ``data``."""
    done = subprocess.run(
        [PROGRAM, "scan", project.root, f"--base={project.base}", *OPTIONS, aspects],
        env=_ENVIRONMENT | {"MERGEGATE_DATA_DIR": str(data)},
        capture_output=True,
        check=False,
        text=True,
    )
    return Said(done.returncode, json.loads(done.stdout) if done.stdout else {}, done.stderr)
