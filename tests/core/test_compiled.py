"""Knowledge that is parsed when a wheel is built: the same as its files say, or not used."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from mergegate.core.compiled import COMPILED, Knowledge
from mergegate.repo import infrastructure, rules


def _never(_: Mapping[str, bytes]) -> list[str]:
    raise AssertionError("parsed again")


def _words(files: Mapping[str, bytes]) -> list[str]:
    return [word for text in files.values() for word in text.decode().split()]


def test_what_is_compiled_is_not_parsed_again(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one two")
    Knowledge(tmp_path, ("*.txt",), _words).compile()

    assert Knowledge(tmp_path, ("*.txt",), _never).said() == ["one", "two"]


@pytest.mark.parametrize("change", [{"a.txt": "one three"}, {"b.txt": "four"}])
def test_changed_files_are_parsed(tmp_path: Path, change: Mapping[str, str]) -> None:
    (tmp_path / "a.txt").write_text("one two")
    Knowledge(tmp_path, ("*.txt",), _words).compile()
    for name, text in change.items():
        (tmp_path / name).write_text(text)

    now = Knowledge(tmp_path, ("*.txt",), _words)
    assert now.said() == _words(now.files) != ["one", "two"]


@pytest.mark.parametrize("damaged", [b"", b'{"revision": "', b"\xff"])
def test_a_damaged_one_is_parsed_and_made_anew(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / "a.txt").write_text("one two")
    (tmp_path / COMPILED).write_bytes(damaged)

    Knowledge(tmp_path, ("*.txt",), _words).compile()
    assert Knowledge(tmp_path, ("*.txt",), _never).said() == ["one", "two"]
    assert {one.name for one in tmp_path.iterdir()} == {"a.txt", COMPILED}


@pytest.mark.parametrize("knowledge", [rules.WRITTEN, infrastructure.WRITTEN])
def test_ours_means_the_same_when_it_is_compiled(knowledge: Knowledge, tmp_path: Path) -> None:
    knowledge.compile(tmp_path / COMPILED)

    said = json.loads((tmp_path / COMPILED).read_text("utf-8"))["said"]
    assert said == knowledge.parse(knowledge.files)
