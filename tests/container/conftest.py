"""The images that the tests run, built once for all of them, and a PostgreSQL for the host."""

import json
import shutil
from pathlib import Path

import pytest

from tests.container.builder import FULL, FULL_IMAGE, ROOT, Builder, builder
from tests.postgres import fresh_postgres, postgres_server

__all__ = ["fresh_postgres", "postgres_server"]

ADMITTED = (
    "Dockerfile",
    "LICENSE",
    "README.md",
    "container",
    "hatch_build.py",
    "package-lock.json",
    "package.json",
    "pyproject.toml",
    "requirements-serve.txt",
    "requirements.txt",
    "src",
    "templates",
)
ADVISORY = {
    "id": "GHSA-aaaa-bbbb-cccc",
    "modified": "2026-01-01T00:00:00Z",
    "affected": [
        {
            "package": {"ecosystem": "PyPI", "name": "left-pad-of-nobody"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}],
        }
    ],
}


@pytest.fixture(scope="session")
def context(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an image is built from: all that `.dockerignore` admits, and one advisory."""
    folder = tmp_path_factory.mktemp("context")
    for name in (*ADMITTED, ".dockerignore"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        copy(ROOT / name, folder / name)
    for ecosystem in ("PyPI", "npm"):  # of our own lock files
        (folder / "advisories" / ecosystem).mkdir(parents=True)
        advisory = folder / "advisories" / ecosystem / "one.json"
        advisory.write_text(json.dumps(ADVISORY).replace("PyPI", ecosystem))
    return folder


@pytest.fixture(scope="session")
def image(context: Path) -> Builder:
    """Built once for all tests."""
    found = builder()
    found.build(context)
    return found


@pytest.fixture(scope="session")
def full(context: Path) -> Builder:
    """The image with a browser; its packages take minutes, so its tests are the thorough ones."""
    found = builder()
    found.build(context, FULL, FULL_IMAGE)
    return found
