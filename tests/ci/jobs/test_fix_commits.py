"""``/mergegate fix ID`` where the base's policy allows commits: who, where, what, and what not."""

import json

import pytest

from tests.ci.jobs.clones import OPEN
from tests.ci.jobs.conftest import Moment, Pull
from tests.ci.jobs.test_orders import ERIN, FIXABLE, MALLORY, order, said
from tests.conftest import Run
from tests.forges.github.hub import LATER, Answer
from tests.sandbox.git.test_repository import commit, git

ALLOWED = "fixes: {commits: allow}\n"
MENDED = FIXABLE.replace("optional", "required")
WRITER = "ghs-resolver"


@pytest.fixture(scope="module")
def scanned() -> list[Moment]:
    """At most one: when the change had failed."""
    return []


@pytest.fixture
def fixable(pull: Pull, scanned: list[Moment], tmp_path_factory: pytest.TempPathFactory) -> Pull:
    """A change whose base lets fixes be committed, with lines of Windows in an executable file."""
    if scanned:
        pull.back_to(scanned[0])
        return pull
    pull.hub.permissions |= {"erin": "write", "mallory": "read"}
    policy_of_base(pull, ALLOWED)
    (pull.root / "deploy").mkdir()
    file = pull.root / "deploy" / "main.tf"
    file.write_bytes(FIXABLE.replace("\n", "\r\n").encode())
    file.chmod(0o755)
    pull.push({"app.yaml": OPEN})
    assert pull.ci().code == 1
    scanned.append(pull.kept(tmp_path_factory.mktemp("fixable") / "pull"))
    return pull


def policy_of_base(pull: Pull, text: str) -> None:
    git(pull.root, "switch", "-q", "main")
    (pull.root / ".mergegate.yml").write_text(text)
    pull.hub.base = commit(pull.root, "policy")
    git(pull.root, "switch", "-q", "topic")
    git(pull.root, "merge", "-q", "--no-edit", "main")


def finding(pull: Pull, rule: str = "terraform-imdsv1-allowed") -> str:
    report = json.loads((pull.root.parent / "report" / "mergegate.json").read_text())
    [id] = [one["id"] for one in report["issues"] if one["ruleId"] == rule]
    return str(id)


def ordered(pull: Pull, who: dict[str, object] = ERIN, token: str = WRITER) -> Run:
    association = "MEMBER" if who is ERIN else "COLLABORATOR"
    return order(pull, f"/mergegate fix {finding(pull)[:10]}", who, association, token=token)


def test_a_fix_becomes_one_commit_of_its_file_alone(fixable: Pull) -> None:
    head, id, store = fixable.hub.head, finding(fixable), fixable.hub.store
    run = ordered(fixable)
    assert run.code == 0, run.err
    made = fixable.hub.head
    assert store is not None
    assert store.parents(made) == [head]
    assert store.changed(head, made) == ["deploy/main.tf"]
    assert store.content(made, "deploy/main.tf") == MENDED.replace("\n", "\r\n").encode()
    assert store.mode(made, "deploy/main.tf") == "100755"
    message = store.message(made)
    assert message.startswith(f"Fix terraform-imdsv1-allowed ({id[:10]})\n\n")
    assert "in scope, applies, parses" in message
    assert f"Mergegate-Finding: {id}\nMergegate-Rule: terraform-imdsv1-allowed\n" in message
    assert message.endswith("Mergegate-Ordered-By: erin")
    reply = said(fixable)[-1]
    assert f"**Committed** as <https://github.example.org/acme/shop/commit/{made}>" in reply
    assert "finding gone, nothing new" in reply


def test_a_second_order_finds_the_fix_in_place(fixable: Pull) -> None:
    assert ordered(fixable).code == 0
    made = fixable.hub.head
    git(fixable.root, "reset", "-q", "--hard", made)
    again = ordered(fixable)
    assert again.code == 0, again.err
    assert fixable.hub.head == made
    assert said(fixable)[-1].startswith(f"**In place already.** Commit `{made[:10]}`")


def test_of_two_orders_at_once_the_later_finds_the_fix_in_place(fixable: Pull) -> None:
    head = fixable.hub.head
    assert ordered(fixable).code == 0
    made = fixable.hub.head
    fixable.hub.head = head

    def meanwhile() -> None:
        fixable.hub.head = made

    fixable.hub.interludes.append((r"^POST \S+/git/trees$", meanwhile))
    late = ordered(fixable)
    assert late.code == 0, late.err
    assert fixable.hub.head == made
    assert said(fixable)[-1].startswith(f"**In place already.** Commit `{made[:10]}`")


def refused(pull: Pull, why: str, run: Run) -> None:
    """The answer has the patch, and the reason why nothing was committed."""
    assert run.code == 0, run.err
    reply = said(pull)[-1]
    assert "**Not committed:**" in reply
    assert why in reply
    assert '+    http_tokens = "required"' in reply


def test_a_push_meanwhile_is_not_built_upon(fixable: Pull) -> None:
    def meanwhile() -> None:
        fixable.hub.head = LATER

    fixable.hub.interludes.append((r"^POST \S+/git/trees$", meanwhile))
    refused(fixable, "has moved on", ordered(fixable))
    assert fixable.hub.head == LATER


def test_where_the_branch_has_moved_on_already_nothing_is_made(fixable: Pull) -> None:
    def meanwhile() -> None:
        fixable.hub.head = LATER

    fixable.hub.interludes.append((r"^GET \S+/branches/topic$", meanwhile))
    refused(fixable, "has moved on", ordered(fixable))
    nothing_was_committed(fixable)


def test_a_branch_that_was_set_back_meanwhile_is_not_led_on(fixable: Pull) -> None:
    """The commit would be a descendant of what stands there, which a plain update would take."""
    earlier = git(fixable.root, "rev-parse", "HEAD^1")

    def meanwhile() -> None:
        fixable.hub.head = earlier

    fixable.hub.interludes.append((r"^POST \S+/git/trees$", meanwhile))
    refused(fixable, "has moved on", ordered(fixable))
    assert fixable.hub.head == earlier


def test_a_branch_that_is_gone_does_not_come_back(fixable: Pull) -> None:
    fixable.hub.interludes.append((r"^GET \S+/branches/", lambda: fixable.hub.lead("topic", None)))
    refused(fixable, "is gone", ordered(fixable))
    assert "topic" not in fixable.hub.tips()


def nothing_was_committed(pull: Pull) -> None:
    assert not any("/git/" in line for line in pull.hub.log)


def test_nothing_is_written_to_a_fork(fixable: Pull) -> None:
    fixable.hub.home = "mallory/shop"
    refused(fixable, "comes from a fork", ordered(fixable))
    nothing_was_committed(fixable)


def test_the_branch_of_a_closed_change_is_left(fixable: Pull) -> None:
    fixable.hub.state = "closed"
    refused(fixable, "is merged or closed", ordered(fixable))
    nothing_was_committed(fixable)


def test_nothing_is_committed_to_a_protected_branch(fixable: Pull) -> None:
    fixable.hub.protected = {"topic"}
    refused(fixable, "is protected", ordered(fixable))
    nothing_was_committed(fixable)


@pytest.mark.parametrize(("rule", "may"), [("pull_request", False), ("non_fast_forward", True)])
def test_a_ruleset_protects_too_where_it_keeps_pushes_away(
    fixable: Pull, rule: str, may: bool
) -> None:
    head = fixable.hub.head
    fixable.hub.rules["topic"] = ["deletion", rule]
    run = ordered(fixable)
    if may:
        assert fixable.hub.head != head
    else:
        refused(fixable, "is protected", run)
        nothing_was_committed(fixable)


@pytest.mark.parametrize("branch", ["main", "trunk"])
def test_nothing_is_committed_to_the_branch_that_changes_want_into(
    fixable: Pull, branch: str
) -> None:
    fixable.hub.branch = fixable.hub.default = branch
    refused(fixable, "the branch that changes want into", ordered(fixable))
    nothing_was_committed(fixable)


def test_a_token_that_may_not_write_is_told_what_it_lacks(fixable: Pull) -> None:
    head = fixable.hub.head
    refused(fixable, "`contents: write`", ordered(fixable, token="ghs-usual"))
    assert fixable.hub.head == head


def test_whoever_may_only_read_gets_the_patch(fixable: Pull) -> None:
    refused(fixable, "takes write access", ordered(fixable, MALLORY))
    nothing_was_committed(fixable)


def test_an_outsider_is_not_heard(fixable: Pull) -> None:
    before = said(fixable)
    body = f"/mergegate fix {finding(fixable)}"
    assert order(fixable, body, MALLORY, "NONE", token=WRITER).code == 0
    assert said(fixable) == before
    nothing_was_committed(fixable)


def test_a_policy_of_the_change_allows_nothing(pull: Pull) -> None:
    pull.hub.permissions |= {"erin": "write"}
    pull.push({"app.yaml": OPEN, "main.tf": FIXABLE, ".mergegate.yml": ALLOWED})
    assert pull.ci().code == 1
    run = ordered(pull)
    assert run.code == 0, run.err
    assert '+    http_tokens = "required"' in said(pull)[-1]
    assert "committed" not in said(pull)[-1].lower()
    nothing_was_committed(pull)


WORKFLOW = """\
on: push
permissions: write-all
jobs:
  a:
    runs-on: ubuntu-24.04
    steps:
      - run: echo a
        env:
          ACTIONS_ALLOW_UNSECURE_COMMANDS: true
"""


@pytest.mark.parametrize(("token", "may"), [(WRITER, False), ("ghs-app", True)])
def test_a_workflow_takes_a_token_that_may_write_workflows(
    pull: Pull, token: str, may: bool
) -> None:
    pull.hub.permissions |= {"erin": "write"}
    policy_of_base(pull, ALLOWED)
    (pull.root / ".github" / "workflows").mkdir(parents=True)
    head = pull.push({".github/workflows/a.yml": WORKFLOW})
    assert pull.ci().code in {0, 1}
    report = json.loads((pull.root.parent / "report" / "mergegate.json").read_text())
    id = next(one["findingIds"][0] for one in report["fixes"])
    run = order(pull, f"/mergegate fix {id[:10]}", token=token)
    assert run.code == 0, run.err
    assert (pull.hub.head != head) == may
    told = "**Committed**" if may else "GitHub refused a commit that changes a workflow"
    assert told in said(pull)[-1]


def test_a_branch_with_an_odd_name_is_found(fixable: Pull) -> None:
    fixable.hub.branch = odd = "feat/ü#1%2f?x=&y"
    head = fixable.hub.head
    assert ordered(fixable).code == 0
    assert fixable.hub.tips()[odd] != head
    assert "**Committed**" in said(fixable)[-1]


def test_a_forge_that_fails_half_way_leaves_the_branch_as_it_was(fixable: Pull) -> None:
    head = fixable.hub.head
    fixable.hub.troubles.append((r"POST \S+/git/commits", Answer(422, {"message": "no"})))
    refused(fixable, "GitHub refused to make a commit", ordered(fixable))
    assert fixable.hub.head == head
