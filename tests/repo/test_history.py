"""An upgrade turns nothing red overnight: what later rules tell is told apart."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mergegate.core.errors import UsageError
from mergegate.core.finding import Finding
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import Gate, LaterRules, Report
from mergegate.core.score import FailOn, decide, decided
from mergegate.core.severity import Severity
from mergegate.repo.examine import Examined, Examiner
from mergegate.repo.report import console, html, markdown
from mergegate.repo.rules.history import (
    NEXT,
    RuleHistory,
    history,
    is_later,
    previous,
    version_of_rules,
)
from mergegate.repo.wire import read, to_json
from tests.conftest import Mergegate
from tests.repo.history import brought_up, coming, line, meanings
from tests.repo.test_assemble import examined, examiner, finding, policy, report
from tests.repo.test_scan import VULNERABLE, scan

__all__ = ["examiner"]


def test_every_rule_has_its_history() -> None:
    wanted = brought_up(history(), meanings(), coming())
    stale = [line(one) for id, one in wanted.items() if history().get(id) != one]
    gone = sorted(history().keys() - wanted.keys())
    hint = "run `python -m tests.repo.history --write`, or write into history.toml:\n"
    assert not stale, hint + "\n".join(stale)
    assert not gone, f"history.toml speaks of rules that are none: {gone}"


def told(rule: str, since: str, changed: str = "", meaning: str = "1") -> RuleHistory:
    return RuleHistory(rule=rule, since=since, changed=changed, meaning=meaning)


TABLE = {
    one.rule: one
    for one in (
        told("old", "0.1.0"),
        told("wider", "0.1.0", "0.10.1"),
        told("late", "0.10.0"),
        told("coming", NEXT),
    )
}


def test_a_new_rule_and_a_changed_meaning_are_of_the_version_that_comes() -> None:
    known = {
        "old": told("old", "0.1.0"),
        "fresh": told("fresh", "0.2.0"),
        "gone": told("gone", "0.1.0"),
    }
    found = brought_up(known, {"old": "2", "fresh": "2", "new": "1"}, "0.2.0")
    assert found == {
        "fresh": told("fresh", "0.2.0", meaning="2"),
        "new": told("new", "0.2.0"),
        "old": told("old", "0.1.0", "0.2.0", "2"),
    }
    assert brought_up(found, {"old": "2", "fresh": "2", "new": "1"}, NEXT) == found
    assert line(found["old"]) == 'old = { since = "0.1.0", changed = "0.2.0", meaning = "2" }'


@pytest.mark.parametrize(
    ("version", "later"),
    [
        ("0.0.9", {"old", "wider", "late", "coming", "unknown"}),
        ("0.1.0", {"wider", "late", "coming", "unknown"}),
        ("0.10.0", {"wider", "coming", "unknown"}),
        ("1.0.0", {"coming", "unknown"}),
    ],
)
def test_a_rule_is_later_than_a_version_without_it_or_that_found_less(
    version: str, later: set[str]
) -> None:
    assert {one for one in (*TABLE, "unknown") if is_later(one, version, TABLE)} == later


@pytest.mark.parametrize(
    ("version", "before"),
    [("0.1.0", ""), ("0.1.7", ""), ("0.10.0", "0.1.0"), ("0.10.9", "0.1.0"), ("0.11.0", "0.10.1")],
)
def test_a_repository_is_held_to_the_rules_before_the_minor_version(
    version: str, before: str
) -> None:
    assert previous(version, TABLE) == before


def test_what_is_no_version_is_refused() -> None:
    assert version_of_rules("v0.2.0") == "0.2.0"
    with pytest.raises(UsageError):
        version_of_rules("latest")


@pytest.fixture
def upgraded(monkeypatch: pytest.MonkeyPatch, examiner: Examiner) -> Examiner:
    """Held to the rules of 0.1.0, of which ``late`` is none."""
    monkeypatch.setattr("mergegate.repo.rules.history.history", lambda: TABLE)
    return policy(examiner, "rules-of: 0.1.0")


def critical(rule: str) -> Finding:
    return replace(finding(rule), rule_id=rule, severity=Severity.CRITICAL)


def gates(made: Report) -> tuple[Gate, Gate]:
    """The rule's gate, and the one that stops a merge."""
    return made.verdict.gate, decide(made, FailOn.GATE, REPOSITORY).gate


LATE, OLD = critical("late"), critical("old")


@pytest.mark.parametrize(
    ("head", "before", "expected", "count"),
    [
        (examined(LATE), None, (Gate.FAILED, Gate.PASSED), 1),
        (examined(LATE, OLD), None, (Gate.FAILED, Gate.FAILED), 1),
        (examined(LATE), examined(LATE), (Gate.FAILED, Gate.PASSED), 1),
        (examined(LATE), examined(), (Gate.FAILED, Gate.FAILED), 0),
        (examined(OLD), None, (Gate.FAILED, Gate.FAILED), 0),
    ],
)
def test_what_later_rules_tell_fails_no_merge_unless_the_change_brings_it(
    upgraded: Examiner,
    head: Examined,
    before: Examined | None,
    expected: tuple[Gate, Gate],
    count: int,
) -> None:
    made = report(upgraded, head, before)
    assert gates(made) == expected
    assert len(made.later_rules.ids if made.later_rules else ()) == count


def test_from_the_day_that_the_policy_gives_it_blocks(upgraded: Examiner) -> None:
    for day, gate in (("2026-06-01", Gate.PASSED), ("2026-05-31", Gate.FAILED)):
        dated = policy(upgraded, f"rules-of: 0.1.0\nlater-rules-block-from: {day}")
        made = report(dated, examined(LATE))
        assert gates(made) == (Gate.FAILED, gate)
        assert made.policy is not None
        assert any(f"{day}" in note for note in made.policy.notes)


def test_it_stands_apart_in_the_report_and_in_json(upgraded: Examiner) -> None:
    made = report(upgraded, examined(LATE))
    (id,) = (one.id for one in made.findings)
    assert made.later_rules == LaterRules(version="0.1.0", ids=(id,))
    for text in (console.render(made), markdown.render(made), html.render(made)):
        assert "From rules later than 0.1.0, not blocking" in text
    asked = decided(made, FailOn.GATE, REPOSITORY)
    for text in (console.render(asked), markdown.render(asked), html.render(asked)):
        assert "what came with an upgrade does not decide here" in " ".join(text.split())
    said = {"version": "0.1.0", "ids": [id], "blockFrom": "", "blocks": False}
    assert json.loads(to_json(made))["laterRules"] == said


def test_the_rules_of_a_version_are_asked_for_on_the_command_line(
    mergegate: Mergegate, repo: Path
) -> None:
    (repo / "app.py").write_text(VULNERABLE)
    asked = ("scan", repo, "--offline", "--only", "code", "--json", "--rules-of")
    older, same = mergegate(*asked, "0.0.9"), mergegate(*asked, "0.1.0")
    assert (older.code, same.code) == (0, 1)
    found = {one["id"] for part in ("issues", "riskFindings") for one in older.json[part]}
    assert set(older.json["laterRules"]["ids"]) == found
    assert older.json["qualityGate"] == "failed"
    heard = read(json.dumps(older.json).encode())
    assert decide(heard, FailOn.GATE, REPOSITORY).gate is Gate.FAILED, "its word excuses nothing"
    assert same.json["laterRules"] is None
    assert scan(mergegate, repo, "--only", "code")["laterRules"] is None
