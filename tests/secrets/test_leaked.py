"""Every file of ``leaked.toml``: all its secrets are told, and nothing of its twin."""

import tomllib
from pathlib import Path

import pytest

from tests.secrets.written import filled, told

_FILES = tomllib.loads(Path(__file__).with_name("leaked.toml").read_text("utf-8"))
_FILE = pytest.mark.parametrize("name", _FILES)


@_FILE
def test_each_secret_of_the_file_is_told(name: str) -> None:
    path = _FILES[name]["path"]
    text, values = filled(_FILES[name]["told"], path)
    found = told(path, text)
    missed = [mark for mark, value in values.items() if not any(value in one for one in found)]
    assert missed == []


@_FILE
def test_nothing_else_of_the_file_is_told(name: str) -> None:
    path = _FILES[name]["path"]
    text, values = filled(_FILES[name]["told"], path)
    others = [
        one
        for one in told(path, text)
        if not any(value in one or (one and one in value) for value in values.values())
    ]
    assert others == []


@_FILE
def test_nothing_is_told_of_what_people_write_in_its_place(name: str) -> None:
    path = _FILES[name]["path"]
    text, _ = filled(_FILES[name]["silent"], path)
    assert told(path, text) == set()
