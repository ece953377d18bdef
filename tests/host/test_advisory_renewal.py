"""Who keeps advisories young: when it imports, when it waits, and whom it leaves alone."""

import datetime as dt
import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from mergegate.core.errors import StoreError
from mergegate.host import advisory_renewal
from mergegate.host.advisory_renewal import Renewal, renewed
from mergegate.host.api.metrics import Metrics
from mergegate.host.runner.advisories import Importer
from mergegate.host.server import AdvisoryFigures
from mergegate.host.settings import service_settings
from mergegate.packages.advisories import DEFAULT_BASE, placing, status, update
from mergegate.packages.advisories.fetch import imported
from mergegate.packages.dependencies import AdvisorySource
from tests.packages.test_advisories import RECORDS, record, zipped

DAY = dt.timedelta(days=1)
NOW = dt.datetime.now(dt.UTC)
"""When stores are made here; those who look at them live later."""


class Told(Importer):
    """Imports nothing; ``then`` happens instead."""

    def __init__(self, store: Path, source: str, then: Callable[[], None]) -> None:
        super().__init__(store, source, {})
        self.asked: list[list[str]] = []
        self._then = then

    def run(self, ecosystems: Sequence[str]) -> Sequence[AdvisorySource]:
        self.asked.append(list(ecosystems))
        self._then()
        return ()


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """With the four usual ecosystems, imported just now."""
    update(RECORDS, tmp_path / "data" / "advisories.sqlite")
    return tmp_path / "data" / "advisories.sqlite"


def looking(importer: Importer, later: dt.timedelta = dt.timedelta()) -> Renewal:
    return Renewal(importer, DAY, now=lambda: NOW + later)


def refuse() -> None:
    raise StoreError("it answered 503", remedy="Wait.")


def test_nothing_young_is_imported(store: Path) -> None:
    importer = Told(store, DEFAULT_BASE, refuse)
    assert looking(importer).turn(DAY) == 900
    assert importer.asked == []


def test_failures_are_told_and_tried_again_ever_later(
    store: Path, caplog: pytest.LogCaptureFixture
) -> None:
    importer = Told(store, DEFAULT_BASE, refuse)
    renewal = looking(importer, 2 * DAY)
    assert [renewal.turn(DAY) for _ in range(3)] == [600, 1200, 2400]
    assert importer.asked == [["Go", "PyPI", "crates.io", "npm"]] * 3
    assert caplog.messages[-1] == (
        "advisories were not renewed: it answered 503. Wait. Next try in 40 min"
    )
    importer._then = lambda: None
    assert (renewal.turn(DAY), renewal.failures) == (900, 0)


def test_one_of_many_imports(store: Path) -> None:
    second = Told(store, DEFAULT_BASE, lambda: None)
    first = Told(store, DEFAULT_BASE, lambda: pauses.append(looking(second, 2 * DAY).turn(DAY)))
    pauses: list[float] = []
    looking(first, 2 * DAY).turn(DAY)
    assert (len(first.asked), second.asked, pauses) == (1, [], [900])


def test_what_another_has_renewed_meanwhile_is_not_renewed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look and the claim."""
    store = tmp_path / "advisories.sqlite"
    real = placing.claimed
    dump = zipped(tmp_path / "dump.zip", record("T-1"))

    def claimed(path: Path) -> object:
        update(dump, store)
        return real(path)

    monkeypatch.setattr(placing, "claimed", claimed)
    importer = Told(store, str(dump), refuse)
    # The clock of files counts finer than what a store says of itself.
    monkeypatch.setattr("mergegate.packages.advisories.dumps.changed", lambda _: NOW - DAY)
    assert looking(importer).turn(DAY) == 900
    assert importer.asked == []


def test_a_damaged_store_is_told_and_not_touched(
    store: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store.write_bytes(b"not a database at all" * 300)
    renewal = looking(Told(store, DEFAULT_BASE, refuse))
    assert renewal.turn(DAY) == 600
    assert "damaged" in caplog.text
    assert (renewal.failures, renewal.age()) == (1, None)


OFF = {
    "by number": ({"MERGEGATE_ADVISORIES_HOURS": "0"}, False),
    "without a network": ({"MERGEGATE_OFFLINE": "1"}, False),
    "not by saying so": ({"MERGEGATE_OFFLINE": "0"}, True),
    "what lies here needs no network": (
        {"MERGEGATE_OFFLINE": "1", "MERGEGATE_ADVISORIES": "/mnt/osv"},
        True,
    ),
    "unless it is wanted": ({}, True),
}


@pytest.mark.parametrize(("environment", "renews"), OFF.values(), ids=OFF)
def test_it_can_be_left_to_others(
    environment: dict[str, str],
    renews: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    turns = threading.Event()

    def turn(*_: object) -> float:
        turns.set()
        return 900.0

    monkeypatch.setattr(Renewal, "turn", turn)
    caplog.set_level(logging.INFO)
    with renewed(service_settings(environment, tmp_path), {}).kept():
        assert turns.wait(30 if renews else 0) is renews
    assert ("advisories are not renewed by this process" in caplog.messages) is not renews


def test_a_mistake_of_our_own_does_not_end_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(advisory_renewal, "_LOOK_EVERY_S", 0.01)
    survived, turns = threading.Event(), []

    def turn(*_: object) -> float:
        turns.append(1)
        if len(turns) == 1:
            raise ZeroDivisionError
        survived.set()
        return 900.0

    monkeypatch.setattr(Renewal, "turn", turn)
    renewal = renewed(service_settings({}, tmp_path), {})
    with renewal.kept():
        assert survived.wait(30)
    assert "ZeroDivisionError" in caplog.text
    assert renewal.failures == 1


def told(renewal: Renewal) -> dict[str, float]:
    lines = Metrics(AdvisoryFigures(renewal)).page({}, 0).decode().splitlines()
    ours = (line.split() for line in lines if line.startswith("mergegate_advisories_"))
    return {name: float(value) for name, value in ours}


def test_metrics_tell_the_age_and_the_failures(store: Path, tmp_path: Path) -> None:
    there = status(store)
    assert there is not None
    later = imported(there.sources[0]) + 2 * DAY
    renewal = Renewal(Told(store, DEFAULT_BASE, refuse), DAY, now=lambda: later)
    renewal.turn(DAY)
    assert told(renewal) == {
        "mergegate_advisories_renewal_failures": 1,
        "mergegate_advisories_age_seconds": 2 * 86400,
    }
    nothing = looking(Told(tmp_path / "none", DEFAULT_BASE, refuse))
    assert told(nothing) == {"mergegate_advisories_renewal_failures": 0}
