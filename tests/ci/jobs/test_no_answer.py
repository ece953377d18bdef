"""What ends a job before its answer is told on the change: an older answer stands for nothing."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from mergegate.ci import job
from mergegate.ci.options import usual
from tests.ci.jobs.conftest import Pull
from tests.conftest import CLEAN, Run
from tests.ready import PROGRAM

PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


def passed(pull: Pull) -> None:
    """The change as it was when it passed."""
    assert pull.ci().code == 0
    assert pull.hub.comments[0]["body"].startswith("## ✅ Passed")


def told(pull: Pull, head: str, reason: str) -> None:
    """The comment and the check of the new head say why there is no answer."""
    (comment,) = pull.hub.comments
    assert comment["body"].startswith("## ⚠️ Incomplete")
    assert reason in comment["body"]
    (check,) = [one for one in pull.hub.runs if one["head_sha"] == head]
    assert check["conclusion"] == "failure"
    assert reason in check["output"]["summary"]


USAGE = (
    (("--base", "nobody"), "nobody"),
    (("--formats", "pdf"), "There is no format"),
    (("--fail-on", "newest"), "newest"),
    (("--no-such-option",), "No such option"),
    (("--path", "missing"), "missing is not a folder"),
    (("--policy", "missing.yml"), "missing.yml"),
    (("--policy", "/dev/null/policy.yml"), "policy.yml cannot be read"),
    (("--report", "../elsewhere"), "no folder below the work tree"),
    (("--report", "clean.py/inside"), "clean.py"),
)


def test_bad_usage_withdraws_the_older_answer(pull: Pull) -> None:
    passed(pull)
    for number, (arguments, reason) in enumerate(USAGE):
        head = pull.push({"more.py": f"NUMBER = {number}\n"})
        run = pull.ci(*arguments)
        assert run.code == 2, run.err
        told(pull, head, reason)


def test_a_comment_that_the_team_does_not_want_is_not_written(pull: Pull) -> None:
    run = pull.ci("--comment", "false", "--fail-on", "newest")
    assert (run.code, pull.hub.comments) == (2, [])
    assert [one["conclusion"] for one in pull.hub.runs] == ["failure"]


def test_a_mistake_of_our_own_is_told_without_its_words(
    pull: Pull, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mistaken(*_: object) -> None:
        raise RuntimeError("words of its own")

    def inside(*_: str, env: Mapping[str, str], cwd: Path) -> Run:
        with pytest.raises(RuntimeError):
            job.run(usual() | {"report": env["MERGEGATE_REPORT"]}, env)
        return Run(3, "", "")

    passed(pull)
    head = pull.push({"more.py": CLEAN})
    monkeypatch.setattr(job, "scanned", mistaken)
    pull.mergegate = inside
    pull.ci()
    told(pull, head, "made a mistake of its own")
    assert "words of its own" not in pull.hub.comments[0]["body"]


def test_report_files_that_cannot_be_written_take_nothing_from_the_answer(
    pull: Pull, tmp_path: Path
) -> None:
    (tmp_path / "out" / "mergegate.html").mkdir(parents=True)
    run = pull.ci("--report", str(tmp_path / "out"), "--formats", "html")
    assert run.code == 0, run.err
    assert "not all report files are written" in run.err
    assert [one["conclusion"] for one in pull.hub.runs] == ["success"]
    assert pull.outputs["gate"] == "passed"


def test_a_summary_page_that_cannot_be_written_takes_nothing_from_the_answer(pull: Pull) -> None:
    run = pull.ci(environment={"GITHUB_STEP_SUMMARY": str(pull.root)})
    assert run.code == 0, run.err
    assert "cannot be written" in run.err
    assert [one["conclusion"] for one in pull.hub.runs] == ["success"]


READ_ONLY = """
for one in /tmp /var/tmp; do
    mount --bind "$one" "$one" && mount -o remount,ro,bind "$one" || exit 77
done
cd "$1" && exec "$2" ci --offline
"""


def test_without_a_folder_for_temporary_files_it_says_so(repo: Path) -> None:
    """What a read-only container without a `tmpfs` is; the mounts are this process's alone."""
    inside = ["unshare", "--mount", "sh", "-c", READ_ONLY, "sh", str(repo), PROGRAM]
    done = subprocess.run(inside, capture_output=True, text=True, check=False, env={"PATH": PATH})
    if os.geteuid() != 0 or done.returncode == 77:
        pytest.skip("NOT CHECKED: mounting is not allowed here")
    assert done.returncode in {2, 3}
    assert "no temporary file can be written" in done.stderr
    assert "Traceback" not in done.stderr
    assert "TMPDIR" in done.stderr
