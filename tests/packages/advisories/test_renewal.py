"""What of a store is to be imported anew, decided by its ages alone."""

import datetime as dt
import os
from pathlib import Path

import pytest

from mergegate.core.errors import StoreError
from mergegate.packages.advisories import DEFAULT_BASE, dumps, fetch
from mergegate.packages.dependencies import AdvisorySource

NOW = dt.datetime(2026, 3, 2, 12, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)
MIRROR = "https://mirror.example.org/osv"


def held(ecosystem: str, hours: float, source: str = "") -> AdvisorySource:
    """Imported so long ago; from OSV's public dumps where nothing else is said."""
    when = (NOW - dt.timedelta(hours=hours)).isoformat(timespec="seconds")
    return AdvisorySource(ecosystem, 1, "", when, source or f"{DEFAULT_BASE}/{ecosystem}/all.zip")


ODD = AdvisorySource("npm", 1, "", "some day", f"{DEFAULT_BASE}/npm/all.zip")

OF_AN_ADDRESS = {
    "nothing is held": (DEFAULT_BASE, (), None),
    "all is young": (DEFAULT_BASE, (held("npm", 1), held("Go", 23)), None),
    "a day to the second": (DEFAULT_BASE, (held("npm", 24),), None),
    "one is old": (DEFAULT_BASE, (held("Go", 1), held("npm", 25)), ("Go", "npm")),
    "fetched besides": (DEFAULT_BASE, (held("Hackage", 25),), ("Hackage",)),
    "usual, by hand": (DEFAULT_BASE, (held("npm", 25, "dump.zip"),), ("npm",)),
    "unusual, by hand": (DEFAULT_BASE, (held("Acme", 900, "acme.zip"),), None),
    "beside one by hand": (
        DEFAULT_BASE,
        (held("Acme", 900, "acme.zip"), held("npm", 25)),
        ("npm",),
    ),
    "a clock ran a year ahead": (DEFAULT_BASE, (held("npm", -8760),), ("npm",)),
    "another clock is a little ahead": (DEFAULT_BASE, (held("npm", -0.1),), None),
    "nobody knows when": (DEFAULT_BASE, (ODD,), ("npm",)),
    "of a mirror": (MIRROR, (held("Hackage", 25, f"{MIRROR}/Hackage/all.zip"),), ("Hackage",)),
    "of a like-named mirror": (MIRROR, (held("Hackage", 25, f"{MIRROR}-2/Hackage/all.zip"),), None),
    "a mirror with a password": (
        "https://you:secret@mirror.example.org/osv/",
        (held("Hackage", 25, f"{MIRROR}/Hackage/all.zip"),),
        ("Hackage",),
    ),
    "an old zip": (f"{MIRROR}/all.zip", (held("npm", 25, f"{MIRROR}/all.zip"),), ()),
    "a young zip": (f"{MIRROR}/all.zip", (held("npm", 1, f"{MIRROR}/all.zip"),), None),
    "a zip not yet there": (f"{MIRROR}/all.zip", (held("npm", 1),), ()),
}
AN_HOUR_AGO, A_WEEK_AGO = NOW - dt.timedelta(hours=1), NOW - dt.timedelta(days=7)
A_YEAR_ON = NOW + dt.timedelta(days=365)
OF_A_PATH = {
    "nothing is held": ((), A_WEEK_AGO, ()),
    "only another's is held": ((held("npm", 1),), A_WEEK_AGO, ()),
    "nothing has changed": ((held("npm", 100, "osv"),), A_WEEK_AGO, None),
    "newer than what is held": ((held("npm", 2, "osv"),), AN_HOUR_AGO, ()),
    "imported since": ((held("npm", 0.5, "osv"),), AN_HOUR_AGO, None),
    "what is no longer in it": (
        (held("npm", 100, "osv"), held("Go", 0.5, "osv")),
        AN_HOUR_AGO,
        None,
    ),
    "imported by a clock a year ahead": ((held("npm", -8760, "osv"),), AN_HOUR_AGO, ()),
    "imported by a clock a little ahead": ((held("npm", -0.1, "osv"),), AN_HOUR_AGO, None),
    "changed by a clock a year ahead": ((held("npm", 1, "osv"),), A_YEAR_ON, None),
    "changed so, and imported long ago": ((held("npm", 25, "osv"),), A_YEAR_ON, ()),
    "changed so, and never imported": ((), A_YEAR_ON, ()),
}


@pytest.mark.parametrize(("source", "there", "expected"), OF_AN_ADDRESS.values(), ids=OF_AN_ADDRESS)
def test_what_is_held_is_fetched_anew_when_it_is_old(
    source: str, there: tuple[AdvisorySource, ...], expected: tuple[str, ...] | None
) -> None:
    assert fetch.due(source, there, NOW, DAY) == expected


@pytest.mark.parametrize("source", ["/mnt/osv", "/mnt/osv/", "file:///mnt/osv"])
@pytest.mark.parametrize(("there", "changed", "expected"), OF_A_PATH.values(), ids=OF_A_PATH)
def test_what_lies_here_is_imported_when_it_is_newer(
    source: str,
    there: tuple[AdvisorySource, ...],
    changed: dt.datetime,
    expected: tuple[str, ...] | None,
) -> None:
    assert fetch.due(source, there, NOW, DAY, changed) == expected


def test_pauses_grow_from_ten_minutes_to_six_hours() -> None:
    minutes = [fetch.pause_s(failures) / 60 for failures in (1, 2, 3, 6, 7, 100_000)]
    assert minutes == [10, 20, 40, 320, 360, 360]


def test_the_oldest_import_is_the_age_of_the_store() -> None:
    assert fetch.oldest((held("Go", 1), held("npm", 30))) == NOW - dt.timedelta(hours=30)
    assert fetch.oldest(()) is None


def test_a_dump_that_was_copied_here_is_new_however_old_it_says_it_is(tmp_path: Path) -> None:
    before = dt.datetime.now(dt.UTC) - dt.timedelta(seconds=1)
    (tmp_path / "osv" / "npm").mkdir(parents=True)
    dump = tmp_path / "osv" / "npm" / "all.zip"
    dump.touch()
    os.utime(dump, (0, 0))
    assert dumps.changed(dump) > before
    assert dumps.changed(tmp_path / "osv") > before


def test_a_dump_that_is_gone_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no advisory dump at gone"):
        dumps.changed(tmp_path / "gone")
