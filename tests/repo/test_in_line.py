"""A maintainer's comment in the code counts where it stands, and in no change that brings it."""

from pathlib import Path

import pytest

from tests.changes import Project, Said, scanned

RULE = "python-tls-verify-disabled"
GET = "requests.get(url, verify=False)"
WHY = "# nosec B501 - the laboratory's own appliance"
STATEMENT = """\
    return requests.get(
        url,
        verify=False,  # nosec B501 - the laboratory's own appliance
        timeout=5,
    )
"""


def module(line: str, before: str = "") -> str:
    return f"import requests\n{before}\n\ndef fetch(url):\n{line}"


def returned(comment: str, call: str = GET) -> str:
    return module(f"    return {call}  {comment}\n")


CASES = {
    "stands.py": (returned(WHY), returned(WHY)),
    "lower.py": (returned(WHY), module(f"    return {GET}  {WHY}\n", "\nWORD = 1\n")),
    "line_ends.py": (returned(WHY), returned(WHY).replace("\n", "\r\n")),
    "statement.py": (module(STATEMENT), module(STATEMENT)),
    "above.py": (
        module(f"    # {WHY}\n    return {GET}\n"),
        module(f"    # {WHY}\n    return {GET}\n"),
    ),
    "reason.py": (returned(WHY), returned(f"{WHY}, and its twin")),
    "code.py": (returned(WHY), returned(WHY, "requests.get(url + '/x', verify=False)")),
    "argument.py": (
        module(STATEMENT),
        module(STATEMENT.replace("=False,", "=False, stream=True,")),
    ),
    "above_code.py": (
        module(f"    # {WHY}\n    return {GET}\n"),
        module(f"    # {WHY}\n    return requests.get('https://' + url, verify=False)\n"),
    ),
    "added.py": (returned(""), returned(WHY)),
    "new.py": ("", returned(WHY)),
    "copied.py": (returned(WHY), returned(WHY) + returned(WHY).replace("fetch", "fetch_again")),
    "bare.py": (returned("# nosec B501"), returned("# nosec B501")),
    "other.py": (returned(WHY.replace("501", "602")), returned(WHY.replace("501", "602"))),
    "unseen.py": (returned("# nosec B501 \u200b\u3164"), returned("# nosec B501 \u200b\u3164")),
    "text.py": (returned("", f"f(url, '{WHY[:12]} - ours', {GET})"),) * 2,
    "moved_from.py": (returned(WHY), "import requests\n"),
    "moved_to.py": ("import requests\n\nWORD = 1\n", returned(WHY)),
}
"""File → what it holds in the base and after the change; an empty one is not there."""
STANDS = {"stands.py", "lower.py", "line_ends.py", "statement.py", "above.py", "renamed.py"}
OLD = {"bare.py", "other.py", "unseen.py", "text.py"}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Said:
    folder = tmp_path_factory.mktemp("in_line")
    project = Project(folder / "project")
    for name, (before, _) in CASES.items():
        project.put(name, before)
        if not before:
            (project.root / name).unlink()
    project.put("name.py", returned(WHY) + "\n\nWORDS = ['one', 'two', 'three']\n")
    project.starts_here()
    for name, (_, after) in CASES.items():
        project.put(name, after)
    project.git("mv", "name.py", "renamed.py")
    project.commit()
    return scanned(project, folder / "data", "code")


def test_what_stands_in_the_base_sets_aside_with_its_reason_and_place(said: Said) -> None:
    aside = [one for one in said.report["suppressed"] if one["source"] == "inline"]
    assert {one["finding"]["file"] for one in aside if one["finding"]["ruleId"] == RULE} == {
        *STANDS,
        "copied.py",
    }
    assert aside[0]["reason"].startswith("the laboratory's own appliance (# nosec B501, line ")
    (note,) = (one for one in said.report["policy"]["notes"] if "set 7 findings aside" in one)
    assert "inline-suppressions" in note


def test_what_a_change_adds_moves_copies_or_alters_counts(said: Said) -> None:
    found = [one for one in said.report["issues"] if one["ruleId"] == RULE]
    counted = {one["file"] for one in found}
    assert counted == CASES.keys() - STANDS - {"moved_from.py"}
    old = {one["file"] for one in found if not one["isNew"]}
    assert old == OLD
    assert sum(one["file"] == "copied.py" for one in found) == 1
    assert said.code == 1


def test_the_comment_that_a_change_adds_is_told_at_its_line(said: Said) -> None:
    told = {
        (one["file"], one["startLine"])
        for one in said.report["riskFindings"]
        if one["ruleId"] == "inline-suppression" and one["isNew"]
    }
    names = {
        "reason.py",
        "code.py",
        "argument.py",
        "added.py",
        "new.py",
        "moved_to.py",
        "copied.py",
    }
    assert {name for name, _ in told} == names
    assert ("added.py", 5) in told
    (note,) = (one for one in said.report["policy"]["notes"] if "sets nothing aside" in one)
    assert "who may write can dismiss" in note


def test_a_comment_that_main_got_meanwhile_stands_in_the_merge_of_both(tmp_path: Path) -> None:
    project = Project(tmp_path / "project")
    project.git("checkout", "-q", "-b", "change")
    project.put("change.py", returned(WHY))
    project.commit()
    project.git("checkout", "-q", "main")
    project.put("main.py", returned(WHY))
    project.starts_here()
    project.git("merge", "-q", "--no-edit", "change")
    report = scanned(project, tmp_path / "data", "code").report
    assert [one["file"] for one in report["issues"] if one["ruleId"] == RULE] == ["change.py"]
    assert [one["finding"]["file"] for one in report["suppressed"]] == ["main.py"]


AS_WRITTEN = {
    "run.py": """\
import os
import subprocess


def run_tests(name, log):
    return subprocess.run(
        "pytest " + name,
        stdout=log,
        shell=True,  # nosec B602: commands are trusted/hardcoded in CI
    )


def start(cmd):
    os.system("notify " + cmd)  # noqa: S605 — shell is intentional, HITL-gated
""",
    "client.go": """\
package git

import "crypto/tls"

func config() *tls.Config {
	return &tls.Config{InsecureSkipVerify: true} //nolint:gosec // per-instance, documented opt-in
}
""",
    "revive.js": """\
export function revive(o) {
  // eslint-disable-next-line no-eval -- User opted in
  return eval(o);
}
""",
    "main.tf": """\
resource "aws_security_group" "backend_server" {
  #checkov:skip=CKV_AWS_24:Runners of others have no fixed address
  ingress {
    from_port   = 22
    to_port     = 22
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
}
""",
    ".github/workflows/label.yml": """\
on:
  pull_request_target: # zizmor: ignore[dangerous-triggers] nothing is checked out
    types: [opened]
permissions: {}
jobs:
  label:
    runs-on: ubuntu-latest
    steps:
      - uses: example/labeler@main # zizmor: ignore[unpinned-uses] our own
      - uses: example/other@main
""",
}


def test_comments_as_projects_write_them_set_aside_what_they_name(tmp_path: Path) -> None:
    project = Project(tmp_path / "project")
    for name, text in AS_WRITTEN.items():
        project.put(name, text)
    project.starts_here()
    report = scanned(project, tmp_path / "data", "code,iac").report
    aside = {
        (one["finding"]["ruleId"], one["finding"]["startLine"]) for one in report["suppressed"]
    }
    assert aside == {
        ("go-tls-insecure-skip-verify", 6),
        ("javascript-dynamic-eval", 3),
        ("python-os-system-non-constant", 14),
        ("python-subprocess-shell", 6),
        ("terraform-security-group-open-admin-port", 7),
        ("workflow-dangerous-trigger", 2),
        ("workflow-unpinned-action", 9),
    }
    left = {one["ruleId"] for one in (*report["issues"], *report["riskFindings"])}
    assert "workflow-unpinned-action" in left
    assert "inline-suppression" not in left
