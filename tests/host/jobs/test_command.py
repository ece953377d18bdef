"""``mergegate worker`` as a process."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from mergegate.core.errors import UsageError
from mergegate.host.commands.worker import worker

COMMAND = [sys.executable, "-c", "from mergegate.host.commands.worker import worker; worker()"]
WITHIN_S = 60


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "MERGEGATE_DATA_DIR": str(tmp_path)}


@pytest.fixture
def running(environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*COMMAND, "--slots", "light=1"], env=environment, stderr=subprocess.PIPE, text=True
    )
    yield process
    process.kill()
    process.communicate()


def check(environment: dict[str, str]) -> int:
    return CliRunner().invoke(worker, ["--check"], env=environment).exit_code


def until_ready(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    started = time.monotonic()
    for line in process.stderr:
        if "is ready" in line:
            return line
        assert time.monotonic() - started < WITHIN_S
    raise AssertionError("it ended before it was ready")


def test_it_lives_until_it_is_told_to_stop(
    running: subprocess.Popen[str], environment: dict[str, str]
) -> None:
    line = until_ready(running)
    assert line.startswith("{"), "logs are JSON"
    assert check(environment) == 0
    running.send_signal(signal.SIGTERM)
    assert running.wait(WITHIN_S) == 0
    assert check(environment) == 3


def test_nothing_to_do_is_a_mistake_of_the_caller(environment: dict[str, str]) -> None:
    none = "repository=0,browser=0,light=0,waited=0"
    run = CliRunner().invoke(worker, ["--slots", none], env=environment)
    assert isinstance(run.exception, UsageError)
    assert "a worker needs slots" in str(run.exception)


def test_a_second_signal_ends_it_at_once() -> None:
    wait = (
        "import asyncio\n"
        "from mergegate.host.worker_process import _told_to_stop\n"
        "async def main():\n"
        "    with _told_to_stop() as told:\n"
        "        print('ready', flush=True)\n"
        "        await told.wait()\n"
        "        print('told', flush=True)\n"
        "        await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    process = subprocess.Popen([sys.executable, "-c", wait], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGTERM)
    assert process.stdout.readline() == "told\n"
    process.send_signal(signal.SIGTERM)
    assert process.wait(WITHIN_S) == 128 + signal.SIGTERM
    process.communicate()
