"""A language model beside a scan: what it may do, and that nothing it does can hurt."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Mergegate, Run
from tests.model.stub import Stub, completion, stub, whole
from tests.model.weights import script
from tests.sandbox.git.test_repository import commit

ONLY = ("--offline", "--only", "code", "--json")
FLAWED = """\
from flask import request


def orders(db):
    wanted = request.args["customer"]
    return db.execute(f"SELECT id FROM orders WHERE customer = '{wanted}'").fetchall()
"""
STATEMENT = "SELECT id FROM orders WHERE customer ="
MENDED = {"old": f"f\"{STATEMENT} '{{wanted}}'\"", "new": f'"{STATEMENT} ?", [wanted]'}
GOOD: Mapping[str, Any] = {"edits": [MENDED], "explanation": "The value is a parameter now."}


@pytest.fixture
def flawed(repo: Path) -> Path:
    (repo / "shop.py").write_text(FLAWED)
    commit(repo, "shop")
    return repo


def asked(mergegate: Mergegate, root: Path, server: Stub, *options: str) -> Run:
    environment = {
        "MERGEGATE_MODEL_PROVIDER": "openai",
        "MERGEGATE_MODEL_URL": f"http://127.0.0.1:{server.port}/v1",
        "MERGEGATE_MODEL_NAME": "m-1",
    }
    return mergegate("scan", root, *(options or ONLY), env=environment)


def answering(value: Mapping[str, Any]) -> Any:
    return whole(completion(json.dumps(value)))


def test_a_good_fix_is_proved_and_told_as_the_models(mergegate: Mergegate, flawed: Path) -> None:
    with stub(answering(GOOD)) as server:
        told = asked(mergegate, flawed, server).json
    [fix] = told["fixes"]
    assert fix["source"] == "model"
    assert "finding gone" in fix["verified"]
    assert "written by the model" in fix["explanation"]
    assert told["model"]["sent"] >= 1


WHOLE = f"return db.execute(f\"{STATEMENT} '{{wanted}}'\").fetchall()"
BAD = {
    "a part is missing": [{"old": WHOLE, "new": f'return db.execute("{STATEMENT} ?", [wanted])'}],
    "thrown away": [{"old": WHOLE, "new": "return []"}],
    "silenced": [{"old": ".fetchall()", "new": ".fetchall()  # nosec"}],
    "elsewhere": [{"old": "from flask import request", "new": "import os"}],
}


@pytest.mark.parametrize("edits", BAD.values(), ids=BAD)
def test_a_bad_fix_is_refused(
    mergegate: Mergegate, flawed: Path, edits: list[dict[str, str]]
) -> None:
    with stub(answering({"edits": edits, "explanation": "Trust me."})) as server:
        told = asked(mergegate, flawed, server).json
    assert told["fixes"] == []


def test_what_a_model_says_changes_no_verdict(mergegate: Mergegate, flawed: Path) -> None:
    plain = mergegate("scan", flawed, *ONLY)
    for turn in (answering(GOOD), whole({"error": "no"}, 500), whole({"x": 1})):
        with stub(turn) as server:
            told = asked(mergegate, flawed, server)
        assert told.code == plain.code
        for key in ("score", "verdict", "qualityGate"):
            assert told.json[key] == plain.json[key]


def test_prompts_are_shown_and_not_sent(mergegate: Mergegate, flawed: Path) -> None:
    with stub(answering(GOOD)) as server:
        ended = asked(mergegate, flawed, server, "--offline", "--only", "code", "--show-prompts")
    assert server.posts == 0
    assert "def orders(db):" in ended.out
    assert '"model":"m-1"' in ended.out.replace('": "', '":"')


def test_without_a_model_that_is_said(mergegate: Mergegate, flawed: Path) -> None:
    ended = mergegate("scan", flawed, "--offline", "--show-prompts")
    assert ended.code == 2
    assert "no model is named" in ended.err


def test_a_key_is_not_sent_in_the_clear_and_the_scan_goes_on(
    mergegate: Mergegate, flawed: Path
) -> None:
    environment = {
        "MERGEGATE_MODEL_PROVIDER": "openai",
        "MERGEGATE_MODEL_URL": "http://models.example.org/v1",
        "MERGEGATE_MODEL_NAME": "m-1",
        "MERGEGATE_MODEL_KEY": "k-1",
    }
    told = mergegate("scan", flawed, *ONLY, env=environment).json
    assert "in the clear" in told["model"]["why"]
    assert told["summarySource"] == "template"


def test_a_model_of_ones_own_needs_no_network(
    mergegate: Mergegate, flawed: Path, tmp_path: Path
) -> None:
    """llama.cpp's own server, with weights that always say this."""
    file = script(tmp_path / "scripted.gguf", json.dumps(GOOD))
    environment = {"MERGEGATE_MODEL_PROVIDER": "local", "MERGEGATE_MODEL_FILE": str(file)}
    told = mergegate("scan", flawed, *ONLY, env=environment).json
    [fix] = told["fixes"]
    assert (fix["source"], told["model"]["answered"]) == ("model", 1)
