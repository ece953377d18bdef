"""What each delivery asks for; everything in it is hostile."""

import json
from typing import Any

import pytest

from mergegate.core.change import Change, Provider, Trigger
from mergegate.forges.deliveries import Delivery, Heard, Ignored
from mergegate.forges.hooks import known_by, read
from tests.forges.hooks import saying
from tests.forges.hooks.saying import BASE, GITHUB_REPO, HEAD, delivery
from tests.forges.published_npm import published

HUB, LAB, BUCKET = Provider.GITHUB, Provider.GITLAB, Provider.BITBUCKET
EVENT = {HUB: "x_github_event", LAB: "x_gitlab_event", BUCKET: "x_event_key"}
PULL = Change(
    provider=HUB,
    repository="acme/shop",
    trigger=Trigger.CHANGE,
    head=HEAD,
    base=BASE,
    base_branch="main",
    branch="topic",
    number=7,
)


def heard(provider: Provider, event: str, body: Any) -> Heard | Ignored:
    return read(provider, delivery(body, **{EVENT[provider]: event}))


def change(provider: Provider, event: str, body: Any) -> Change:
    found = heard(provider, event, body)
    assert isinstance(found, Heard), found
    return found.change


@pytest.mark.parametrize("action", ["opened", "synchronize", "reopened", "ready_for_review"])
def test_a_pull_request_with_commits_is_scanned(action: str) -> None:
    assert heard(HUB, "pull_request", saying.pull_request(action)) == Heard(
        change=PULL, installation=77
    )


def test_a_pull_request_that_wants_into_another_branch_is_scanned() -> None:
    edited = saying.pull_request("edited", changes={"base": {"ref": {"from": "next"}}})
    assert change(HUB, "pull_request", edited) == PULL


def test_a_fork_is_told_apart() -> None:
    event = saying.pull_request()
    event["pull_request"]["head"]["repo"] = None
    assert change(HUB, "pull_request", event).from_fork


def test_a_merge_queue_is_answered() -> None:
    group = {
        "head_sha": HEAD,
        "head_ref": f"refs/heads/gh-readonly-queue/main/pr-9-{BASE}",
        "base_sha": BASE,
        "base_ref": "refs/heads/main",
    }
    event = {"action": "checks_requested", "repository": GITHUB_REPO, "merge_group": group}
    found = change(HUB, "merge_group", event)
    assert (found.trigger, found.number, found.base_branch) == (Trigger.QUEUE, 9, "main")


@pytest.mark.parametrize("event", ["check_suite", "check_run"])
def test_checks_that_are_asked_for_again_are_made_again(event: str) -> None:
    said = saying.suite()
    if event == "check_run":
        said["check_run"] = {"check_suite": said.pop("check_suite")}
    assert change(HUB, event, said) == PULL


@pytest.mark.parametrize("action", ["open", "reopen"])
def test_a_merge_request_is_scanned(action: str) -> None:
    found = change(LAB, "Merge Request Hook", saying.merge_request(action))
    assert (found.repository, found.number, found.head) == ("acme/team/shop", 7, HEAD)
    assert (found.base_branch, found.branch, found.from_fork) == ("main", "topic", False)


def test_a_merge_request_with_new_commits_is_scanned() -> None:
    event = saying.merge_request("update", oldrev=BASE)
    assert change(LAB, "Merge Request Hook", event).head == HEAD


def test_a_merge_request_into_another_branch_is_scanned() -> None:
    event = saying.merge_request("update") | {"changes": {"target_branch": {"previous": "next"}}}
    assert change(LAB, "Merge Request Hook", event).base_branch == "main"


@pytest.mark.parametrize("source", [None, 9])
def test_a_merge_request_of_a_fork_is_told_apart(source: int | None) -> None:
    event = saying.merge_request(source_project_id=source)
    assert change(LAB, "Merge Request Hook", event).from_fork


def test_a_note_on_a_merge_request_is_an_order() -> None:
    found = heard(LAB, "Note Hook", saying.note())
    assert isinstance(found, Heard)
    assert found.asked is not None
    assert (found.asked.account, found.asked.body) == ("ada", "/mergegate rescan")
    assert (found.change.trigger, found.change.number) == (Trigger.COMMENT, 7)
    assert not found.asked.insider


@pytest.mark.parametrize("event", ["pullrequest:created", "pullrequest:updated"])
def test_a_pull_request_of_bitbucket_is_scanned(event: str) -> None:
    found = change(BUCKET, event, saying.bitbucket_pull())
    assert (found.repository, found.number, found.branch) == ("acme/shop", 7, "topic")
    assert found.head is None  # abbreviated: the API knows the rest


def test_a_comment_of_bitbucket_is_an_order() -> None:
    said = {"id": 5, "content": {"raw": "/mergegate rescan"}, "created_on": "2026-03-04T12:00:00Z"}
    actor = {"type": "user", "uuid": "{00000000-0000-0000-0000-000000000001}"}
    found = heard(
        BUCKET, "pullrequest:comment_created", saying.bitbucket_pull(comment=said, actor=actor)
    )
    assert isinstance(found, Heard)
    assert found.asked is not None
    assert found.asked.account == actor["uuid"]


IGNORED = [
    (HUB, "", saying.pull_request()),
    (HUB, "star", {"action": "created"}),
    (HUB, "pull_request", saying.pull_request("closed")),
    (HUB, "pull_request", saying.pull_request("labeled")),
    (HUB, "pull_request", saying.pull_request("edited", changes={"title": {"from": "x"}})),
    (HUB, "check_suite", saying.suite("requested")),
    (HUB, "check_suite", saying.suite("completed")),
    (HUB, "check_suite", saying.suite(head="c" * 40)),
    (HUB, "merge_group", {"action": "destroyed", "repository": GITHUB_REPO}),
    (LAB, "Pipeline Hook", {}),
    (LAB, "Merge Request Hook", saying.merge_request("close")),
    (LAB, "Merge Request Hook", saying.merge_request("update")),
    (LAB, "Note Hook", saying.note(noteable_type="Issue")),
    (LAB, "Note Hook", saying.note(system=True)),
    (LAB, "Note Hook", saying.note(action="update")),
    (BUCKET, "repo:push", {}),
    (BUCKET, "pullrequest:fulfilled", saying.bitbucket_pull()),
]


@pytest.mark.parametrize(("provider", "event", "body"), IGNORED)
def test_what_changes_no_commit_asks_for_nothing(provider: Provider, event: str, body: Any) -> None:
    assert isinstance(heard(provider, event, body), Ignored)


HOSTILE: list[tuple[Provider, str, Any]] = [
    (HUB, "pull_request", b""),
    (HUB, "pull_request", b"{"),
    (HUB, "pull_request", b"[" * 100_000),
    (HUB, "pull_request", b'{"action": NaN}'),
    (HUB, "pull_request", b'{"action": "opened", "action": "closed"}'),
    (HUB, "pull_request", b"\xff\xfe"),
    (HUB, "pull_request", []),
    (HUB, "pull_request", saying.pull_request() | {"repository": {"full_name": "../../etc"}}),
    (LAB, "Merge Request Hook", saying.merge_request(source_branch="--upload-pack=x")),
    (LAB, "Merge Request Hook", saying.merge_request(last_commit={"id": "HEAD"})),
    (LAB, "Merge Request Hook", saying.merge_request(iid=-1)),
    (LAB, "Note Hook", saying.note() | {"user": {"username": "a b"}}),
    (BUCKET, "pullrequest:created", saying.bitbucket_pull(repository={"full_name": "x"})),
]


@pytest.mark.parametrize(("provider", "event", "body"), HOSTILE)
def test_what_no_forge_sends_asks_for_nothing(provider: Provider, event: str, body: Any) -> None:
    found = heard(provider, event, body)
    assert isinstance(found, Ignored)
    assert "upload-pack" not in found.reason


def test_every_delivery_that_github_publishes_is_understood() -> None:
    file = published("@octokit/webhooks-examples", "7.6.1", "api.github.com/index.json")
    reasons = set()
    for event in json.loads(file.read_text("utf-8")):
        for payload in event["examples"]:
            body = json.dumps(payload).encode()
            found = read(HUB, Delivery({"x-github-event": event["name"]}, body))
            if isinstance(found, Ignored):
                reasons.add(found.reason)
            else:
                assert found.change.repository == payload["repository"]["full_name"]
    assert not {one for one in reasons if one.startswith("the event file")}


@pytest.mark.parametrize("fork", [None, {"full_name": "eve/shop"}])
@pytest.mark.parametrize("event", ["pullrequest:created", "pullrequest:comment_created"])
def test_a_fork_on_bitbucket_is_left_alone(event: str, fork: dict[str, str] | None) -> None:
    comment = {"id": 5, "content": {"raw": "/mergegate rescan"}, "created_on": "2026-03-04"}
    said = saying.bitbucket_pull(comment=comment, actor={"type": "user", "uuid": "{1}"})
    assert isinstance(heard(BUCKET, event, said), Heard)
    said["pullrequest"]["source"]["repository"] = fork
    assert heard(BUCKET, event, said) == Ignored("the change comes from a fork")


def remembered(provider: Provider, event: str, body: Any, **names: str) -> set[str]:
    given = delivery(body, **{EVENT[provider]: event}, **names)
    found = read(provider, given)
    assert isinstance(found, Heard)
    return set(known_by(provider, given, found))


@pytest.mark.parametrize(
    ("provider", "event", "first", "second", "same"),
    [
        (HUB, "pull_request", saying.pull_request(), saying.pull_request(), True),
        (HUB, "pull_request", saying.pull_request(), saying.pull_request("reopened"), False),
        (HUB, "check_suite", saying.suite(), saying.suite(), False),
        (LAB, "Note Hook", saying.note(), saying.note(created_at="2026-03-05"), True),
        (LAB, "Note Hook", saying.note(), saying.note(id=6), False),
    ],
)
def test_what_is_said_again_is_known_whatever_its_name(
    provider: Provider, event: str, first: Any, second: Any, same: bool
) -> None:
    name = "idempotency_key" if provider is LAB else "x_github_delivery"
    names = [
        remembered(provider, event, body, **{name: id})
        for body, id in ((first, "1"), (second, "2"))
    ]
    assert bool(names[0] & names[1]) is same


def test_what_has_no_name_is_remembered_once() -> None:
    assert len(remembered(HUB, "pull_request", saying.pull_request())) == 1
