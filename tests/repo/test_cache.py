"""The cache saves work and nothing else: damage or loss only costs time."""

import os
from pathlib import Path

from mergegate.repo.cache import AnswerCache, RunMemory


def test_values_come_back(tmp_path: Path) -> None:
    AnswerCache(tmp_path / "c.sqlite").remember({"a": b"1", "b": b"2"})
    assert AnswerCache(tmp_path / "c.sqlite").recall(["a", "x"]) == {"a": b"1"}


def test_thousands_of_keys_are_asked_for_at_once(tmp_path: Path) -> None:
    values = {str(number): b"%d" % number for number in range(3000)}
    cache = AnswerCache(tmp_path / "c.sqlite")
    cache.remember(values)
    assert cache.recall(list(values)) == values


def test_a_damaged_file_holds_nothing_and_raises_nothing(tmp_path: Path) -> None:
    file = tmp_path / "c.sqlite"
    file.write_bytes(b"not a database" * 1000)
    cache = AnswerCache(file)
    cache.remember({"a": b"1"})
    assert cache.recall(["a"]) == {}


def test_a_place_that_cannot_be_written_holds_nothing() -> None:
    cache = AnswerCache(Path("/proc/nowhere/c.sqlite"))
    cache.remember({"a": b"1"})
    assert cache.recall(["a"]) == {}


def test_it_stays_below_its_limit(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "c.sqlite", largest_bytes=2000)
    for number in range(40):
        cache.remember({str(number): os.urandom(100)})
    assert 0 < len(cache.recall([str(number) for number in range(40)])) < 40


def test_a_run_remembers_without_a_file() -> None:
    memory = RunMemory()
    memory.remember({"a": b"1"})
    assert memory.recall(["a", "b"]) == {"a": b"1"}


def test_what_is_asked_anew_comes_from_this_run_alone(tmp_path: Path) -> None:
    lasting = AnswerCache(tmp_path / "c.sqlite")
    lasting.remember({"a": b"theirs", "b": b"theirs", "c": b"theirs"})
    memory = RunMemory(lasting)
    memory.remember({"a": b"ours"})
    assert memory.recall(["a", "b", "c"], {"a", "b"}) == {"a": b"ours", "c": b"theirs"}
