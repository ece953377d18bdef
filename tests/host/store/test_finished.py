import datetime as dt

from mergegate.core.tool import Lane, Tool
from mergegate.host.scan import Done, Scan, State
from mergegate.host.store.finished import Finished
from tests.host.store.conftest import NOW

ROOM = 100_000


def over(id: str, characters: int, result: str = "x") -> Scan:
    what = (Tool.SEO, Lane.LIGHT, "{}", State.COMPLETED)
    return Scan(id, "acc_1", *what, NOW, outcome=Done(result * characters))


def held(finished: Finished, *ids: str) -> list[str]:
    return [id for id in ids if finished.find(id) is not None]


def test_a_scan_is_found_as_it_was_kept() -> None:
    finished, scan = Finished(), over("seo_1", 10)
    finished.keep(scan, NOW)
    kept = finished.find("seo_1")
    assert kept is not None
    assert (kept.scan, kept.finished_at) == (scan, NOW)
    assert finished.find("seo_2") is None


def test_the_one_that_was_not_asked_for_longest_makes_room() -> None:
    finished = Finished(ROOM)
    for number in range(10):
        finished.keep(over(f"seo_{number}", 9_000), NOW)
        finished.find("seo_0")
    assert held(finished, "seo_0", "seo_1", "seo_2", "seo_9") == ["seo_0", "seo_2", "seo_9"]


def test_no_more_than_the_room_is_taken_however_wide_the_letters_are() -> None:
    finished = Finished(ROOM)
    for number in range(20):
        finished.keep(over(f"seo_{number}", 2_000, "\N{GRINNING FACE}"), NOW)
    assert len(held(finished, *(f"seo_{number}" for number in range(20)))) == 9


def test_one_that_is_too_long_is_not_kept_and_drives_nobody_out() -> None:
    finished = Finished(ROOM)
    finished.keep(over("seo_1", 10), NOW)
    finished.keep(over("seo_2", ROOM // 4), NOW)
    assert held(finished, "seo_1", "seo_2") == ["seo_1"]


def test_what_takes_the_place_of_another_takes_its_room_too() -> None:
    finished = Finished(ROOM)
    finished.keep(over("seo_0", 10), NOW)
    for second in range(50):
        finished.keep(over("seo_1", 9_000), NOW + dt.timedelta(seconds=second))
    assert held(finished, "seo_0", "seo_1") == ["seo_0", "seo_1"]


def test_what_is_forgotten_leaves_its_room() -> None:
    finished = Finished(ROOM)
    finished.keep(over("seo_0", 10), NOW)
    for _ in range(50):
        finished.keep(over("seo_1", 9_000), NOW)
        finished.forget("seo_1")
    finished.forget("seo_1")
    assert held(finished, "seo_0", "seo_1") == ["seo_0"]
