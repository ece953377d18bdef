"""Who may give orders on GitLab, how they are answered, and the issue about the default branch."""

from collections.abc import Iterator

import pytest

from mergegate.core.errors import ForgeError, NotAllowed
from mergegate.forges.ports import Replies, Standing
from tests.forges.gitlab_case import on, prepared, remark
from tests.forges.gitlab_project import User
from tests.forges.gitlab_stand_in import ADA, BOT, EVE, GitLab


@pytest.fixture
def site() -> Iterator[GitLab]:
    with prepared("/gitlab") as gitlab:
        yield gitlab


def replies(site: GitLab) -> Replies:
    replies = on(site).replies
    assert replies
    return replies


@pytest.mark.parametrize(
    ("level", "standing"),
    [
        (50, Standing.ADMIN), (40, Standing.ADMIN), (30, Standing.WRITE), (25, Standing.READ),
        (20, Standing.READ), (15, Standing.NONE), (10, Standing.NONE), (0, Standing.NONE),
    ],
)  # fmt: skip
def test_the_role_decides(site: GitLab, level: int, standing: Standing) -> None:
    site.project.users.append(User(501, "Some.Body-1", level))
    people = on(site).people
    assert people
    assert people.standing("some.body-1") is standing


def test_who_is_blocked_or_unknown_or_no_name_may_nothing(site: GitLab) -> None:
    site.project.users.append(User(502, "gone", 50, state="blocked"))
    people = on(site).people
    assert people
    found = {people.standing(one) for one in ("gone", "nobody", "", "a/b", "a b", "../1", "@ada")}
    assert found == {Standing.NONE}


def test_a_single_note_is_answered_by_a_note(site: GitLab) -> None:
    order = site.project.write(ADA, "mergegate, please")
    replies(site).reply(str(order["id"]), "Done\n/approve")
    assert [one["individual_note"] for one in site.project.discussions[-2:]] == [True, True]
    assert site.project.notes[-1]["body"] == "Done\n\\/approve"


def test_a_thread_is_answered_in_the_thread(site: GitLab) -> None:
    reviews = on(site).reviews
    assert reviews
    reviews.open(remark(5, 5))
    order = site.project.reply(ADA, site.project.discussions[-1]["id"], "mergegate, please")
    replies(site).reply(str(order["id"]), "Done")
    bodies = [note["body"] for note in site.project.discussions[-1]["notes"]]
    assert bodies[1:] == ["mergegate, please", "Done"]


def test_a_reaction_is_given_once(site: GitLab) -> None:
    order = site.project.write(ADA, "mergegate, please")
    answers = replies(site)
    answers.acknowledge(str(order["id"]), done=True)
    answers.acknowledge(str(order["id"]), done=True)
    answers.acknowledge(str(order["id"]), done=False)
    assert [name for _, _, name in site.project.awards] == ["thumbsup", "thumbsdown"]


def test_a_reaction_to_a_note_that_is_gone_is_an_error(site: GitLab) -> None:
    with pytest.raises(NotAllowed):
        replies(site).acknowledge("424242", done=True)


# The issue about the default branch


def test_one_issue_is_opened_kept_closed_and_opened_again(site: GitLab) -> None:
    ledger = on(site).ledger
    assert ledger
    url = ledger.post("Gate failed", "text\n/close", open=True)
    assert url == f"https://gitlab.example.org/{site.project.path}/-/issues/1"
    assert ledger.post("Gate failed", "other", open=True) == url
    assert ledger.post("Gate passed", "fine", open=False) == url
    assert site.project.issues[0]["state"] == "closed"
    assert ledger.post("Gate failed", "again", open=True) == url
    (issue,) = site.project.issues
    assert (issue["state"], issue["title"]) == ("opened", "Gate failed")
    assert issue["description"].startswith("again")


def test_an_issue_that_says_it_already_is_left_alone(site: GitLab) -> None:
    ledger = on(site).ledger
    assert ledger
    for _ in range(3):
        ledger.post("Gate failed", "text", open=True)
    assert len(site.writes()) == 1


def test_no_issue_is_made_to_be_closed(site: GitLab) -> None:
    ledger = on(site).ledger
    assert ledger
    assert ledger.post("Gate passed", "fine", open=False) == ""
    assert not site.writes()


@pytest.mark.parametrize("filters", [True, False])
def test_an_issue_of_another_with_our_marker_is_left_alone(site: GitLab, filters: bool) -> None:
    site.project.filters = filters
    forged = {"title": "Gate failed", "description": "<!-- mergegate:ledger -->"}
    site.project.create_issue(EVE, forged)
    ledger = on(site).ledger
    assert ledger
    ledger.post("Gate failed", "text", open=True)
    assert site.project.issues[0]["description"] == forged["description"]
    assert len(site.project.issues) == 2


def test_a_second_issue_of_ours_is_closed(site: GitLab) -> None:
    ledger = on(site).ledger
    assert ledger
    for _ in range(2):
        site.project.create_issue(BOT, {"title": "x", "description": "<!-- mergegate:ledger -->"})
    ledger.post("Gate failed", "text", open=True)
    assert [one["state"] for one in site.project.issues] == ["opened", "closed"]


def test_whoever_opened_pushed_or_wrote_a_commit_brought_the_merge_request(site: GitLab) -> None:
    project = site.project
    project.users.append(User(601, "Zoe", 30, email="zoe@example.org"))
    project.author = 601
    project.emails = ["1234-mallory@users.noreply.example.org", "nobody@example.org", "", "é@x"]
    project.write(EVE, "added 1 commit")
    authorship = on(site).authorship
    assert authorship
    pushed = "ada"
    assert authorship.authors() == {pushed, "zoe", "mallory"}
    project.author = EVE.id
    project.emails = ["zoe@example.org"]
    assert authorship.authors() == {pushed, "eve", "zoe"}
    project.emails = [f"{number}@example.org" for number in range(51)]
    with pytest.raises(ForgeError, match="more than 50 people"):
        authorship.authors()
