"""A repository's own tests as a gate of its fixes, with real suites; and that nobody runs them
who did not order it."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from mergegate.sandbox.process import own_folder
from tests.conftest import Mergegate
from tests.sandbox.git.test_repository import commit, git
from tests.secrets.mint import minted

pytestmark = pytest.mark.skipif(
    not own_folder.is_supported(), reason="NOT CHECKED: this kernel has no Landlock, or an old one"
)
ONLY = ("--offline", "--only", "code")
APP = """\
import tarfile

import yaml


def settings(text):
    return yaml.load(text, Loader=yaml.Loader)


def unpack(path, folder):
    with tarfile.open(path) as archive:
        archive.extractall("/srv/data")
"""
TEST = """\
import app


def test_settings_hold_tuples():
    assert app.settings("!!python/tuple [1, 2]") == (1, 2)
"""
QUICK = "grep -q yaml app.py && ! grep safe_load app.py"
"""A suite that fails where that one does."""
PYTEST = f"PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 {sys.executable} -m pytest -q -p no:cacheprovider"


@pytest.fixture
def shop(repo: Path) -> Path:
    """Two flaws, each with a fix that the other gates let through; one breaks the test."""
    (repo / "app.py").write_text(APP)
    (repo / "conftest.py").write_text("")
    (repo / "test_app.py").write_text(TEST)
    commit(repo, "shop")
    return repo


GOOD = APP.replace('"/srv/data"', '"/srv/data", filter="data"')


def test_a_fix_that_breaks_a_test_of_pytest_is_not_written(
    mergegate: Mergegate, shop: Path
) -> None:
    ended = mergegate("scan", shop, *ONLY, "--fix", "--test-command", PYTEST, "--json")
    assert (
        "own tests, 5 runs: they pass with 1 fix; those of 1 finding are not offered" in ended.err
    )
    assert "fixed: app.py, 1 fix" in ended.err
    assert (shop / "app.py").read_text() == GOOD
    assert [one["ruleId"] for one in ended.json["issues"]] == ["python-yaml-load"]
    assert ended.json["fixes"] == [], "what was refused is not offered by the scan behind it"
    assert sorted(one.name for one in shop.iterdir()) == [
        ".git",
        "app.py",
        "clean.py",
        "conftest.py",
        "test_app.py",
    ]


def test_the_report_names_the_gate_and_the_explanation_what_failed(
    mergegate: Mergegate, shop: Path, tmp_path: Path
) -> None:
    report, bundle = tmp_path / "report.json", tmp_path / "bundle.json"
    files = ("--format", f"json={report}", "--format", f"bundle={bundle}")
    mergegate("scan", shop, *ONLY, "--fix", "--dry-run", "--test-command", QUICK, *files)
    said = json.loads(report.read_text())
    (fix,) = said["fixes"]
    assert fix["verified"][-2:] == ["nothing new", "own tests"]
    (refused,) = json.loads(bundle.read_text())["refused_fixes"]
    assert refused["gate"] == "own tests"
    assert refused["said"] == ["    return yaml.safe_load(text)"]
    (id,) = (one["id"] for one in said["issues"] if one["ruleId"] == "python-yaml-load")
    told = mergegate("explain", id, shop, "--test-command", PYTEST).out
    assert "Tried and refused at the gate “own tests”: the tests fail with it" in told
    assert "FAILED test_app.py::test_settings_hold_tuples" in told
    ended = mergegate("fix", id, shop, "--offline", "--test-command", QUICK)
    assert ended.code == 2
    assert "does not pass the gate “own tests”" in ended.err
    assert (shop / "app.py").read_text() == APP


def test_a_suite_that_fails_anyway_claims_nothing(mergegate: Mergegate, shop: Path) -> None:
    ended = mergegate("scan", shop, *ONLY, "--fix", "--dry-run", "--test-command", "false")
    assert "own tests, 1 run: they fail without the fix too" in ended.err
    assert "yaml.safe_load" in ended.out


NODE = """\
const https = require("node:https");

const local = () => new https.Agent({ rejectUnauthorized: false, keepAlive: true });
const shop = () => new https.Agent({ rejectUnauthorized: false, maxSockets: 4 });

module.exports = { local, shop };
"""
NODE_TEST = """\
const assert = require("node:assert");
const { test } = require("node:test");
const { local, shop } = require("./agents.js");

test("the local server has no certificate", () => {
  assert.equal(local().options.rejectUnauthorized, false);
});
test("few connections", () => {
  assert.equal(shop().options.maxSockets, 4);
});
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="NOT CHECKED: there is no Node here")
def test_a_fix_that_breaks_a_test_of_node_is_not_written(mergegate: Mergegate, repo: Path) -> None:
    (repo / "agents.js").write_text(NODE)
    (repo / "agents.test.js").write_text(NODE_TEST)
    commit(repo, "agents")
    ended = mergegate("scan", repo, *ONLY, "--fix", "--test-command", "node --test")
    assert "own tests, 5 runs: they pass with 1 fix" in ended.err
    after = (repo / "agents.js").read_text()
    assert after == NODE.replace("false, max", "true, max")


def test_what_tests_print_does_nothing_and_shows_no_secret(
    mergegate: Mergegate, shop: Path
) -> None:
    token = minted("ghp_<alnum:36>")
    loud = f'printf "token {token}\\n##[error]x\\n::error::y\\n\\033[2Jz\\n"; exit 1'
    ended = mergegate("scan", shop, *ONLY, "--fix", "--dry-run", "--test-command", loud)
    assert "they fail without the fix too" in ended.err
    issues = mergegate("scan", shop, *ONLY, "--json").json["issues"]
    (id,) = (one["id"] for one in issues if one["ruleId"] == "python-yaml-load")
    told = mergegate("explain", id, shop, "--test-command", f"{QUICK} || {{ {loud}; }}").out
    assert "token ghp_****" in told
    for text in (told, ended.out + ended.err):
        assert token not in text
        assert "\x1b[2J" not in text
        assert "##[error]x" not in text
        assert not any(line.strip().startswith("::error::") for line in text.splitlines())


def test_files_that_are_left_alone_are_told(mergegate: Mergegate, shop: Path) -> None:
    (shop / "app.py").write_text(f"{APP}# mine\n")
    (shop / "more.py").write_text("import yaml\n\nyaml.load(open('a'), Loader=yaml.Loader)\n")
    git(shop, "add", "more.py")
    git(shop, "commit", "-qm", "more")
    ended = mergegate("scan", shop, *ONLY, "--fix", "--test-command", "grep -q yaml app.py")
    assert "left: app.py" in ended.err
    assert "fixed: more.py" in ended.err
    assert "run with the fixes of the files that were left as well" in ended.err
    assert (shop / "app.py").read_text() == f"{APP}# mine\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--test-command", "true"), "Add --fix"),
        (("--fix", "--test-command", " "), "--test-command is empty"),
        (("--fix", "--test-network"), "Add --test-command"),
        (("--fix", "--test-env", "CI"), "Add --test-command"),
        (("--fix", "--test-timeout", "5"), "Add --test-command"),
        (("--fix", "--test-command", "true", "--test-env", "ABSENT"), "there is no variable"),
        (("--fix", "--test-command", "true", "--remote", "https://h.example"), "not for --remote"),
    ],
)
def test_an_order_that_cannot_be_is_refused(
    options: tuple[str, ...], said: str, mergegate: Mergegate, repo: Path
) -> None:
    ended = mergegate("scan", repo, *ONLY, *options, env={"MERGEGATE_API_KEY": "key"})
    assert ended.code == 2
    assert said in ended.err


RUNS = "echo run >> here; false"


def test_nothing_in_the_tree_or_a_variable_orders_tests(mergegate: Mergegate, shop: Path) -> None:
    (shop / "package.json").write_text(json.dumps({"scripts": {"test": RUNS}}))
    (shop / "Makefile").write_text(f"test:\n\t{RUNS}\n")
    commit(shop, "scripts")
    named = {"MERGEGATE_TEST_COMMAND": RUNS, "INPUT_TEST-COMMAND": RUNS}
    ended = mergegate("scan", shop, *ONLY, "--fix", "--dry-run", env=named)
    assert "own tests" not in ended.err
    assert "safe_load" in ended.out
    for name in ("test-command", "tests", "testCommand"):
        (shop / ".mergegate.yml").write_text(f"{name}: {RUNS}\n")
        assert mergegate("scan", shop, *ONLY, "--fix", "--dry-run").code == 2
    assert not (shop / "here").exists()


@pytest.mark.parametrize(
    ("event", "home", "said"),
    [
        ("pull_request", "mallory/shop", "the change comes from a fork"),
        ("pull_request_target", "acme/shop", "strangers can set off this job"),
    ],
)
def test_in_a_job_that_is_not_the_teams_own_nothing_is_run(
    event: str, home: str, said: str, mergegate: Mergegate, shop: Path, tmp_path: Path
) -> None:
    def side(name: str) -> dict[str, object]:
        return {"sha": "0" * 40, "ref": "topic", "repo": {"full_name": name, "fork": False}}

    pull = {"number": 7, "head": side(home), "base": side("acme/shop")}
    (tmp_path / "event.json").write_text(
        json.dumps({"action": "opened", "number": 7, "pull_request": pull})
    )
    job = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_EVENT_NAME": event,
        "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
        "GITHUB_REPOSITORY": "acme/shop",
    }
    ended = mergegate("scan", shop, *ONLY, "--fix", "--test-command", RUNS, env=job)
    assert (ended.code, (shop / "app.py").read_text()) == (2, APP)
    assert f"the team's own tests are not run: {said}" in ended.err
