"""What goes to a forge: one verdict on every surface, each within its limit."""

import re
from dataclasses import replace

import pytest

from mergegate.ci.comment import render
from mergegate.ci.publication import annotations, publication
from mergegate.core.finding import Place
from mergegate.core.render import escape
from mergegate.core.report import Gate, Report, Verdict
from mergegate.forges.marker import recall
from mergegate.forges.publication import BITBUCKET, GITHUB
from tests.repo.report import changes, samples
from tests.repo.report.shop import AWS, ROOT_USER, SQL

SHOWN = {"shop/db/orders.py": ((30, 50),), "deploy/settings.py": ((1, 20),)}


@pytest.mark.parametrize(
    ("report", "headline"),
    [
        (changes.clean(), "Passed: 100/100 for this change. No new findings."),
        (
            changes.failing(),
            (
                "Failed: 31/100 for this change. 6 new findings "
                "(2 critical, 1 high, 2 medium, 1 low), 1 fixed, 17 existing."
            ),
        ),
        (
            changes.drifted(),
            (
                "Passed: 100/100 for this change. No new findings, 1 fixed, "
                "7 published since the base. Not searched: 1 file left out; parts of 1 file."
            ),
        ),
    ],
)
def test_headline_is_verdict_score_and_counts(report: Report, headline: str) -> None:
    assert publication(report, changes.framing(report), {}, None).headline == headline


def test_headline_is_one_plain_line_of_140_characters_at_most() -> None:
    report = samples.hostile()
    report = replace(report, verdict=Verdict(Gate.FAILED, (samples.HOSTILE,) * 9))
    for fail_on in ("gate", "never"):
        line = publication(report, changes.framing(report, fail_on=fail_on), {}, None).headline
        assert 0 < len(line) <= 140
        assert re.fullmatch(r"[^\x00-\x1f\u202e`]+", line)


def test_every_surface_says_what_the_check_says() -> None:
    report = changes.failing()
    said = publication(report, changes.framing(report), SHOWN, "{}")
    assert (said.head, said.gate, said.sarif) == (changes.HEAD, Gate.FAILED, "{}")
    assert (said.score, said.new) == (7, 6)
    assert len(said.annotations) == 6
    assert {one.path for one in said.remarks} == set(SHOWN)
    assert said.details.startswith("## ❌ Failed: 31/100 for this change")


def test_comment_is_rendered_with_what_the_last_one_remembered() -> None:
    report, framing = changes.failing(), changes.framing(changes.failing())
    said = publication(report, framing, {}, None)
    assert said.comment(changes.earlier()) == render(report, framing, changes.earlier())
    state = recall(said.comment(None))
    assert state is not None
    assert len(state.pushes) == 1


def test_number_of_remarks_is_the_teams() -> None:
    report = changes.failing()
    framing = replace(changes.framing(report), most_remarks=1)
    assert len(publication(report, framing, SHOWN, None).remarks) == 1


def test_dismissed_findings_are_not_present() -> None:
    report = changes.failing()
    present = publication(report, changes.framing(report), {}, None).present
    assert present == {one.id for one in report.findings}
    assert not present & {one.finding.id for one in report.suppressed}


def test_without_a_base_nothing_is_counted_as_new() -> None:
    report = replace(samples.failed(), comparison=None)
    said = publication(report, changes.framing(report), SHOWN, None)
    assert said.new is None
    assert said.remarks == ()


@pytest.mark.parametrize("sample", [samples.hostile, lambda: samples.huge(500)])
def test_details_fit_the_check_and_the_report(sample: object) -> None:
    report: Report = sample()  # type: ignore[operator]
    framing = changes.framing(report, GITHUB)
    assert len(publication(report, framing, {}, None).details) <= 60_000
    plain = publication(report, replace(framing, dialect=BITBUCKET), {}, None).details
    assert len(plain) <= 2_000
    assert "**" not in plain.split("\n")[0]
    assert plain.split("\n")[0].startswith("Failed: ")


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
