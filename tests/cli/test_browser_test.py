"""``mergegate browser-test``: what goes where, and exit codes."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mergegate.cli import browser_test as command
from mergegate.cli.main import main
from mergegate.core.errors import TargetNotAnalysable, UsageError
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.visit import Visit
from mergegate.site.browser_test.facts import Journey, LinkAnswers, Screenshot
from mergegate.site.browser_test.journey.isolated import Bounds
from mergegate.site.browser_test.run import BrowserToolbox
from tests.site.browser_test.checks.journeys import broken_rule, journey, visit

_SHOTS = (
    Screenshot("https://shop.example/../../etc/Pass wd?x", "desktop", b"one"),
    Screenshot("https://shop.example/", "mobile", b"two"),
)


class _Given:
    """What the command built its toolbox with, and what the journey met."""

    def __init__(self) -> None:
        self.policy = Policy()
        self.bounds = Bounds()
        self.visit = Visit(url="")
        self.journey: Journey = journey(visit(screenshots=_SHOTS))

    @contextmanager
    def toolbox(self, policy: Policy, *, bounds: Bounds, progress: Any) -> Iterator[BrowserToolbox]:
        self.policy, self.bounds = policy, bounds
        yield BrowserToolbox(travel=self._travel, check_links=lambda *_: LinkAnswers(()))

    def _travel(self, visit: Visit) -> Journey:
        self.visit = visit
        return self.journey


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> _Given:
    known = _Given()
    monkeypatch.setattr("mergegate.site.browser_test.tools.browser_toolbox", known.toolbox)
    return known


def _run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["browser-test", *arguments])


def test_the_options_reach_the_journey(given: _Given) -> None:
    ran = _run(
        "localhost:3000",
        *("--max-pages", "20", "--tabs", "2", "--allow", "localhost:8080"),
        *("--header", "X-Bypass: abc", "--cookie", "session=1"),
    )
    assert ran.exit_code == 0
    assert (given.bounds.pages, given.bounds.tabs) == (20, 2)
    assert given.visit.url == "http://localhost:3000/"
    assert given.visit.credentials.headers == (("X-Bypass", "abc"),)
    assert given.visit.credentials.cookies == (("session", "1"),)
    assert given.policy.allowed == {("localhost", 3000), ("localhost", 8080)}


def test_standard_output_carries_the_report_alone(given: _Given) -> None:
    ran = _run("shop.example", "--format", "json")
    assert json.loads(ran.stdout)["pagesVisited"] == 1


def test_a_report_can_be_a_file(given: _Given, tmp_path: Path) -> None:
    file = tmp_path / "test.json"
    ran = _run("shop.example", "--format", f"json={file}")
    assert (ran.stdout, json.loads(file.read_text())["url"]) == ("", "https://shop.example/")


def test_screenshots_are_written_under_names_of_ours(given: _Given, tmp_path: Path) -> None:
    ran = _run("shop.example", "--screenshots", str(tmp_path / "shots"))
    assert ran.exit_code == 0
    assert {file.name: file.read_bytes() for file in (tmp_path / "shots").iterdir()} == {
        "01-etc-pass-wd-desktop.jpg": b"one",
        "02-start-mobile.jpg": b"two",
    }


def test_screenshots_can_be_left_out(given: _Given) -> None:
    ran = _run("shop.example", "--format", "json", "--no-screenshots")
    assert json.loads(ran.stdout)["screenshots"] == []


@pytest.mark.parametrize(
    ("impact", "fail_on", "code"),
    [("serious", "never", 0), ("serious", "error", 1), ("minor", "error", 0)],
)
def test_only_an_error_fails_and_only_when_asked(
    given: _Given, impact: str, fail_on: str, code: int
) -> None:
    given.journey = journey(visit(violations=(broken_rule("label", impact),)))
    assert _run("shop.example", "--fail-on", fail_on).exit_code == code


@pytest.mark.parametrize(
    ("impact", "fail_on", "code"),
    [("minor", "never", 0), ("minor", "error", 3), ("serious", "error", 1)],
)
def test_a_test_that_ended_early_has_not_seen_that_there_is_no_error(
    given: _Given, impact: str, fail_on: str, code: int
) -> None:
    met = journey(visit(violations=(broken_rule("label", impact),)))
    given.journey = replace(met, notes=("the browser ended: \x1b[2J",))
    ran = _run("shop.example", "--fail-on", fail_on, "--format", "json")
    assert ran.exit_code == code
    assert ("not judged: the browser ended" in ran.stderr) == (code == 3)
    assert "\x1b" not in ran.stderr


def test_a_page_that_cannot_be_tested_leaves_the_test_incomplete(given: _Given) -> None:
    given.journey = journey(visit(status=500))
    assert isinstance(_run("shop.example").exception, TargetNotAnalysable)


@pytest.mark.parametrize(
    "arguments",
    [
        ("ftp://shop.example",),
        ("shop.example", "--header", "no colon"),
        ("shop.example", "--format", "yaml"),
        ("shop.example", "--screenshots", "shots", "--no-screenshots"),
    ],
)
def test_bad_usage_is_told_before_a_browser_starts(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mergegate.site.browser_test.tools.browser_toolbox", None)
    assert isinstance(_run(*arguments).exception, UsageError)


@pytest.mark.parametrize("pages", ["0", "201", "many"])
def test_a_number_of_pages_is_within_bounds(pages: str) -> None:
    assert _run("shop.example", "--max-pages", pages).exit_code == 2


def test_pages_and_tabs_are_those_of_the_journey() -> None:
    options = {one.name: one.default for one in command.browser_test.params}
    assert (options["max_pages"], options["tabs"]) == (Bounds().pages, Bounds().tabs)
