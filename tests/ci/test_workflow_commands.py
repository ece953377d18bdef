"""Workflow commands: what GitHub's runner reads out of the log, and nothing else."""

import re
from dataclasses import replace

import pytest

from mergegate.ci.answering import workflow_commands
from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Severity
from tests.repo.report import changes, samples
from tests.repo.report.shop import SQL, identified

COMMAND = re.compile(r"::(?P<name>error|warning|notice)(?: (?P<properties>[^:]+))?::(?P<data>.*)")


def read(line: str) -> tuple[str, dict[str, str], str]:
    """A line as the runner reads it: ``ActionCommand`` of actions/runner unescapes so."""
    match = COMMAND.fullmatch(line)
    assert match is not None, line
    pairs = (one.split("=", 1) for one in (match["properties"] or "").split(",") if one)
    values = {name: _unescaped(value, ("3A", ":"), ("2C", ",")) for name, value in pairs}
    return match["name"], values, _unescaped(match["data"])


def _unescaped(text: str, *more: tuple[str, str]) -> str:
    for code, character in (("0D", "\r"), ("0A", "\n"), *more, ("25", "%")):
        text = text.replace(f"%{code}", character)
    return text


def finding(number: int = 1, **more: object) -> Finding:
    place = Place("shop/db/orders.py", number, number + 1)
    return identified(replace(SQL, place=place, **more))  # type: ignore[arg-type]


def test_finding_is_a_command_with_its_place() -> None:
    name, values, data = read(workflow_commands(samples.report([finding(4)])).rstrip("\n"))
    assert name == "error"
    assert values == {
        "file": "shop/db/orders.py",
        "line": "4",
        "endLine": "5",
        "title": "Critical: SQL built from a request parameter",
    }
    assert data == SQL.message


@pytest.mark.parametrize(
    ("severity", "name"),
    [
        (Severity.CRITICAL, "error"),
        (Severity.HIGH, "error"),
        (Severity.MEDIUM, "warning"),
        (Severity.LOW, "warning"),
    ],
)
def test_critical_and_high_are_errors(severity: Severity, name: str) -> None:
    assert read(workflow_commands(samples.report([finding(severity=severity)])).strip())[0] == name


def test_at_most_ten_of_each_kind_and_the_rest_is_said() -> None:
    lines = workflow_commands(changes.crowded()).splitlines()
    names = [read(line)[0] for line in lines]
    assert names == ["error"] * 10 + ["warning"] * 10 + ["notice"]
    assert lines[-1] == "::notice::Shown 20 of 380 findings, worst first"


def test_nothing_found_writes_nothing() -> None:
    assert workflow_commands(changes.clean()) == ""
    assert workflow_commands(samples.report([finding(severity=Severity.INFO)])) == ""


def test_special_characters_of_the_format_come_through() -> None:
    odd = finding(title="100%, a: b%0A", message="50%25\nsecond: line, end")
    odd = replace(odd, place=Place("a,b:c%2C.py", 3, 3))
    _, values, data = read(workflow_commands(samples.report([odd])).rstrip("\n"))
    assert values["file"] == "a,b:c%2C.py"
    assert values["title"] == "Critical: 100%, a: b%0A"
    assert data == r"50%25\nsecond: line, end"


def test_path_that_cannot_be_said_is_left_out_and_counted() -> None:
    bad = replace(finding(), place=Place("a\n::error::b.py", 1, 1))
    assert (
        workflow_commands(samples.report([bad])) == "::notice::Shown 0 of 1 findings, worst first\n"
    )


def test_hostile_text_adds_no_command() -> None:
    words = samples.HOSTILE + "\r\n::add-mask::x\n##[command]y"
    bad = [finding(n, title=words, message=words, rule_id=words) for n in (1, 2)]
    text = workflow_commands(samples.report(bad))
    assert len(text.splitlines()) == 2
    assert [read(line)[0] for line in text.splitlines()] == ["error", "error"]
    assert "##[" not in text
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u2028\u202e]", text)
