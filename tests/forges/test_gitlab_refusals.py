"""A GitLab that is unwilling, elsewhere or hostile: said clearly, and never with the token."""

from collections.abc import Iterator
from typing import Any

import pytest

from mergegate.core.errors import ForgeError, MergegateError, NotAllowed, UsageError
from mergegate.forges.gitlab.forge import forge
from tests.forges.gitlab_case import CHANGE, Hours, on, prepared, talk, told
from tests.forges.gitlab_stand_in import (
    ADA,
    BOT,
    BOT_TOKEN,
    JOB_TOKEN,
    READ_TOKEN,
    STRANGER_TOKEN,
    GitLab,
    Refuse,
    running,
)


@pytest.fixture
def site() -> Iterator[GitLab]:
    with prepared() as gitlab:
        yield gitlab


@pytest.fixture
def hours() -> Hours:
    return Hours()


# Rights


def test_a_job_token_is_refused_with_the_way_out(site: GitLab, hours: Hours) -> None:
    with pytest.raises(NotAllowed, match="MERGEGATE_TOKEN or GITLAB_TOKEN") as caught:
        talk(site, hours, JOB_TOKEN, kind="job")
    assert not site.asked
    assert JOB_TOKEN not in told(caught.value)


def test_a_token_that_gitlab_does_not_know_is_refused(site: GitLab, hours: Hours) -> None:
    with pytest.raises(NotAllowed, match="401"):
        talk(site, hours, "glcbt-wrong-kind")


def test_a_token_that_may_only_read_is_refused_with_the_way_out(site: GitLab, hours: Hours) -> None:
    conversation = talk(site, hours, READ_TOKEN)
    assert conversation.comments() == []
    with pytest.raises(NotAllowed, match="scope api") as caught:
        conversation.write("text")
    assert "insufficient_scope" in caught.value.what


def test_a_project_that_the_token_may_not_see_is_refused(site: GitLab, hours: Hours) -> None:
    with pytest.raises(NotAllowed, match="may not see"):
        talk(site, hours, STRANGER_TOKEN)
    with pytest.raises(NotAllowed, match="404"):
        talk(site, hours, repository="../../user")


def test_a_note_of_another_is_neither_edited_nor_deleted(site: GitLab, hours: Hours) -> None:
    other = site.project.write(ADA, "mine")
    with pytest.raises(NotAllowed):
        talk(site, hours).edit(str(other["id"]), "ours")
    with pytest.raises(NotAllowed):
        talk(site, hours).remove(str(other["id"]))
    assert other["body"] == "mine"


@pytest.mark.parametrize("token", ["", "  ", "glpat bad", "glpat-1\nX-Evil: 1", "gl\u200bpat"])
def test_a_damaged_token_is_never_sent_nor_shown(site: GitLab, hours: Hours, token: str) -> None:
    with pytest.raises(NotAllowed, match="empty or damaged") as caught:
        talk(site, hours, token)
    assert not site.asked
    assert not token.strip() or token not in told(caught.value).replace(repr(token), "")


def test_a_line_end_behind_the_token_does_no_harm(site: GitLab, hours: Hours) -> None:
    talk(site, hours, f"{BOT_TOKEN}\n")
    assert site.asked[0].headers["private-token"] == BOT_TOKEN


# Addresses


@pytest.mark.parametrize(
    "url",
    ["", "gitlab.example.org", "ftp://gitlab.example.org", "https://", "file:///etc/passwd",
     "https://user:secret@gitlab.example.org"],
)  # fmt: skip
def test_an_address_that_is_none_is_a_mistake_of_the_caller(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        forge(CHANGE, token=BOT_TOKEN, api_url=url, token_kind="private")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("tail", ["", "/", "/api/v4", "/api/v4/"])
def test_the_address_may_be_the_server_or_its_api(tail: str) -> None:
    site = GitLab(folder="/code/gitlab")
    with running(site):
        made = on(site, url=site.url + tail)
    assert made.head == site.project.head
    assert not site.offences


def test_a_redirect_is_not_followed_and_takes_no_token(site: GitLab, hours: Hours) -> None:
    elsewhere = GitLab()
    with running(elsewhere):
        moved = {"Location": f"{elsewhere.api}/projects/group%2Fsub%2Fapp/merge_requests/7"}
        site.refuse = [Refuse("GET", "/merge_requests/7$", 302, headers=moved)]
        with pytest.raises(ForgeError, match="redirects are not followed"):
            talk(site, hours)
    assert not elsewhere.asked


def test_a_next_page_elsewhere_is_not_asked(site: GitLab, hours: Hours) -> None:
    elsewhere = GitLab()
    for _ in range(150):
        site.project.write(BOT, "text")
    with running(elsewhere):
        # Before a path with /api in it python-gitlab would put our own address.
        site.next_page = f"{elsewhere.url}/notes"
        with pytest.raises(ForgeError):
            talk(site, hours).comments()
    assert not elsewhere.asked


# What GitLab says is hostile too


@pytest.mark.parametrize(
    "body",
    [[], "text", 5, None, {"id": "x"}, {"message": "::error::owned\n##[error]x\x1b[2J"}, {"a": []}],
)
def test_an_answer_of_another_shape_is_an_error_of_ours(
    site: GitLab, hours: Hours, body: Any
) -> None:
    site.refuse = [
        Refuse(method, pattern, status, body, times=1)
        for method, pattern, status in (
            ("POST", "/notes$", 201),
            ("GET", "/user$", 200),
        )
    ]
    made = on(site, hours=hours)
    assert made.conversation and made.reviews
    with pytest.raises(ForgeError):
        made.conversation.write("text")
    site.project.write(BOT, "text")
    with pytest.raises(ForgeError):
        made.conversation.comments()


def test_words_of_gitlab_are_no_command_to_a_runner(site: GitLab, hours: Hours) -> None:
    said = {"message": "bad\r\n::add-mask::x\n##[error]owned \x1b[2J\u202e" + "y" * 5000}
    site.refuse = [Refuse("POST", "/notes$", 400, said)]
    with pytest.raises(ForgeError) as caught:
        talk(site, hours).write("text")
    text = str(caught.value)
    assert "bad" in text
    assert text.isprintable() and text.isascii()
    assert "::" not in text and "##[" not in text
    assert len(text) < 400


@pytest.mark.parametrize("status", [400, 401, 403, 404, 418, 500])
def test_no_error_shows_the_token(site: GitLab, hours: Hours, status: int) -> None:
    site.refuse = [Refuse("POST", "/notes$", status, {"message": f"no {status}"})]
    with pytest.raises(MergegateError) as caught:
        talk(site, hours).write("text")
    assert str(status) in caught.value.what
    assert BOT_TOKEN not in told(caught.value)
