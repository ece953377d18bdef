"""Our requests, and the stub's replies, are held against the vendors' own types."""

import json
from typing import Any

import pytest

from mergegate.model.anthropic import ANTHROPIC
from mergegate.model.dialect import Dialect, vendor
from mergegate.model.openai import OPENAI
from tests.model import stub
from tests.model.contracts import breaches
from tests.model.questions import GOOD, SAID, question

BOTH = pytest.mark.parametrize("dialect", [OPENAI, ANTHROPIC], ids=lambda one: one.name)


@BOTH
@pytest.mark.parametrize("host", ["its own", "llm.example.org"])
def test_requests_are_what_the_vendor_takes(dialect: Dialect, host: str) -> None:
    host = dialect.usual_base.split("/")[2] if host == "its own" else host
    body = json.loads(dialect.request(question(), "m-1", vendor(host)))
    assert breaches(f"{dialect.name} request", body) == []


@BOTH
def test_the_contract_sees_a_wrong_request(dialect: Dialect) -> None:
    body = json.loads(dialect.request(question(), "m-1", vendor("llm.example.org")))
    wrong = {**body, "messages": [{"role": "boss", "content": "x"}]}
    assert breaches(f"{dialect.name} request", wrong)
    assert breaches(f"{dialect.name} request", {**body, "temprature": 0}) == ["unknown: temprature"]


def test_requests_to_openai_itself_have_no_temperature() -> None:
    theirs = json.loads(OPENAI.request(question(), "m-1", vendor("api.openai.com")))
    others = json.loads(OPENAI.request(question(), "m-1", vendor("llm.example.org")))
    assert ("max_completion_tokens" in theirs, "temperature" in theirs) == (True, False)
    assert ("max_tokens" in others, others["temperature"]) == (True, 0)


@BOTH
def test_the_same_question_is_the_same_bytes(dialect: Dialect) -> None:
    here = vendor("llm.example.org")
    assert dialect.request(question(), "m", here) == dialect.request(question(), "m", here)


def _replies() -> list[tuple[str, Any]]:
    return [
        ("openai reply", stub.completion(SAID)),
        *(("openai chunk", one) for one in stub.chunks(SAID, refusal="no")),
        ("anthropic reply", stub.message([stub.tool(GOOD)])),
        *(("anthropic event", one) for one in stub.events(SAID, prose="Let me see.")),
    ]


def test_the_stub_speaks_as_the_vendors_do() -> None:
    assert [
        (kind, one, breaches(kind, one)) for kind, one in _replies() if breaches(kind, one)
    ] == []
