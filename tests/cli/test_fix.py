"""Fixes that were proved are written into a work tree, or shown as a patch that Git takes."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from mergegate.core.report import Mended
from mergegate.repo.fixes import application
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


def test_what_did_not_fit_beside_others_is_told_and_fits_the_next_time(
    mergegate: Mergegate, repo: Path
) -> None:
    database = 'resource "aws_db_instance" "shop" {\n  engine = "postgres"\n}\n'
    (repo / "main.tf").write_text(database)
    commit(repo, "database")
    orders = ("scan", repo, "--offline", "--only", "iac", "--fix", "--format", "console")
    first = mergegate(*orders)
    assert "lines that others changed; commit these and run it again" in first.err
    commit(repo, "fixed")
    second = mergegate(*orders)
    assert "fixed: main.tf" in second.err


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
    id = found(mergegate, bad, "python-eval-non-constant")
    ended = mergegate("fix", id, bad, "--offline")
    assert ended.code == 2
    assert f"no fix of {id[:10]} was proved: none is known for it" in ended.err
    assert "mergegate explain python-eval-non-constant" in ended.err


def test_a_fix_that_would_show_a_secret_is_told_to_be_withheld(
    mergegate: Mergegate, bad: Path
) -> None:
    line = f"os.chmod('/srv/run', 0o777, key='{minted('AKIA<base32:16>')}')"
    (bad / "app.py").write_text(f"import os\n\n{line}\n")
    commit(bad, "key")
    id = found(mergegate, bad, "python-world-writable")
    assert "“shows no secret”" in mergegate("fix", id, bad, "--offline").err
    assert "“shows no secret”" in mergegate("explain", id, bad).out


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


HOSTILE_NAMES = [
    b"a\n+++ b/other.py",
    b"bidi\xe2\x80\xaegnp.py",
    b"invalid\xff.py",
    b"cr\rz.py",
    b"-rf.py",
    b"q'uote\"s.py",
    b"##[error]y.py",
    b"y" * 252 + b".py",
]
ONE = "import yaml\n\n\ndef read(text):\n    return yaml.load(text)\n"


def test_files_are_written_and_told_by_their_own_names(mergegate: Mergegate, repo: Path) -> None:
    for number, name in enumerate(HOSTILE_NAMES):
        place = repo / os.fsdecode(name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(ONE.replace("text", f"text_{number}"))
    (repo / ".-rf.py.mergegate").write_text("x\n")
    commit(repo, "names")
    told = mergegate("scan", repo, *ONLY, "--fix", "--dry-run").out
    assert "##[" not in told
    assert told.isascii() and "\r" not in told
    assert told.count("\ndiff --git ") == len(HOSTILE_NAMES) - 1
    subprocess.run(["git", "apply"], cwd=repo, input=told.encode(), check=True)
    texts = [(repo / os.fsdecode(name)).read_text() for name in HOSTILE_NAMES]
    assert all("safe_load" in text for text in texts)
    subprocess.run(["git", "checkout", "-q", "."], cwd=repo, check=True)
    mergegate("scan", repo, *ONLY, "--fix")
    assert [(repo / os.fsdecode(name)).read_text() for name in HOSTILE_NAMES] == texts


def test_the_name_that_is_shown_of_one_file_is_not_another(
    mergegate: Mergegate, repo: Path
) -> None:
    (repo / "a\nb.py").write_text(ONE)
    commit(repo, "name")
    (repo / "a\\nb.py").write_text(ONE)
    mergegate("scan", repo, *ONLY, "--fix")
    assert (repo / "a\\nb.py").read_text() == ONE


@pytest.mark.parametrize("folder", [".", "sub"])
def test_the_patch_of_a_subfolder_applies_there(
    mergegate: Mergegate, repo: Path, folder: str
) -> None:
    (repo / "sub").mkdir()
    for place in (repo / "app.py", repo / "sub" / "app.py"):
        place.write_text(ONE)
    commit(repo, "twins")
    told = mergegate("scan", repo / "sub", *ONLY, "--fix", "--dry-run").out
    subprocess.run(["git", "apply"], cwd=repo / folder, input=told.encode(), check=True)
    assert "safe_load" in (repo / "sub" / "app.py").read_text()
    assert (repo / "app.py").read_text() == ONE


def test_what_cannot_be_written_keeps_no_other_file_from_its_fixes(
    bad: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(here: Path, there: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refused)
    one = Mended(path="app.py", name="app.py", fix_ids=("fix-1",), before=BAD, after=GOOD)
    applied = application.write(bad, [one, one], None)
    assert applied.failed == (("app.py", "Permission denied"),) * 2
    assert sorted(place.name for place in bad.iterdir() if "mergegate-" in place.name) == []


DASHES = "-----"
KEY = f"RSA PRIVATE KEY{DASHES}"
UNSHOWN = {
    "a title": "# \x1b]0;x\x07",
    "a command": '"""\n  ::error::x\n"""',
    "another": "# ##[error]x",
    "a key": f'"""\n{DASHES}BEGIN {KEY}\nqwertyuiopasdf\n{DASHES}END {KEY}\n"""',
}


@pytest.mark.parametrize("said", UNSHOWN.values(), ids=UNSHOWN)
def test_a_patch_shows_nothing_that_acts_where_it_is_printed(
    mergegate: Mergegate, repo: Path, said: str
) -> None:
    text = ONE.replace("    return", f"    {said}\n    0\n    return")
    (repo / "app.py").write_bytes(text.encode())
    commit(repo, "app")
    told = mergegate("scan", repo, *ONLY, "--fix", "--dry-run").out
    assert "safe_load" in told
    assert not any(one in told for one in ("\x1b", "::error", "##[", "qwertyuiop"))
    subprocess.run(["git", "apply"], cwd=repo, input=told.encode(), check=True)
    assert (repo / "app.py").read_bytes() == text.replace("yaml.load", "yaml.safe_load").encode()


def test_whose_change_the_patch_lacks_is_told(mergegate: Mergegate, repo: Path) -> None:
    (repo / "app.py").write_text(ONE.rstrip() + "  # ##[error]x\n")
    commit(repo, "app")
    ended = mergegate("scan", repo, *ONLY, "--fix", "--dry-run")
    assert (ended.out, "not in the patch: app.py" in ended.err) == ("", True)


SIGNED = """\
const jwt = require('jsonwebtoken');
function read(req) {
  return jwt.sign({ a: 1 }, "kitten one", { algorithm: 'HS256' });
}
"""


def test_no_report_holds_the_secret_that_a_fix_takes_out(
    mergegate: Mergegate, repo: Path, tmp_path: Path
) -> None:
    (repo / "app.js").write_text(SIGNED)
    commit(repo, "app")
    files = {name: tmp_path / f"r.{name}" for name in ("bundle", "json", "html", "sarif", "patch")}
    named = [word for name, file in files.items() for word in ("--format", f"{name}={file}")]
    mergegate("scan", repo, *ONLY, *named)
    assert all(b"kitten" not in file.read_bytes() for file in files.values())
    assert "process.env.JWT_SECRET" in files["json"].read_text()


def test_a_hostile_depth_of_nesting_ends_no_scan(mergegate: Mergegate, bad: Path) -> None:
    nested = f'{"(" * 3000}"public-read"{")" * 3000}'
    (bad / "main.tf").write_text(f'resource "aws_s3_bucket" "b" {{\n  acl = {nested}\n}}\n')
    commit(bad, "nested")
    ended = mergegate("scan", bad, "--offline", "--only", "code,iac", "--fix", "--dry-run")
    assert "yaml.safe_load" in ended.out
    assert "RecursionError" not in ended.err
