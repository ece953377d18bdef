"""``mergegate audit``: what is written where, and how it ends."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest

from mergegate.cli import audit as command
from mergegate.cli.main import run as run_command
from mergegate.core.errors import TargetError, TargetUnreachable
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.visit import Visit
from mergegate.site.audit.budget import derive
from mergegate.site.audit.facts import LighthouseRun
from mergegate.site.audit.run import AuditToolbox
from mergegate.site.audit.wire import budget
from tests.runs import URL, Loads, run, toolbox
from tests.site.audit.pages import page

OLD = "https://base.example.org/"


@dataclass
class Desk:
    """The command with a page that is no more than a list of runs."""

    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch
    page: list[LighthouseRun] = field(default_factory=lambda: [run(70)] * 5)
    rival: list[LighthouseRun] = field(default_factory=list)
    policies: list[Policy] = field(default_factory=list)
    visits: list[Visit] = field(default_factory=list)
    failure: TargetError | None = None
    """What befalls every load."""
    out: str = ""
    err: str = ""

    def __call__(self, *arguments: str | Path, url: str = URL) -> int:
        """The exit code."""
        self.monkeypatch.setattr(sys, "argv", ["mergegate", "audit", url, *map(str, arguments)])
        self.monkeypatch.setattr(command, "audit_toolbox", self.toolbox)
        with pytest.raises(SystemExit) as ended:
            run_command()
        self.out, self.err = self.capsys.readouterr()
        return int(str(ended.value.code))

    @contextmanager
    def toolbox(self, policy: Policy, **_: object) -> Iterator[AuditToolbox]:
        self.policies.append(policy)
        loads = Loads(page=[*self.page], rival=[*self.rival])

        def measure(visit: Visit) -> Any:
            self.visits.append(visit)
            if self.failure:
                raise self.failure
            return loads(visit)

        yield toolbox(measure)

    @property
    def json(self) -> dict[str, Any]:
        return dict(json.loads(self.out))


@pytest.fixture
def desk(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(capsys, monkeypatch)


@pytest.fixture
def limits(tmp_path: Path) -> Callable[..., Path]:
    """A file with the budget of a page."""

    def write(**figures: float) -> Path:
        file = tmp_path / "budget.json"
        file.write_text(budget.write(derive(page(**figures))))  # type: ignore[arg-type]
        return file

    return write


def test_standard_output_is_the_result_alone(desk: Desk) -> None:
    assert desk("--format", "json") == 0
    assert desk.json["performanceScore"] == 70
    assert "budgetViolations" not in desk.json
    assert desk.err == ""


def test_the_console_shows_the_four_scores(desk: Desk) -> None:
    assert desk() == 0
    for words in ("Performance", "SEO", "Accessibility", "Best practices", "70"):
        assert words in desk.out


def test_what_a_page_says_reaches_no_terminal_raw(desk: Desk) -> None:
    desk.page = [run(70, failed=("\x1b[2J\u202e",), warnings=("::error::x",))]
    assert desk() == 0
    assert "\x1b" not in desk.out
    assert "\u202e" not in desk.out
    assert not any(line.strip().startswith("::") for line in desk.out.splitlines())


def test_the_nested_shape_is_there_for_the_asking(desk: Desk) -> None:
    assert desk("--format", "json", "--shape", "nested") == 0
    assert list(desk.json) == ["reportId", "scores", "issues", "fixes", "aiSummary"]


def test_a_report_may_go_into_a_file(desk: Desk, tmp_path: Path) -> None:
    assert desk("--format", "json", "--output", tmp_path / "a.json") == 0
    assert desk.out == ""
    assert json.loads((tmp_path / "a.json").read_text())["url"] == URL
    assert desk.err == f"json: {tmp_path / 'a.json'}\n"


def test_over_the_budget_is_told_and_passes_unless_it_is_to_fail(
    desk: Desk, limits: Callable[..., Path]
) -> None:
    desk.page = [run(70, lcp=3000)] * 3
    assert desk("--budget", limits(), "--format", "json") == 0
    assert [one["key"] for one in desk.json["budgetViolations"]] == ["lcp"]
    assert desk("--budget", limits(), "--fail-on", "budget") == 1
    assert "over the budget" in desk.err


def test_over_the_budget_within_the_noise_does_not_fail(
    desk: Desk, limits: Callable[..., Path]
) -> None:
    desk.page = [run(70, lcp=lcp) for lcp in (3000, 2900, 2000)]
    assert desk("--budget", limits(), "--fail-on", "budget", "--format", "json") == 0
    assert desk.json["violationDetails"][0]["certain"] is False


def test_the_device_is_the_budgets(desk: Desk, limits: Callable[..., Path]) -> None:
    file = limits()
    file.write_text(file.read_text().replace("mobile", "desktop"))
    assert desk("--budget", file, "--device", "mobile") == 2
    assert "for desktop" in desk.err
    desk("--budget", file)
    assert [visit.device for visit in desk.visits] == ["desktop"]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("performance=70", 0),
        ("performance=71", 1),
        ("seo=100", 0),
        ("accessibility=91", 1),
        ("best-practices=100", 0),
    ],
)
def test_a_score_below_the_number_fails(desk: Desk, asked: str, code: int) -> None:
    assert desk("--fail-on", asked) == code


def test_near_the_number_the_page_is_loaded_three_times(desk: Desk) -> None:
    desk.page = [run(74), run(76), run(77)]
    assert desk("--fail-on", "performance=75") == 0


def test_worse_than_before_fails_when_it_is_to_and_not_within_the_noise(desk: Desk) -> None:
    desk.rival = [run(70, url=OLD)] * 5
    assert desk("--against", OLD, "--fail-on", "regression") == 0
    desk.page = [run(60)] * 5
    assert desk("--against", OLD, "--fail-on", "regression") == 1
    assert desk("--against", OLD) == 0


def test_a_new_budget_is_written_as_a_review_can_read_it(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "new" / "budget.json"
    assert desk("--save-budget", file) == 0
    assert budget.read(file.read_bytes()) == derive(page())
    assert desk.err == f"{file}: new\n"
    assert os.listdir(file.parent) == ["budget.json"]


def test_what_changed_against_the_old_budget_is_told(
    desk: Desk, limits: Callable[..., Path]
) -> None:
    file = limits(lcp=1000, vendors=("Chat",))
    desk.page = [run(70, vendors=("Ads",))]
    assert desk("--save-budget", file) == 0
    assert desk.err.splitlines() == [
        f"{file}: Largest Contentful Paint: 1.2 s → 2.2 s",
        f"{file}: new third party: Ads",
        f"{file}: third party gone: Chat",
    ]
    desk("--save-budget", file)
    assert desk.err == f"{file}: unchanged\n"


def test_what_fails_today_is_not_what_is_allowed_tomorrow(
    desk: Desk, limits: Callable[..., Path]
) -> None:
    file = limits()
    old = file.read_text()
    desk.page = [run(70, lcp=3000)] * 3
    assert desk("--budget", file, "--save-budget", file, "--fail-on", "budget") == 1
    assert "left as it was" in desk.err
    assert file.read_text() == old
    assert desk("--budget", file, "--save-budget", file, "--fail-on", "never") == 0
    assert file.read_text() != old


def test_an_empty_file_may_become_a_budget(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert desk("--save-budget", tmp_path / "empty") == 0


@pytest.mark.parametrize("content", ["{}", "name: shop", '{"version": 2}'])
def test_a_file_that_is_no_budget_is_never_replaced(
    desk: Desk, tmp_path: Path, content: str
) -> None:
    (tmp_path / "package.json").write_text(content)
    assert desk("--save-budget", tmp_path / "package.json") == 2
    assert (tmp_path / "package.json").read_text() == content
    assert desk.visits == []


def test_a_budget_behind_a_link_keeps_the_link(
    desk: Desk, tmp_path: Path, limits: Callable[..., Path]
) -> None:
    (tmp_path / "link.json").symlink_to(limits())
    assert desk("--save-budget", tmp_path / "link.json") == 0
    assert (tmp_path / "link.json").is_symlink()


def test_only_the_named_hosts_may_be_reached_beyond_the_internet(desk: Desk) -> None:
    desk.rival = [run(70)] * 5
    desk("--against", "http://localhost:3000", "--allow", "api.local:3001", "--runs", "5")
    (policy,) = desk.policies
    assert policy.allowed == {
        ("shop.example.org", 443),
        ("localhost", 3000),
        ("api.local", 3001),
    }


def test_credentials_open_both_pages(desk: Desk) -> None:
    desk.rival = [run(70, url=OLD)] * 5
    desk("--against", OLD, "--header", "X-Preview: open", "--cookie", "a=b")
    assert {visit.credentials.headers for visit in desk.visits} == {(("X-Preview", "open"),)}
    assert {visit.credentials.cookies for visit in desk.visits} == {(("a", "b"),)}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--runs", "0"], "--runs"),
        (["--runs", "26"], "--runs"),
        (["--device", "watch"], "--device"),
        (["--format", "pdf"], "no format"),
        (["--budget", "/nowhere/budget.json"], "cannot be read"),
        (["--budget", "/dev/null"], "no performance budget"),
        (["--fail-on", "budget"], "needs a budget"),
        (["--fail-on", "never", "--fail-on", "seo=3"], "stands alone"),
        (["--fail-on", "regression"], "--against"),
        (["--fail-on", "speed=3"], "cannot be read"),
        (["--fail-on", "seo=101"], "cannot be read"),
        (["--fail-on", "seo=x"], "cannot be read"),
        (["--against", "ftp://example.org"], "neither http nor https"),
        (["--against", OLD, "--runs", "4"], "needs 5 runs"),
        (["--header", "nonsense"], "header"),
        (["--allow", "http://a"], "HOST:PORT"),
    ],
)
def test_what_cannot_be_is_bad_input_before_the_page_is_loaded(
    desk: Desk, arguments: list[str], words: str
) -> None:
    assert desk(*arguments) == 2
    assert words in desk.err
    assert desk.visits == []


def test_a_budget_of_another_version_is_refused_in_a_sentence(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "later.json").write_text('{"version": 2}')
    assert desk("--budget", tmp_path / "later.json") == 2
    assert "later.json: the budget is not of version 1" in desk.err
    assert "UNSUPPORTED" not in desk.err


@pytest.mark.parametrize("runs", ["1", "2"])
def test_a_budget_fails_in_no_fewer_than_three_runs(
    desk: Desk, limits: Callable[..., Path], runs: str
) -> None:
    assert desk("--budget", limits(), "--fail-on", "budget", "--runs", runs) == 2


@pytest.mark.parametrize("url", ["ftp://example.org", "http://user:secret@example.org", "a b"])
def test_what_is_no_address_is_bad_input(desk: Desk, url: str) -> None:
    assert desk(url=url) == 2
    assert "secret" not in desk.err


def test_a_page_that_does_not_answer_leaves_the_audit_incomplete(desk: Desk) -> None:
    """A real one: ``tests/cli/ci/test_site.py``."""
    desk.failure = TargetUnreachable("the page does not answer: it does not take connections")
    assert desk() == 3
    assert desk.out == ""
    assert "does not take connections" in desk.err


def test_what_no_scan_may_reach_is_bad_input(desk: Desk) -> None:
    assert desk(url="http://169.254.169.254/") == 2
    assert "no scan may reach" in desk.err


@pytest.mark.parametrize(
    "ending", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.thorough)]
)
def test_a_job_that_is_cancelled_leaves_no_browser_behind(
    tmp_path: Path, ending: signal.Signals
) -> None:
    if signal.getsignal(ending) is signal.SIG_IGN:
        pytest.skip("NOT CHECKED: these tests were told to survive their terminal")
    program = Path(sys.executable).with_name("mergegate")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(60)
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        running = subprocess.Popen([program, "audit", url], cwd=tmp_path, stderr=subprocess.PIPE)
        asking, _ = silent.accept()  # by the browser, which waits for an answer from now on
        family = psutil.Process(running.pid).children(recursive=True)
        running.send_signal(ending)
        running.communicate(timeout=60)
        asking.close()
    assert running.returncode == 128 + ending
    assert len(family) > 1
    assert psutil.wait_procs(family, timeout=10)[1] == []
