"""The store as a scan uses it: what is fetched, where it is written, and what that leaves alone."""

import datetime as dt
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mergegate.core.errors import StoreError
from mergegate.packages.advisories import Stock, status, update
from tests.packages.advisory_index import RECORDS
from tests.packages.test_advisories import record, zipped

WEEK = dt.timedelta(days=7)
ALL = ("Go", "PyPI", "crates.io", "npm")


def imported_before(store: Path, days: int, ecosystem: str) -> None:
    when = (dt.datetime.now(dt.UTC) - dt.timedelta(days=days)).isoformat(timespec="seconds")
    with closing(sqlite3.connect(store)) as opened:
        opened.execute("UPDATE source SET imported_at = ? WHERE ecosystem = ?", (when, ecosystem))
        opened.commit()


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store of all ecosystems, one of which was imported eight days ago."""
    path = tmp_path / "data" / "advisories.sqlite"
    update(RECORDS, path)
    imported_before(path, 8, "npm")
    return path


def held(stock: Stock) -> dict[str, int]:
    with closing(stock.opened()) as opened:  # type: ignore[type-var]
        return {one.ecosystem: one.records for one in opened.sources()}  # type: ignore[union-attr]


def test_what_is_too_old_is_fetched_again_and_nothing_else(store: Path, tmp_path: Path) -> None:
    zipped(tmp_path / "fresh.zip", *(record(f"T-{n}", "npm", f"p{n}") for n in range(4)))
    said: list[str] = []
    stock = Stock(
        store, fetch=True, source=str(tmp_path / "fresh.zip"), renewed_after=WEEK, tell=said.append
    )
    before = held(stock)
    assert stock.lacking(ALL) == ["npm"]
    stock.fill(ALL)
    assert held(stock) == before | {"npm": 4}
    assert said == ["advisories on npm were renewed"]
    assert stock.lacking(ALL) == []


@pytest.mark.parametrize("allowed", [{"fetch": False, "renewed_after": WEEK}, {"fetch": True}])
def test_age_alone_fetches_nothing_where_nobody_asked_for_it(
    allowed: dict[str, object], store: Path
) -> None:
    assert not Stock(store, **allowed).lacking(ALL)  # type: ignore[arg-type]


def test_a_store_of_another_version_is_replaced(store: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(store)) as opened:
        opened.execute("UPDATE meta SET value = '0' WHERE key = 'schema'")
        opened.commit()
    stock = Stock(store, fetch=True, source=str(zipped(tmp_path / "x.zip", record("T-1", "npm"))))
    with pytest.raises(StoreError, match="another version"):
        stock.opened()
    assert status(store) is None
    assert stock.lacking(ALL) == sorted(ALL)
    stock.fill(["npm"])
    assert held(stock) == {"npm": 1}


def test_a_dump_that_is_hardly_whole_replaces_nothing(store: Path, tmp_path: Path) -> None:
    zipped(tmp_path / "less.zip", record("T-1", "npm"))
    said: list[str] = []
    stock = Stock(
        store, fetch=True, source=str(tmp_path / "less.zip"), renewed_after=WEEK, tell=said.append
    )
    before = held(stock)
    stock.fill(ALL)
    assert held(stock) == before
    assert "hardly whole" in said[0]


def test_one_that_cannot_be_had_keeps_no_other_away(tmp_path: Path) -> None:
    zipped(tmp_path / "two.zip", record("T-1", "npm"), record("T-2", "PyPI"))
    said: list[str] = []
    stock = Stock(
        tmp_path / "new" / "s.sqlite",
        fetch=True,
        source=str(tmp_path / "two.zip"),
        tell=said.append,
    )
    stock.fill(("Go", "PyPI", "npm"))
    assert held(stock) == {"PyPI": 1, "npm": 1}
    assert [one.partition(" could not")[0] for one in said] == [
        "advisories on Go",
        "advisories on PyPI were renewed",
        "advisories on npm were renewed",
    ]


def test_where_nothing_answers_it_is_asked_once(tmp_path: Path) -> None:
    said: list[str] = []
    stock = Stock(
        tmp_path / "s.sqlite", fetch=True, source="https://127.0.0.1:1/osv", tell=said.append
    )
    stock.fill(ALL)
    (told,) = said
    assert told.startswith("advisories on Go and PyPI and crates.io and npm could not be had")


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A folder that another account may enter, with a cache that is its own."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        folder.chmod(0o755)
        (folder / "cache").mkdir()
        yield folder


def test_a_store_that_may_not_be_written_is_renewed_beside(elsewhere: Path) -> None:
    store = elsewhere / "image" / "advisories.sqlite"
    update(RECORDS, store)
    imported_before(store, 8, "npm")
    fresh = zipped(elsewhere / "fresh.zip", *(record(f"T-{n}", "npm") for n in range(9)))
    bytes_before = store.read_bytes()
    aside = elsewhere / "cache" / "advisories.sqlite"
    stock = Stock(store, fetch=True, source=str(fresh), renewed_after=WEEK, aside=aside)
    before = held(stock)
    with nobody(elsewhere):
        stock.fill(ALL)
        assert held(stock) == before | {"npm": 9}
    assert store.read_bytes() == bytes_before
    assert status(aside) is not None
    update(RECORDS, store)  # a newer image
    os.utime(store, (aside.stat().st_mtime + 1,) * 2)
    assert held(stock) == before


class nobody:  # noqa: N801 - reads as a word
    """While it lasts we may write the cache in ``folder``, and nothing else there."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._is_root = folder, os.geteuid() == 0

    def __enter__(self) -> None:
        (self._folder / "image").chmod(0o555)
        if self._is_root:
            os.chown(self._folder / "cache", 65_534, -1)
            os.seteuid(65_534)

    def __exit__(self, *_: object) -> None:
        if self._is_root:
            os.seteuid(0)
        (self._folder / "image").chmod(0o755)
