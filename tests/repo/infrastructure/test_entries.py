"""Every entry against its own examples, through the real engines."""

import dataclasses
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import pytest

from mergegate.core.data_table import read_table
from mergegate.core.finding import Finding
from mergegate.core.severity import Severity
from mergegate.core.tree import Role
from mergegate.repo import infrastructure
from mergegate.repo.checks.infrastructure import settings as checks
from mergegate.repo.facts.resources import dialect_of
from mergegate.repo.infrastructure import (
    WRITTEN,
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
from tests.repo.infrastructure.reading import told, told_of_each

_STEP = re.compile(r"[A-Za-z_][\w./:-]*|\*|\d+")


def severities(entry: Entry, subject: Subject, findings: Iterable[Finding]) -> list[Severity]:
    """The severities of the findings that the entry tells."""
    rule = entry.rule_id(subject.dialect)
    return [one.severity for one in findings if one.rule_id == rule]


def misjudged(judged: Iterable[Entry]) -> list[tuple[str, str, dict[str, str]]]:
    """Of each entry the bad examples that it does not tell in full, and the good ones it tells."""
    asked = [
        (entry, verdict, *example)
        for entry in judged
        for verdict in ("bad", "good")
        for example in examples(entry, verdict)
    ]
    findings = told_of_each([files for *_, files in asked])
    wrong = []
    for (entry, verdict, subject, files), found in zip(asked, findings, strict=True):
        severity = entry.severity if subject.severity is None else subject.severity
        weighed = severities(entry, subject, found)
        if weighed if verdict == "good" else severity not in weighed:
            wrong.append((entry.id, verdict, files))
    return wrong


@cache
def written() -> Mapping[str, list[Entry]]:
    """The entries of each file."""
    return {file: [entries()[id] for id in said] for file, said in WRITTEN.said().items()}


@pytest.mark.parametrize("file", WRITTEN.files)
def test_bad_examples_are_told_and_good_ones_are_not(file: str) -> None:
    assert misjudged(written()[file]) == []


@pytest.mark.parametrize("file", WRITTEN.files)
def test_entries_are_whole(file: str) -> None:
    for entry in written()[file]:
        assert re.fullmatch(r"CWE-\d+", entry.cwe), entry.id
        assert entry.references, entry.id
        assert all(one.startswith("https://") for one in entry.references), entry.id
        assert not entry.wrong.endswith("."), entry.id
        assert entry.remedy.endswith("."), entry.id
        assert {one.severity for one in entry.subjects if one.severity} <= entry.milder.keys()
        for subject in entry.subjects:
            assert subject.bad, entry.id
            assert subject.good, entry.id
            ways = [*subject.settings, subject.each, *(one.setting for one in subject.only_where)]
            assert all(_STEP.fullmatch(step) for way in ways for step in steps(way)), entry.id
            assert len({entry.rule_id(dialect_of(kind)) for kind in subject.kinds}) == 1, entry.id


def test_fix_is_offered_where_there_is_one_safe_value() -> None:
    offered = [one for one in entries().values() if one.does]
    assert [one.id for one in offered if not any(each.wanted for each in one.subjects)] == []


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
    weighed = {
        verdict: [severities(entry, subject, told(files)) for _, files in examples(entry, verdict)]
        for verdict in ("bad", "good")
    }
    assert weighed == {"bad": [[entry.severity]], "good": [[], []]}


@pytest.mark.parametrize("row", [Demand, Condition, Companion, Subject, Entry])
def test_the_readme_tells_every_word(row: type) -> None:
    words = [one.name for one in dataclasses.fields(row) if one.name != "id"]
    assert [one for one in words if not re.search(rf"\b{one}\b", README)] == []
    assert f"`{row.__name__}`" in README
