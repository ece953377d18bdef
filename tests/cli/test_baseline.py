"""A baseline file stands in for a base: the same new, existing and fixed, the same exit codes."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CLEAN, Mergegate, Run
from tests.sandbox.git.test_repository import commit
from tests.secrets.mint import minted

ONLY = ("--offline", "--only", "code,secrets")
OLD = """\
import subprocess
from flask import request


def listing():
    return subprocess.call("ls " + request.args["d"], shell=True)


def again():
    return eval(request.args["z"])
"""
NEW = """\
# a line more, so that all others move
import subprocess
from flask import request


def listing():
    return subprocess.call("ls " + request.args["d"], shell=True)


def other():
    return subprocess.call("cat " + request.args["f"], shell=True)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """No repository."""
    root = tmp_path / "plain"
    root.mkdir()
    (root / "app.py").write_text(OLD)
    return root


@pytest.fixture
def known(mergegate: Mergegate, folder: Path, tmp_path: Path) -> Path:
    file = tmp_path / "known.json"
    ended = mergegate("scan", folder, *ONLY, "--write-baseline", file)
    assert ended.code == 0, ended.err
    assert ended.err == f"baseline: {file}, 2 findings\n"
    return file


def compared(ended: Run) -> tuple[Any, ...]:
    said = ended.json
    change = said["comparison"]
    marked = sorted((one["id"], one["isNew"]) for one in said["issues"])
    gone = sorted(one["id"] for one in change["fixed"])
    return marked, gone, change["new"], change["existing"], change["verdict"]["gate"], ended.code


def test_a_change_is_marked_as_against_a_base(
    mergegate: Mergegate, folder: Path, known: Path, repo: Path
) -> None:
    shutil.copy(folder / "app.py", repo)
    commit(repo, "app")
    (folder / "app.py").write_text(NEW)
    (repo / "app.py").write_text(NEW)
    commit(repo, "change")
    asked = (*ONLY, "--json", "--fail-on", "new")
    by_file = compared(mergegate("scan", folder, *asked, "--baseline", known))
    by_base = compared(mergegate("scan", repo, *asked, "--base", "HEAD~1"))
    assert by_file == by_base
    assert by_file[2:] == (1, 1, "failed", 1)
    assert len(by_file[1]) == 1


def test_what_is_known_fails_nothing(mergegate: Mergegate, folder: Path, known: Path) -> None:
    ended = mergegate("scan", folder, *ONLY, "--baseline", known, "--fail-on", "new")
    assert ended.code == 0
    assert "since baseline" in ended.out
    assert mergegate("scan", folder, *ONLY, "--baseline", known).code == 1


def test_a_comment_sets_aside_what_is_known_and_nothing_new(
    mergegate: Mergegate, tmp_path: Path
) -> None:
    told = "import requests\n\nrequests.get(a, verify=False)  # nosec B501 - inside\n"
    folder, file = tmp_path / "x", tmp_path / "x.json"
    folder.mkdir()
    (folder / "a.py").write_text(told)
    mergegate("scan", folder, *ONLY, "--write-baseline", file)
    (folder / "b.py").write_text(told)
    ended = mergegate("scan", folder, *ONLY, "--baseline", file, "--fail-on", "new", "--json")
    assert {one["finding"]["file"] for one in ended.json["suppressed"]} == {"a.py"}
    assert ("b.py", "high") in {(one["file"], one["severity"]) for one in ended.json["issues"]}
    assert ended.code == 1


def test_a_rule_that_the_policy_raises_stays_known(
    mergegate: Mergegate, folder: Path, known: Path
) -> None:
    (folder / ".mergegate.yml").write_text("rules:\n  python-os-command-injection: high\n")
    written = known.with_name("high.json")
    mergegate("scan", folder, *ONLY, "--write-baseline", written)
    (folder / ".mergegate.yml").write_text("rules:\n  python-os-command-injection: critical\n")
    ended = mergegate("scan", folder, *ONLY, "--baseline", written, "--fail-on", "new")
    assert ended.code == 0, ended.out


def test_other_parts_of_a_scan_are_not_taken_for_fixed(
    mergegate: Mergegate, folder: Path, known: Path
) -> None:
    asked = ("--offline", "--only", "secrets", "--json", "--fail-on", "new")
    change = mergegate("scan", folder, *asked, "--baseline", known).json["comparison"]
    assert (change["new"], change["existing"], change["fixed"]) == (0, 0, [])


def test_a_baseline_that_knows_less_is_refused(
    mergegate: Mergegate, folder: Path, known: Path
) -> None:
    ended = mergegate("scan", folder, "--offline", "--only", "code,iac", "--baseline", known)
    assert ended.code == 2
    assert "was written of code, secrets alone, and does not know iac" in ended.err


def test_it_is_the_same_for_the_same_findings(
    mergegate: Mergegate, folder: Path, known: Path
) -> None:
    again = known.with_name("again.json")
    mergegate("scan", folder, *ONLY, "--no-cache", "--write-baseline", again)
    assert again.read_bytes() == known.read_bytes()
    moved = known.with_name("moved.json")
    (folder / "app.py").write_text(f"\n\n{OLD}")
    mergegate("scan", folder, *ONLY, "--write-baseline", moved)
    assert moved.read_bytes() == known.read_bytes()


def test_no_secret_stands_in_it(mergegate: Mergegate, tmp_path: Path) -> None:
    token = minted("ghp_<alnum:30><crc62>")
    root, file = tmp_path / "leaks", tmp_path / "known.json"
    (root / token).mkdir(parents=True)
    (root / token / "settings.py").write_text(f'TOKEN = "{token}"\n')
    (root / "settings.py").write_text(f'TOKEN = "{token}"\nGITHUB = "{token}"\n')
    assert mergegate("scan", root, *ONLY, "--write-baseline", file).code == 0
    assert json.loads(file.read_text())["findings"]
    assert token not in file.read_text()
    ended = mergegate("scan", root, *ONLY, "--baseline", file, "--fail-on", "new")
    assert ended.code == 0, ended.out


def test_an_incomplete_scan_writes_none(mergegate: Mergegate, folder: Path, tmp_path: Path) -> None:
    (folder / "requirements.txt").write_text("jinja2==2.4.1\n")
    file = tmp_path / "none.json"
    ended = mergegate("scan", folder, "--offline", "--write-baseline", file)
    assert (ended.code, file.exists()) == (3, False)
    assert "no baseline is written, for not all was looked at" in ended.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is no baseline: it is not valid JSON"),
        (b"{}", "is no baseline of Mergegate"),
        (b'{"version": "1.5.0", "results": {}}', "is no baseline of Mergegate"),
        (b"[" * 100_000, "is no baseline: it is not valid JSON"),
        (b" " * ((64 << 20) + 1), "is no baseline: it is larger than 64 MiB"),
        (b'{"mergegateBaseline": true}', "is no baseline of Mergegate"),
        (b'{"mergegateBaseline": 7, "later": []}', "was written by a newer Mergegate"),
        (b'{"mergegateBaseline": 1, "aspects": ["code"]}', "is damaged: findings is not"),
        (
            b'{"mergegateBaseline": 1, "aspects": ["code"], "findings": [{"rule": 1}]}',
            "is damaged: findings.0.rule is not",
        ),
    ],
)
def test_what_is_none_is_refused(
    content: bytes, said: str, mergegate: Mergegate, folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "other.json"
    file.write_bytes(content)
    ended = mergegate("scan", folder, *ONLY, "--baseline", file)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err


def test_a_link_is_not_followed(mergegate: Mergegate, folder: Path, known: Path) -> None:
    (folder / "link.json").symlink_to(known)
    ended = mergegate("scan", folder, *ONLY, "--baseline", folder / "link.json")
    assert ended.code == 2
    assert "cannot be read" in ended.err


def test_where_there_is_a_base_no_file_is_believed(
    mergegate: Mergegate, repo: Path, known: Path
) -> None:
    (repo / "more.py").write_text(CLEAN)
    commit(repo, "more")
    ended = mergegate("scan", repo, *ONLY, "--base", "HEAD~1", "--baseline", known)
    assert ended.code == 2
    assert "the change could have written it" in ended.err


@pytest.mark.parametrize("form", ["bundle", "attestation"])
def test_nothing_is_attested_against_it(
    form: str, mergegate: Mergegate, repo: Path, tmp_path: Path
) -> None:
    file = tmp_path / "known.json"
    assert mergegate("scan", repo, *ONLY, "--write-baseline", file).code == 0
    ended = mergegate("scan", repo, *ONLY, "--baseline", file, "--format", form)
    assert ended.code == 2
    assert "whoever wrote the baseline file" in ended.err


def test_a_part_writes_none(mergegate: Mergegate, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    ended = mergegate("scan", folder / "app.py", *ONLY, "--write-baseline", file)
    assert (ended.code, file.exists()) == (2, False)


def test_a_gate_that_was_asked_for_holds_all_the_same(
    mergegate: Mergegate, folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "known.json"
    ended = mergegate("scan", folder, *ONLY, "--write-baseline", file, "--fail-on", "gate")
    assert (ended.code, file.exists()) == (1, True)
