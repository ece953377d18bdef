"""Tables of knowledge: read whole and typed, or refused by name."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import pytest

from mergegate.core.data_table import read_table
from mergegate.core.severity import Severity


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Part:
    name: str


@dataclass(frozen=True)
class Row:
    id: str
    severity: Severity
    colour: Colour = Colour.RED
    words: tuple[str, ...] = ()
    pair: tuple[str, int] = ("", 0)
    part: Part | None = None
    milder: Mapping[Severity, str] | None = None


def _read(folder: Path, text: str) -> Mapping[str, Row]:
    file = folder / "rows.toml"
    file.write_text(text)
    return read_table(file, Row)


def test_an_entry_becomes_a_value(tmp_path: Path) -> None:
    table = _read(
        tmp_path,
        """
        [first]
        severity = "high"
        colour = "red"
        words = ["a", "b"]
        pair = ["a", 1]
        part = {name = "wheel"}
        milder = {low = "in tests"}
        [second]
        severity = "low"
        """,
    )

    assert table == {
        "first": Row(
            "first",
            Severity.HIGH,
            Colour.RED,
            ("a", "b"),
            ("a", 1),
            Part("wheel"),
            {Severity.LOW: "in tests"},
        ),
        "second": Row("second", Severity.LOW),
    }


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('[a]\nseverity = "huge"', "a.severity: 'huge' is no Severity"),
        ('[a]\nseverity = "low"\ncolour = "blue"', "a.colour: 'blue' is no Colour"),
        ("[a]\nseverity = 3", "a.severity: 3 is no"),
        ("[a]", "a: unknown or missing severity"),
        ('[a]\nseverity = "low"\nwordz = []', "a: unknown or missing wordz"),
        ('[a]\nseverity = "low"\nwords = "b"', "a.words: 'b' is no"),
        ('[a]\nseverity = "low"\nwords = [1]', "a.words: 1 is no"),
        ('[a]\nseverity = "low"\npart = {nam = "x"}', "a.part: unknown or missing nam"),
        ('[a]\nseverity = "low"\n[a]\n', "Cannot declare"),
    ],
)
def test_an_entry_that_does_not_fit_is_named(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        _read(tmp_path, text)
