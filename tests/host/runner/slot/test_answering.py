"""The child itself: one answer a line, whatever the line and whatever it prints."""

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from mergegate.core.errors import UsageError
from mergegate.core.plans import Tool
from mergegate.core.render.failures import INTERNAL
from mergegate.host.order import HELLO, ScanOrder, written
from mergegate.host.runner.slot.tools import HANDLERS, reach
from mergegate.sandbox.egress.policy import PUBLIC
from mergegate.sandbox.git.clone import Wanted
from tests.forges.repositories.hosting import ALIVE, NOBODY


def answered(*lines: bytes) -> tuple[list[dict[str, Any]], str]:
    done = subprocess.run(
        [sys.executable, "-I", "-m", "mergegate.host.runner.slot"],
        input=b"".join(line + b"\n" for line in lines),
        capture_output=True,
        check=True,
        timeout=60,
    )
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()


def order(tool: Tool, **more: Any) -> ScanOrder:
    return ScanOrder(id="s", tool=tool, request={}, created_at="", **more)


def test_it_greets_and_outlives_what_is_no_order() -> None:
    internal = {"error": {"code": "INTERNAL", "detail": INTERNAL.detail, "result": None}}
    lines = (HELLO, b"", b"\xff", b"{}", b'{"order": "scan"}', HELLO)
    answers, complaints = answered(*lines)
    assert answers == [{"result": ""}, *[internal] * 4, {"result": ""}]
    assert "Traceback" in complaints


def test_it_starts_without_what_the_worker_itself_works_with() -> None:
    code = (
        "import sys, mergegate.host.runner.slot.__main__; "
        "assert not {'sqlalchemy', 'pydantic', 'httpx'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-I", "-c", code], check=True)


def test_what_it_cannot_fetch_it_tells_by_name_and_without_the_token(tmp_path: Path) -> None:
    wanted = Wanted(
        url="https://127.0.0.1:1/octo/shop.git",
        user="x",
        token=ALIVE,
        proxy="http://127.0.0.1:1",
        branch="main",
        commit=NOBODY,
        into=tmp_path,
        most_bytes=1 << 20,
    )
    answers, complaints = answered(written(wanted))
    assert [one["error"]["code"] for one in answers] == ["PROVIDER_UNREACHABLE"]
    assert ALIVE not in complaints
    assert ALIVE not in json.dumps(answers)


PEEK = """
import os, subprocess, sys
import mergegate.host.runner.slot.__main__ as answering
from mergegate.sandbox.git.clone import Wanted

def fetch(order):
    "In its place: whether a process of our account can read what we hold."
    done = subprocess.run(["/bin/cat", f"/proc/{os.getpid()}/environ"], capture_output=True)
    print("seen" if done.stdout else "not seen", file=sys.stderr)

answering.fetch = fetch
answering.main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: prctl is Linux's")
def test_nobody_of_our_account_reads_the_memory_of_a_fetch(tmp_path: Path) -> None:
    like_anybody = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"]
    wanted = Wanted(url="", proxy="", branch="", commit="", into=tmp_path, most_bytes=0)
    done = subprocess.run(
        [*(like_anybody if os.geteuid() == 0 else []), sys.executable, "-I", "-c", PEEK],
        input=written(wanted) + b"\n",
        env={"PATH": os.defpath},
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert done.stderr.decode().split("\n")[:1] == ["not seen"]


def test_a_repository_that_was_not_fetched_is_not_scanned() -> None:
    answers, _ = answered(written(order(Tool.REPOSITORY)))
    assert [one["error"]["code"] for one in answers] == ["TARGET_NOT_ANALYSABLE"]


@pytest.mark.parametrize("tool", list(Tool))
def test_every_tool_has_a_handler(tool: Tool) -> None:
    assert callable(import_module(HANDLERS[tool]).carry_out)


def test_scans_reach_what_the_operator_named_and_no_more() -> None:
    allowed = reach(order(Tool.AUDIT, allow=("shop.example.org:8080", "10.0.0.7")))
    assert allowed.ports == PUBLIC.ports
    assert allowed.allowed == {
        ("shop.example.org", 8080),
        ("10.0.0.7", 80),
        ("10.0.0.7", 443),
    }


def test_a_host_that_no_scan_may_ever_reach_is_not_allowed() -> None:
    with pytest.raises(UsageError):
        reach(order(Tool.AUDIT, allow=("169.254.169.254",)))
