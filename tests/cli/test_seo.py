"""``mergegate seo``: what goes where, and exit codes."""

import datetime as dt
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mergegate.cli.main import main
from mergegate.core.errors import TargetNotAnalysable, UsageError
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.visit import Visit
from mergegate.site.document import read
from mergegate.site.render.formats import SEO_FORMATS
from mergegate.site.seo.facts import Rendered, SearchConsole, SearchFacts
from mergegate.site.seo.gather.console import AccessToken
from mergegate.site.seo.run import SeoToolbox
from tests.site.seo.checks.well_made import HTML, URL, changed, fetched, rendered, site

_TOKEN = "ya29.a-token-of-somebody"
_NO_TITLE = changed(("<title>How to brew green tea without bitterness</title>", ""))
_LOADING = "<title>Tea for guests</title><div id=app>Loading…</div><script src=/app.js></script>"
_UNRENDERED = Rendered(document=read("", URL), failure="the page hangs")
_NO_CONSOLE = SearchConsole(property="", failure="no property")


class _Given:
    """What the command built its toolbox with, and what was met."""

    def __init__(self) -> None:
        self.policy = Policy()
        self.options: dict[str, Any] = {}
        self.asked: list[Visit] = []
        self.facts: SearchFacts = site()

    @contextmanager
    def toolbox(self, policy: Policy, own: Visit, **options: Any) -> Iterator[SeoToolbox]:
        self.policy, self.options = policy, {"own": own, **options}
        yield SeoToolbox(look=self._look, look_at_competitor=self._look)

    def _look(self, visit: Visit, now: dt.datetime) -> SearchFacts:
        del now
        self.asked.append(visit)
        return self.facts


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> _Given:
    known = _Given()
    monkeypatch.setattr("mergegate.site.seo.tools.seo_toolbox", known.toolbox)
    return known


def _run(*arguments: str, **environment: str) -> Any:
    return CliRunner().invoke(main, ["seo", *arguments], env=environment)


def test_the_options_reach_the_analysis(given: _Given) -> None:
    ran = _run(
        "localhost:3000",
        *("--keyword", "green tea, sencha", "--keyword", "oolong", "--render-js"),
        *("--competitor-url", "localhost:4000/tea", "--allow", "localhost:8080"),
        *("--header", "X-Bypass: abc", "--cookie", "session=1", "--format", "json"),
    )
    assert ran.exit_code == 0
    own, rival = given.asked
    assert (own.url, rival.url) == ("http://localhost:3000/", "http://localhost:4000/tea")
    assert own.credentials.headers == (("X-Bypass", "abc"),)
    assert not rival.credentials
    assert given.options["own"] == own
    assert given.options["render_js"] is True
    assert given.policy.allowed == {
        ("localhost", 3000),
        ("localhost", 4000),
        ("localhost", 8080),
    }
    told = json.loads(ran.stdout)
    assert [one["keyword"] for one in told["keywordAnalyses"]] == ["green tea", "sencha", "oolong"]


def test_scripts_and_search_console_are_left_alone_unless_asked_for(given: _Given) -> None:
    assert _run("tea.example").exit_code == 0
    assert given.options["render_js"] is False
    assert given.options["console"] is None


def test_search_console_is_opened_by_a_variable(given: _Given) -> None:
    ran = _run("tea.example", MERGEGATE_SEARCH_CONSOLE_TOKEN=_TOKEN)
    assert given.options["console"] == AccessToken(_TOKEN)
    assert _TOKEN not in ran.output


def test_search_console_is_opened_by_a_file_before_the_variable(
    given: _Given, tmp_path: Path
) -> None:
    key = tmp_path / "key"
    key.write_text("another-token")
    _run("tea.example", "--search-console", str(key), MERGEGATE_SEARCH_CONSOLE_TOKEN=_TOKEN)
    assert given.options["console"] == AccessToken("another-token")


@pytest.mark.parametrize("content", ["", "short", '{"private_key": "hidden-part"}', "x" * 70_000])
def test_a_key_that_opens_nothing_is_refused_and_not_repeated(
    given: _Given, tmp_path: Path, content: str
) -> None:
    key = tmp_path / "key"
    key.write_text(content)
    ran = _run("tea.example", "--search-console", str(key))
    assert isinstance(ran.exception, UsageError)
    assert "hidden-part" not in str(ran.exception)
    assert given.asked == []


def test_standard_output_carries_the_report_alone(given: _Given) -> None:
    ran = _run("tea.example", "--format", "json", "--fail-under", "1")
    assert json.loads(ran.stdout)["score"] == 100


@pytest.mark.parametrize("name", SEO_FORMATS)
def test_every_format_can_be_a_file(given: _Given, tmp_path: Path, name: str) -> None:
    file = tmp_path / "report"
    ran = _run("tea.example", "--format", f"{name}={file}")
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert file.stat().st_size > 100
    assert f"{name}: {file}" in ran.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        ((), 0, ""),
        (("--fail-on", "never"), 0, ""),
        (("--fail-on", "critical"), 0, ""),
        (("--fail-on", "low"), 1, "title"),
        (("--fail-under", "10"), 0, ""),
        (("--fail-under", "100"), 1, "less than 100"),
        (("--fail-under", "100", "--fail-on", "critical"), 1, "less than 100"),
    ],
)
def test_only_what_was_asked_for_fails(
    given: _Given, arguments: tuple[str, ...], code: int, reason: str
) -> None:
    given.facts = site(_NO_TITLE)
    ran = _run("tea.example", *arguments, "--format", "json")
    assert ran.exit_code == code
    assert reason in ran.stderr.lower()


def test_a_hint_fails_nothing(given: _Given) -> None:
    given.facts = site(changed(("<h3>Temperature</h3>", "<h5>Temperature</h5>")))
    ran = _run("tea.example", "--fail-on", "low", "--format", "json")
    grounds = {one["ground"] for one in json.loads(ran.stdout)["findings"]}
    assert (ran.exit_code, grounds) == (0, {"heuristic"})


@pytest.mark.parametrize(
    ("facts", "fail_on", "code"),
    [
        (site(notes=("There was no time left for robots.txt.",)), "never", 0),
        (site(notes=("There was no time left for \x1b[2Jrobots.txt.",)), "high", 3),
        (site(rendered=_UNRENDERED), "high", 3),
        (site(console=_NO_CONSOLE), "high", 0),
        (site(_LOADING), "high", 3),
        (site(_LOADING, rendered=rendered(HTML)), "critical", 0),
    ],
)
def test_what_did_not_see_everything_has_not_seen_that_nothing_fails(
    given: _Given, facts: SearchFacts, fail_on: str, code: int
) -> None:
    given.facts = facts
    ran = _run("tea.example", "--fail-on", fail_on, "--format", "json")
    assert ran.exit_code == code
    assert ("not judged" in ran.stderr) == (code == 3)
    assert "\x1b" not in ran.stderr


def test_what_google_does_not_tell_decides_nothing(given: _Given) -> None:
    note = "Part of Search Console is missing: the account has asked Google too often today."
    given.facts = site(console=replace(_NO_CONSOLE, failure="", notes=(note,)), notes=(note,))
    ran = _run(URL, "--fail-on", "high")
    assert ran.exit_code == 0, ran.stderr
    assert note[:30] in ran.stdout


def test_a_failure_is_a_failure_also_when_not_everything_was_seen(given: _Given) -> None:
    given.facts = site(_NO_TITLE, notes=("There was no time left for robots.txt.",))
    assert _run("tea.example", "--fail-on", "low").exit_code == 1


def test_a_page_that_is_none_is_no_result(given: _Given) -> None:
    given.facts = replace(site(), page=fetched(HTML, status=404))
    ran = _run("tea.example", "--format", "json")
    assert isinstance(ran.exception, TargetNotAnalysable)
    assert ran.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("ftp://tea.example",),
        ("tea.example", "--competitor-url", "javascript:alert(1)"),
        ("tea.example", "--keyword", "a,b,c,d,e,f,g,h,i,j,k"),
        ("tea.example", "--header", "no colon"),
        ("tea.example", "--format", "yaml"),
        ("tea.example", "--search-console", "/nowhere/key.json"),
    ],
)
def test_bad_usage_is_told_before_anything_is_fetched(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mergegate.site.seo.tools.seo_toolbox", None)
    assert isinstance(_run(*arguments).exception, UsageError)


@pytest.mark.parametrize(
    "arguments", [("--fail-under", "101"), ("--fail-on", "info"), ("--fail-on", "error")]
)
def test_what_no_page_can_reach_is_refused(arguments: tuple[str, ...]) -> None:
    assert _run("tea.example", *arguments).exit_code == 2
