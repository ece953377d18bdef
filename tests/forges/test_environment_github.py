"""A job of GitHub Actions is read from its variables and its event file."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from mergegate.core.change import Change, Provider, Trigger
from mergegate.core.errors import UsageError
from mergegate.forges.context import CiContext, Deployment, Finished
from mergegate.forges.environment import detect
from mergegate.sandbox.git.names import is_branch, is_commit
from tests.forges.jobs import BASE, HEAD, MERGE, ZEROS, github, pull_request
from tests.forges.published_npm import published

RUN_URL = "https://github.com/team/shop/actions/runs/1589141559"


def test_a_pull_request_is_about_its_own_last_commit(tmp_path: Path) -> None:
    found = detect(github(tmp_path, "pull_request", pull_request()))
    assert found == CiContext(
        change=Change(
            provider=Provider.GITHUB,
            repository="team/shop",
            trigger=Trigger.CHANGE,
            head=HEAD,
            base=BASE,
            base_branch="main",
            branch="topic",
            number=7,
            sequence=158914155902,
            run_url=RUN_URL,
        ),
        api_url="https://api.github.com",
        server_url="https://github.com",
        token_names=("MERGEGATE_TOKEN", "INPUT_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"),
        clone_url="https://github.com/team/shop.git",
        clone_tokens=(
            ("x-access-token", "MERGEGATE_TOKEN"),
            ("x-access-token", "INPUT_TOKEN"),
            ("x-access-token", "GITHUB_TOKEN"),
            ("x-access-token", "GH_TOKEN"),
        ),
        summary_file=Path("/github/file_commands/step_summary"),
        output_file=Path("/github/file_commands/set_output"),
        workspace=Path("/github/workspace"),
    )


@pytest.mark.parametrize("repo", ["mallory/shop", None])
def test_a_fork_even_a_deleted_one_has_no_token_worth_having(
    tmp_path: Path, repo: str | None
) -> None:
    found = detect(github(tmp_path, "pull_request", pull_request(repo)))
    assert found.change.from_fork and found.token_is_read_only


def test_a_repository_is_the_same_in_any_case_of_letters(tmp_path: Path) -> None:
    found = detect(github(tmp_path, "pull_request", pull_request("Team/Shop")))
    assert not found.change.from_fork


def test_dependabot_has_a_token_that_reads(tmp_path: Path) -> None:
    job = github(tmp_path, "pull_request", pull_request(), GITHUB_ACTOR="dependabot[bot]")
    assert detect(job).token_is_read_only and not detect(job).change.from_fork


def test_pull_request_target_is_warned_about(tmp_path: Path) -> None:
    found = detect(github(tmp_path, "pull_request_target", pull_request("mallory/shop")))
    assert found.change.head == HEAD and found.change.from_fork
    assert not found.token_is_read_only
    assert ["pull_request_target" in warning for warning in found.warnings] == [True]


def test_a_merge_queue_asks_about_the_group(tmp_path: Path) -> None:
    group = {
        "head_sha": HEAD,
        "head_ref": f"refs/heads/gh-readonly-queue/main/pr-104-{BASE}",
        "base_sha": BASE,
        "base_ref": "refs/heads/main",
    }
    change = detect(github(tmp_path, "merge_group", {"merge_group": group})).change
    assert change.trigger is Trigger.QUEUE
    assert (change.head, change.base, change.base_branch) == (HEAD, BASE, "main")
    assert change.number == 104


def push(**said: Any) -> dict[str, Any]:
    home = {"full_name": "team/shop", "default_branch": "main"}
    return {"before": BASE, "ref": "refs/heads/topic", "repository": home, **said}


@pytest.mark.parametrize(
    ("payload", "base", "branch", "base_branch"),
    [
        (push(), "main", "topic", "main"),
        (push(ref="refs/heads/main"), None, "main", "main"),
        (push(before=ZEROS), "main", "topic", "main"),
        (push(before=ZEROS, ref="refs/heads/main"), None, "main", "main"),
        (push(ref="refs/tags/v1"), None, "", ""),
        (push(before=ZEROS, ref="refs/tags/v1"), None, "", ""),
    ],
)
def test_a_push_tells_where_its_branch_was(
    tmp_path: Path, payload: dict[str, Any], base: str | None, branch: str, base_branch: str
) -> None:
    change = detect(github(tmp_path, "push", payload)).change
    assert change.trigger is Trigger.PUSH
    assert (change.base, change.branch, change.base_branch) == (base, branch, base_branch)
    was = None if payload["before"] == ZEROS or not branch else payload["before"]
    assert change.before == was


@pytest.mark.parametrize(
    ("event", "trigger"),
    [
        ("schedule", Trigger.SCHEDULE),
        ("workflow_dispatch", Trigger.MANUAL),
        ("repository_dispatch", Trigger.MANUAL),
        ("something_new", Trigger.MANUAL),
    ],
)
def test_everything_else_is_about_the_branch(tmp_path: Path, event: str, trigger: Trigger) -> None:
    change = detect(github(tmp_path, event, "not even read")).change
    assert (change.trigger, change.head, change.branch) == (trigger, MERGE, "main")
    assert change.base is None


def comment(**issue: Any) -> dict[str, Any]:
    user = {"login": "ada", "id": 1}
    said = {"id": 99, "user": user, "body": "/mergegate rescan\ud800 `x`"}
    return {"action": "created", "issue": {"number": 7, **issue}, "comment": said}


def test_a_comment_does_not_tell_which_commit(tmp_path: Path) -> None:
    found = detect(github(tmp_path, "issue_comment", comment(pull_request={"url": "x"})))
    assert found.change.trigger is Trigger.COMMENT
    assert (found.change.head, found.change.base, found.change.number) == (None, None, 7)


def test_a_comment_on_an_issue_is_on_no_change(tmp_path: Path) -> None:
    assert detect(github(tmp_path, "issue_comment", comment())).change.number is None


def run(**said: Any) -> dict[str, Any]:
    usual = {
        "id": 500,
        "run_attempt": 3,
        "head_sha": HEAD,
        "head_branch": "topic",
        "head_repository": {"full_name": "mallory/shop"},
        "event": "pull_request",
        "conclusion": "success",
        "pull_requests": [],
    }
    return {"workflow_run": usual | said}


def test_the_second_half_speaks_for_the_run_that_ended(tmp_path: Path) -> None:
    found = detect(github(tmp_path, "workflow_run", run()))
    assert found.change == Change(
        provider=Provider.GITHUB,
        repository="team/shop",
        trigger=Trigger.CHANGE,
        head=HEAD,
        branch="topic",
        from_fork=True,
        sequence=50003,
        run_url="https://github.com/team/shop/actions/runs/500",
    )
    assert found.finished == Finished(
        run_id=500, head_repository="mallory/shop", event="pull_request", conclusion="success"
    )
    assert not found.token_is_read_only


def test_the_second_half_knows_the_number_of_a_change_that_is_no_fork(tmp_path: Path) -> None:
    said = run(pull_requests=[{"number": 7}], head_repository={"full_name": "team/shop"})
    change = detect(github(tmp_path, "workflow_run", said)).change
    assert (change.number, change.from_fork) == (7, False)
    two = run(pull_requests=[{"number": 7}, {"number": 8}])
    assert detect(github(tmp_path, "workflow_run", two)).change.number is None


def test_an_enterprise_server_has_its_own_addresses(tmp_path: Path) -> None:
    job = github(
        tmp_path,
        "pull_request",
        pull_request(),
        GITHUB_API_URL="https://code.example.org/api/v3",
        GITHUB_SERVER_URL="https://code.example.org",
    )
    found = detect(job)
    assert found.api_url == "https://code.example.org/api/v3"
    assert found.clone_url == "https://code.example.org/team/shop.git"
    assert found.change.run_url.startswith("https://code.example.org/team/shop/actions/")


@pytest.mark.parametrize("imitation", ["GITEA_ACTIONS", "FORGEJO_ACTIONS"])
def test_who_only_runs_workflows_of_githubs_kind_is_not_answered(
    tmp_path: Path, imitation: str
) -> None:
    found = detect(github(tmp_path, "pull_request", pull_request(), **{imitation: "true"}))
    assert (found.change.provider, found.api_url, found.token_names) == (None, "", ())
    assert found.change.base == BASE


@pytest.mark.parametrize(
    "branch",
    [
        "--upload-pack=x",
        "a\nb",
        "a b",
        "a..b",
        "a~1",
        "a^",
        "a:b",
        "a?",
        "a*",
        "a[b",
        "a\\b",
        "a@{1}",
        "a.lock",
        "a.lock/b",
        "/a",
        "a/",
        "a//b",
        ".a",
        "a/.b",
        "a.",
        "@",
        "HEAD",
        "\x7f",
        "a\u2028b",
        "a\x85b",
        "\ud800",
        "",
        "a" * 2000,
    ],
)
def test_a_branch_that_git_would_not_allow_is_refused(tmp_path: Path, branch: str) -> None:
    with pytest.raises(UsageError, match=r"pull_request\.head\.ref: not a branch's name"):
        detect(github(tmp_path, "pull_request", pull_request(ref=branch)))


@pytest.mark.parametrize(
    "branch",
    ["$(id)", "`id`", "feat(api)/größe", "a@b", "dependabot/npm/x", "\u202emain", "👩\u200d💻"],
)
def test_a_branch_that_is_only_odd_is_text(tmp_path: Path, branch: str) -> None:
    found = detect(github(tmp_path, "pull_request", pull_request(ref=branch)))
    assert found.change.branch == branch


@pytest.mark.parametrize(
    "wrong",
    [
        pull_request(sha="main"),
        pull_request(sha=HEAD.upper()),
        pull_request(sha=f"{HEAD}\n"),
        pull_request(sha=HEAD[:12]),
        pull_request(sha=None),
        pull_request("mallory/../shop"),
        pull_request("mallory/shop\n"),
        {"pull_request": {**pull_request()["pull_request"], "number": 0}},
        {"pull_request": {**pull_request()["pull_request"], "number": "7"}},
        {"pull_request": {**pull_request()["pull_request"], "number": True}},
        {"pull_request": {**pull_request()["pull_request"], "number": 10**30}},
        {"pull_request": None},
        {},
        [],
        None,
        "",
        "{",
        json.dumps(pull_request())[:-1] + ', "pull_request": 1}',
        '{"pull_request": 1, ' + json.dumps(pull_request())[1:],
        json.dumps(pull_request())[:-1] + ', "score": NaN}',
        "[" * 100_000,
        '{"a": 1' + "0" * 5000 + "}",
    ],
)
def test_a_broken_event_is_an_error_and_says_nothing_it_holds(tmp_path: Path, wrong: Any) -> None:
    with pytest.raises(UsageError) as refused:
        detect(github(tmp_path, "pull_request", wrong))
    assert "mallory" not in str(refused.value)
    assert refused.value.remedy


def test_an_event_of_another_repository_is_refused(tmp_path: Path) -> None:
    job = github(tmp_path, "pull_request", pull_request(), GITHUB_REPOSITORY="team/other")
    with pytest.raises(UsageError, match="another repository"):
        detect(job)


def test_an_event_file_that_is_none_is_refused(tmp_path: Path) -> None:
    job = github(tmp_path, "pull_request", pull_request())
    file = Path(job["GITHUB_EVENT_PATH"])
    link = tmp_path / "link.json"
    link.symlink_to(file)
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "large").open("wb") as large:
        large.truncate(26 * 1024 * 1024)
    for path in (link, tmp_path / "pipe", tmp_path / "large", tmp_path, tmp_path / "none"):
        with pytest.raises(UsageError):
            detect(job | {"GITHUB_EVENT_PATH": str(path)})
    with pytest.raises(UsageError, match="GITHUB_EVENT_PATH is not set"):
        detect({name: job[name] for name in job if name != "GITHUB_EVENT_PATH"})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GITHUB_API_URL", "http://api.github.com"),
        ("GITHUB_API_URL", "https://user:hunter2@api.github.com"),
        ("GITHUB_SERVER_URL", "javascript:alert(1)"),
        ("GITHUB_SERVER_URL", "https://github.com\n::error::"),
        ("GITHUB_REPOSITORY", "shop"),
        ("GITHUB_REPOSITORY", "team/shop/../../other"),
        ("GITHUB_REPOSITORY", "-team/shop"),
        ("GITHUB_SHA", "$(id)"),
        ("GITHUB_RUN_ID", "-5"),
        ("GITHUB_OUTPUT", "relative"),
    ],
)
def test_a_broken_variable_is_named_and_not_shown(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(UsageError) as refused:
        detect(github(tmp_path, "push", push(), **{name: value}))
    assert name in refused.value.what
    assert value not in str(refused.value)


def deployed(state: str = "success", **status: Any) -> dict[str, Any]:
    deployment = {"sha": HEAD, "ref": "topic"}
    return {"deployment": deployment, "deployment_status": {"state": state} | status}


@pytest.mark.parametrize(
    ("payload", "seen"),
    [
        (
            deployed(environment_url="https://pr-7.example.org"),
            Deployment(url="https://pr-7.example.org", ready=True),
        ),
        (deployed(environment_url=""), Deployment(url="", ready=True)),
        (deployed(environment_url=None), Deployment(url="", ready=True)),
        (deployed(), Deployment(url="", ready=True)),
        (deployed("pending"), Deployment(url="", ready=False)),
        (deployed("failure"), Deployment(url="", ready=False)),
    ],
)
def test_a_deployment_tells_its_commit_and_where_it_can_be_seen(
    tmp_path: Path, payload: dict[str, Any], seen: Deployment
) -> None:
    found = detect(github(tmp_path, "deployment_status", payload))
    assert (found.deployment, found.change.head) == (seen, HEAD)


EVENTS = (
    *("pull_request", "pull_request_review", "pull_request_review_comment", "merge_group"),
    *("push", "issue_comment", "workflow_run", "workflow_dispatch", "deployment_status"),
)


@pytest.mark.parametrize("server", ["api.github.com", "ghes-31", "ghes-35"])
def test_every_payload_that_github_publishes_is_understood(tmp_path: Path, server: str) -> None:
    file = published("@octokit/webhooks-examples", "7.6.1", f"{server}/index.json")
    seen = set()
    for event in json.loads(file.read_text("utf-8")):
        if event["name"] not in EVENTS:
            continue
        seen.add(event["name"])
        for payload in event["examples"]:
            name = payload["repository"]["full_name"]
            job = github(tmp_path, event["name"], payload, GITHUB_REPOSITORY=name)
            agrees_with(event["name"], payload, detect(job))
    assert seen >= set(EVENTS) - {"merge_group"}


def agrees_with(event: str, payload: Any, found: CiContext) -> None:
    change = found.change
    assert change.repository == payload["repository"]["full_name"]
    assert change.head is None or is_commit(change.head)
    assert not change.branch or is_branch(change.branch)
    if event.startswith("pull_request"):
        said = payload["pull_request"]
        assert (change.number, change.head) == (said["number"], said["head"]["sha"])
        assert change.base == said["base"]["sha"]
    if event == "issue_comment":
        is_change = "pull_request" in payload["issue"]
        assert change.number == (payload["issue"]["number"] if is_change else None)
    if event == "workflow_run":
        assert found.finished is not None
        assert change.head == payload["workflow_run"]["head_sha"]
    if event == "deployment_status":
        assert found.deployment is not None
        assert change.head == payload["deployment"]["sha"]
    if event == "merge_group":
        assert change.base == payload["merge_group"]["base_sha"]
