"""``mergegate ci`` on GitHub, end to end: event, clone, scan, answer, exit code."""

import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.ci.jobs.clones import CLOSED, DEEP, OPEN, WEAK
from tests.ci.jobs.conftest import Pull
from tests.conftest import CLEAN
from tests.forges.github.hub import NUMBER
from tests.sandbox.git.test_repository import git


def test_a_clean_change_gets_a_quiet_answer(pull: Pull) -> None:
    run = pull.ci()
    assert run.code == 0, run.err
    (comment,) = pull.hub.comments
    assert comment["body"].startswith("## ✅ Passed")
    (check,) = pull.hub.runs
    assert (check["conclusion"], check["head_sha"]) == ("success", pull.hub.head)
    assert pull.outputs["gate"] == "passed"
    assert pull.outputs["new-findings"] == "0"
    assert pull.hub.threads == []


def test_a_failing_change_is_told_everywhere_and_fails_the_job(pull: Pull) -> None:
    head = pull.push({"app.py": WEAK})
    run = pull.ci(*DEEP)
    assert run.code == 1, run.err
    (comment,) = pull.hub.comments
    assert "Failed" in comment["body"].splitlines()[0]
    (check,) = pull.hub.runs
    assert (check["conclusion"], check["head_sha"]) == ("failure", head)
    assert pull.open_threads == 1
    assert pull.summary.startswith("## ❌ Failed")
    assert (pull.outputs["gate"], pull.outputs["new-findings"]) == ("failed", "1")
    files = {one.name for one in (pull.root.parent / "report").iterdir()}
    assert files >= {"mergegate.json", "mergegate.html", "mergegate.sarif"}


def test_pushes_edit_the_comment_and_close_what_was_fixed(pull: Pull) -> None:
    pull.push({"app.yaml": OPEN})
    assert pull.ci().code == 1
    pull.push({"app.yaml": CLOSED})
    assert pull.ci().code == 0
    (comment,) = pull.hub.comments
    assert "Passed" in comment["body"].splitlines()[0]
    assert pull.open_threads == 0


def test_old_findings_do_not_fail_a_change_that_did_not_bring_them(pull: Pull) -> None:
    git(pull.root, "switch", "-q", "main")
    (pull.root / "old.yaml").write_text(OPEN)
    git(pull.root, "add", "-A")
    git(pull.root, "commit", "-qm", "old")
    git(pull.root, "switch", "-q", "topic")
    git(pull.root, "rebase", "-q", "main")
    pull.push({"new.py": CLEAN})
    assert pull.ci().code == 0
    assert pull.ci("--fail-on", "gate").code == 1


def test_a_token_that_may_write_nothing_changes_no_verdict(pull: Pull) -> None:
    pull.push({"app.yaml": OPEN})
    run = pull.ci(token="ghs-fork")
    assert run.code == 1
    assert (pull.hub.comments, pull.hub.runs) == ([], [])
    assert "could not publish" in run.err
    assert "::error file=app.yaml,line=5" in run.out
    assert pull.summary.startswith("## ❌ Failed")


def test_the_token_is_in_nothing_that_was_written(pull: Pull) -> None:
    pull.push({"app.yaml": OPEN})
    for token in ("ghs-usual", "ghs-fork", "ghs-hidden"):
        run = pull.ci(token=token)
        assert token not in run.out + run.err + pull.summary
    for file in (pull.root.parent / "report").iterdir():
        assert b"ghs-" not in file.read_bytes()


def test_a_test_merge_is_answered_on_the_lines_of_the_change(pull: Pull) -> None:
    git(pull.root, "switch", "-q", "main")
    (pull.root / "clean.py").write_text(f"# one\n# two\n# three\n{CLEAN}")
    git(pull.root, "commit", "-qam", "main goes on")
    git(pull.root, "switch", "-q", "topic")
    head = pull.push({"clean.py": f"{CLEAN}\n\n{WEAK}"})
    git(pull.root, "switch", "-q", "--detach", "main")
    git(pull.root, "merge", "-q", "--no-edit", "topic")
    run = pull.ci(*DEEP)
    assert run.code == 1, run.err
    (check,) = pull.hub.runs
    assert check["head_sha"] == head
    weak = f"{CLEAN}\n\n{WEAK}".splitlines().index('    os.system("ls " + request.args["x"])') + 1
    assert [one["start_line"] for one in check["annotations"]] == [weak]


RENAMED: dict[str, Any] = {"action": "edited", "changes": {"title": {"from": "Add"}}}
RETARGETED: dict[str, Any] = {"action": "edited", "changes": {"base": {"ref": {"from": "other"}}}}


def test_a_title_that_is_edited_is_no_reason_to_scan_again(pull: Pull) -> None:
    assert pull.ci().code == 0
    runs = pull.hub.runs
    run = pull.ci(**RENAMED)
    assert (run.code, pull.hub.runs, pull.outputs) == (0, runs, {"gate": "passed"})
    assert "the answer to this commit stands" in run.err


def test_a_title_that_is_edited_ends_no_failure_and_skips_no_scan(pull: Pull) -> None:
    pull.push({"app.yaml": OPEN})
    assert pull.ci(**RENAMED).code == 1, "nobody had scanned it"
    assert pull.ci(**RENAMED).code == 1, "it did not pass"
    assert pull.ci(token="ghs-hidden", **RENAMED).code == 1, "who sees nothing scans"


def test_a_change_that_wants_into_another_branch_is_scanned_again(pull: Pull) -> None:
    """It passed against a branch that held the flaw, and wants into one that does not."""
    pull.push({"app.yaml": OPEN})
    git(pull.root, "branch", "weak", "HEAD")
    pull.push({"more.py": CLEAN})
    weak = git(pull.root, "rev-parse", "weak")
    before = pull.event()["pull_request"]
    before["base"] |= {"sha": weak, "ref": "weak"}
    assert pull.ci(pull_request=before).code == 0
    run = pull.ci(**RENAMED)
    assert run.code == 1, "that answer was to another question"
    assert pull.ci(**RETARGETED).code == 1


def test_a_queue_gets_its_check_and_the_pull_request_no_word(pull: Pull) -> None:
    """What waits in a merge queue is tested on commits of the queue's own."""
    ours = git(pull.root, "rev-parse", "HEAD")
    base = git(pull.root, "rev-parse", "main")
    git(pull.root, "switch", "-q", "--detach", "main")
    git(pull.root, "merge", "-q", "--no-ff", "--no-edit", "topic")
    queued = git(pull.root, "rev-parse", "HEAD")
    group = {
        "head_sha": queued,
        "head_ref": f"refs/heads/gh-readonly-queue/main/pr-{NUMBER}-{base}",
        "base_sha": base,
        "base_ref": "refs/heads/main",
    }
    assert pull.hub.head == ours
    run = pull.ci(name="merge_group", action="checks_requested", merge_group=group)
    assert run.code == 0, run.err
    assert [(one["head_sha"], one["conclusion"]) for one in pull.hub.runs] == [(queued, "success")]
    assert pull.hub.comments == []
    assert "moved on" not in run.err


def test_another_checkout_than_the_event_tells_of_is_refused(pull: Pull) -> None:
    git(pull.root, "switch", "-q", "main")
    run = pull.ci()
    assert run.code == 2
    assert "Check out the change itself" in run.err
    assert [one["conclusion"] for one in pull.hub.runs] == ["failure"]


def test_answers_are_kept_in_the_folder_of_the_pipeline(pull: Pull) -> None:
    pull.push({"app.py": WEAK})
    pull.environment["MERGEGATE_CACHE"] = ".answers"
    assert pull.ci(*DEEP, "--formats", "markdown").code == 1
    kept = pull.root / ".answers"
    assert {one.name for one in kept.iterdir()} == {".gitignore", "answers.sqlite"}
    assert git(pull.root, "status", "--porcelain") == ""
    git(pull.root, "branch", "-f", "main", "HEAD")
    pull.push({"more.py": CLEAN})
    assert pull.ci(*DEEP, "--formats", "markdown").code == 0
    receipt = (pull.root.parent / "report" / "mergegate.md").read_text()
    semgrep = next(line for line in receipt.splitlines() if line.startswith("- semgrep"))
    assert semgrep.endswith("3 files, 2 reused")


def test_no_answer_is_believed_of_what_the_change_touches(pull: Pull) -> None:
    """Any job of a change may write what its next job restores."""
    pull.push({"app.yaml": OPEN})
    pull.environment["MERGEGATE_CACHE"] = ".answers"
    assert pull.ci().code == 1
    _nothing_found(pull.root / ".answers" / "answers.sqlite")
    assert pull.ci().code == 1


def test_no_answer_of_the_machine_is_believed_either(pull: Pull, tmp_path: Path) -> None:
    """Other steps of the job, and on a machine of one's own other jobs, write there too."""
    pull.environment["MERGEGATE_DATA_DIR"] = str(tmp_path / "machine")
    pull.push({"app.yaml": OPEN})
    assert pull.ci().code == 1
    _nothing_found(tmp_path / "machine" / "cache" / "answers.sqlite")
    assert pull.ci().code == 1


def _nothing_found(answers: Path) -> None:
    """Each answer becomes the one that an engine gives of a file without findings."""

    def emptied(value: bytes) -> bytes:
        said = json.loads(zlib.decompress(value))
        nothing = {name: [] if isinstance(one, list) else one for name, one in said.items()}
        return zlib.compress(json.dumps(nothing).encode())

    with closing(sqlite3.connect(answers)) as database, database:
        database.create_function("emptied", 1, emptied)
        assert database.execute("UPDATE answers SET value = emptied(value)").rowcount


@pytest.mark.parametrize("path", [".", "svc"])
def test_answers_that_a_change_brings_along_are_not_believed(pull: Pull, path: str) -> None:
    (pull.root / "svc").mkdir()
    pull.push({"svc/app.yaml": OPEN})
    pull.environment |= {"MERGEGATE_CACHE": ".answers", "MERGEGATE_PATH": path}
    assert pull.ci().code == 1
    git(pull.root, "add", "-f", ".answers/answers.sqlite")
    git(pull.root, "commit", "-qm", "bring answers")
    pull.hub.head = git(pull.root, "rev-parse", "HEAD")
    run = pull.ci()
    assert run.code == 1
    assert "is not used" in run.err
