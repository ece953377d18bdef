"""Annotations: what stands beside the lines of a check, in plain text."""

from dataclasses import replace

import pytest

from mergegate.ci.publication import annotations
from mergegate.core.finding import Place
from mergegate.core.render import escape
from tests.repo.report import changes, samples
from tests.repo.report.shop import AWS, ROOT_USER, SQL


def test_annotation_tells_place_severity_rule_and_remedy() -> None:
    (one,) = annotations(samples.report([replace(SQL, fix_id=None)]))
    assert one.finding_id == SQL.id
    assert (one.path, one.start_line, one.end_line) == ("shop/db/orders.py", 42, 42)
    assert (one.severity, one.kind) == (SQL.severity, SQL.kind)
    assert one.rule_id == "python-sql-injection"
    assert one.title == "SQL built from a request parameter"
    assert one.message == SQL.message
    assert one.url == "https://cwe.mitre.org/data/definitions/89.html"


def test_change_is_annotated_with_what_it_brings_only() -> None:
    told = {one.finding_id for one in annotations(changes.failing())}
    assert told == {one.id for one in changes.failing().findings if one.is_new}


def test_drifted_advisories_are_not_annotated() -> None:
    assert annotations(changes.drifted()) == ()


def test_without_a_base_all_findings_are_annotated_worst_first() -> None:
    report = replace(samples.failed(), comparison=None)
    told = [one.finding_id for one in annotations(report)]
    assert told == [one.id for one in report.findings if one.place.file]


def test_whole_file_stands_at_its_first_line() -> None:
    (one,) = annotations(samples.report([ROOT_USER]))
    assert (one.path, one.start_line, one.end_line) == ("Dockerfile", 1, 1)


@pytest.mark.parametrize("path", ["", "a\nb.py", "a\u202eb.py", "a\x00.py", "\ud800.py"])
def test_finding_whose_path_cannot_be_shown_is_left_out(path: str) -> None:
    assert annotations(samples.report([replace(SQL, place=Place(path, 3, 3))])) == ()


def test_hostile_text_becomes_visible_and_bounded() -> None:
    words = samples.HOSTILE * 40
    (one,) = annotations(
        samples.report([replace(SQL, title=words, message=words, references=("javascript:x",))])
    )
    assert escape.visible(one.title) == one.title
    assert escape.visible(one.message) == one.message
    assert (len(one.title), len(one.message)) == (200, 1_800)
    assert one.url == ""


def test_no_source_line_enters_an_annotation() -> None:
    (one,) = annotations(samples.report([replace(AWS, snippet="KEY = 'AKIAREAL'")]))
    assert "AKIA" not in f"{one.title} {one.message}"
