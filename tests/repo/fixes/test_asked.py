"""What a model proposes is a candidate like any other, and what it may see is chosen before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from mergegate.core.finding import Finding, Place
from mergegate.core.report import Proofs
from mergegate.core.severity import Category, Kind, Severity
from mergegate.core.tree import Tree
from mergegate.model.protocol import Answer, Fault, NoAnswer, Question
from mergegate.repo.fixes import asked, mending, recipe
from mergegate.repo.fixes.recipe import Recipe
from tests.secrets.mint import minted

TEXT = """\
import yaml

TOKEN = "{token}"


def load(text, kind):
    data = yaml.load(text)
    return data[kind]


def other(text):
    return text
"""
RULE = Recipe(
    rule="load", does="It reads plain data alone.", asked=recipe.Asked(shape=r"\byaml\.safe_load\(")
)


@dataclass
class Model:
    """Answers with these edits, or not at all."""

    edits: Sequence[Mapping[str, str]] = ()
    fault: Fault | None = None
    asked: list[Question] = field(default_factory=list)

    def ask(self, question: Question) -> Answer:
        self.asked.append(question)
        if self.fault:
            raise NoAnswer(self.fault, "the model has no time")
        value: dict[str, Any] = {"edits": self.edits, "explanation": "It is safe\u202e now."}
        return Answer(value, 10, 10, "m-1")


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (recipe, asked):
        monkeypatch.setattr(module, "recipes", lambda: {"load": RULE})


def finding(**known: Any) -> Finding:
    given: dict[str, Any] = {
        "rule_id": "load",
        "title": "Unsafe loader",
        "message": "It builds any object.",
        "severity": Severity.HIGH,
        "category": Category.SECURITY,
        "kind": Kind.CODE,
        "place": Place("a.py", 7, 7, 12, 27),
        "id": "one",
    }
    return Finding(**given | known)


def proofs(tmp_path: Path, model: Model, found: Finding, text: str = TEXT) -> Proofs:
    """What comes of a tree with this file, by a scanner that knows ``yaml.load``."""
    from mergegate.sandbox.files.record import source_file  # noqa: PLC0415

    location = tmp_path / "a"
    location.write_text(text)
    tree = Tree((source_file("a.py", location, text.encode()),))

    def rescan(changed: Tree) -> list[Finding]:
        return [
            finding(place=Place(file.path, number, number))
            for file in changed.files
            for number, line in enumerate(file.location.read_text().split("\n"), start=1)
            if "yaml.load(" in line
        ]

    (tmp_path / "bench").mkdir()
    prove = mending.repairs(tree, tmp_path / "bench", rescan, adviser=model)
    return prove([found], [found])


GOOD = [{"old": "yaml.load(text)", "new": "yaml.safe_load(text)"}]


def test_a_good_answer_is_proved_and_says_whose_it_is(tmp_path: Path) -> None:
    (fix,) = proofs(tmp_path, Model(GOOD), finding()).fixes
    assert (fix.source, fix.confidence) == ("model", "medium")
    assert fix.edits[0].replacement == "    data = yaml.safe_load(text)"
    assert fix.explanation == ("It is safe\\u202e now. (written by the model m-1, not by a person)")
    assert "finding gone" in fix.verified


@pytest.mark.parametrize(
    ("edits", "gate"),
    [
        ([], "applies"),
        ([{"old": "text", "new": "x"}], "applies"),
        ([{"old": "return text", "new": "return 1"}], "applies"),
        ([{"old": "", "new": "import os"}], "applies"),
        ([{"old": "data = yaml.load(text)", "new": "data = None"}], "expected shape"),
        ([{"old": "yaml.load(text)", "new": "yaml.safe_load(text"}], "parses"),
        ([*GOOD, {"old": "data[kind]", "new": "eval(kind)"}], "nothing smuggled"),
        ([{"old": "yaml.load(text)", "new": "yaml.safe_load(yaml.load(text))"}], "finding gone"),
        (
            [*GOOD, {"old": "return data", "new": "open(kind, 'w'); return data"}],
            "nothing else",
        ),
        ([*GOOD, {"old": "data[kind]", "new": "data.pop(kind)"}], "nothing else"),
    ],
)
def test_a_bad_answer_is_refused_by_a_gate(
    tmp_path: Path, edits: list[dict[str, str]], gate: str
) -> None:
    made = proofs(tmp_path, Model(edits), finding())
    assert (made.fixes, [one.gate for one in made.refused]) == ((), [gate])


def test_no_answer_changes_nothing_but_is_told(tmp_path: Path) -> None:
    made = proofs(tmp_path, Model(fault=Fault.UNREACHABLE), finding())
    (refused,) = made.refused
    assert (refused.gate, refused.why) == (asked.NOT_ANSWERED, "the model has no time")


@pytest.mark.parametrize(
    "known",
    [
        {"severity": Severity.INFO},
        {"kind": Kind.SECRET},
        {"kind": Kind.DEPENDENCY},
        {"is_new": False},
        {"rule_id": "unknown"},
        {"place": Place("a.py")},
    ],
)
def test_about_some_findings_no_model_is_asked(tmp_path: Path, known: dict[str, Any]) -> None:
    model = Model(GOOD)
    assert proofs(tmp_path, model, finding(**known)).fixes == ()
    assert model.asked == []


def test_a_model_sees_the_function_alone(tmp_path: Path) -> None:
    model = Model(GOOD)
    proofs(tmp_path, model, finding())
    (question,) = model.asked
    assert "def load(text, kind):" in question.text
    assert "def other" not in question.text
    assert "TOKEN" not in question.text


def test_a_function_with_a_secret_is_not_shown(tmp_path: Path) -> None:
    secret = minted("github")
    text = TEXT.replace("    return data", f'    token = "{secret}"\n    return data')
    model = Model(GOOD)
    made = proofs(tmp_path, model, finding(), text)
    assert model.asked == []
    assert [one.gate for one in made.refused] == [asked.NOT_ASKED]


def test_of_many_findings_the_worst_are_asked_about(tmp_path: Path) -> None:
    many = [finding(id=f"id-{number}") for number in range(20)]
    model = Model([])
    made = asked.advised(
        model,
        many,
        lambda *_: False,
        lambda findings, propose: Proofs(untried=len(findings)),
    )
    assert made.untried == asked.MOST_ASKED


def test_lines_that_their_neighbours_alone_call_secret_are_not_shown(tmp_path: Path) -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\nqwertyuiop\n-----END RSA PRIVATE KEY-----"
    text = TEXT.replace("    return", f'    """\n{key}\n"""\n    return', 1)
    model = Model(GOOD)
    made = proofs(tmp_path, model, finding(), text)
    assert [one.gate for one in made.refused] == [asked.NOT_ASKED]
