"""Every entry against its own examples, through the real engines."""

import dataclasses
import re
from pathlib import Path

import pytest

from mergegate.core.data_table import read_table
from mergegate.core.severity import Severity
from mergegate.core.tree import Role
from mergegate.repo import infrastructure
from mergegate.repo.checks.infrastructure import settings as checks
from mergegate.repo.facts.resources import dialect_of
from mergegate.repo.infrastructure import (
    Absent,
    Companion,
    Condition,
    Demand,
    Entry,
    Subject,
    entries,
    steps,
)
from tests.repo.infrastructure.examples import examples
from tests.repo.infrastructure.reading import told

_STEP = re.compile(r"[A-Za-z_][\w./:-]*|\*|\d+")


def of(entry: Entry, subject: Subject, files: dict[str, str]) -> list[Severity]:
    """The severities that the entry tells of the files."""
    rule = entry.rule_id(subject.dialect)
    return [one.severity for one in told(files) if one.rule_id == rule]


@pytest.mark.parametrize("entry", entries().values(), ids=lambda one: one.id)
def test_bad_examples_are_told(entry: Entry) -> None:
    silent = [
        files
        for subject, files in examples(entry, "bad")
        if (entry.severity if subject.severity is None else subject.severity)
        not in of(entry, subject, files)
    ]
    assert silent == []


@pytest.mark.parametrize("entry", entries().values(), ids=lambda one: one.id)
def test_good_examples_are_not(entry: Entry) -> None:
    told_of = [files for subject, files in examples(entry, "good") if of(entry, subject, files)]
    assert told_of == []


@pytest.mark.parametrize("entry", entries().values(), ids=lambda one: one.id)
def test_entry_is_whole(entry: Entry) -> None:
    assert re.fullmatch(r"CWE-\d+", entry.cwe)
    assert all(one.startswith("https://") for one in entry.references)
    assert entry.references
    assert not entry.wrong.endswith(".")
    assert entry.remedy.endswith(".")
    assert {one.severity for one in entry.subjects if one.severity} <= entry.milder.keys()
    for subject in entry.subjects:
        assert subject.bad
        assert subject.good
        ways = [*subject.settings, subject.each, *(one.setting for one in subject.only_where)]
        assert all(_STEP.fullmatch(step) for way in ways for step in steps(way))
        assert len({entry.rule_id(dialect_of(kind)) for kind in subject.kinds}) == 1


@pytest.mark.parametrize("entry", entries().values(), ids=lambda one: one.id)
def test_fix_is_offered_where_there_is_one_safe_value(entry: Entry) -> None:
    offered = bool(entry.does)
    assert not offered or any(one.wanted for one in entry.subjects)


def test_what_is_left_at_its_default_is_seldom_more_than_low() -> None:
    """A default that most careful people leave is no reason to stop a merge."""
    left = {
        entry.id
        for entry in entries().values()
        for subject in entry.subjects
        if subject.absent is Absent.UNSAFE
        and (entry.severity if subject.severity is None else subject.severity) > Severity.MEDIUM
    }
    assert left == set()


def test_outside_production_a_small_matter_is_not_told() -> None:
    files = {"main.tf": 'resource "aws_kms_key" "a" {}\nresource "aws_efs_file_system" "b" {}\n'}
    assert [one.severity for one in told(files, Role.TEST)] == [Severity.INFO]


README = Path(infrastructure.__file__).with_name("README.md").read_text("utf-8")


def test_the_example_of_the_readme_is_an_entry_that_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [example] = re.findall(r"^```toml\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    (tmp_path / "example.toml").write_text(example, "utf-8")
    [entry] = read_table(tmp_path / "example.toml", Entry).values()
    [subject] = entry.subjects
    judged = dict.fromkeys(subject.kinds, ((entry, subject),))
    rules = {entry.id: checks._rule(entry.id, entry)}
    monkeypatch.setattr(checks, "subjects", lambda: judged)
    monkeypatch.setattr(checks, "_rules", lambda: rules)
    assert [of(entry, subject, files) for _, files in examples(entry, "bad")] == [[entry.severity]]
    assert [of(entry, subject, files) for _, files in examples(entry, "good")] == [[], []]


@pytest.mark.parametrize("row", [Demand, Condition, Companion, Subject, Entry])
def test_the_readme_tells_every_word(row: type) -> None:
    words = [one.name for one in dataclasses.fields(row) if one.name != "id"]
    assert [one for one in words if not re.search(rf"\b{one}\b", README)] == []
    assert f"`{row.__name__}`" in README
