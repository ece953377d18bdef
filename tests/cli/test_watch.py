"""``mergegate scan --watch``: a line a round, and the findings that appeared or went."""

import json
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import IO

import pytest

from tests.conftest import Mergegate
from tests.ready import PROGRAM
from tests.sandbox.git.test_repository import commit

WAIT_S = 120
"""Long beyond any scan: then it has failed."""
CLEAN = "def add(a, b):\n    return a + b\n"
BAD = CLEAN + "\n\nimport subprocess\nfrom flask import request\n\n\ndef run():\n"
BAD += '    return subprocess.call("ls " + request.args["d"], shell=True)\n'


class Watching:
    """The command while it runs."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._out, self._err = self._lines(process.stdout), self._lines(process.stderr)

    def _lines(self, stream: IO[str] | None) -> "Queue[str]":
        queue: Queue[str] = Queue()

        def read() -> None:
            for line in stream or ():
                queue.put(line.rstrip("\n"))

        Thread(target=read, daemon=True).start()
        return queue

    def out(self) -> str:
        """The next line of standard output."""
        return self._out.get(timeout=WAIT_S)

    def err(self) -> str:
        """The next line of standard error."""
        return self._err.get(timeout=WAIT_S)

    def end(self) -> int:
        """Ctrl-C; the exit code."""
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(WAIT_S)

    def rest(self) -> list[str]:
        """What it has printed and nobody has read."""
        return list(self._out.queue)


Watch = Callable[..., AbstractContextManager[Watching]]


@pytest.fixture
def watch(tmp_path: Path) -> Watch:
    @contextmanager
    def begin(root: Path, *options: str) -> Iterator[Watching]:
        command = (PROGRAM, "scan", str(root), "--watch", "--offline", "--only", "code", "-q")
        # A shell starts what runs in its background deaf to Ctrl-C, and so what that starts.
        former = signal.signal(signal.SIGINT, signal.default_int_handler)
        process = subprocess.Popen(
            (*command, *options),
            env={"PATH": "/usr/bin:/bin", "MERGEGATE_DATA_DIR": str(tmp_path / "data")},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        signal.signal(signal.SIGINT, former)
        try:
            yield Watching(process)
        finally:
            process.kill()
            process.wait()

    return begin


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """No repository."""
    root = tmp_path / "plain"
    root.mkdir()
    (root / "app.py").write_text(CLEAN)
    return root


@pytest.mark.slow
def test_what_appears_and_goes_is_told(watch: Watch, folder: Path) -> None:
    with watch(folder) as watching:
        assert watching.out().startswith("PASSED  100/100")
        assert watching.err() == f"mergegate: watching {folder}: Ctrl-C ends it"
        (folder / "app.py").write_text(BAD)
        assert watching.out().startswith("FAILED  75/100")
        told = (
            "critical app.py:10  Shell command built from request data  python-os-command-injection"
        )
        assert watching.out() == f"  + {told}"
        (folder / "more.py").write_text(CLEAN)
        assert watching.out().startswith("FAILED  75/100")
        (folder / "app.py").unlink()
        assert watching.out().startswith("PASSED  100/100")
        assert watching.out() == f"  - {told}"
        assert watching.end() == 0


@pytest.mark.slow
def test_reports_in_files_are_of_the_last_round(watch: Watch, folder: Path, tmp_path: Path) -> None:
    page, data = folder / "report.html", tmp_path / "report.json"
    with watch(folder, "--format", f"html={page}", "--format", f"json={data}") as watching:
        watching.out()
        watching.err()
        assert "python-os-command-injection" not in page.read_text()
        (folder / "app.py").write_text(BAD)
        assert watching.out().startswith("FAILED")
        assert "python-os-command-injection" in page.read_text()
        assert json.loads(data.read_text())["qualityGate"] == "failed"
        page.unlink()
        page.mkdir()
        watching.out()
        (folder / "app.py").write_text(CLEAN)
        assert "cannot be written" in watching.err()
        assert watching.out().startswith("PASSED")
        watching.out()
        assert watching.end() == 0
        assert watching.rest() == []


@pytest.mark.slow
def test_it_ends_with_the_last_exit_code(watch: Watch, folder: Path) -> None:
    with watch(folder) as watching:
        watching.out()
        watching.err()
        (folder / "app.py").write_text(BAD)
        assert watching.out().startswith("FAILED")
        watching.out()
        assert watching.end() == 1


@pytest.mark.slow
def test_a_policy_that_is_being_written_ends_nothing(watch: Watch, folder: Path) -> None:
    with watch(folder) as watching:
        watching.out()
        watching.err()
        (folder / ".mergegate.yml").write_text("rules: [")
        assert ".mergegate.yml: line 1" in watching.err()
        (folder / ".mergegate.yml").write_text("version: 1\n")
        assert watching.out().startswith("PASSED")
        assert watching.end() == 0


@pytest.mark.slow
def test_what_git_ignores_and_reports_are_no_changes(watch: Watch, repo: Path) -> None:
    (repo / ".gitignore").write_text("build/\n")
    (repo / "build").mkdir()
    commit(repo, "ignore")
    report = repo / "report.html"
    with watch(repo, "--format", f"html={report}") as watching:
        watching.out()
        watching.err()
        (repo / "build" / "log.txt").write_text("x\n")
        (repo / "clean.py").write_text(BAD)
        assert watching.out().startswith("FAILED")
        assert watching.out().startswith("  + critical clean.py:10")
        assert watching.end() == 1
        assert watching.rest() == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--json",), "prints a line a scan"),
        (("--write-baseline", "x.json"), "a baseline is of one moment"),
    ],
)
def test_what_does_not_go_together_is_refused(
    options: tuple[str, ...], said: str, mergegate: Mergegate, repo: Path
) -> None:
    ended = mergegate("scan", repo, "--watch", *options)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err
