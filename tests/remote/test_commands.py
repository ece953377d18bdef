"""``--remote`` of every command: the host's bytes, this machine's formats, the same exit codes."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
from click.testing import CliRunner, Result

from mergegate.cli.main import main
from mergegate.core.errors import MergegateError
from mergegate.core.plans import Tool
from mergegate.core.render.formats import Surface
from mergegate.core.report import EngineStatus, Gate, Report, Verdict
from mergegate.core.severity import Severity
from mergegate.packages.advisories import Stock
from mergegate.remote import client
from mergegate.remote import command as remote
from mergegate.remote.client import cancel
from mergegate.remote.host import Host, Order, PollPolicy
from mergegate.remote.scan import ENGINES
from mergegate.repo.cache import RunMemory
from mergegate.repo.engines.duplication import DuplicationFinder
from mergegate.repo.report.formats import FORMATS, OF_A_SCAN
from mergegate.repo.toolbox import sources
from mergegate.repo.wire import to_json
from mergegate.sandbox.git.repository import Repository
from mergegate.site.audit.wire.result import Shape
from mergegate.site.render.formats import (
    AUDIT_FORMATS,
    SECURITY_FORMATS,
    SEO_FORMATS,
    TEST_FORMATS,
    audit_formats,
)
from mergegate.terminal.exits import exit_code
from tests.remote.conftest import head, whole
from tests.remote.stand_in import DROP, KEY, Say, StandIn, problem
from tests.repo.report import samples as repository
from tests.repo.report import stock
from tests.sandbox.git.test_repository import commit, git
from tests.site.deployment.samples import SLOW_SITE
from tests.site.render import samples, seo_samples
from tests.site.security.render import samples as security

URL = "https://shop.example.org/"
SHOWN = {name: form for name, form in FORMATS.items() if name not in OF_A_SCAN}
R = TypeVar("R")


def at(sample: Callable[[], R]) -> Callable[[], R]:
    """The sample, of the page that these tests ask for."""
    return lambda: replace(sample(), url=URL)  # type: ignore[type-var]


PAGES: dict[str, tuple[str, Callable[[], Any], Any]] = {
    "audit": ("/api/audit", at(samples.quick), AUDIT_FORMATS),
    "browser-test": ("/api/browser-test", at(samples.broken), TEST_FORMATS),
    "security-scan": ("/api/security-scan", at(security.bad), SECURITY_FORMATS),
    "seo": ("/api/seo-optimizer", at(seo_samples.tea), SEO_FORMATS),
}
shop, clean, good = at(samples.shop), at(samples.clean), at(security.good)
TOOLS = pytest.mark.parametrize("tool", PAGES)


def written(report: Any, known: Any) -> bytes:
    return str(known["json"].render(report, Surface())).encode()


@pytest.fixture(autouse=True)
def _open(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests' own process stays as it is, and does not wait."""
    monkeypatch.setattr(remote, "deny_ptrace", lambda: True)
    monkeypatch.setenv("MERGEGATE_API_KEY", KEY)
    monkeypatch.setattr(remote, "PollPolicy", partial(PollPolicy, first_poll_s=0.01))


@pytest.fixture
def host(stand_in: StandIn) -> StandIn:
    for path, sample, known in PAGES.values():
        stand_in.results[path] = written(sample(), known)
    stand_in.polls = 0
    return stand_in


def run(host: StandIn, *arguments: str | Path, **environment: str) -> Result:
    given = [*map(str, arguments), "--remote", host.url]
    return CliRunner().invoke(main, given, env=environment)


def code(done: Result) -> int:
    """As the console script ends with it."""
    if isinstance(done.exception, MergegateError):
        return exit_code(done.exception)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code


@TOOLS
def test_json_is_exactly_what_the_host_sends(tool: str, host: StandIn) -> None:
    path = PAGES[tool][0]
    compact = json.dumps(json.loads(host.results[path]) | {"later": "é"}, ensure_ascii=False)
    host.results[path] = compact.encode()
    done = run(host, tool, URL, "--format", "json")
    assert done.stdout_bytes in host.sent
    assert code(done) == 0


@TOOLS
def test_every_other_format_is_made_here(tool: str, host: StandIn, tmp_path: Path) -> None:
    _, sample, known = PAGES[tool]
    wanted = [one for name in known for one in ("--format", f"{name}={tmp_path / name}")]
    done = run(host, tool, URL, *wanted)
    assert code(done) == 0
    report = sample()
    scan_id = next(iter(host.scans)) if tool == "seo" else report.id
    for name, form in known.items():
        expected = form.render(replace(report, id=scan_id), Surface())
        assert (tmp_path / name).read_text(encoding="utf-8") == expected, name
    assert len(host.posts()) == 1


@TOOLS
def test_the_request_is_that_of_the_specification(tool: str, host: StandIn) -> None:
    run(host, tool, "shop.example.org")
    body = host.posts()[0].body
    assert body == {"url": URL}


def test_everything_that_an_analysis_takes_is_sent(host: StandIn) -> None:
    more = ("--keyword", "green tea, sencha", "--keyword", "matcha", "--render-js")
    run(host, "seo", URL, *more, "--competitor-url", "https://rival.example.org")
    assert host.posts()[0].body == {
        "url": URL,
        "keyword": "green tea, sencha, matcha",
        "competitorUrl": "https://rival.example.org/",
        "renderJs": True,
    }


LOCAL: list[tuple[str, Sequence[str]]] = [
    ("audit", ("--device", "mobile")),
    ("audit", ("--runs", "3")),
    ("audit", ("--throttling", "simulate")),
    ("audit", ("--against", "https://base.example.org")),
    ("audit", ("--header", "A: b")),
    ("browser-test", ("--max-pages", "5")),
    ("browser-test", ("--tabs", "2")),
    ("browser-test", ("--no-external-links",)),
    ("browser-test", ("--no-screenshots",)),
    ("browser-test", ("--cookie", "a=b")),
    ("security-scan", ("--render-js",)),
    ("security-scan", ("--allow", "localhost")),
    ("seo", ("--search-console", "key.json")),
    ("seo", ("--header", "A: b")),
]


@pytest.mark.parametrize(("tool", "option"), LOCAL)
def test_what_a_host_does_not_take_is_refused_before_it_is_asked(
    tool: str, option: Sequence[str], host: StandIn
) -> None:
    done = run(host, tool, URL, *option)
    assert code(done) == 2
    assert f"{option[0]} is not for --remote" in str(done.exception)
    assert host.heard == []


@pytest.mark.parametrize("variable", ["MERGEGATE_SITE_HEADERS", "MERGEGATE_SITE_COOKIES"])
@TOOLS
def test_secrets_of_a_site_are_not_left_out_in_silence(
    tool: str, variable: str, host: StandIn
) -> None:
    done = run(host, tool, URL, **{variable: "Token: x"})
    assert code(done) == 2
    assert f"{variable} opens a site for a scan on this machine alone" in str(done.exception)


@pytest.mark.parametrize("option", [("--timeout", "5"), ("--allow-http",), ("--wait",)])
def test_patience_without_a_host_is_a_mistake(option: Sequence[str]) -> None:
    done = CliRunner().invoke(main, ["audit", URL, *option])
    assert f"{option[0]} is about a host" in str(done.exception)


def test_without_a_key_nothing_is_asked(host: StandIn) -> None:
    done = run(host, "audit", URL, MERGEGATE_API_KEY="")
    assert code(done) == 2
    assert "`mergegate keys create`" in str(done.exception)


@TOOLS
@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (problem(401, "UNAUTHORIZED"), 2),
        (problem(403, "FORBIDDEN"), 2),
        (problem(400, "TARGET_NOT_ALLOWED"), 2),
        (problem(422, "TARGET_UNREACHABLE"), 3),
        (problem(422, "TARGET_NOT_ANALYSABLE"), 3),
        (problem(500, "SCAN_FAILED"), 3),
        (problem(504, "SCAN_TIMEOUT"), 3),
        (problem(429, "SCAN_COOLDOWN", Retry_After="800"), 3),
    ],
)
def test_what_the_host_refuses_has_the_exit_code_of_a_scan_here(
    tool: str, said: Say, expected: int, host: StandIn
) -> None:
    host.faults.append(said)
    assert code(run(host, tool, URL)) == expected


@TOOLS
@pytest.mark.parametrize("content", [b"{}", b"[]", b"<html>", b"\xff", b'{"status": "done"}'])
def test_an_answer_that_is_no_result_is_incomplete(
    tool: str, content: bytes, host: StandIn
) -> None:
    host.results[PAGES[tool][0]] = content
    done = run(host, tool, URL, "--format", "json")
    assert code(done) == 3
    assert "answers what cannot be read" in str(done.exception)
    assert done.stdout == ""


GATES = [
    ("audit", ("--fail-on", "performance=99"), 1),
    ("audit", ("--fail-on", "performance=1"), 0),
    ("audit", ("--fail-on", "never"), 0),
    ("browser-test", ("--fail-on", "error"), 1),
    ("security-scan", ("--fail-on", "high"), 1),
    ("seo", ("--fail-under", "100"), 1),
    ("seo", ("--fail-under", "1"), 0),
]


@pytest.mark.parametrize(("tool", "option", "expected"), GATES)
def test_gates_are_drawn_here(
    tool: str, option: Sequence[str], expected: int, host: StandIn
) -> None:
    assert code(run(host, tool, URL, *option)) == expected


def test_a_broken_engine_there_is_no_pass_here(host: StandIn) -> None:
    known = good()
    broken = replace(known.engines[0], status=EngineStatus.FAILED, reason="it crashed")
    report = replace(known, engines=(broken,), flaws=())
    host.results["/api/security-scan"] = written(report, SECURITY_FORMATS)
    assert code(run(host, "security-scan", URL, "--fail-on", "low")) == 3
    early = replace(clean(), notes=("the time was over",))
    host.results["/api/browser-test"] = written(early, TEST_FORMATS)
    assert code(run(host, "browser-test", URL, "--fail-on", "error")) == 3


@pytest.fixture
def budget(tmp_path: Path, host: StandIn) -> Path:
    file = tmp_path / "budget.json"
    document = json.loads(host.results["/api/audit"])
    file.write_text(json.dumps(document["perfBudget"]))
    return file


def test_a_budget_is_sent_and_its_violations_decide(budget: Path, host: StandIn) -> None:
    host.results["/api/audit"] = written(shop(), AUDIT_FORMATS)
    done = run(host, "audit", URL, "--budget", budget, "--fail-on", "budget")
    assert host.posts()[0].body["budget"] == json.loads(budget.read_text())
    assert code(done) == 1
    assert "over the budget" in done.stderr


def test_a_budget_is_saved_as_here_and_kept_when_the_audit_fails(
    tmp_path: Path, host: StandIn
) -> None:
    file = tmp_path / "new.json"
    run(host, "audit", URL, "--save-budget", file)
    assert json.loads(file.read_text()) == json.loads(host.results["/api/audit"])["perfBudget"]
    before = file.read_text()
    host.results["/api/audit"] = written(shop(), AUDIT_FORMATS)
    done = run(host, "audit", URL, "--save-budget", file, "--fail-on", "performance=100")
    assert (code(done), file.read_text()) == (1, before)
    assert "left as it was" in done.stderr


def test_the_nested_shape_is_asked_for_and_read(host: StandIn) -> None:
    nested = written(samples.quick(), audit_formats(Shape.NESTED))
    host.results["/api/audit"] = nested
    done = run(host, "audit", URL, "--shape", "nested", "--format", "json")
    assert (done.stdout_bytes, host.posts()[0].query) == (nested, {"shape": "nested"})
    assert code(run(host, "audit", URL, "--fail-on", "performance=100")) == 1


@pytest.mark.parametrize("option", [("--format", "html"), ("--save-budget", "b.json")])
def test_what_the_nested_shape_does_not_tell_is_refused_first(
    option: Sequence[str], host: StandIn
) -> None:
    done = run(host, "audit", URL, "--shape", "nested", *option)
    assert code(done) == 2
    assert host.heard == []


OTHERS = {
    "reportId": "r1",
    "url": URL,
    "performanceScore": 71,
    "seoScore": 90,
    "accessibilityScore": 100,
    "bestPracticesScore": None,
    "issues": [{"title": "Slow\x1b[31m", "severity": "error"}],
    "fixes": [],
    "aiSummary": "So so.",
    "budgetViolations": [{"key": "lcp", "limit": 2000, "actual": 2500.5}],
}
"""What another deployment of the specification may send: its own fields alone."""


def test_a_result_of_the_specified_fields_alone_is_told(host: StandIn) -> None:
    host.results["/api/audit"] = json.dumps(OTHERS).encode()
    done = run(host, "audit", URL)
    assert done.stdout == (
        f"{URL}\nperformance: 71\nseo: 90\naccessibility: 100\nbest-practices: no score\n"
        "So so.\nover the budget: lcp: 2,500.5, allowed: 2,000\nerror: Slow\\x1b[31m\n"
    )


def test_a_violation_that_another_deployment_tells_of_counts(budget: Path, host: StandIn) -> None:
    host.results["/api/audit"] = json.dumps(OTHERS).encode()
    assert code(run(host, "audit", URL, "--budget", budget, "--fail-on", "budget")) == 1
    told = {name: held for name, held in OTHERS.items() if name != "budgetViolations"}
    host.results["/api/audit"] = json.dumps(told).encode()
    assert code(run(host, "audit", URL, "--budget", budget, "--fail-on", "budget")) == 3


def test_formats_that_such_a_host_tells_too_little_for_are_incomplete(
    host: StandIn, tmp_path: Path
) -> None:
    host.results["/api/audit"] = json.dumps(OTHERS).encode()
    file = tmp_path / "audit.json"
    done = run(host, "audit", URL, "--format", f"json={file}", "--format", f"html={tmp_path}/h")
    assert code(done) == 3
    assert "too little for html" in str(done.exception)
    assert file.read_bytes() == host.results["/api/audit"]
    assert code(run(host, "audit", URL, "--save-budget", tmp_path / "b.json")) == 3


def test_screenshots_are_written_where_the_host_sends_them(host: StandIn, tmp_path: Path) -> None:
    run(host, "browser-test", URL, "--screenshots", tmp_path / "shots")
    shots = [shot.image for shot in samples.broken().screenshots]
    assert [one.read_bytes() for one in sorted((tmp_path / "shots").iterdir())] == shots


# --- repositories


def scan(host: StandIn, root: Path, *arguments: str | Path, report: Report | None = None) -> Result:
    """With the report about what is checked out, as a host would make it."""
    found = report or repository.passed()
    target = replace(found.target, owner="octo-org", commit=head(root))
    host.results["/api/repo/scan"] = to_json(replace(whole(found), target=target)).encode()
    return run(host, "scan", root, *arguments)


def test_a_repository_is_scanned_there_and_told_here(host: StandIn, clone: Path) -> None:
    done = scan(host, clone, "--format", "json")
    assert done.stdout_bytes in host.sent
    assert host.posts()[0].body["commit"] == head(clone)
    assert code(done) == 0


def test_the_verdict_of_a_repository_is_drawn_here(host: StandIn, clone: Path) -> None:
    failed = replace(repository.failed(), comparison=None)
    assert code(scan(host, clone, report=failed)) == 1
    assert code(scan(host, clone, "--fail-on", "never", report=failed)) == 0
    assert code(scan(host, clone, report=repository.incomplete())) == 3


def test_a_host_cannot_answer_for_another_commit(host: StandIn, clone: Path) -> None:
    scan(host, clone)
    (clone / "b.py").write_text("two\n")
    commit(clone, "second")
    git(clone, "update-ref", "refs/remotes/origin/main", "HEAD")
    done = run(host, "scan", clone)
    assert code(done) == 3
    assert "about another commit" in str(done.exception)


def forged(host: StandIn, **fields: Any) -> None:
    document = json.loads(host.results["/api/repo/scan"])
    host.results["/api/repo/scan"] = json.dumps(document | fields).encode()


@pytest.mark.parametrize("target", [{"owner": "eve"}, {"repo": "other"}, {"owner": None}])
def test_a_host_cannot_answer_for_another_repository(
    target: dict[str, Any], host: StandIn, clone: Path
) -> None:
    scan(host, clone)
    known = json.loads(host.results["/api/repo/scan"])["target"]
    forged(host, target=known | target)
    done = run(host, "scan", clone)
    assert code(done) == 3
    assert "about another repository" in str(done.exception)


def test_a_comparison_that_nobody_asked_for_leaves_nothing_out(host: StandIn, clone: Path) -> None:
    """All that it calls old would be left out of the gate of a change."""
    done = scan(host, clone, report=repository.failed())
    assert code(done) == 3
    assert "does not compare with the base" in str(done.exception)


def test_an_engine_that_the_host_does_not_speak_of_did_not_run(host: StandIn, clone: Path) -> None:
    scan(host, clone)
    engines = json.loads(host.results["/api/repo/scan"])["engines"]
    forged(host, engines=[one for one in engines if one["name"] != "semgrep"])
    done = run(host, "scan", clone)
    assert code(done) == 3
    assert "Not checked: semgrep: the scan does not speak of it" in done.stdout


def test_the_engines_that_a_host_must_speak_of_are_those_of_a_scan_here(clone: Path) -> None:
    """Their names are in a list of their own, for a scan elsewhere loads none of them."""
    stock = Stock(clone / "advisories.db", fetch=False)
    every = sources(RunMemory(None), stock, DuplicationFinder(), Repository(clone), None)
    assert {one.name for one in every} == ENGINES


def test_a_host_cannot_show_a_site_that_nobody_asked_about(host: StandIn, clone: Path) -> None:
    seen = replace(repository.passed(), site=SLOW_SITE)
    done = scan(host, clone, report=seen)
    assert (code(done), "shop.example.org" in done.stdout) == (0, False)


@TOOLS
def test_a_host_cannot_answer_for_another_page(tool: str, host: StandIn) -> None:
    path, sample, known = PAGES[tool]
    other = replace(sample(), url="https://shop.example.org/other")
    host.results[path] = written(other, known)
    done = run(host, tool, URL)
    assert code(done) == 3
    assert "answers about another page" in str(done.exception)
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("option", "what"),
    [(("--keyword", "matcha"), "does not speak of every keyword"), (("--render-js",), "rendered")],
)
def test_what_was_asked_for_and_not_looked_at_is_no_pass(
    option: Sequence[str], what: str, host: StandIn
) -> None:
    plain = replace(seo_samples.well_made(), url=URL)
    host.results["/api/seo-optimizer"] = written(plain, SEO_FORMATS)
    done = run(host, "seo", URL, *option, "--fail-under", "1")
    assert code(done) == 3
    assert what in str(done.exception)


def test_an_audit_as_another_device_is_no_answer(host: StandIn) -> None:
    document = json.loads(host.results["/api/audit"])
    document["device"] = document["perfBudget"]["device"] = "desktop"
    host.results["/api/audit"] = json.dumps(document).encode()
    done = run(host, "audit", URL)
    assert code(done) == 3
    assert "another device" in str(done.exception)


def test_a_host_that_does_not_compare_is_no_gate(host: StandIn, clone: Path) -> None:
    done = scan(host, clone, "--base", "main", "--fail-on", "new")
    assert code(done) == 3
    assert "does not compare with the base" in str(done.exception)
    comparison = repository.failed().comparison
    assert comparison is not None
    compared = replace(repository.failed(), comparison=replace(comparison, base=head(clone)))
    assert code(scan(host, clone, "--base", "main", "--fail-on", "new", report=compared)) == 1


@pytest.mark.parametrize(("published", "expected"), [("2001-01-01", 1), ("2090-01-01", 0)])
def test_what_became_known_is_for_the_clone_to_say(
    published: str, expected: int, host: StandIn, clone: Path
) -> None:
    """A host that calls every defect news would pass the gate of a change."""
    failed = repository.failed()
    (old, *_) = failed.vulnerabilities
    assert old.advisory is not None and failed.comparison is not None
    advisory = replace(old.advisory, published=f"{published}T00:00:00Z")
    known = replace(old, advisory=advisory, severity=Severity.CRITICAL, is_new=False)
    comparison = replace(
        failed.comparison, base=head(clone), drifted=(known.id,), existing=1, new=0, fixed=()
    )
    comparison = replace(comparison, verdict=Verdict(Gate.PASSED, ()))
    told = replace(repository.report((), (), [known]), comparison=comparison)
    assert code(scan(host, clone, "--base", "main", report=told)) == expected


@pytest.mark.parametrize(
    "option",
    [
        *(("--only", "code"), ("--policy", "p.yml"), ("--offline",), ("--no-cache",)),
        *(("--format", "bundle"), ("--format", "attestation")),
    ],
)
def test_what_only_a_scan_here_honours_is_refused(
    option: Sequence[str],
    host: StandIn,
    clone: Path,
) -> None:
    done = scan(host, clone, *option)
    assert code(done) == 2
    assert host.heard == []


@pytest.mark.parametrize("name", ["cyclonedx", "gitlab"])
def test_a_host_of_before_lists_no_packages(name: str, host: StandIn, clone: Path) -> None:
    scan(host, clone)
    document = json.loads(host.results["/api/repo/scan"])
    del document["packages"]
    host.results["/api/repo/scan"] = json.dumps(document).encode()
    assert code(run(host, "scan", clone)) == 0
    done = run(host, "scan", clone, "--format", name)
    assert code(done) == 3
    assert "it does not list the packages" in str(done.exception)


def test_every_format_of_a_repository_is_made_here(
    host: StandIn,
    clone: Path,
    tmp_path: Path,
) -> None:
    wanted = [one for name in SHOWN for one in ("--format", f"{name}={tmp_path / name}")]
    told = whole(replace(stock.stocked(), comparison=None))
    report = replace(told, engines=tuple(replace(run, reused=0) for run in told.engines))
    scan(host, clone, *wanted, report=report)
    (scan_id,) = host.scans
    web = "https://github.com/octo-org/shop"  # as the clone's origin says
    target = replace(report.target, owner="octo-org", commit=head(clone), web=web)
    shown = replace(report, target=target, id=scan_id)
    for name, form in SHOWN.items():
        files = {tmp_path / name / file: render(shown) for file, render in form.parts.items()}
        for file, expected in (files or {tmp_path / name: form.render(shown, Surface())}).items():
            assert file.read_text(encoding="utf-8") == expected, file


# --- the process itself


def started(host: StandIn, *arguments: str) -> subprocess.Popen[bytes]:
    program = Path(sys.executable).with_name("mergegate")
    return subprocess.Popen(
        [program, *arguments, "--remote", host.url],
        env={"PATH": os.environ["PATH"], "MERGEGATE_API_KEY": KEY},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_as_at_a_terminal,  # noqa: PLW1509 - the stand-in's threads hold no lock of it
    )


def _as_at_a_terminal() -> None:
    """A job in the background ignores interrupts, and so does what it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def until(holds: Callable[[], object]) -> None:
    limit = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < limit
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_interrupts_is_told_which_scan_goes_on(number: int, host: StandIn) -> None:
    host.polls = 10**6
    process = started(host, "seo", URL)
    until(lambda: [one for one in host.heard if one.method == "GET"])
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    (scan_id,) = host.scans
    assert f"mergegate: the scan {scan_id} goes on at 127.0.0.1:{host.port}" in err.decode()
    assert (out, process.returncode) == (b"", 130 if number == signal.SIGINT else 143)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_interrupts_calls_the_scan_off(number: int, host: StandIn) -> None:
    host.polls, host.can_cancel = 10**6, True
    process = started(host, "seo", URL)
    until(lambda: [one for one in host.heard if one.method == "GET"])
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    (scan_id,) = host.scans
    assert f"mergegate: the scan {scan_id} was called off at" in err.decode()
    last = host.heard[-1]
    assert (last.method, last.path, last.query) == (
        "DELETE",
        "/api/seo-optimizer",
        {"id": scan_id},
    )
    assert process.returncode == (130 if number == signal.SIGINT else 143)


@pytest.mark.parametrize(("can_cancel", "what"), [(True, "was called off"), (False, "goes on")])
def test_a_scan_that_nobody_waits_for_any_more_is_called_off(
    can_cancel: bool, what: str, host: StandIn
) -> None:
    host.polls, host.can_cancel = 10**6, can_cancel
    done = run(host, "seo", URL, "--timeout", "1")
    (scan_id,) = host.scans
    assert code(done) == 3
    assert f"the scan {scan_id} {what} at 127.0.0.1" in done.stderr
    assert "did not finish within 1 s" in str(done.exception)


def test_a_host_that_does_not_say_whether_it_was_called_off_holds_nobody(
    host: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "_PATIENCE_S", 0.05)
    order = Order(Tool.SEO, {"url": URL})
    host.faults.append(Say(200, b"{}", after_s=1.0))
    assert cancel(order, "seo_1", Host(host.url, KEY)) is False
    host.stop()
    assert cancel(order, "seo_1", Host(host.url, KEY)) is False


def test_who_interrupts_a_synchronous_scan_is_told_its_key(host: StandIn) -> None:
    host.faults.append(Say(200, b"", after_s=1.0))
    process = started(host, "audit", URL)
    until(host.posts)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert host.posts()[0].headers["idempotency-key"] in err.decode()


def test_who_interrupts_a_synchronous_scan_calls_it_off_by_its_key(host: StandIn) -> None:
    host.can_cancel = True
    host.done.clear()
    process = started(host, "audit", URL)
    until(lambda: host.scans)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert f"mergegate: the scan was called off at 127.0.0.1:{host.port}" in err.decode()
    last, key = host.heard[-1], host.posts()[0].headers["idempotency-key"]
    assert (last.method, last.path, last.query) == ("DELETE", "/api/audit", {"id": key})


def test_a_scan_here_loads_nothing_that_speaks_http() -> None:
    code = "import sys, mergegate.cli.scan; assert not {'httpx', 'asyncio'} & sys.modules.keys()"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_key_stands_in_no_argument_and_no_output(host: StandIn) -> None:
    host.faults += [DROP, problem(503, "OVERLOADED", KEY), problem(401, "UNAUTHORIZED", KEY)]
    process = started(host, "audit", URL)
    command = Path(f"/proc/{process.pid}/cmdline").read_bytes()
    out, err = process.communicate(timeout=30)
    assert process.returncode == 2
    assert KEY.encode() not in command + out + err
    assert b"Traceback" not in err
