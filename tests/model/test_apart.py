"""The process that holds the key: what it reaches, what others see of it, and how it ends."""

import contextlib
import json
import os
import socket
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from mergegate.core.errors import EngineFailed
from mergegate.model import local as running
from mergegate.model import open as opening
from mergegate.model.anthropic import ANTHROPIC
from mergegate.model.apart import GREETING, Apart, Worker, apart
from mergegate.model.budget import Allowance
from mergegate.model.dialect import Dialect
from mergegate.model.http import Address
from mergegate.model.local import ADDRESS
from mergegate.model.openai import OPENAI
from mergegate.model.protocol import Answer, Fault, NoAnswer
from mergegate.model.provider import Spoken
from mergegate.model.session import Session
from mergegate.model.settings import Local, Remote
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.process.slots import Child
from mergegate.secrets.outgoing import outgoing
from tests.model import stub, weights
from tests.model.questions import GOOD, SAID, question
from tests.model.stub import Stub, Turn, chunks, events, streamed
from tests.sandbox.egress.sites import certificate
from tests.secrets.mint import minted

KEY = minted("<alnum:40>")


def remote(held: Stub, dialect: Dialect = OPENAI, scheme: str = "http") -> Remote:
    address = Address(f"{scheme}://127.0.0.1:{held.port}/v1", dialect)
    return Remote(address, "m-1", Allowance(), key=KEY)


def spoken(chosen: Remote, wire: Apart) -> Spoken:
    return Spoken(chosen.address, chosen.name, wire)


def workers() -> list[psutil.Process]:
    """The processes themselves, without those that watch them."""
    found = []
    for one in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if "mergegate.model.worker" in one.cmdline() and not one.children():
                found.append(one)
    return found


@pytest.mark.parametrize("dialect", [OPENAI, ANTHROPIC], ids=lambda one: one.name)
def test_an_answer_comes_from_another_process(dialect: Dialect) -> None:
    turn = streamed(chunks(SAID) if dialect is OPENAI else events(SAID))
    with stub.stub(turn) as held:
        chosen = remote(held, dialect)
        with apart(chosen, 1) as wire:
            model = spoken(chosen, wire)
            model.ready()
            assert model.ask(question(), 20) == Answer(GOOD, 30, 20, "m-1")
    assert len(held.received) == 2 and all(KEY.encode() in one for one in held.received)
    assert held.received[-1].endswith(model.prepared(question()))


def test_the_key_is_in_no_argument_and_no_environment() -> None:
    with stub.stub(streamed(chunks(SAID))) as held:
        chosen = remote(held)
        with apart(chosen, 1) as wire:
            spoken(chosen, wire).ask(question(), 20)
            family = psutil.Process().children(recursive=True)
            (worker,) = workers()
            said = [f"{one.cmdline()} {one.environ()}" for one in family]
            assert worker.pid in {one.pid for one in family}
    assert len(said) >= 2 and not any(KEY in one for one in said)


class Heard(Child):
    """A process that keeps what it is told."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def ask(self, line: bytes, timeout_s: float) -> bytes:
        self.lines.append(line)
        return b'{"status": 200, "content": ""}'


def test_the_key_comes_after_the_process_has_hidden() -> None:
    heard = Heard()
    wire = Apart(KEY.encode())
    wire.free.put(Worker(heard))
    wire.look()
    wire.look()
    assert heard.lines == [GREETING, KEY.encode(), b"{}", b"{}"]


def test_the_process_has_no_network() -> None:
    ours = Path("/proc/self/ns/net").readlink()
    with stub.stub(Turn()) as held, apart(remote(held), 1) as wire:
        wire.look()
        (worker,) = workers()
        status = Path(f"/proc/{worker.pid}/status").read_text("ascii")
        assert "Seccomp:\t2" in status or Path(f"/proc/{worker.pid}/ns/net").readlink() != ours
        assert held.posts == 0 and len(held.received) == 1


def test_it_ends_with_the_session() -> None:
    with stub.stub(Turn()) as held, apart(remote(held), 2) as wire:
        wire.look()
        ran = workers()
        assert len(ran) == 1  # the other was not needed
    assert not any(one.is_running() for one in ran)


def test_the_provider_is_spoken_to_in_tls(tmp_path: Path) -> None:
    context, authority = certificate(tmp_path)
    with stub.stub(streamed(chunks(SAID)), tls=context) as held:
        chosen = replace(remote(held, scheme="https"), authorities=authority)
        with apart(chosen, 1) as wire:
            assert spoken(chosen, wire).ask(question(), 20).value == GOOD


def test_nobody_else_vouches_for_a_host(tmp_path: Path) -> None:
    context, _ = certificate(tmp_path)
    with stub.stub(Turn(), tls=context) as held:
        chosen = remote(held, scheme="https")
        with apart(chosen, 1) as wire, pytest.raises(NoAnswer) as caught:
            spoken(chosen, wire).ready()
    assert (caught.value.fault, held.received) == (Fault.UNREACHABLE, [])


def test_a_redirect_leads_nowhere() -> None:
    with stub.stub(Turn()) as other:
        away = Turn(b"", 307, {"Location": f"http://127.0.0.1:{other.port}/v1/chat/completions"})
        with stub.stub(away) as held:
            chosen = remote(held)
            with apart(chosen, 1) as wire, pytest.raises(NoAnswer):
                spoken(chosen, wire).ask(question(), 20)
    assert other.received == []


def test_the_proxy_leads_to_one_host_alone(tmp_path: Path) -> None:
    way = tmp_path / "way"
    with stub.stub(Turn(b"secret")) as other, stub.stub(Turn()) as held:
        only = Policy(ports=frozenset(), allowed=frozenset({("127.0.0.1", held.port)}))
        with egress(only, at=way), socket.socket(socket.AF_UNIX) as line:
            line.connect(str(way))
            line.sendall(f"CONNECT 127.0.0.1:{other.port} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            assert line.recv(4096).startswith(b"HTTP/1.1 403")
    assert other.received == []


def test_two_questions_are_asked_side_by_side(tmp_path: Path) -> None:
    """Each waits until the other is there as well."""
    both = threading.Barrier(2, timeout=30)

    with stub.stub(streamed(chunks(SAID))) as held:
        held.before = both.wait
        chosen = remote(held)
        with opening.session(chosen, redact=outgoing, spent=tmp_path / "spent") as model:
            threads = [
                threading.Thread(target=model.ask, args=(question(f"line {number}"),))
                for number in range(2)
            ]
            for one in threads:
                one.start()
            for one in threads:
                one.join()
    assert model.receipt.answered == 2


DEAD = {
    "nobody": Address("http://127.0.0.1:9/v1", OPENAI),
    "no such name": Address("https://models.invalid/v1", OPENAI),
    "the address of clouds": Address("http://169.254.169.254/v1", OPENAI),
}


@pytest.mark.parametrize("address", DEAD.values(), ids=DEAD)
def test_who_is_not_there_is_unreachable(address: Address, tmp_path: Path) -> None:
    chosen = Remote(address, "m-1", Allowance(), key=KEY)
    with opening.session(chosen, redact=outgoing, spent=tmp_path / "spent") as model:
        for _ in range(2):
            with pytest.raises(NoAnswer):
                model.ask(question())
    assert model.receipt.faults == {Fault.UNREACHABLE: 1, Fault.GIVEN_UP: 1}


def test_a_process_that_is_killed_is_no_answer(tmp_path: Path) -> None:
    with stub.stub(streamed(chunks(SAID))) as held:
        chosen = remote(held)
        with opening.session(chosen, redact=outgoing, spent=tmp_path / "spent") as model:
            model.ask(question())
            for one in workers():
                one.kill()
            with pytest.raises(NoAnswer) as caught:
                model.ask(question("another"))
    assert caught.value.fault is Fault.UNREACHABLE


def test_a_file_of_authorities_that_is_none_is_no_answer(tmp_path: Path) -> None:
    with stub.stub(Turn()) as held:
        chosen = replace(remote(held), authorities=tmp_path / "none.pem")
        with (
            opening.session(chosen, redact=outgoing, spent=tmp_path / "spent") as model,
            pytest.raises(NoAnswer, match="MERGEGATE_MODEL_CA_FILE"),
        ):
            model.ask(question())


def test_prompts_are_shown_without_any_process(tmp_path: Path) -> None:
    with stub.stub(Turn()) as held:
        chosen = remote(held)
        with opening.session(chosen, redact=outgoing, spent=tmp_path / "spent") as model:
            shown = model.prompt(question("password = 'x7Kq93mZp'"))
            assert workers() == []
    assert json.loads(shown)["model"] == "m-1" and "x7Kq93mZp" not in shown
    assert held.received == []


@contextlib.contextmanager
def local(file: Path, tmp_path: Path) -> Iterator[Session]:
    with opening.session(
        Local(file, Allowance()), redact=outgoing, spent=tmp_path / "spent"
    ) as model:
        yield model


def test_a_local_model_answers(tmp_path: Path) -> None:
    with local(weights.script(tmp_path / "m.gguf", SAID), tmp_path) as model:
        assert model.ask(question()).value == GOOD
    assert model.receipt.model.startswith(f"openai {ADDRESS.base} m.gguf@")
    assert model.receipt.money is None


def test_without_llama_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "find_spec", lambda _: None)
    file = weights.junk(tmp_path / "m.gguf")
    with local(file, tmp_path) as model, pytest.raises(NoAnswer, match="local-model"):
        model.ask(question())


def test_a_library_of_the_system_that_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lame = "import sys; sys.exit('ImportError: libgomp.so.1: cannot open shared object file: No')"
    monkeypatch.setattr(running, "python_module", lambda _: [sys.executable, "-c", lame])
    file = weights.junk(tmp_path / "m.gguf")
    with local(file, tmp_path) as model, pytest.raises(NoAnswer, match="Install libgomp1") as told:
        model.ask(question())
    assert "cannot open shared object file" in str(told.value)


def test_a_model_that_does_not_fit_is_not_started(tmp_path: Path) -> None:
    file = weights.junk(tmp_path / "m.gguf")
    os.truncate(file, 1 << 42)  # a sparse file takes no room
    with local(file, tmp_path) as model, pytest.raises(NoAnswer, match="does not fit into memory"):
        model.ask(question())


def test_a_socket_with_too_long_a_name_is_told(tmp_path: Path) -> None:
    with pytest.raises(EngineFailed, match="too long"), egress(Policy(), at=tmp_path / ("x" * 120)):
        pass


BROKEN = {"nothing": None, "no model": b"text", "cut": b"GGUF\x03\x00\x00\x00"}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_no_answer(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "m.gguf"
    if content is not None:
        file.write_bytes(content)
    with local(file, tmp_path) as model, pytest.raises(NoAnswer) as caught:
        model.ask(question())
    assert caught.value.fault is Fault.UNREACHABLE
    assert str(tmp_path) not in str(caught.value)
