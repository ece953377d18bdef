"""What the options of ``mergegate scan`` do to its output and its exit code."""

import json
from pathlib import Path

import pytest

from tests.conftest import Mergegate
from tests.sandbox.git.test_repository import commit

SECRET = "AKIA" + "Z7QH3N5T" + "KJ2WXR4P"
ONLY = ("--offline", "--only", "secrets")
CHANGE = (*ONLY, "--base", "HEAD~1", "--fail-on", "new")


@pytest.fixture
def leak(repo: Path) -> Path:
    (repo / "settings.py").write_text(f'AWS_ACCESS_KEY_ID = "{SECRET}"\n')
    commit(repo, "settings")
    return repo


def test_quietly_verdict_and_exit_code_are_all(mergegate: Mergegate, leak: Path) -> None:
    ended = mergegate("scan", leak, *CHANGE, "-q")
    (line,) = ended.out.splitlines()
    assert line.startswith("FAILED  ")
    assert (ended.code, ended.err) == (1, "")


def test_quietly_files_are_written_all_the_same(
    mergegate: Mergegate, leak: Path, tmp_path: Path
) -> None:
    ended = mergegate("scan", leak, *CHANGE, "-q", "--format", f"json={tmp_path / 'x.json'}")
    assert (ended.code, ended.err, ended.out.count("\n")) == (1, "", 1)
    assert json.loads((tmp_path / "x.json").read_text())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-q", "--json"), "Give the report a file"),
        (("-q", "--format", "html"), "Give the report a file"),
        (("-q", "--verbose"), "Leave one out"),
        (("--only", "code,sekrets"), "Did you mean secrets? The parts are code, secrets"),
        (("--only", "xyzzy"), "'xyzzy' is no part of a scan. The parts are code, secrets"),
        (("--format", "htlm"), "Did you mean html? The formats are console"),
        (("--josn",), "No such option '--josn'. (Did you mean one of: '--json'"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(
    options: tuple[str, ...], said: str, mergegate: Mergegate, repo: Path
) -> None:
    ended = mergegate("scan", repo, *options)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err


def test_code_is_left_alone_where_infrastructure_alone_is_asked_for(
    mergegate: Mergegate, repo: Path
) -> None:
    """The same engine searches both."""
    (repo / "Dockerfile").write_text("FROM alpine:3.20\nRUN sudo true\n")
    commit(repo, "image")
    said = mergegate("scan", repo, "--offline", "--only", "iac", "--json").json
    [semgrep] = [one for one in said["engines"] if one["name"] == "semgrep"]
    assert (semgrep["status"], semgrep["files"]) == ("ok", 1)
