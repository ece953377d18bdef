"""An ordered fix on GitLab and Bitbucket, where a host hears the order: a commit, or why not."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from mergegate.ci.job import answer
from mergegate.ci.options import job, usual
from mergegate.ci.orders import heed
from mergegate.core.change import Change, Provider, Trigger
from mergegate.forges.context import CiContext
from mergegate.forges.orders import Asked
from tests.ci.jobs.bitbucket_job import PullRequest
from tests.ci.jobs.clones import Clone
from tests.ci.jobs.gitlab_job import MergeRequest
from tests.ci.jobs.test_fix_commits import ALLOWED, MENDED
from tests.ci.jobs.test_orders import FIXABLE
from tests.conftest import Run
from tests.forges.bitbucket.stand_in import PERSON as ALICE
from tests.forges.git_store import GitStore
from tests.forges.gitlab_repository import FORK, Repository
from tests.forges.gitlab_stand_in import ADA, BOT_TOKEN


@dataclass
class Ordering:
    """A change on one forge, and the person who orders."""

    clone: Clone
    change: Change
    api_url: str
    token: str
    account: str
    scan: Callable[[], Run]
    tips: dict[str, str]
    say: Callable[[str], str]
    """Write a comment as that person; its id."""
    said: Callable[[], list[str]]
    close: Callable[[], None]
    protect: Callable[[], None]
    fork: Callable[[], None]

    @property
    def store(self) -> GitStore:
        return GitStore(self.clone.root)

    def order(self, id: str) -> str:
        """``/mergegate fix``; what was answered."""
        body = f"/mergegate fix {id[:10]}"
        asked = Asked(
            repository=self.change.repository,
            number=7,
            comment_id=self.say(body),
            body=body,
            account=self.account,
            insider=True,
            at="2026-01-31T00:00:00Z",
        )
        around = CiContext(
            change=self.change,
            api_url=self.api_url,
            token_names=("MERGEGATE_TOKEN",),
            workspace=self.clone.root,
        )
        wanted = job(usual() | {"only": "iac", "offline": "true", "formats": ""})
        given: Mapping[str, str] = {"MERGEGATE_TOKEN": self.token}
        assert heed(asked, wanted, around, given, answer) == 0
        return self.said()[-1]


def change(clone: Clone, provider: Provider, repository: str) -> Change:
    return Change(
        provider=provider,
        repository=repository,
        trigger=Trigger.COMMENT,
        head=clone.head,
        base=clone.main,
        base_branch="main",
        branch="topic",
        number=7,
    )


def pushed(clone: Clone) -> None:
    clone.push_to_main({".mergegate.yml": ALLOWED})
    clone.rebase()
    file = clone.root / "deploy" / "main.tf"
    file.parent.mkdir()
    file.write_bytes(FIXABLE.replace("\n", "\r\n").encode())
    file.chmod(0o755)
    clone.push({"other.txt": "x\n"})


@pytest.fixture
def on_gitlab(merge_request: MergeRequest) -> Ordering:
    clone, project = merge_request.clone, merge_request.project
    pushed(clone)
    repository = Repository(GitStore(clone.root), {"main": clone.main, "topic": clone.head})
    merge_request.site.repository = repository

    def fork() -> None:
        project.source_project = FORK

    def close() -> None:
        project.state = "merged"

    return Ordering(
        clone=clone,
        change=change(clone, Provider.GITLAB, project.path),
        api_url=merge_request.site.api,
        token=BOT_TOKEN,
        account=ADA.username,
        scan=merge_request.ci,
        tips=repository.branches,
        say=lambda body: str(project.write(ADA, body)["id"]),
        said=lambda: merge_request.notes,
        close=close,
        protect=lambda: repository.protected.add("topic"),
        fork=fork,
    )


@pytest.fixture
def on_bitbucket(pull_request: PullRequest) -> Ordering:
    clone, site = pull_request.clone, pull_request.site
    pushed(clone)
    site.store, site.branches = GitStore(clone.root), {"main": clone.main, "topic": clone.head}
    site.permissions[ALICE.uuid] = "write"
    site.head = clone.head

    def protect() -> None:
        rule = {"type": "branchrestriction", "kind": "push", "branch_match_kind": "glob"}
        site.restrictions.append(rule | {"pattern": "top*"})

    def fork() -> None:
        site.home = "mallory/shop"

    def close() -> None:
        site.state = "DECLINED"

    return Ordering(
        clone=clone,
        change=change(clone, Provider.BITBUCKET, "example/shop"),
        api_url=site.url,
        token="bot-secret",
        account=ALICE.uuid,
        scan=pull_request.ci,
        tips=site.branches,
        say=lambda body: str(site.comment(ALICE, body)),
        said=lambda: pull_request.comments,
        close=close,
        protect=protect,
        fork=fork,
    )


@pytest.fixture(params=["on_gitlab", "on_bitbucket"])
def ordering(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, answers: Any
) -> Ordering:
    monkeypatch.setenv("MERGEGATE_DATA_DIR", str(answers))
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Ordering)
    return found


@pytest.fixture(scope="module")
def known() -> dict[str, str]:
    """The finding by its forge, once a scan there has told it: the same flaw has the same name."""
    return {}


def finding(ordering: Ordering) -> str:
    assert ordering.scan().code in {0, 1}
    report = json.loads((ordering.clone.report / "mergegate.json").read_text())
    [id] = [one["id"] for one in report["issues"] if one["ruleId"] == "terraform-imdsv1-allowed"]
    return str(id)


def test_a_fix_becomes_one_commit_and_a_second_order_finds_it(ordering: Ordering) -> None:
    id, head = finding(ordering), ordering.clone.head
    reply = ordering.order(id)
    made = ordering.tips["topic"]
    store = ordering.store
    assert store.parents(made) == [head]
    assert store.changed(head, made) == ["deploy/main.tf"]
    assert store.content(made, "deploy/main.tf") == MENDED.replace("\n", "\r\n").encode()
    assert store.mode(made, "deploy/main.tf") == "100755"
    assert f"Mergegate-Finding: {id}" in store.message(made)
    assert "**Committed** as <https://" in reply
    assert made in reply
    again = ordering.order(id)  # by a job that began as early
    assert again.startswith(f"**In place already.** Commit `{made[:10]}`")
    assert ordering.tips["topic"] == made


@pytest.mark.parametrize("what", ["fork", "closed", "protected", "moved", "gone"])
def test_what_speaks_against_it_leaves_the_branch_as_it_is(
    ordering: Ordering, known: dict[str, str], what: str
) -> None:
    forge, head = str(ordering.change.provider), ordering.clone.head
    id = known.get(forge) or known.setdefault(forge, finding(ordering))
    if what == "fork":
        ordering.fork()
    elif what == "closed":
        ordering.close()
    elif what == "protected":
        ordering.protect()
    elif what == "moved":
        ordering.tips["topic"] = ordering.clone.main
    else:
        del ordering.tips["topic"]
    reply = ordering.order(id)
    assert "**Not committed:**" in reply
    assert '+    http_tokens = "required"' in reply
    left = {"moved": ordering.clone.main, "gone": None}.get(what, head)
    assert ordering.tips.get("topic") == left
