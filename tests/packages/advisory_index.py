"""The fixtures' advisories in a real store, and the real dumps where they are present."""

import fcntl
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


@pytest.fixture(scope="session")
def real_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real dumps in a store, which the first of a run's workers makes for all of them."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "advisories"
    folder.mkdir(exist_ok=True)
    path = folder / "advisories.sqlite"
    with (folder / "lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not path.exists():
            assert update(REAL, folder / "new.sqlite").malformed == 0
            (folder / "new.sqlite").rename(path)
    return path
