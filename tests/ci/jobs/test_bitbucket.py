"""``mergegate ci`` on Bitbucket, end to end: variables, clone, scan, answer, exit code."""

import pytest

from tests.ci.jobs.bitbucket_job import PullRequest, nobody_at_the_proxy, pipelines
from tests.ci.jobs.clones import CLOSED, DEEP, OPEN, WEAK, WEAK_LINE
from tests.conftest import CLEAN

PROXIED = {"MERGEGATE_API_URL": "", "MERGEGATE_TOKEN": ""}
"""As a step of Pipelines is without a token: the API where it always is, and the proxy."""


@pytest.mark.parametrize("token", ["bot-secret", "token-secret"])
def test_a_clean_change_gets_a_quiet_answer(pull_request: PullRequest, token: str) -> None:
    run = pull_request.ci(MERGEGATE_TOKEN=token)
    assert run.code == 0, run.err
    (comment,) = pull_request.comments
    assert comment.startswith("## ✅ Passed")
    report = pull_request.site.reports[pull_request.clone.head]
    assert (report["result"], pull_request.state) == ("PASSED", "SUCCESSFUL")
    assert pull_request.threads == []
    assert "could not publish" not in run.err


def test_a_failing_change_is_told_everywhere_and_fails_the_step(pull_request: PullRequest) -> None:
    head = pull_request.push({"app.py": WEAK})
    run = pull_request.ci(*DEEP)
    assert run.code == 1, run.err
    (comment,) = pull_request.comments
    assert "Failed" in comment.splitlines()[0]
    assert (pull_request.site.reports[head]["result"], pull_request.state) == ("FAILED", "FAILED")
    (annotation,) = pull_request.site.annotations[head].values()
    assert (annotation["path"], annotation["line"]) == ("app.py", WEAK_LINE)
    (thread,) = pull_request.threads
    assert thread["inline"] == {"path": "app.py", "to": WEAK_LINE}
    assert pull_request.clone.left.keys() >= {"mergegate.json", "mergegate.html"}


@pytest.mark.parametrize("token", ["bot-secret", "token-secret"])
def test_pushes_edit_the_comment_and_resolve_what_was_fixed(
    pull_request: PullRequest, token: str
) -> None:
    """With an access token as well, which may not ask for its own name."""
    pull_request.push({"app.yaml": OPEN})
    assert pull_request.ci(MERGEGATE_TOKEN=token).code == 1
    pull_request.push({"app.yaml": CLOSED})
    run = pull_request.ci(MERGEGATE_TOKEN=token)
    assert run.code == 0, run.err
    (comment,) = pull_request.comments
    assert "Passed" in comment.splitlines()[0]
    assert (len(pull_request.threads), pull_request.open_threads) == (1, 0)
    assert pull_request.state == "SUCCESSFUL"
    assert "could not publish" not in run.err


def test_old_findings_do_not_fail_a_change_that_did_not_bring_them(
    pull_request: PullRequest,
) -> None:
    pull_request.clone.push_to_main({"old.yaml": OPEN})
    pull_request.clone.rebase()
    pull_request.push({"new.py": CLEAN})
    assert pull_request.ci().code == 0
    assert pull_request.state == "SUCCESSFUL"
    assert pull_request.ci("--fail-on", "gate").code == 1
    assert pull_request.state == "FAILED"
    assert pull_request.threads == []


def test_without_a_token_the_proxy_of_pipelines_takes_the_report(pull_request: PullRequest) -> None:
    head = pull_request.push({"app.yaml": OPEN})
    with pipelines(pull_request.site):
        run = pull_request.ci(**PROXIED)
    assert run.code == 1, run.err
    assert pull_request.site.reports[head]["result"] == "FAILED"
    assert len(pull_request.site.annotations[head]) == 1
    assert (pull_request.comments, pull_request.threads, pull_request.state) == ([], [], "")
    assert "give a token" in run.err
    assert "could not publish" not in run.err
    sent = pull_request.site.seen
    assert all(url.startswith("http://api.bitbucket.org/2.0/") for url, _ in sent)
    assert {authorization for _, authorization in sent} == {None}


def test_the_report_behind_the_proxy_is_that_of_the_last_build(pull_request: PullRequest) -> None:
    head = pull_request.push({"app.yaml": OPEN})
    with pipelines(pull_request.site):
        assert pull_request.ci(**PROXIED).code == 1
        assert pull_request.ci("--fail-on", "never", **PROXIED).code == 0
    assert pull_request.site.reports[head]["result"] == "PASSED"
    assert len(pull_request.site.annotations[head]) == 1


@pytest.mark.parametrize("environment", [PROXIED, {"MERGEGATE_TOKEN": ""}])
def test_a_step_without_token_and_proxy_keeps_its_verdict(
    pull_request: PullRequest, environment: dict[str, str]
) -> None:
    """A container that a step starts, or the job of a mirror: no proxy signs for it."""
    pull_request.push({"app.yaml": OPEN})
    with nobody_at_the_proxy():
        run = pull_request.ci(**environment)
    assert run.code == 1, run.err
    assert "set MERGEGATE_TOKEN" in run.err
    assert pull_request.site.exchanges == []


@pytest.mark.parametrize("token", ["reader-secret", "unknown-secret", "line\nend"])
def test_a_token_that_may_not_write_changes_no_verdict(
    pull_request: PullRequest, token: str
) -> None:
    pull_request.push({"app.yaml": OPEN})
    run = pull_request.ci(MERGEGATE_TOKEN=token)
    assert run.code == 1, run.err
    assert "could not publish" in run.err
    assert (pull_request.comments, pull_request.threads) == ([], [])
    assert (pull_request.site.reports, pull_request.site.statuses) == ({}, {})
    assert token not in run.out + run.err


def test_no_token_is_in_anything_that_was_written(pull_request: PullRequest) -> None:
    head = pull_request.push({"app.yaml": OPEN})
    for token in ("bot-secret", "unknown-secret"):
        run = pull_request.ci(MERGEGATE_TOKEN=token)
        assert run.code == 1, run.err
        said = [str(pull_request.site.comments), str(pull_request.site.reports[head])]
        written = [run.out, run.err, *pull_request.clone.left.values(), *said]
        assert not [text for text in written if token in text]


@pytest.mark.parametrize("ours_first", [True, False])
def test_a_merge_for_the_test_is_answered_on_the_lines_of_the_change(
    pull_request: PullRequest, ours_first: bool
) -> None:
    """Pipelines merges the destination into the branch before the step runs."""
    clone = pull_request.clone
    clone.push_to_main({"clean.py": f"# one\n# two\n# three\n{CLEAN}"})
    head = pull_request.push({"clean.py": f"{CLEAN}\n\n{WEAK}"})
    sides = ("topic", "main") if ours_first else ("main", "topic")
    clone.merge(*sides)
    run = pull_request.ci(*DEEP)
    assert run.code == 1, run.err
    weak = f"{CLEAN}\n\n{WEAK}".splitlines().index('    os.system("ls " + request.args["x"])') + 1
    (annotation,) = pull_request.site.annotations[head].values()
    assert annotation["line"] == weak
    assert [one["inline"]["to"] for one in pull_request.threads] == [weak]


def test_an_incomplete_scan_is_no_pass_and_says_so(pull_request: PullRequest) -> None:
    head = pull_request.push({"requirements.txt": "requests==2.19.0\n"})
    run = pull_request.ci("--only", "dependencies", "--offline")
    assert run.code == 3, run.err
    (comment,) = pull_request.comments
    assert "Incomplete" in comment.splitlines()[0]
    assert (pull_request.site.reports[head]["result"], pull_request.state) == ("FAILED", "FAILED")


def test_a_push_to_a_branch_is_answered_by_report_and_status(pull_request: PullRequest) -> None:
    head = pull_request.push({"app.yaml": OPEN})
    run = pull_request.ci(
        BITBUCKET_PR_ID="",
        BITBUCKET_PR_DESTINATION_BRANCH="",
        BITBUCKET_PR_DESTINATION_COMMIT="",
        BITBUCKET_COMMIT=head,
    )
    assert run.code == 1, run.err
    assert (pull_request.site.reports[head]["result"], pull_request.state) == ("FAILED", "FAILED")
    assert pull_request.comments == []
