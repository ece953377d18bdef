"""Of a hundred secrets in a repository none is in anything that a scan prints, writes or keeps."""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from mergegate.core.render.formats import Surface
from mergegate.core.report import Gate
from mergegate.core.severity import Aspect
from mergegate.repo.report.formats import FORMATS
from mergegate.repo.scan import Request, scan
from mergegate.repo.toolbox import scan_toolbox
from mergegate.sandbox.process.run import Limits
from tests.canaries.flock import branch, environment, flock, needles, of_kind, planted
from tests.canaries.leaks import files
from tests.conftest import Mergegate, Run, command
from tests.ready import Order, started
from tests.sandbox.git.test_repository import git

BASES = {"whole": (), "change": ("--base", "main")}
REPORTS = sorted(FORMATS.keys() - {"console"})
TOKEN = next(one for one in of_kind("shapes") if one.name == "github-token").value


@dataclass(frozen=True)
class Scanned:
    """The repository, and what scans of it left."""

    root: Path
    out: Path
    """A folder a scan, with a file or folder a format, and what was printed."""
    data: Path
    runs: Mapping[str, Run]

    def report(self, name: str) -> dict[str, Any]:
        return dict(json.loads((self.out / name / "json").read_text()))


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Scanned:
    folder = tmp_path_factory.mktemp("canaries")
    planted(folder / "repo")
    mergegate = command(folder, folder / "data")
    runs = {}
    for name, base in BASES.items():
        there = folder / "out" / name
        there.mkdir(parents=True)
        wanted = (f"--format={one}={there / one}" for one in REPORTS)
        given = ("--offline", "--verbose", "--format", "console", *wanted, *base)
        run = mergegate("scan", folder / "repo", *given, env=environment("scan"))
        runs[name] = run
        (there / "printed").write_text(run.out + run.err)
        assert run.code in {1, 3}, run.err
    return Scanned(folder / "repo", folder / "out", folder / "data", runs)


def leaks(*folders: Path) -> dict[str, list[str]]:
    """Which secrets stand in which file."""
    found = {name: sorted(needles().within(data)) for name, data in files(*folders)}
    return {name: names for name, names in found.items() if names}


def test_there_are_a_hundred() -> None:
    kinds = [one.kind for one in flock()]
    counted = {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}
    assert counted == {"shapes": 40, "ruled": 30, "environment": 30}
    assert len({one.value for one in flock()}) == 100


@pytest.mark.parametrize("name", BASES)
def test_no_report_of_a_scan_holds_a_secret(scanned: Scanned, name: str) -> None:
    assert {one.name for one in (scanned.out / name).iterdir()} >= {*REPORTS, "printed"}
    assert leaks(scanned.out / name) == {}


def test_no_cache_holds_a_secret(scanned: Scanned) -> None:
    assert (scanned.data / "cache" / "answers.sqlite").stat().st_size > 4096
    assert leaks(scanned.data) == {}


@pytest.mark.parametrize("name", ["whole", pytest.param("change", marks=pytest.mark.thorough)])
def test_what_is_drawn_again_holds_no_secret(scanned: Scanned, tmp_path: Path, name: str) -> None:
    mergegate = command(tmp_path, tmp_path / "data")
    wanted = [f"--format={one}={tmp_path / 'again' / one}" for one in REPORTS]
    (tmp_path / "again").mkdir()
    run = mergegate("replay", scanned.out / name / "bundle", "--format", "console", *wanted)
    assert run.code == scanned.runs[name].code, run.err
    (tmp_path / "again" / "printed").write_text(run.out + run.err)
    assert leaks(tmp_path / "again") == {}
    same = (tmp_path / "again" / "json").read_bytes() == (scanned.out / name / "json").read_bytes()
    assert same


def findings(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [*report["issues"], *report["riskFindings"], *report["dependencyVulns"]]


def test_the_secrets_were_looked_at(scanned: Scanned) -> None:
    """Else nothing is proved: what is shown stands beside them, in files that are called so."""
    found = findings(scanned.report("change"))
    shown = [one["snippet"] for one in found if "***" in (one["snippet"] or "")]
    assert len(shown) > 100
    assert len([one for one in found if one["ruleId"].startswith("secret-")]) > 60
    named = {one["file"] for one in found if "*-" in one["file"]}
    assert len(named) > 50


def test_a_name_with_a_secret_stays_a_place(scanned: Scanned) -> None:
    """Two files stay two, each is called the same in both scans, and no finding is lost."""
    whole, change = (findings(scanned.report(name)) for name in BASES)
    weak = [
        {(one["id"], one["file"]) for one in some if _is_named(one)} for some in (whole, change)
    ]
    planted = [one for one in flock() if one.fits_a_name]
    assert len({file for _, file in weak[0]}) == len(planted) - 1  # one was moved elsewhere
    assert {file for _, file in weak[0]} == {file for _, file in weak[1]}
    old = {one["file"] for one in change if _is_named(one) and one["isNew"] is False}
    assert len(old) >= len(planted) // 4


def _is_named(one: Mapping[str, Any]) -> bool:
    return bool(one["ruleId"] == "python-os-command-injection" and one["file"].startswith("named/"))


def test_the_branch_is_shown_without_its_secrets(scanned: Scanned) -> None:
    shown = scanned.report("whole")["target"]["branch"]
    assert shown.startswith("topic/ghp_*-")
    assert shown.count("/") == branch().count("/")


POLICIES = (
    "version: 1\npaths:\n  exclude: ['named/{value}.py']\n",
    "version: 1\npaths:\n  exclude: [{value}\n",
    "version: 1\n{value}: 1\n",
    "version: 1\nrules:\n  {value}: off\n",
    "version: 1\naccept-unsearched: ['{value}']\n",
    "version: 1\ndb_password: {value}\n",
    "version: 1\nsuppressions: [{{id: '{value}', reason: x}}]\n",
)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("small") / "repo"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    (root / "a.py").write_text("x = 1\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "first")
    return root


@pytest.mark.parametrize("policy", POLICIES)
def test_no_policy_is_quoted_with_its_secrets(
    mergegate: Mergegate, small: Path, tmp_path: Path, policy: str
) -> None:
    file = tmp_path / "policy.yml"
    file.write_text(policy.format(value=TOKEN))
    run = mergegate("scan", small, "--offline", "--policy", file, "--format", "bundle")
    assert run.code in {0, 2}
    assert needles().within((run.out + run.err).encode()) == frozenset()


def test_a_policy_follows_a_name_as_it_is_and_as_it_is_shown(
    mergegate: Mergegate, tmp_path: Path
) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    (root / f"{TOKEN}.py").write_text("eval(input())\n")
    (root / "b.py").write_text("eval(input())\n")
    policy, names = tmp_path / "policy.yml", [f"{TOKEN}.py"]
    for _ in range(2):
        policy.write_text(f"version: 1\npaths:\n  exclude: ['{names[-1]}']\n")
        found = mergegate("scan", root, "--offline", "--policy", policy, "--format", "json").json
        assert {one["file"] for one in found["issues"]} == {"b.py"}
        names += [one["path"] for one in found["coverage"]["skipped"]]
    assert names[1:] == [names[1]] * 2
    assert names[1] != names[0]


@pytest.mark.parametrize(
    "given",
    [
        ("--base", TOKEN),
        ("--base", f"origin/{TOKEN}"),
        ("--only", TOKEN),
        ("--format", TOKEN),
        ("--fail-on", TOKEN),
        (f"--{TOKEN}",),
        ("--policy", TOKEN),
        ("--remote", f"https://ann:{TOKEN}@example.org"),
        (TOKEN,),
    ],
    ids=lambda given: given[0].partition("ghp_")[0],
)
def test_what_was_given_by_mistake_is_not_repeated(
    mergegate: Mergegate, small: Path, given: tuple[str, ...]
) -> None:
    run = mergegate("scan", small, "--offline", *given)
    assert run.code == 2
    assert run.err
    assert needles().within((run.out + run.err).encode()) == frozenset()


_MISTAKE = """
import sys
import mergegate.repo.scan
from mergegate.cli.main import run

def failing(*_):
    raise ValueError(f"cannot read {token}")

token = sys.argv.pop()
mergegate.repo.scan.scan = failing
run()
"""


def test_a_mistake_of_our_own_is_told_without_the_values_in_it(small: Path, tmp_path: Path) -> None:
    program = (sys.executable, "-c", _MISTAKE, "scan", str(small), "--offline", TOKEN)
    run = Run(*started(Order(program, {"PATH": "/usr/bin:/bin"}, str(tmp_path))))
    assert (run.code, "Traceback" in run.err) == (3, True)
    assert needles().within((run.out + run.err).encode()) == frozenset()


@pytest.mark.parametrize("words", ["exit 2", "printf '{}'", "kill -9 $$"])
def test_an_engine_that_fails_over_a_secret_does_not_pass_it_on(
    scanned: Scanned, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    """Whatever it printed before it went."""
    core = tmp_path / "core"
    files = " ".join(f"'{scanned.root}/ruled/{one}'" for one in ("pg.py", "jwt.js"))
    core.write_text(f"#!/bin/sh\ncat {files}\ncat {files} >&2\n{words}\n")
    core.chmod(0o755)
    monkeypatch.setattr("mergegate.repo.engines.semgrep._core", lambda: core)
    toolbox = replace(scan_toolbox(fetch=False, cached=False), limits=Limits(timeout_s=60))
    report = scan(Request(scanned.root, aspects=frozenset({Aspect.CODE})), toolbox)
    assert report.verdict.gate is Gate.INCOMPLETE
    text = "".join(one.render(report, Surface()) for one in FORMATS.values() if one.extension)
    assert needles().within(text.encode()) == frozenset()
