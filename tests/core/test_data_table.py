"""Tables of knowledge: read whole and typed, or refused by name."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import pytest

import mergegate
from mergegate.core.data_table import Named, read_lists, read_table, read_tables
from mergegate.core.severity import Severity


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Part:
    name: str


@dataclass(frozen=True)
class Share:
    of_ten: int

    @classmethod
    def parse(cls, text: str) -> "Share":
        return cls(int(text.removesuffix("/10")))


@dataclass(frozen=True)
class Row:
    id: str
    severity: Severity
    colour: Colour = Colour.RED
    words: tuple[str, ...] = ()
    pair: tuple[str, int] = ("", 0)
    part: Part | None = None
    milder: Mapping[Severity, str] | None = None
    spelled: Callable[[str], str] = str
    shares: tuple[Share, ...] = ()


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
        spelled = "textwrap.dedent"
        shares = ["3/10", {of_ten = 7}]
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
            Named("textwrap.dedent"),
            (Share(3), Share(7)),
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
        ('[a]\nseverity = "low"\npart = "wheel"', "a.part: 'wheel' is no"),
        ('[a]\nseverity = "low"\npair = ["x"]', r"a.pair: \['x'\] is no"),
        ('[a]\nseverity = "low"\nmilder = []', r"a.milder: \[\] is no"),
        ('[a]\nseverity = "low"\nmilder = {tiny = "x"}', "a.milder: 'tiny' is no Severity"),
        ('[a]\nseverity = "low"\nspelled = "os sep"', "a.spelled: 'os sep' is no function"),
        ('[a]\nseverity = "low"\nspelled = 3', "a.spelled: 3 is no function"),
        ('[a]\nseverity = "low"\nshares = ["many"]', "a.shares: invalid literal"),
        ("a = 1", "a: 1 is no"),
        ('[a]\nseverity = "low"\n[a]\n', "Cannot declare"),
    ],
)
def test_an_entry_that_does_not_fit_is_named(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        _read(tmp_path, text)


@pytest.mark.parametrize("name", ["textwrap.dend", "txtwrap.dedent", "os.sep"])
def test_a_function_that_is_none_is_named_when_it_is_called(tmp_path: Path, name: str) -> None:
    row = _read(tmp_path, f'[a]\nseverity = "low"\nspelled = "{name}"')["a"]
    with pytest.raises(ValueError, match=f"'{name}' is no function"):
        row.spelled("x")


def test_every_function_that_a_table_of_ours_names_exists() -> None:
    package = Path(mergegate.__file__).parent
    named = {
        name
        for file in package.rglob("*.toml")
        for name in re.findall(r'= "(mergegate(?:\.\w+)+)"$', file.read_text("utf-8"), re.MULTILINE)
    }
    assert len(named) > 30
    assert all(Named(name).found() for name in named)


def test_a_folder_is_one_table_in_order_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text('[second]\nseverity = "low"')
    (tmp_path / "a.toml").write_text('[first]\nseverity = "high"')
    (tmp_path / "note.txt").write_text("no table")

    assert list(read_tables(tmp_path, Row)) == ["first", "second"]


def test_a_name_stands_in_one_file_of_a_folder(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.toml").write_text('[twice]\nseverity = "low"')

    with pytest.raises(ValueError, match=r"b\.toml: twice: in another file, too"):
        read_tables(tmp_path, Row)


def test_lists_are_arrays_or_words(tmp_path: Path) -> None:
    file = tmp_path / "lists.toml"
    file.write_text("flags = ['--a b', '--c']\nwords = '''\none two\nthree\n'''")

    assert read_lists(file) == {"flags": ("--a b", "--c"), "words": ("one", "two", "three")}


@pytest.mark.parametrize("said", ["[1]", "3", "{a = 'b'}"])
def test_what_is_no_list_of_texts_is_named(tmp_path: Path, said: str) -> None:
    file = tmp_path / "lists.toml"
    file.write_text(f"flags = {said}")

    with pytest.raises(ValueError, match=r"lists\.toml: flags: "):
        read_lists(file)
