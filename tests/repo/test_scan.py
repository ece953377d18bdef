"""The main job from end to end, with the real engines and the real command line."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mergegate.core.plans import REPOSITORY
from mergegate.core.report import EngineRun, PolicyInForce
from mergegate.core.severity import Aspect
from mergegate.core.tree import Tree
from mergegate.repo.fixes.gates import NAMES
from mergegate.repo.policy import Chosen
from mergegate.repo.scan import Request, Toolbox
from mergegate.repo.scan import scan as scan_line
from mergegate.repo.settings import Policy
from mergegate.sandbox.engines.engine import EngineContext, Gathered
from mergegate.sandbox.engines.runner import Facts, Source
from tests.conftest import CLEAN, Mergegate
from tests.sandbox.git.test_repository import commit, git
from tests.secrets.mint import minted

VULNERABLE = """\
import subprocess

from flask import Flask, request

app = Flask(__name__)


@app.route("/ping")
def ping():
    host = request.args.get("host")
    return subprocess.check_output("ping -c 1 " + host, shell=True)
"""
LOADER = """\
import yaml


def settings(text):
    return yaml.load(text, Loader=yaml.Loader)
"""


def scan(mergegate: Mergegate, root: Path, *arguments: str) -> dict[str, Any]:
    run = mergegate("scan", root, "--format", "json", "--offline", *arguments)
    assert run.code in (0, 1, 3), run.err
    return run.json


def without_times(result: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in result.items() if not key.endswith("At")}
    kept["engines"] = [one | {"durationMs": 0} for one in result["engines"]]
    return kept


def test_a_clean_repository_passes(mergegate: Mergegate, repo: Path) -> None:
    run = mergegate("scan", repo, "--offline", "--format", "json")
    assert run.code == 0, run.err
    result = run.json
    assert (result["status"], result["qualityGate"], result["score"]) == (
        "completed",
        "passed",
        100,
    )
    assert {engine["status"] for engine in result["engines"]} <= {"ok", "idle"}


def test_a_vulnerable_one_fails_with_a_way_out(mergegate: Mergegate, repo: Path) -> None:
    (repo / "app.py").write_text(VULNERABLE)
    run = mergegate("scan", repo, "--offline", "--format", "json")
    assert run.code == 1, run.err
    worst = run.json["issues"][0]
    assert (worst["severity"], worst["file"], worst["startLine"]) == ("critical", "app.py", 11)
    assert "CWE-78" in worst["cwe"]
    assert run.json["verdict"]["wayOut"] == [worst["id"]]
    assert run.json["qualityGate"] == "failed"


PUBLISHES = """\
on: push
permissions: {}
jobs:
  publish:
    runs-on: ubuntu-latest
    permissions: {contents: write}
    steps:
      - uses: octo/release/publish@v2
      - uses: other/release/publish@v2
"""


@pytest.mark.parametrize(
    ("environment", "own"),
    [
        ({}, "info"),
        ({"GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "octo/shop"}, "info"),
        ({"GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "victim/shop"}, "low"),
    ],
)
def test_who_owns_the_repository_is_told_by_the_job_or_else_by_the_clone(
    mergegate: Mergegate, repo: Path, environment: dict[str, str], own: str
) -> None:
    git(repo, "remote", "add", "origin", "https://github.com/octo/shop.git")
    (repo / ".github" / "workflows").mkdir(parents=True)
    (repo / ".github" / "workflows" / "publish.yml").write_text(PUBLISHES)
    arguments = ("--format", "json", "--offline", "--only", "iac")
    result = mergegate("scan", repo, *arguments, env=environment).json
    told = {
        one["message"].partition("/")[0]: one["severity"]
        for one in (*result["issues"], *result["riskFindings"])
        if one["ruleId"] == "workflow-unpinned-action"
    }
    assert told == {"octo": own, "other": "low"}


def test_what_the_change_brings_is_told_from_what_was_there(
    mergegate: Mergegate, repo: Path
) -> None:
    (repo / "old.py").write_text(LOADER)
    (repo / "gone.py").write_text(VULNERABLE)
    base = commit(repo, "old")
    git(repo, "mv", "old.py", "renamed.py")
    (repo / "gone.py").unlink()
    (repo / "renamed.py").write_text("# moved\n\n" + LOADER)
    (repo / "new.py").write_text(LOADER.replace("settings", "options"))
    commit(repo, "change")
    result = scan(mergegate, repo, "--base", base, "--only", "code")
    marks = {one["file"]: one["isNew"] for one in result["issues"]}
    assert marks == {"renamed.py": False, "new.py": True}
    comparison = result["comparison"]
    assert (comparison["new"], comparison["existing"]) == (1, 1)
    assert {one["file"] for one in comparison["fixed"]} == {"gone.py"}


def test_fail_on_new_judges_the_change_alone(mergegate: Mergegate, repo: Path) -> None:
    (repo / "app.py").write_text(VULNERABLE)
    base = commit(repo, "vulnerable")
    (repo / "other.py").write_text(CLEAN)
    commit(repo, "harmless")
    whole = mergegate("scan", repo, "--base", base, "--offline")
    new = mergegate("scan", repo, "--base", base, "--offline", "--fail-on", "new")
    assert (whole.code, new.code) == (1, 0)


@pytest.mark.parametrize(
    ("fail_on", "code", "says"), [("new", 1, "FAILED"), ("never", 0, "PASSED")]
)
def test_the_one_new_finding_is_told_first_in_every_format(
    mergegate: Mergegate, repo: Path, tmp_path: Path, fail_on: str, code: int, says: str
) -> None:
    for number in range(20):
        (repo / f"a{number:02}.py").write_text(VULNERABLE)
    base = commit(repo, "old")
    (repo / "zz.py").write_text(VULNERABLE)
    commit(repo, "new")
    names = ("console", "markdown", "html")
    files = [f"--format={name}={tmp_path / name}" for name in names]
    run = mergegate("scan", repo, "--offline", "--base", base, "--fail-on", fail_on, *files)
    assert run.code == code, run.err
    for name in names:
        text = (tmp_path / name).read_text()
        assert "1 new finding (1 critical), 22 existing" in text, name
        assert re.findall(r"passed|failed", text, re.IGNORECASE)[0].upper() == says, name
        assert 0 < text.index("zz.py") < text.index("a00.py"), name


def test_every_finding_leads_to_its_line_at_the_forge(
    mergegate: Mergegate, repo: Path, tmp_path: Path
) -> None:
    (repo / "part").mkdir()
    (repo / "part" / "my app.py").write_text(VULNERABLE)
    head = commit(repo, "one")
    git(repo, "remote", "add", "origin", "git@github.com:acme/shop.git")
    files = [f"--format={name}={tmp_path / name}" for name in ("markdown", "html")]
    line = f"https://github.com/acme/shop/blob/{head}/part/my%20app.py#L11"
    for root, is_there in ((repo, True), (repo / "part", False)):
        mergegate("scan", root, "--offline", "--only", "code", *files)
        for name in ("markdown", "html"):
            assert (f'href="{line}"' in (tmp_path / name).read_text()) is is_there


def test_a_change_cannot_loosen_its_own_gate(mergegate: Mergegate, repo: Path) -> None:
    base = git(repo, "rev-parse", "HEAD")
    (repo / "app.py").write_text(VULNERABLE.replace("shell=True)", "shell=True)  # nosemgrep"))
    (repo / ".mergegate.yml").write_text("paths: {exclude: ['**']}\ninline-suppressions: honour\n")
    (repo / ".semgrepignore").write_text("*\n")
    commit(repo, "loosen")
    run = mergegate("scan", repo, "--base", base, "--offline", "--format", "json")
    assert run.code == 1
    assert run.json["issues"][0]["isNew"] is True
    assert run.json["coverage"]["inlineSuppressions"] == 1


def test_the_policy_of_the_repository_rules_without_a_base(
    mergegate: Mergegate, repo: Path
) -> None:
    (repo / "app.py").write_text(VULNERABLE)
    (repo / ".mergegate.yml").write_text("paths: {exclude: [app.py]}\n")
    result = scan(mergegate, repo)
    assert result["issues"] == []
    assert {"path": "app.py", "reason": "excluded by the policy"} in result["coverage"]["skipped"]


def test_a_suppression_is_shown_and_not_counted(mergegate: Mergegate, repo: Path) -> None:
    (repo / "app.py").write_text(VULNERABLE)
    id = scan(mergegate, repo, "--only", "code")["issues"][0]["id"]
    (repo / ".mergegate.yml").write_text(
        f"suppressions:\n- {{id: '{id}', reason: Lab only, owner: ada, expires: 2999-01-01}}\n"
    )
    result = scan(mergegate, repo, "--only", "code")
    assert result["qualityGate"] == "passed"
    assert [one["finding"]["id"] for one in result["suppressed"]] == [id]


def test_a_fix_is_verified_before_it_is_offered(mergegate: Mergegate, repo: Path) -> None:
    (repo / "load.py").write_text(
        "import yaml\n\n\ndef settings(text):\n    return yaml.load(text)\n"
    )
    result = scan(mergegate, repo, "--only", "code")
    (fix,) = result["fixes"]
    assert fix["verified"] == list(NAMES)
    assert fix["edits"][0]["replacement"] == "    return yaml.safe_load(text)"
    assert result["issues"][0]["fixId"] == fix["id"]


def test_no_fix_repeats_a_secret_of_its_line(
    mergegate: Mergegate, repo: Path, tmp_path: Path
) -> None:
    secret = "AKIAZ7Q3M5N2K6R4T6W2"
    (repo / "load.py").write_text(
        f"import yaml\n\n\ndef settings(text):\n    return yaml.load(text), '{secret}'\n"
    )
    formats = ("json", "markdown", "html", "sarif", "gitlab", "junit", "cyclonedx")
    files = [f"--format={name}=out/{name}" for name in formats]
    run = mergegate("scan", repo, "--offline", *files, "--format", "console")
    assert secret not in run.out + run.err
    written = {one: one.read_text() for one in (tmp_path / "out").rglob("*") if one.is_file()}
    assert len(written) >= len(formats)
    assert [one.name for one, text in written.items() if secret in text] == []
    found = {one["ruleId"] for one in json.loads(written[tmp_path / "out" / "json"])["issues"]}
    assert {"python-yaml-load", "secret-aws-access-key-id"} <= found


def test_a_fix_takes_a_secret_out_and_nothing_shows_it(
    mergegate: Mergegate, repo: Path, tmp_path: Path
) -> None:
    secret = minted("AKIA<base32:16>")
    # The name of the river says nothing to whoever masks lines, and its map does.
    (repo / "main.tf").write_text(
        'resource "aws_secretsmanager_secret_version" "pay" {\n'
        "  secret_string = jsonencode({\n"
        '    password = "maple-basalt-creek"\n'
        '    river    = "walnut-granite-river"\n'
        f'    key      = "{secret}"\n'
        "  })\n}\n"
    )
    run = mergegate("scan", repo, "--offline", "--format", "json", "--format=html=out.html")
    [fix] = run.json["fixes"]
    assert "var.secretsmanager_secret_version_pay_river" in json.dumps(fix)
    written = (run.out, run.err, (tmp_path / "out.html").read_text())
    hidden = (secret, "maple-basalt-creek", "walnut-granite-river")
    assert [one for one in hidden for text in written if one in text] == []


def test_a_fix_whose_lines_are_not_shown_is_named(mergegate: Mergegate, repo: Path) -> None:
    (repo / "main.tf").write_text(
        'resource "aws_db_instance" "shop" {\n  password = "maple-basalt-creek"\n}\n'
    )
    (fix,) = scan(mergegate, repo)["fixes"]
    run = mergegate("scan", repo, "--offline")
    assert "main.tf:2  fix available" in run.out
    assert f"Apply it: mergegate fix {fix['findingIds'][0][:10]}" in " ".join(run.out.split())
    assert "maple-basalt-creek" not in run.out


def test_a_fix_takes_a_secret_without_quotes_out_and_nothing_shows_it(
    mergegate: Mergegate, repo: Path, tmp_path: Path
) -> None:
    (repo / "template.yaml").write_text(
        "AWSTemplateFormatVersion: 2010-09-09\nResources:\n  Pay:\n"
        "    Type: AWS::SecretsManager::Secret\n    Properties:\n"
        "      SecretString: walnut granite river\n"
    )
    run = mergegate("scan", repo, "--offline", "--format", "json", "--format=html=out.html")
    [fix] = run.json["fixes"]
    assert "!Ref PaySecretString" in json.dumps(fix)
    written = (run.out, run.err, (tmp_path / "out.html").read_text())
    assert [text for text in written if "granite" in text] == []


@pytest.mark.parametrize("fresh", [1, pytest.param(8, marks=pytest.mark.thorough)])
def test_all_runs_give_the_same_bytes(mergegate_started: Mergegate, repo: Path, fresh: int) -> None:
    for number in range(6):
        (repo / f"app{number}.py").write_text(VULNERABLE + f"\nN = {number}\n")
    (repo / "Dockerfile").write_text("FROM python\nRUN curl https://example.org/x | sh\n")
    results = [
        json.dumps(without_times(scan(mergegate_started, repo, *cache)), sort_keys=False)
        for cache in [(), (), *[("--no-cache",)] * fresh]
    ]
    assert len(set(results)) == 1


def test_dependencies_without_a_store_are_incomplete(mergegate: Mergegate, repo: Path) -> None:
    (repo / "requirements.txt").write_text("django==3.2.0\n")
    run = mergegate("scan", repo, "--offline", "--format", "json", "--fail-on", "never")
    assert run.code == 3
    assert (run.json["status"], run.json["qualityGate"]) == ("failed", "failed")
    assert run.json["error"]["code"] == "INCOMPLETE"
    console = mergegate("scan", repo, "--offline")
    assert "mergegate advisories update" in " ".join(console.out.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("scan", "nowhere"), "no file or folder"),
        (("scan", ".", "--base", "main"), "not a Git work tree"),
        (("scan", ".", "--only", "code,magic"), "magic"),
        (("scan", ".", "--format", "pdf"), "no format 'pdf'"),
        (("scan", ".", "--fail-on", "new"), "needs a base"),
        (("scan", ".", "--policy", "nowhere.yml"), "cannot be read"),
        (("explain", "no-such-rule"), "no rule"),
        (("scan", "--frobnicate"), "No such option"),
    ],
)
def test_bad_input_is_said_in_one_line_with_exit_code_2(
    mergegate: Mergegate, arguments: tuple[str, ...], said: str
) -> None:
    run = mergegate(*arguments)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert "Traceback" not in run.err


def test_an_unknown_base_is_bad_input(mergegate: Mergegate, repo: Path) -> None:
    run = mergegate("scan", repo, "--base", "nowhere")
    assert run.code == 2
    assert "git fetch" in run.err


def test_several_formats_come_from_one_scan(
    mergegate: Mergegate, repo: Path, tmp_path: Path
) -> None:
    run = mergegate(
        *("scan", repo, "--offline", "--format", "html=out/report.html"),
        *("--format", "sarif=out/report.sarif", "--format", "markdown"),
    )
    assert run.code == 0, run.err
    assert run.out.startswith("#")
    assert "<html" in (tmp_path / "out/report.html").read_text()
    assert json.loads((tmp_path / "out/report.sarif").read_text())["version"] == "2.1.0"


def test_an_unchanged_rescan_asks_no_file_engine_again(mergegate: Mergegate, repo: Path) -> None:
    (repo / "app.py").write_text(VULNERABLE)
    first, second = scan(mergegate, repo), scan(mergegate, repo)
    assert without_times(first) == without_times(second)


def test_every_file_is_in_one_count_of_the_receipt(mergegate: Mergegate, repo: Path) -> None:
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 8\n"
    (repo / "model.py").write_text(pointer)
    (repo / "left-out.py").write_text(CLEAN)
    (repo / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0")
    (repo / "same").symlink_to("clean.py")
    (repo / "gone.py").symlink_to("nothing.py")
    (repo / ".mergegate.yml").write_text("version: 1\npaths: {exclude: [left-out.py]}\n")
    seen = scan(mergegate, repo, "--only", "code,secrets")["coverage"]
    skipped = {one["path"]: one["reason"] for one in seen["skipped"]}
    assert skipped["model.py"] == "Git LFS keeps its content elsewhere"
    assert set(skipped) == {"model.py", "left-out.py", "gone.py"}
    assert (seen["filesSeen"], seen["filesScanned"]) == (7, 2)
    told = mergegate("scan", repo, "--offline", "--only", "code,secrets").out
    assert "7 seen, 2 scanned" in told
    assert "3 skipped, 2 with nothing to search" in told


def test_every_rule_can_be_explained(mergegate: Mergegate) -> None:
    listed = {one["id"]: one for one in json.loads(mergegate("rules", "--format", "json").out)}
    assert len(listed) > 500
    assert {one["severity"] for one in listed.values()} == {
        "critical",
        "high",
        "medium",
        "low",
        "info",
    }
    assert len({tuple(one) for one in listed.values()}) == 1, "all tell the same, whatever family"
    for id in ("iac-kubernetes-host-path", "duplicated-code", "secret-jwt", "workflow-obfuscation"):
        page = mergegate("explain", id)
        told = " ".join(page.out.split())
        rule = listed[id]
        assert page.code == 0
        assert told.startswith(f"{id}: {rule['title']} {rule['severity']} · {rule['category']}")
        for level, condition in rule["milder"].items():
            assert f"{level}: {condition}" in told
        for text in (*rule["cwe"], rule["explanation"].split("\n")[0], rule["remedy"]):
            assert text in told
        for address in rule["references"]:
            assert address in told


def test_a_rule_without_a_weakness_says_why(mergegate: Mergegate) -> None:
    assert "no CWE: It is a matter of law." in mergegate("explain", "missing-licence").out


def test_help_has_examples_for_every_command(mergegate: Mergegate) -> None:
    for command in ("scan", "rules", "explain", "policy"):
        assert "Example" in mergegate(command, "--help").out


def test_a_doubted_cache_is_believed_of_what_is_as_in_the_base(repo: Path) -> None:
    seen: list[frozenset[str]] = []

    def gather(tree: Tree, context: EngineContext, _: Facts) -> Gathered:
        seen.append(frozenset(one.path for one in tree.files if one.key in context.anew))
        return Gathered((1,), EngineRun(name="seeing"))

    tools = Toolbox(
        sources=lambda *_: [Source("seeing", frozenset({Aspect.CODE}), (int,), gather)],
        checks=(),
        scoring=REPOSITORY,
        choose_policy=lambda *_: Chosen(Policy(), PolicyInForce()),
        doubts_cache=True,
    )
    for name in ("settled", "changed", "moved", "gone"):
        (repo / f"{name}.py").write_text(f"print({name!r})\n")
    base = commit(repo, "before")
    git(repo, "mv", "moved.py", "here.py")
    (repo / "gone.py").unlink()
    (repo / "changed.py").write_text("print('other')\n")
    commit(repo, "after")
    scan_line(Request(repo, base=base), tools)
    scan_line(Request(repo), tools)
    kept = {one.name for one in repo.iterdir() if one.name != ".git"}
    assert seen == [
        {"changed.py", "here.py"},
        {"changed.py", "moved.py", "gone.py"},
        kept,
    ]
