"""Children are kept while they answer, replaced once they fail, and never waited for in vain."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from mergegate.core.errors import EngineFailed, Failed
from mergegate.core.plans import Tool
from mergegate.core.render.failures import EXHAUSTED, INTERNAL, KILLED, LATE, OVERWHELMED
from mergegate.host.order import ScanOrder, answer, order_in, outcome_in, written
from mergegate.host.runner.children import Children, WorkerKind
from mergegate.host.scan import Done, Outcome
from mergegate.sandbox.process.run import MEBIBYTE, Limits
from mergegate.sandbox.process.slots import Kind, slots
from tests.host.runner.conftest import LET_GO, is_browser
from tests.sandbox.process.processes import inhabitants
from tests.sandbox.process.test_slots import until
from tests.sandbox.process.test_supervised import is_gone

CHILD = """
import json, os, signal, sys, time
is_first = os.path.basename(os.environ["HOME"]) == "1"
for line in sys.stdin:
    order = json.loads(line)
    asked = order.get("request", {}).get("url", "")
    if asked == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if asked == "killed" or (asked == "killed once" and is_first):
        os.kill(os.getpid(), signal.SIGKILL)
    if asked == "greedy":
        held = b"x" * (400 << 20)
        time.sleep(600)
    if asked == "hang":
        time.sleep(600)
    if asked == "nonsense":
        print("\\x1b[31m::error::\\x07", file=sys.stderr)
        print("{}", flush=True)
    elif asked == "nested":
        print("[" * 100_000, flush=True)
    elif asked == "fail":
        print(json.dumps({"error": {"code": "X", "detail": "y", "result": None}}), flush=True)
    elif asked == "mistake":
        print(json.dumps({"error": OURS}), flush=True)
    else:
        print(json.dumps({"result": str(os.getpid())}), flush=True)
""".replace("OURS", repr(asdict(INTERNAL)))


def worker_kind(
    code: str = CHILD, *, most_scans: int = 3, most_idle: int = 1, tries: int = 1
) -> WorkerKind:
    kind = Kind((sys.executable, "-I", "-c", code), limits=Limits(memory_bytes=200 * MEBIBYTE))
    return WorkerKind("test", kind, most_scans, most_idle, tries)


def order(url: str = "") -> ScanOrder:
    return ScanOrder(id="s", tool=Tool.AUDIT, request={"url": url}, created_at="")


@pytest.fixture
def children(tmp_path: Path) -> Iterator[Children]:
    with slots(tmp_path) as place:
        made = Children(place)
        yield made
        made.close()


def asked(children: Children, *urls: str, of: WorkerKind | None = None) -> list[Outcome]:
    async def ask() -> list[Outcome]:
        chosen = of or worker_kind()
        return [await children.ask(chosen, "s", order(one), 20) for one in urls]

    return asyncio.run(ask())


def told(outcomes: list[Outcome]) -> list[str]:
    return [one.result if isinstance(one, Done) else one.code for one in outcomes]


def test_a_child_is_asked_again_until_it_has_done_enough(children: Children) -> None:
    pids = told(asked(children, "", "", "", ""))
    assert pids[0] == pids[1] == pids[2] != pids[3]


def test_one_that_is_not_kept_answers_once(children: Children) -> None:
    pids = told(asked(children, "", "", of=worker_kind(most_scans=1, most_idle=0)))
    assert pids[0] != pids[1]


def test_after_a_failure_there_is_a_fresh_one(children: Children) -> None:
    first, failure, second = told(asked(children, "", "fail", ""))
    assert failure == "X"
    assert first != second


def test_one_that_died_while_it_waited_is_replaced(children: Children) -> None:
    async def ask() -> list[Outcome]:
        first = await children.ask(worker_kind(), "s", order(), 20)
        assert isinstance(first, Done)
        os.kill(int(first.result), signal.SIGKILL)
        while not is_gone(int(first.result)):
            await asyncio.sleep(0.01)
        return [first, await children.ask(worker_kind(), "s", order(), 20)]

    first, second = asyncio.run(ask())
    assert isinstance(second, Done)
    assert second != first


def test_two_at_once_are_two_children(children: Children) -> None:
    async def both() -> list[Outcome]:
        one = children.ask(worker_kind(), "a", order(), 20)
        return list(await asyncio.gather(one, children.ask(worker_kind(), "b", order(), 20)))

    assert len(set(told(asyncio.run(both())))) == 2


def test_one_that_crashes_on_its_order_was_overwhelmed(children: Children) -> None:
    assert asked(children, "crash") == [OVERWHELMED]


def test_one_that_was_killed_is_tried_again_and_blamed_on_nobody(
    children: Children, caplog: pytest.LogCaptureFixture
) -> None:
    again = worker_kind(tries=2)
    assert isinstance(asked(children, "killed once", of=again)[0], Done)
    assert "was killed: another one tries" in caplog.text
    assert "SIGKILL" in caplog.text
    assert asked(children, "killed", of=again) == [KILLED]


def test_one_whose_order_has_effects_is_not_tried_again(children: Children) -> None:
    assert asked(children, "killed once", of=worker_kind(tries=1)) == [KILLED]


def test_one_that_needs_more_memory_than_it_may_have_says_so(children: Children) -> None:
    assert asked(children, "greedy", of=worker_kind(tries=2)) == [EXHAUSTED]
    assert EXHAUSTED.code == "OUT_OF_MEMORY"


def test_one_that_does_not_even_start_is_our_mistake(
    children: Children, caplog: pytest.LogCaptureFixture
) -> None:
    broken = worker_kind("import sys; sys.exit('no such module')")
    assert asked(children, "", of=broken) == [INTERNAL]
    assert "no such module" in caplog.text


def test_what_a_child_says_in_its_pain_moves_no_terminal(
    children: Children, caplog: pytest.LogCaptureFixture
) -> None:
    assert asked(children, "nonsense", "nested") == [INTERNAL, INTERNAL]
    assert "\x1b" not in caplog.text
    assert r"\x1b[31m" in caplog.text


def test_a_mistake_of_ours_is_logged_and_its_child_replaced(
    children: Children, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    first, failure, second = asked(children, "", "mistake", "")
    assert failure == INTERNAL
    assert first != second
    assert "a mistake of ours" in caplog.text


def test_one_that_does_not_answer_in_time_is_late(children: Children) -> None:
    async def late() -> Outcome:
        await children.ask(worker_kind(), "s", order(), 20)
        return await children.ask(worker_kind(), "s", order("hang"), 0.5)

    assert asyncio.run(late()) == LATE


def test_where_no_thread_can_be_started_nothing_is_left_behind(
    children: Children, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    asked(children, "")  # one waits
    monkeypatch.setattr(children._threads, "submit", refuse)
    for _ in range(2):
        with pytest.raises(EngineFailed, match="new thread"):
            asked(children, "")
    assert not living(tmp_path)
    assert [list(one.iterdir()) for one in tmp_path.iterdir()] == [[]]


def test_whoever_is_cancelled_waits_until_the_child_is_gone(
    children: Children, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def cancelled() -> None:
        task = asyncio.ensure_future(children.ask(worker_kind(), "s", order("hang"), 600))
        while not living(tmp_path):
            assert not task.done()
            await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not living(tmp_path)

    asyncio.run(cancelled())
    assert caplog.text == ""


def living(folder: Path) -> list[int]:
    """Slots name their folder by themselves."""
    return [pid for one in folder.iterdir() for pid in inhabitants(one)]


@pytest.mark.parametrize(
    "outcome", [Done("{}\n"), Failed("X", "y"), Failed("INCOMPLETE", "a\nb", '{"id": 1}')]
)
def test_an_outcome_fits_on_one_line_and_comes_back(outcome: Outcome) -> None:
    assert b"\n" not in answer(outcome)
    assert outcome_in(answer(outcome)) == outcome


def test_an_order_fits_on_one_line_and_comes_back() -> None:
    given = order("https://example.org/\n")
    assert b"\n" not in written(given)
    assert order_in(written(given)) == given


@pytest.mark.parametrize("line", [b"", b"{}", b'{"result": 1}', b'{"error": {"code": "X"}}', b"[]"])
def test_what_is_no_answer_is_not_taken_for_one(line: bytes) -> None:
    with pytest.raises(ValueError):
        outcome_in(line)


HOST = """
import asyncio, sys
from pathlib import Path
from mergegate.host.settings import service_settings
from mergegate.host.store.database import Database
from mergegate.host.store.sealing import Sealer, new_key
from mergegate.host.runner.executor import scan_executor
from mergegate.core.plans import Tool
sys.path.insert(0, sys.argv[3])
from tests.host.runner.scans import scan_of

site = sys.argv[1]
allowed = {"MERGEGATE_ALLOW_HOSTS": site.removeprefix("http://")}
settings = service_settings(allowed, Path(sys.argv[2]))
carriage = scan_executor(Database.open(settings.database_url), Sealer([new_key()]), settings)
print(carriage._slots.folder, flush=True)
asyncio.run(carriage(scan_of(Tool.BROWSER_TEST, {"url": f"{site}/hang"})))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: processes are read from /proc")
def test_nothing_is_left_of_a_host_that_was_killed_in_the_middle_of_a_scan(
    site: str, tmp_path: Path
) -> None:
    assert not LET_GO.is_set()
    argv = (sys.executable, "-c", HOST, site, str(tmp_path), str(Path.cwd()))
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as host:
        assert host.stdout
        folder = Path(host.stdout.readline().decode().strip())
        until(lambda: any(is_browser(pid) for pid in inhabitants(folder)))
        family = set(inhabitants(folder))
        host.send_signal(signal.SIGKILL)
    until(lambda: not list(inhabitants(folder)))
    until(lambda: not folder.exists())
    assert len(family) > 1
    assert all(map(is_gone, family))
