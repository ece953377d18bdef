"""The fixtures' advisories in a real store, and the real dumps where they are present."""

import os
from pathlib import Path

import pytest

from mergegate.packages.advisories import AdvisoryStore, open_store, update
from tests.packages.dependency_tree import FIXTURES

RECORDS = FIXTURES / "osv"
_BESIDE = Path(__file__).parents[2].parent / "shared" / "data" / "osv"
REAL = Path(os.environ.get("MERGEGATE_TEST_OSV", _BESIDE))

needs_real_dumps = pytest.mark.skipif(
    not (REAL / "PyPI.zip").is_file(),
    reason="SKIPPED LOUDLY: no real advisory dumps; name a folder that holds PyPI.zip, Go.zip "
    "and crates.io.zip in MERGEGATE_TEST_OSV",
)


def store_of(source: Path, folder: Path) -> AdvisoryStore:
    path = folder / "advisories.sqlite"
    update(source, path)
    store = open_store(path)
    assert store is not None
    return store
