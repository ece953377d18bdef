"""Fixes that were proved are written into a work tree, or shown as a patch that Git takes."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Mergegate
from tests.sandbox.git.test_repository import commit
from tests.secrets.mint import minted

ONLY = ("--offline", "--only", "code")
BAD = """\
import tarfile

import requests
import yaml


def read(path, url):
    with tarfile.open(path) as archive:
        archive.extractall("/srv/data")
    settings = yaml.load(open(path))
    return settings, requests.get(url)
"""
GOOD = (
    BAD.replace('"/srv/data"', '"/srv/data", filter="data"')
    .replace("yaml.load", "yaml.safe_load")
    .replace("get(url)", "get(url, timeout=10)")
)


@pytest.fixture
def bad(repo: Path) -> Path:
    (repo / "app.py").write_text(BAD)
    commit(repo, "app")
    return repo


def test_every_fix_is_written_and_the_scan_after_it_judges(mergegate: Mergegate, bad: Path) -> None:
    (bad / "app.py").chmod(0o755)
    commit(bad, "mode")
    ended = mergegate("scan", bad, *ONLY, "--fix", "--json")
    assert (bad / "app.py").read_text() == GOOD
    assert "fixed: app.py, 3 fixes" in ended.err
    assert [one for one in ended.json["issues"] if one["file"] == "app.py"] == []
    assert os.access(bad / "app.py", os.X_OK)
    assert [one.name for one in bad.iterdir() if one.name.endswith(".mergegate")] == []


def test_one_rule_alone(mergegate: Mergegate, bad: Path) -> None:
    mergegate("scan", bad, *ONLY, "--fix", "--only-rule", "python-yaml-load")
    assert (bad / "app.py").read_text() == BAD.replace("yaml.load", "yaml.safe_load")


def test_a_dry_run_prints_what_git_applies(mergegate: Mergegate, bad: Path) -> None:
    ended = mergegate("scan", bad, *ONLY, "--fix", "--dry-run")
    assert (bad / "app.py").read_text() == BAD
    subprocess.run(["git", "apply"], cwd=bad, input=ended.out.encode(), check=True)
    assert (bad / "app.py").read_text() == GOOD


def test_of_a_change_only_what_it_brings_is_in_the_patch(
    mergegate: Mergegate, bad: Path, tmp_path: Path
) -> None:
    (bad / "new.py").write_text("import yaml\n\nx = yaml.load(open('a'))\n")
    commit(bad, "new")
    file = tmp_path / "fixes.patch"
    mergegate("scan", bad, *ONLY, "--base", "HEAD~1", "--format", f"patch={file}")
    subprocess.run(["git", "apply", file], cwd=bad, check=True)
    assert (bad / "app.py").read_text() == BAD
    assert "yaml.safe_load" in (bad / "new.py").read_text()


def test_a_patch_shows_no_secret_beside_what_it_mends(mergegate: Mergegate, bad: Path) -> None:
    secret = minted("github")
    text = BAD.replace("    settings", f'    token = "{secret}"\n    settings')
    (bad / "app.py").write_text(text)
    commit(bad, "token")
    ended = mergegate("scan", bad, "--offline", "--only", "code,secrets", "--fix", "--dry-run")
    assert secret not in ended.out
    mergegate("scan", bad, "--offline", "--only", "code,secrets", "--fix")
    assert (bad / "app.py").read_text().count(secret) == 1
    assert "yaml.safe_load" in (bad / "app.py").read_text()


def test_what_is_not_committed_is_left(mergegate: Mergegate, bad: Path) -> None:
    (bad / "app.py").write_text(f"{BAD}# mine\n")
    (bad / "new.py").write_text("import yaml\n\nx = yaml.load(open('a'))\n")
    ended = mergegate("scan", bad, *ONLY, "--fix")
    assert (bad / "app.py").read_text() == f"{BAD}# mine\n"
    assert "safe_load" not in (bad / "new.py").read_text()
    assert "left: app.py, because it has changes that are not committed" in ended.err
    assert "--allow-dirty" in ended.err
    mergegate("scan", bad, *ONLY, "--fix", "--allow-dirty")
    assert (bad / "app.py").read_text() == f"{GOOD}# mine\n"
    assert "safe_load" in (bad / "new.py").read_text()


def test_where_nothing_could_be_brought_back_nothing_is_written(
    mergegate: Mergegate, tmp_path: Path
) -> None:
    (tmp_path / "app.py").write_text(BAD)
    ended = mergegate("scan", tmp_path, *ONLY, "--fix")
    assert ended.code == 2
    assert "no commit could bring the files back" in ended.err
    assert (tmp_path / "app.py").read_text() == BAD


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--dry-run",), "Add --fix"),
        (("--only-rule", "python-yaml-load"), "Add --fix"),
        (("--fix", "--only-rule", "python-yaml-lod"), "Did you mean python-yaml-load?"),
        (("--fix", "--watch"), "Leave one out"),
        (("--fix", "--dry-run", "--json"), "standard output"),
    ],
)
def test_what_cannot_be_is_refused(
    options: tuple[str, ...], said: str, mergegate: Mergegate, bad: Path
) -> None:
    ended = mergegate("scan", bad, *ONLY, *options)
    assert (ended.code, (bad / "app.py").read_text()) == (2, BAD)
    assert said in ended.err


def found(mergegate: Mergegate, root: Path, rule: str) -> str:
    issues = mergegate("scan", root, *ONLY, "--json").json["issues"]
    return str(next(one["id"] for one in issues if one["ruleId"] == rule))


def test_one_finding_is_fixed_by_the_first_characters_of_its_id(
    mergegate: Mergegate, bad: Path
) -> None:
    id = found(mergegate, bad, "python-tar-extract")
    shown = mergegate("fix", id[:10], bad, "--offline", "--dry-run")
    ended = mergegate("fix", id[:10], bad, "--offline")
    expected = BAD.replace('"/srv/data"', '"/srv/data", filter="data"')
    assert (ended.code, (bad / "app.py").read_text()) == (0, expected)
    assert ended.out == shown.out
    assert "+        archive.extractall(" in ended.out


def test_an_id_that_fits_none_or_several_is_told(mergegate: Mergegate, bad: Path) -> None:
    assert "nothing that was found here" in mergegate("fix", "zzzz", bad, "--offline").err
    assert "nothing that was found here" in mergegate("fix", "", bad, "--offline").err


def test_why_there_is_no_fix_is_told(mergegate: Mergegate, bad: Path) -> None:
    (bad / "run.py").write_text("def run(text):\n    return eval(text)\n")
    commit(bad, "run")
    ended = mergegate("fix", found(mergegate, bad, "python-eval-non-constant"), bad, "--offline")
    assert ended.code == 2
    assert "none is known for it" in ended.err
    assert "mergegate explain python-eval-non-constant" in ended.err


def test_windows_line_ends_stay(mergegate: Mergegate, bad: Path, tmp_path: Path) -> None:
    (bad / "app.py").write_bytes(BAD.replace("\n", "\r\n").encode())
    commit(bad, "ends")
    file = tmp_path / "fixes.patch"
    mergegate("scan", bad, *ONLY, "--format", f"patch={file}")
    assert mergegate("scan", bad, *ONLY, "--fix").code in {0, 1}
    assert (bad / "app.py").read_bytes() == GOOD.replace("\n", "\r\n").encode()
    subprocess.run(["git", "checkout", "-q", "."], cwd=bad, check=True)
    subprocess.run(["git", "apply", file], cwd=bad, check=True)
    assert (bad / "app.py").read_bytes() == GOOD.replace("\n", "\r\n").encode()


def test_json_tells_the_gates_that_each_fix_passed(mergegate: Mergegate, bad: Path) -> None:
    fixes = json.loads(mergegate("scan", bad, *ONLY, "--json").out)["fixes"]
    assert {tuple(one["verified"]) for one in fixes} == {
        (
            "in scope",
            "applies",
            "parses",
            "nothing smuggled",
            "expected shape",
            "nothing else",
            "finding gone",
            "nothing new",
        )
    }


def test_one_finding_is_explained_with_its_fix(mergegate: Mergegate, bad: Path) -> None:
    told = mergegate("explain", found(mergegate, bad, "python-tar-extract")[:10], bad).out
    assert "app.py:9" in told
    assert '-         archive.extractall("/srv/data")' in told
    assert '+         archive.extractall("/srv/data", filter="data")' in told
    assert "Passed: in scope, applies" in told
    assert "Apply it: mergegate fix " in told
    assert "Of the rule: mergegate explain python-tar-extract" in told


def test_where_there_is_no_fix_the_explanation_says_so(mergegate: Mergegate, bad: Path) -> None:
    (bad / "run.py").write_text("def run(text):\n    return eval(text)\n")
    commit(bad, "run")
    told = mergegate("explain", found(mergegate, bad, "python-eval-non-constant"), bad).out
    assert "No fix is known" in told


def test_the_report_says_how_fixes_are_applied(mergegate: Mergegate, bad: Path) -> None:
    ended = mergegate("scan", bad, *ONLY)
    assert "Apply what was proved: mergegate scan --fix" in ended.out
