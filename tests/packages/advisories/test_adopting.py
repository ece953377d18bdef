"""What another process drafted takes the store's place, unless it is worse."""

import os
import resource
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from mergegate.core.errors import StoreError
from mergegate.packages.advisories import adopt, draft, open_store, placing, status, update
from tests.packages.test_advisories import RECORDS, ids, record, zipped


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "advisories.sqlite"


@pytest.fixture
def room(tmp_path: Path) -> Path:
    folder = tmp_path / "room"
    folder.mkdir()
    return folder


def drafted(room: Path, *ids: str) -> None:
    """A draft of PyPI with records of those names."""
    draft(zipped(room / "PyPI.zip", *map(record, ids)), room)


def test_what_is_drafted_is_new_and_what_is_not_stays(path: Path, room: Path) -> None:
    update(zipped(room / "PyPI.zip", record("T-0")), path)
    update(RECORDS, path, ecosystems=("npm",))
    before = open_store(path)
    assert before is not None
    drafted(room, "T-1")
    assert [one.ecosystem for one in adopt(room, path, ["PyPI"])] == ["PyPI"]
    assert (ids(path), len(ids(path, "npm", "qs"))) == (["T-1"], 1)
    with before:
        assert [one.id for one in before.lookup("PyPI", "a")] == ["T-0"]


def test_a_store_may_be_named_from_where_one_stands(
    path: Path, room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.parent.mkdir()
    monkeypatch.chdir(path.parent)
    for source in (RECORDS, zipped(room / "PyPI.zip", record("T-1"))):
        update(source, Path(path.name))
    assert (ids(path), len(ids(path, "npm", "qs"))) == (["T-1"], 1)


@pytest.mark.skipif(os.geteuid() != 0, reason="NOT CHECKED: only root can give files away")
def test_what_another_account_drafted_is_ours_from_then_on(path: Path, room: Path) -> None:
    """Whoever drafts reads what strangers wrote: it may not write what scans believe."""
    drafted(room, "T-1")
    os.chown(room / placing.DRAFT, 12345, 12345)
    adopt(room, path)
    assert (path.stat().st_uid, path.stat().st_gid) == (0, os.getegid())


def test_the_first_store_is_adopted_too(path: Path, room: Path) -> None:
    drafted(room, "T-1")
    adopt(room, path)
    assert ids(path) == ["T-1"]


def test_a_dump_that_lost_most_of_what_is_known_is_refused(path: Path, room: Path) -> None:
    update(zipped(room / "PyPI.zip", *(record(f"T-{n}") for n in range(4))), path)
    drafted(room, "T-9")
    with pytest.raises(StoreError, match="1 advisories about PyPI, the store has 4"):
        adopt(room, path)
    assert len(ids(path)) == 4
    drafted(room, "T-8", "T-9")
    adopt(room, path)
    assert ids(path) == ["T-8", "T-9"]


def test_a_dump_without_what_it_was_asked_for_is_refused(path: Path, room: Path) -> None:
    """It would be asked for again and again, and count as young."""
    update(RECORDS, path)
    before = path.read_bytes()
    drafted(room, *(f"T-{n}" for n in range(20)))
    with pytest.raises(StoreError, match="holds nothing about npm"):
        adopt(room, path, ["PyPI", "npm"])
    assert path.read_bytes() == before


def test_a_draft_that_is_a_link_is_refused(path: Path, room: Path, tmp_path: Path) -> None:
    drafted(room, "T-1")
    (room / placing.DRAFT).rename(tmp_path / "elsewhere")
    for linked in (os.symlink, os.link):
        linked(tmp_path / "elsewhere", room / placing.DRAFT)
        with pytest.raises(StoreError):
            adopt(room, path)
        (room / placing.DRAFT).unlink()
    assert status(path) is None


def test_a_draft_that_is_damaged_replaces_nothing(path: Path, room: Path) -> None:
    update(RECORDS, path)
    before = path.read_bytes()
    drafted(room, "T-1")
    (room / placing.DRAFT).write_bytes(b"not a database at all" * 300)
    with pytest.raises(StoreError, match="damaged"):
        adopt(room, path)
    assert path.read_bytes() == before


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


@pytest.mark.parametrize(
    "code",
    [
        f"CREATE TRIGGER t BEFORE INSERT ON source BEGIN {ENDLESS}; END",
        f"DROP TABLE meta; CREATE VIEW meta AS SELECT 'schema' AS key, ({ENDLESS}) AS value",
        "ALTER TABLE source ADD COLUMN more INT DEFAULT 0",
    ],
    ids=["a trigger", "a view", "a column"],
)
def test_a_draft_that_would_run_something_is_refused(path: Path, room: Path, code: str) -> None:
    """Whoever drafts may be a stranger's by now; whoever adopts holds a host's secrets."""
    update(RECORDS, path, ecosystems=("npm",))
    drafted(room, "T-1")
    with closing(sqlite3.connect(room / placing.DRAFT)) as draft:
        draft.executescript(code)
    with pytest.raises(StoreError, match="damaged"):
        adopt(room, path)


def test_a_dump_that_cannot_be_read_leaves_no_draft(room: Path) -> None:
    with pytest.raises(StoreError, match="no advisory dump"):
        draft(room / "gone.zip", room)
    assert not (room / placing.DRAFT).exists()


def test_a_renewal_does_not_keep_a_scan_from_what_it_lacks(path: Path) -> None:
    with placing.claimed(path):
        with pytest.raises(placing.StoreBusy), placing.claimed(path):
            pass
        assert update(RECORDS, path).sources


def test_a_folder_that_may_not_be_written_is_not_taken_for_a_busy_one(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    with (
        pytest.raises(StoreError, match="not writable") as raised,
        placing.claimed(tmp_path / "data" / "advisories.sqlite"),
    ):
        pass
    assert not isinstance(raised.value, placing.StoreBusy)


def test_what_the_killed_left_behind_is_removed_once_it_is_old(path: Path) -> None:
    update(RECORDS, path)
    young, old = path.with_name(f"{path.name}-young"), path.with_name(f"{path.name}-old")
    for folder in (young, old):
        folder.mkdir()
        (folder / "npm.zip").touch()
    os.utime(old, (0, 0))
    update(RECORDS, path)
    assert (young.exists(), old.exists()) == (True, False)


def test_what_the_killed_left_behind_is_removed_at_once_and_nothing_of_the_living(
    path: Path,
) -> None:
    path.parent.mkdir()
    code = (
        "import os, sys; from pathlib import Path\n"
        "from mergegate.packages.advisories import placing\n"
        "with placing.workplace(Path(sys.argv[1])): os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    (left,) = path.parent.iterdir()
    with placing.workplace(path) as mine, placing.workplace(path) as other:
        assert {*path.parent.iterdir()} == {mine, other}
    assert not left.exists()


def test_a_disk_that_is_full_is_not_taken_for_a_damaged_store(path: Path, room: Path) -> None:
    update(zipped(room / "npm.zip", *(record(f"T-{n}", "npm") for n in range(500))), path)
    drafted(room, "T-1")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, ((room / placing.DRAFT).stat().st_size, hard))
    try:
        with pytest.raises(StoreError, match="cannot be written"):
            adopt(room, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert len(ids(path, "npm")) == 500
