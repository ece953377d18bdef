"""``import-sarif`` in a pipeline: what other scanners found is answered, and gates the merge."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.ci.jobs.conftest import Pull
from tests.conftest import CLEAN

RISKY = f"{CLEAN}\n\ndef risky():\n    return odd()\n"


def sarif(file: Path, line: int | None, **run: Any) -> None:
    """A file with one result, of a line of the file or of the whole."""
    place: dict[str, Any] = {"artifactLocation": {"uri": "app.py"}}
    if line:
        place["region"] = {"startLine": line}
    result = {
        "ruleId": "B999",
        "level": "error",
        "message": {"text": "Something odd is called. @org/team ::error::"},
        "locations": [{"physicalLocation": place}],
    }
    runs = [{"tool": {"driver": {"name": "Bandit"}}, "results": [result], **run}]
    file.write_text(json.dumps({"version": "2.1.0", "runs": runs}))


def test_what_it_found_on_lines_of_the_change_fails_the_job(pull: Pull) -> None:
    pull.push({"app.py": RISKY})
    sarif(pull.root / "bandit.sarif", 9)
    run = pull.ci("--import-sarif", "bandit.sarif")
    assert run.code == 1, run.err
    (comment,) = pull.hub.comments
    assert "Failed" in comment["body"].splitlines()[0]
    assert "Something odd is called" in comment["body"]
    assert "@org/team" not in comment["body"].replace("`@org/team`", "")  # code is no mention
    assert pull.open_threads == 1
    assert pull.outputs["new-findings"] == "1"


def test_what_it_found_elsewhere_does_not(pull: Pull) -> None:
    pull.push({"app.py": RISKY})
    pull.push({"app.py": RISKY, "more.py": CLEAN})
    sarif(pull.root / "bandit.sarif", 9)
    run = pull.ci("--import-sarif", "bandit.sarif", "--base", "HEAD~1")
    assert run.code == 0, run.err
    assert pull.outputs["new-findings"] == "0"


def test_a_scanner_that_failed_or_left_nothing_is_no_pass(pull: Pull) -> None:
    pull.push({"app.py": CLEAN})
    assert pull.ci("--import-sarif", "nothing.sarif").code == 3
    sarif(pull.root / "bandit.sarif", 1, invocations=[{"executionSuccessful": False}])
    assert pull.ci("--import-sarif", "bandit.sarif").code == 3
    (check,) = {one["conclusion"] for one in pull.hub.runs}
    assert check != "success"


def test_what_it_found_in_the_base_of_a_whole_file_is_not_new(pull: Pull) -> None:
    pull.push({"app.py": CLEAN})
    pull.push({"app.py": RISKY})
    sarif(pull.root / "head.sarif", None)
    sarif(pull.root / "base.sarif", None)
    asked = ("--base", "HEAD~1", "--import-sarif", "head.sarif", "--import-sarif-base")
    known = pull.ci(*asked, "base.sarif")
    assert (known.code, pull.outputs["new-findings"]) == (0, "0"), known.err
    sarif(pull.root / "base.sarif", None, results=[])
    assert pull.ci(*asked, "base.sarif").code == 1
    assert pull.ci(*asked, "nothing.sarif").code == 3


@pytest.mark.parametrize("setting", ["--import-sarif", "--import-sarif-base"])
def test_a_change_cannot_bring_the_answer(pull: Pull, setting: str) -> None:
    pull.push({"app.py": RISKY, "bandit.sarif": '{"version": "2.1.0", "runs": []}'})
    sarif(pull.root / "head.sarif", 9)
    run = pull.ci("--import-sarif", "head.sarif", setting, "bandit.sarif")
    assert run.code == 2
    assert "the change may have written it" in run.err + run.out


def test_a_base_of_nothing_is_refused(pull: Pull) -> None:
    run = pull.ci("--import-sarif-base", "x.sarif")
    assert run.code == 2
    assert "Set import-sarif as well" in run.err + run.out


def test_a_host_sees_no_file_of_this_machine(pull: Pull) -> None:
    run = pull.ci("--import-sarif", "x.sarif", "--api-url", "https://gate.example.org")
    assert run.code == 2
    assert "import-sarif names files of this machine" in run.err + run.out
