"""Findings of other scanners pass through identity, policy, gate and comparison as ours do."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Mergegate
from tests.sandbox.git.test_repository import commit, git
from tests.secrets.mint import minted

RECORDED = Path(__file__).parent.parent / "fixtures" / "sarif"
ONLY = ("--offline", "--only", "secrets")
Json = dict[str, Any]
FAILED = """\
{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [],
 "invocations": [{"executionSuccessful": false}]}]}
"""
RULES = """
rules:
- id: shell-true
  languages: [python]
  severity: ERROR
  message: A shell runs this.
  pattern: subprocess.call(..., shell=True)
  metadata: {cwe: ["CWE-78: Command injection"], category: security}
"""


def sarif(file: Path, *results: Json, tool: str = "Bandit", **run: Any) -> Path:
    runs = [{"tool": {"driver": {"name": tool}}, "results": results, **run}]
    file.write_text(json.dumps({"version": "2.1.0", "runs": runs}))
    return file


def result(path: str, line: int | None, rule: str = "B602", **more: Any) -> Json:
    physical: Json = {"artifactLocation": {"uri": path}}
    if line is not None:
        physical["region"] = {"startLine": line}
    given: Json = {"ruleId": rule, "level": "error", "message": {"text": f"{rule} is wrong."}}
    return given | {"locations": [{"physicalLocation": physical}]} | more


@pytest.fixture
def app(repo: Path) -> Path:
    shutil.copy(RECORDED / "app.py.txt", repo / "app.py")
    commit(repo, "app")
    return repo


def found(said: Json) -> set[tuple[str, str, int, bool | None]]:
    every = (*said["issues"], *said["riskFindings"], *said["dependencyVulns"])
    return {(one["ruleId"], one["severity"], one["startLine"], one["isNew"]) for one in every}


def test_what_bandit_found_counts_and_fails_the_gate(
    mergegate: Mergegate, app: Path, tmp_path: Path
) -> None:
    ended = mergegate("scan", app, *ONLY, "--import-sarif", RECORDED / "bandit.sarif", "--json")
    said = ended.json
    assert found(said) == {
        ("bandit/B602", "high", 5, None),
        ("bandit/B301", "medium", 6, None),
        ("bandit/B404", "low", 2, None),
        ("bandit/B403", "low", 3, None),
        ("bandit/B607", "low", 9, None),
    }
    (engine,) = (one for one in said["engines"] if one["name"] == "import-sarif")
    assert (engine["version"], engine["status"], engine["files"]) == ("Bandit", "ok", 1)
    assert said["score"] == 100 - 10 - 4 - 1 - 1 - 1
    assert ended.code == 0


def test_what_eslint_found_of_another_machine(mergegate: Mergegate, repo: Path) -> None:
    shutil.copy(RECORDED / "a.js.txt", repo / "a.js")
    commit(repo, "script")
    imported = ("--import-sarif", RECORDED / "eslint.sarif")
    said = mergegate("scan", repo, *ONLY, *imported, "--json").json
    assert ("eslint/no-debugger", "medium", 3, None) in found(said)
    assert ("eslint/no-cond-assign", "low", 3, None) in found(said)
    (aside,) = said["suppressed"]
    assert aside["finding"]["ruleId"] == "eslint/no-eval"
    assert aside["reason"] == "ESLint counts it as suppressed: demo"
    assert aside["source"] == "inline"


@pytest.mark.parametrize("program", ["semgrep", "ruff"])
def test_what_is_installed_here_is_understood(
    program: str, mergegate: Mergegate, app: Path, tmp_path: Path
) -> None:
    file = tmp_path / "found.sarif"
    (app / "rules.yaml").write_text(RULES)
    command = {
        "semgrep": (
            *("scan", "--metrics=off", "--disable-version-check", "--config", "rules.yaml"),
            *("--sarif", "--output", file, "app.py"),
        ),
        "ruff": (
            "check",
            "--isolated",
            "--select",
            "F,I",
            "--output-format",
            "sarif",
            "-o",
            file,
            ".",
        ),
    }[program]
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    environment = {"PATH": path, "HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    tool = Path(sys.executable).with_name(program)
    subprocess.run([tool, *command], cwd=app, env=environment, check=False, timeout=300)
    said = mergegate("scan", app, *ONLY, "--import-sarif", file, "--json").json
    expected = {
        # What is said of Bandit's rule, with a reason, is said of the same weakness.
        "semgrep": {("semgrep/shell-true", "high", 5, None)},
        "ruff": {("ruff/F401", "medium", 1, None), ("ruff/I001", "medium", 1, None)},
    }[program]
    assert found(said) == expected
    assert not said["coverage"]["limited"]


def test_our_own_answer_is_not_counted_twice(
    mergegate: Mergegate, repo: Path, tmp_path: Path
) -> None:
    (repo / "settings.py").write_text(f'TOKEN = "{minted("ghp_<alnum:30><crc62>")}"\n')
    commit(repo, "settings")
    file = tmp_path / "own.sarif"
    first = mergegate("scan", repo, *ONLY, "--json", "--format", f"sarif={file}")
    again = mergegate("scan", repo, *ONLY, "--json", "--import-sarif", file)
    assert found(again.json) == found(first.json)
    (told,) = again.json["coverage"]["limited"]
    assert "1 result is of Mergegate, which looks for itself" in told["reason"]


def test_only_what_stands_on_changed_lines_is_new(
    mergegate: Mergegate, app: Path, tmp_path: Path
) -> None:
    text = (app / "app.py").read_text()
    (app / "untouched.py").write_text("a = 1\nb = 2\n")
    (app / "old.py").write_text("x = 1\nbad()\n" * 20)
    commit(app, "before")
    (app / "app.py").write_text(f'"""More."""\n{text}subprocess.call("ls", shell=True)\n')
    git(app, "mv", "old.py", "moved.py")
    (app / "added.py").write_text("bad()\n")
    commit(app, "change")
    file = sarif(
        tmp_path / "x.sarif",
        result("app.py", 6),  # moved down by a line
        result("app.py", 11),  # added
        result("untouched.py", 2),
        result("untouched.py", None, "whole"),
        result("app.py", None, "whole"),  # what it is about cannot be told
        result("moved.py", 4),
        result("added.py", 1),
    )
    asked = (*ONLY, "--base", "HEAD~1", "--fail-on", "new", "--import-sarif", file, "--json")
    ended = mergegate("scan", app, *asked)
    new = {(one["file"], one["startLine"]) for one in ended.json["issues"] if one["isNew"]}
    assert new == {("app.py", 11), ("app.py", 0), ("added.py", 1)}
    assert ended.json["comparison"]["existing"] == 4
    assert ended.code == 1


def test_as_many_as_the_base_has_are_old(mergegate: Mergegate, repo: Path, tmp_path: Path) -> None:
    (repo / "x.py").write_text("bad()\n")
    commit(repo, "one")
    (repo / "x.py").write_text("bad()\nbad()\n")
    commit(repo, "two")
    file = sarif(tmp_path / "x.sarif", result("x.py", 1), result("x.py", 2))
    asked = (*ONLY, "--base", "HEAD~1", "--import-sarif", file, "--json")
    change = mergegate("scan", repo, *asked).json["comparison"]
    assert (change["new"], change["existing"], change["fixed"]) == (1, 1, [])


def test_no_comment_of_a_change_pardons_what_it_brings(
    mergegate: Mergegate, repo: Path, tmp_path: Path
) -> None:
    (repo / "x.py").write_text("bad()  # nosec B602 - known\n")
    commit(repo, "one")
    (repo / "x.py").write_text("bad()  # nosec B602 - known\nworse()  # nosec B602 - fine\n")
    commit(repo, "two")
    by: Json = {"suppressions": [{"kind": "inSource", "justification": "fine"}]}
    outside: Json = {"suppressions": [{"kind": "external", "justification": "triaged"}]}
    results = result("x.py", 1, **by), result("x.py", 2, **by), result("x.py", 2, "B1", **outside)
    asked = (*ONLY, "--import-sarif", sarif(tmp_path / "x.sarif", *results), "--json")
    change = mergegate("scan", repo, *asked, "--base", "HEAD~1", "--fail-on", "new")
    assert ("bandit/B602", "high", 2, True) in found(change.json)
    assert {one["finding"]["startLine"] for one in change.json["suppressed"]} == {1, 2}
    assert change.code == 1
    whole = mergegate("scan", repo, *asked).json
    assert not any(one[0].startswith("bandit/") for one in found(whole))


def test_what_the_scanner_found_in_the_base_says_it_better(
    mergegate: Mergegate, app: Path, tmp_path: Path
) -> None:
    (app / "other.py").write_text("")
    commit(app, "another")
    head = sarif(tmp_path / "h.sarif", result("app.py", 5), result("app.py", 9))
    base = sarif(tmp_path / "b.sarif", result("app.py", 5), result("app.py", 6, "B301"))
    imported = ("--import-sarif", head, "--import-sarif-base", base)
    said = mergegate("scan", app, *ONLY, "--base", "HEAD~1", *imported, "--json").json
    assert found(said) == {("bandit/B602", "high", 5, False), ("bandit/B602", "high", 9, True)}
    assert [one["ruleId"] for one in said["comparison"]["fixed"]] == ["bandit/B301"]


def test_what_is_said_of_a_file_that_nobody_reads_here_is_new_where_the_change_touches_it(
    mergegate: Mergegate, repo: Path, tmp_path: Path
) -> None:
    (repo / ".mergegate.yml").write_text("paths:\n  exclude: [gen]\n")
    (repo / "gen").mkdir()
    (repo / "gen" / "old.py").write_text("bad()\n")
    commit(repo, "generated")
    (repo / "gen" / "new.py").write_text("bad()\n")
    commit(repo, "more of it")
    results = result("gen/old.py", 1), result("gen/new.py", 1), result("gen/new.py", None, "whole")
    file = sarif(tmp_path / "x.sarif", *results)
    said = mergegate("scan", repo, *ONLY, "--base", "HEAD~1", "--import-sarif", file, "--json").json
    told = {(one["file"], one["startLine"], one["isNew"]) for one in said["issues"]}
    assert told == {("gen/old.py", 1, False), ("gen/new.py", 1, True), ("gen/new.py", 0, True)}


def test_packages_of_a_touched_lock_file_are_new(
    mergegate: Mergegate, repo: Path, tmp_path: Path
) -> None:
    (repo / "other.lock").write_text("a 1\n")
    (repo / "still.lock").write_text("a 1\n")
    commit(repo, "lock")
    (repo / "other.lock").write_text("a 1\nb 1\n")
    commit(repo, "more")
    results = (result("other.lock", 1, "CVE-1"), result("still.lock", 1, "CVE-1"))
    file = sarif(tmp_path / "x.sarif", *results, tool="Trivy")
    said = mergegate("scan", repo, *ONLY, "--base", "HEAD~1", "--import-sarif", file, "--json").json
    new = {(one["file"], one["isNew"], one["category"]) for one in said["issues"]}
    assert new == {("other.lock", True, "Dependency"), ("still.lock", False, "Dependency")}


def test_the_policy_rules_them(mergegate: Mergegate, app: Path) -> None:
    (app / ".mergegate.yml").write_text(
        "severity-threshold: low\n"
        "rules:\n  bandit/B602: critical\n  bandit/B301: off\n"
        "suppressions:\n- rule: bandit/B404\n  reason: meant\n  owner: ada\n  expires: 2999-01-01\n"
    )
    assert mergegate("policy", app / ".mergegate.yml").code == 0
    ended = mergegate("scan", app, *ONLY, "--import-sarif", RECORDED / "bandit.sarif", "--json")
    assert ended.code == 1
    assert {(rule, severity) for rule, severity, *_ in found(ended.json)} == {
        ("bandit/B602", "critical"),
        ("bandit/B403", "low"),
        ("bandit/B607", "low"),
    }
    assert [one["reason"] for one in ended.json["suppressed"]] == ["meant"]


def test_an_id_stays_over_moved_lines(mergegate: Mergegate, app: Path, tmp_path: Path) -> None:
    ids = []
    for line in (5, 7):
        file = sarif(tmp_path / "x.sarif", result("app.py", line))
        said = mergegate("scan", app, *ONLY, "--import-sarif", file, "--json").json
        ids.append(said["issues"][0]["id"])
        (app / "app.py").write_text(f"\n\n{(app / 'app.py').read_text()}")
    assert ids[0] == ids[1]


def test_a_secret_of_another_scanner_is_masked(
    mergegate: Mergegate, repo: Path, tmp_path: Path
) -> None:
    word = minted("<alnum:24>")
    (repo / "x.py").write_text(f"odd = {word!r}\n")
    commit(repo, "odd")
    given = result("x.py", 1, "odd", message={"text": f"odd found. token={word}"})
    file = sarif(tmp_path / "x.sarif", given, tool="gitleaks")
    bundle = tmp_path / "b.json"
    every = ("--json", "--format", f"bundle={bundle}", "--format", f"html={tmp_path / 'x.html'}")
    ended = mergegate("scan", repo, *ONLY, "--import-sarif", file, *every)
    (one,) = ended.json["issues"]
    assert (one["kind"], one["severity"]) == ("secret", "high")
    for text in (ended.out, bundle.read_text(), (tmp_path / "x.html").read_text()):
        assert word not in text


def test_a_report_with_them_is_replayed(mergegate: Mergegate, app: Path, tmp_path: Path) -> None:
    (app / "app.py").write_text((app / "app.py").read_text() + "# more\n")
    commit(app, "more")
    bundle = tmp_path / "b.json"
    imported = ("--import-sarif", RECORDED / "bandit.sarif", "--base", "HEAD~1")
    first = mergegate("scan", app, *ONLY, *imported, "--format", f"bundle={bundle}", "--json")
    again = mergegate("replay", bundle, "--json")
    assert (again.code, again.err, again.out) == (first.code, "", first.out)


def test_a_baseline_knows_them(mergegate: Mergegate, app: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    imported = ("--import-sarif", RECORDED / "bandit.sarif")
    mergegate("scan", app, *ONLY, *imported, "--write-baseline", known)
    asked = (*ONLY, "--baseline", known, "--fail-on", "new", "--json")
    with_them = mergegate("scan", app, *asked, *imported).json["comparison"]
    assert (with_them["new"], with_them["existing"], with_them["fixed"]) == (0, 5, [])
    without = mergegate("scan", app, *asked).json["comparison"]
    assert (without["new"], without["existing"], without["fixed"]) == (0, 0, [])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "it is not valid JSON"),
        ('{"a":' * 50_000, "it is not valid JSON"),
        ('{"version": "2.1.0", "runs": []}', "it holds no run of a tool"),
        (
            FAILED,
            "the tool says that its own run did not succeed",
        ),
    ],
)
def test_what_cannot_be_believed_is_incomplete(
    content: str, said: str, mergegate: Mergegate, app: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.sarif"
    broken.write_text(content)
    imported = ("--import-sarif", broken, "--import-sarif", RECORDED / "bandit.sarif")
    ended = mergegate("scan", app, *ONLY, *imported, "--fail-on", "never", "--json")
    assert ended.code == 3
    assert len(found(ended.json)) == 5  # what is whole is told all the same
    assert said in ended.json["verdict"]["reasons"][0]


def test_places_that_are_not_here_are_counted(
    mergegate: Mergegate, app: Path, tmp_path: Path
) -> None:
    paths = ("../../etc/passwd", "file:///etc/passwd", "%2e%2e/app.py", "gone.py", "app.py%0a")
    file = sarif(tmp_path / "x.sarif", *(result(path, 1) for path in paths))
    ended = mergegate("scan", app, *ONLY, "--import-sarif", file, "--json")
    assert found(ended.json) == set()
    (told,) = ended.json["coverage"]["limited"]
    assert told["reason"] == "5 results lie in no file of this tree, and count nowhere"


def test_hostile_words_stay_words(mergegate: Mergegate, app: Path, tmp_path: Path) -> None:
    words = "\x1b[31m::error::<img src=x onerror=y> @org/team \u202e closes #1"
    given = result("app.py", 1, "r\n::set-output", message={"text": words})
    file = sarif(tmp_path / "x.sarif", given, tool="a\x1b]0;b\x07/../c")
    page = tmp_path / "x.html"
    ended = mergegate(
        "scan",
        app,
        *ONLY,
        "--import-sarif",
        file,
        "--format",
        "console",
        "--format",
        f"html={page}",
    )
    assert ended.code == 0
    assert "\x1b" not in ended.out
    assert "\u202e" not in ended.out
    assert "<img" not in page.read_text()


@pytest.mark.parametrize(
    ("results", "steps"),
    [(1_500, 20), pytest.param(11_000, 0, marks=[pytest.mark.slow, pytest.mark.thorough])],
)
def test_thirty_megabytes_are_survived(
    mergegate: Mergegate, app: Path, tmp_path: Path, results: int, steps: int
) -> None:
    way = [{"location": {"message": {"text": "s" * 1_000}}}] * steps
    more: Json = {
        "message": {"text": "w " * 1_400},
        "codeFlows": [{"threadFlows": [{"locations": way}]}],
    }
    given = [result("app.py", 1 + n % 9, f"r{n}", **more) for n in range(results)]
    file = sarif(tmp_path / "x.sarif", *given)
    assert file.stat().st_size > 30 << 20
    ended = mergegate("scan", app, *ONLY, "--import-sarif", file, "--quiet")
    assert ended.code == 1


def test_a_file_in_the_tree_is_no_part_of_it(mergegate: Mergegate, app: Path) -> None:
    file = sarif(app / "found.sarif", result("app.py", 5))
    said = mergegate("scan", app, *ONLY, "--import-sarif", file, "--json").json
    (skipped,) = said["coverage"]["skipped"]
    assert (skipped["path"], skipped["reason"]) == ("found.sarif", "imported as SARIF")


@pytest.mark.parametrize("tracked", ["head", "base"])
def test_a_file_that_the_change_may_have_written_is_refused(
    mergegate: Mergegate, app: Path, tmp_path: Path, tracked: str
) -> None:
    own, other = sarif(app / "found.sarif"), sarif(tmp_path / "x.sarif")
    commit(app, "an answer of its own")
    head, base = (own, other) if tracked == "head" else (other, own)
    imported = ("--import-sarif", head, "--import-sarif-base", base)
    ended = mergegate("scan", app, *ONLY, *imported, "--base", "HEAD~1")
    assert ended.code == 2
    assert "is tracked by the repository, so the change may have written it" in ended.err


def test_what_another_scanner_tells_came_with_no_upgrade(
    mergegate: Mergegate, app: Path, tmp_path: Path
) -> None:
    critical: Json = {"properties": {"security-severity": "9.8"}}
    file = sarif(tmp_path / "x.sarif", result("app.py", 5, **critical))
    ended = mergegate("scan", app, *ONLY, "--import-sarif", file, "--rules-of", "0.1.0", "--json")
    assert ended.json["laterRules"] is None
    assert ended.code == 1


def test_a_base_without_a_head_is_refused(mergegate: Mergegate, app: Path) -> None:
    ended = mergegate("scan", app, *ONLY, "--import-sarif-base", RECORDED / "bandit.sarif")
    assert ended.code == 2
    assert "Add --base REF and --import-sarif FILE" in ended.err
