"""``mergegate ci`` on GitLab, end to end: variables, clone, scan, answer, exit code."""

import json

import pytest

from tests.ci.jobs.clones import CLOSED, DEEP, OPEN, WEAK, WEAK_LINE
from tests.ci.jobs.gitlab_job import FIRST_PIPELINE, MergeRequest
from tests.conftest import CLEAN
from tests.forges.gitlab_stand_in import BOT_TOKEN, JOB_TOKEN, READ_TOKEN, STRANGER_TOKEN


def test_a_clean_change_gets_a_quiet_answer(merge_request: MergeRequest) -> None:
    run = merge_request.ci()
    assert run.code == 0, run.err
    (note,) = merge_request.notes
    assert note.startswith("## ✅ Passed")
    assert merge_request.statuses == [(merge_request.clone.head, "success")]
    assert merge_request.threads == []
    assert "could not publish" not in run.err


def test_a_failing_change_is_told_everywhere_and_fails_the_job(
    merge_request: MergeRequest,
) -> None:
    head = merge_request.push({"app.py": WEAK})
    run = merge_request.ci(*DEEP)
    assert run.code == 1, run.err
    (note,) = merge_request.notes
    assert "Failed" in note.splitlines()[0]
    assert merge_request.statuses == [(head, "failed")]
    assert merge_request.project.statuses[0]["pipeline_id"] == FIRST_PIPELINE + 1
    (thread,) = merge_request.threads
    position = thread["position"]
    assert (position["new_path"], position["new_line"]) == ("app.py", WEAK_LINE)
    assert position["head_sha"] == head
    assert "::error" not in run.out
    assert merge_request.clone.left.keys() >= {"mergegate.json", "mergegate.html"}


def test_pushes_edit_the_note_and_resolve_what_was_fixed(merge_request: MergeRequest) -> None:
    merge_request.push({"app.yaml": OPEN})
    assert merge_request.ci().code == 1
    head = merge_request.push({"app.yaml": CLOSED})
    assert merge_request.ci().code == 0
    (note,) = merge_request.notes
    assert "Passed" in note.splitlines()[0]
    assert (len(merge_request.threads), merge_request.open_threads) == (1, 0)
    assert merge_request.statuses[-1] == (head, "success")


def test_old_findings_do_not_fail_a_change_that_did_not_bring_them(
    merge_request: MergeRequest,
) -> None:
    merge_request.clone.push_to_main({"old.yaml": OPEN})
    merge_request.clone.rebase()
    merge_request.push({"new.py": CLEAN})
    assert merge_request.ci().code == 0
    assert merge_request.ci("--fail-on", "gate").code == 1
    assert [state for _, state in merge_request.statuses] == ["success", "failed"]
    assert merge_request.threads == []


@pytest.mark.parametrize("token", ["", READ_TOKEN, STRANGER_TOKEN, "glpat-unknown-0123456789"])
def test_a_token_that_may_not_write_changes_no_verdict(
    merge_request: MergeRequest, token: str
) -> None:
    """The job's own token may only read notes, and is all that is left without another."""
    merge_request.push({"app.yaml": OPEN})
    run = merge_request.ci(MERGEGATE_TOKEN=token)
    assert run.code == 1, run.err
    assert "could not publish" in run.err
    assert "MERGEGATE_TOKEN" in run.err
    assert (merge_request.notes, merge_request.threads, merge_request.statuses) == ([], [], [])
    assert "app.yaml" in run.out


def test_no_token_is_in_anything_that_was_written(merge_request: MergeRequest) -> None:
    merge_request.push({"app.yaml": OPEN})
    for token in (BOT_TOKEN, READ_TOKEN, "glpat-with a blank"):
        run = merge_request.ci("--formats", "json,html,sarif,gitlab", MERGEGATE_TOKEN=token)
        assert run.code == 1, run.err
        written = [run.out, run.err, *merge_request.clone.left.values()]
        said = [*merge_request.notes, *(one["body"] for one in merge_request.threads)]
        for secret in (token, JOB_TOKEN):
            assert not [text for text in (*written, *said) if secret in text]


def test_the_files_that_gitlab_reads_are_written_where_asked(merge_request: MergeRequest) -> None:
    merge_request.push({"app.py": WEAK})
    merge_request.ci(*DEEP, "--formats", "json,gitlab")
    left = merge_request.clone.left
    (found,) = json.loads(left["gl-sast-report.json"])["vulnerabilities"]
    assert (found["location"]["file"], found["location"]["start_line"]) == ("app.py", WEAK_LINE)
    assert [one["location"]["path"] for one in json.loads(left["gl-code-quality-report.json"])] == [
        "app.py"
    ]
    for name in ("gl-secret-detection-report.json", "gl-dependency-scanning-report.json"):
        assert json.loads(left[name])["vulnerabilities"] == []


def test_a_merged_result_is_answered_on_the_lines_of_the_change(
    merge_request: MergeRequest,
) -> None:
    clone = merge_request.clone
    clone.push_to_main({"clean.py": f"# one\n# two\n# three\n{CLEAN}"})
    head = merge_request.push({"clean.py": f"{CLEAN}\n\n{WEAK}"})
    merged = clone.merge("main", "topic")
    run = merge_request.ci(
        *DEEP,
        CI_MERGE_REQUEST_EVENT_TYPE="merged_result",
        CI_MERGE_REQUEST_SOURCE_BRANCH_SHA=head,
        CI_MERGE_REQUEST_TARGET_BRANCH_SHA=clone.main,
    )
    assert run.code == 1, run.err
    assert clone.checked_out == merged
    assert [commit for commit, _ in merge_request.statuses] == [head]
    (thread,) = merge_request.threads
    weak = f"{CLEAN}\n\n{WEAK}".splitlines().index('    os.system("ls " + request.args["x"])') + 1
    assert (thread["position"]["new_line"], thread["position"]["head_sha"]) == (weak, head)


def test_what_a_shallow_clone_lacks_is_fetched_with_the_jobs_own_token(
    merge_request: MergeRequest,
) -> None:
    merge_request.clone.push_to_main({"old.yaml": OPEN})
    merge_request.clone.rebase()
    head = merge_request.push({"app.yaml": OPEN})
    basic = "Basic Z2l0bGFiLWNpLXRva2VuOmdsY2J0LWpvYi0wMTIzNDU2Nzg5YWJjZGVm"
    with merge_request.clone.shallow(basic) as (here, address, heard):
        run = merge_request.ci(CI_PROJECT_DIR=str(here.root), CI_SERVER_URL=address)
    assert run.code == 1, run.err
    assert set(heard.headers) == {basic}
    assert merge_request.statuses == [(head, "failed")]
    assert [one["position"]["new_path"] for one in merge_request.threads] == ["app.yaml"]
    assert "Z2l0bGFi" not in run.out + run.err


def test_a_shallow_clone_whose_origin_says_no_is_no_pass(merge_request: MergeRequest) -> None:
    with merge_request.clone.shallow("Basic other") as (here, address, _):
        run = merge_request.ci(CI_PROJECT_DIR=str(here.root), CI_SERVER_URL=address)
    assert run.code == 2
    assert "does not let this job read the repository" in run.err
    assert [state for _, state in merge_request.statuses] == ["failed"]


def test_an_incomplete_scan_is_no_pass_and_says_so(merge_request: MergeRequest) -> None:
    merge_request.push({"requirements.txt": "requests==2.19.0\n"})
    run = merge_request.ci("--only", "dependencies", "--offline")
    assert run.code == 3, run.err
    (note,) = merge_request.notes
    assert "Incomplete" in note.splitlines()[0]
    assert [state for _, state in merge_request.statuses] == ["failed"]


def test_an_incomplete_scan_resolves_no_thread(merge_request: MergeRequest) -> None:
    merge_request.push({"app.yaml": OPEN})
    assert merge_request.ci().code == 1
    merge_request.push({"app.yaml": CLOSED, "requirements.txt": "requests==2.19.0\n"})
    assert merge_request.ci("--only", "iac,dependencies", "--offline").code == 3
    assert merge_request.open_threads == 1


def test_a_push_to_a_branch_is_answered_by_a_status_alone(merge_request: MergeRequest) -> None:
    before = merge_request.clone.head
    head = merge_request.push({"app.yaml": OPEN})
    run = merge_request.ci(
        CI_MERGE_REQUEST_IID="",
        CI_COMMIT_BRANCH="topic",
        CI_COMMIT_BEFORE_SHA=before,
        CI_PIPELINE_SOURCE="push",
    )
    assert run.code == 1, run.err
    assert merge_request.statuses == [(head, "failed")]
    assert merge_request.notes == []


def test_a_gitlab_without_a_certificate_is_spoken_to_and_named(merge_request: MergeRequest) -> None:
    """As this machine is called by nobody: only what GitLab says of itself may be plain."""
    merge_request.clone.push_to_main({"old.yaml": OPEN})
    merge_request.clone.rebase()
    merge_request.push({"app.yaml": OPEN})
    basic = "Basic Z2l0bGFiLWNpLXRva2VuOmdsY2J0LWpvYi0wMTIzNDU2Nzg5YWJjZGVm"
    api = merge_request.site.api.replace("127.0.0.1", "127.1")
    with merge_request.clone.shallow(basic) as (here, address, _):
        server = address.replace("127.0.0.1", "127.1")
        run = merge_request.ci(
            CI_PROJECT_DIR=str(here.root), CI_SERVER_URL=server, CI_API_V4_URL=api
        )
    assert run.code == 1, run.err
    assert len(merge_request.notes) == 1
    assert "plain http" in run.err


def test_a_mirror_of_the_api_may_be_named(merge_request: MergeRequest) -> None:
    nowhere = "https://gitlab.example.org/api/v4"
    run = merge_request.ci(CI_API_V4_URL=nowhere, MERGEGATE_API_URL=f"{merge_request.site.api}/")
    assert run.code == 0, run.err
    assert len(merge_request.notes) == 1


@pytest.mark.parametrize(
    "address", ["http://gitlab.example.org/api/v4", "https://u:p@gitlab.example.org/", "ftp://x"]
)
def test_a_mirror_that_others_could_read_gets_no_token(
    merge_request: MergeRequest, address: str
) -> None:
    run = merge_request.ci(MERGEGATE_API_URL=address)
    assert run.code == 2
    assert "MERGEGATE_API_URL is not an https address" in run.err
    assert address not in run.err
