"""The summary comment on GitHub."""

import pytest

from mergegate.core.errors import ForgeError, NotAllowed
from tests.forges.github.conftest import Site
from tests.forges.github.hub import ACTIONS, HEAD, PERSON, Answer
from tests.forges.github.saying import summary


def test_a_comment_is_written_found_edited_and_removed(site: Site) -> None:
    conversation = site.forge().conversation
    assert conversation is not None
    written = conversation.write(summary())
    assert conversation.comments() == [written]
    conversation.edit(written.id, summary(text="Passes"))
    assert conversation.comments()[0].body == summary(text="Passes")
    conversation.remove(written.id)
    assert conversation.comments() == []


def test_a_marker_in_anothers_comment_is_no_comment_of_ours(site: Site) -> None:
    forged = {"id": 1, "body": summary(), "user": PERSON.said}
    site.hub.comments.append(forged)
    conversation = site.forge().conversation
    assert conversation and conversation.comments() == []


def test_a_login_like_ours_does_not_make_a_comment_ours(site: Site) -> None:
    disguised = {**PERSON.said, "login": ACTIONS.login, "type": "Bot"}
    site.hub.comments.append({"id": 1, "body": summary(), "user": disguised})
    conversation = site.forge().conversation
    assert conversation and conversation.comments() == []


def test_a_comment_of_a_deleted_account_is_not_ours(site: Site) -> None:
    site.hub.comments.append({"id": 1, "body": summary(), "user": None})
    conversation = site.forge().conversation
    assert conversation and conversation.comments() == []


def test_our_comment_is_found_on_the_third_page(site: Site) -> None:
    chat = [{"id": number, "body": "Nice!", "user": PERSON.said} for number in range(250)]
    site.hub.comments += [*chat, {"id": 250, "body": summary(), "user": ACTIONS.said}]
    conversation = site.forge().conversation
    assert conversation and [one.id for one in conversation.comments()] == ["250"]


def test_nobody_asks_who_we_are_before_there_is_a_marker(site: Site) -> None:
    conversation = site.forge().conversation
    assert conversation and conversation.comments() == []
    assert site.requests == [
        "GET /api/v3/repos/acme/shop/pulls/7",
        "GET /api/v3/repos/acme/shop/issues/7/comments",
    ]


def test_a_personal_token_owns_the_comments_of_its_person(site: Site) -> None:
    theirs = site.forge("ghp-erin").conversation
    assert theirs is not None
    written = theirs.write(summary())
    ours = site.forge("ghs-usual").conversation
    assert ours is not None
    assert (theirs.comments(), ours.comments()) == ([written], [])


def test_a_comment_that_another_run_removed_is_removed(site: Site) -> None:
    conversation = site.forge().conversation
    assert conversation is not None
    conversation.remove("4711")
    assert "DELETE /api/v3/repos/acme/shop/issues/comments/4711" in site.requests


def test_a_fork_s_token_is_told_which_permission_and_which_way_out(site: Site) -> None:
    conversation = site.forge("ghs-fork").conversation
    assert conversation is not None
    with pytest.raises(NotAllowed) as refused:
        conversation.write(summary())
    assert refused.value.what == (
        "GitHub refused to write the summary comment: Resource not accessible by integration"
    )
    assert "`pull-requests: write`" in refused.value.remedy
    assert "workflow_run" in refused.value.remedy


def test_a_body_over_the_limit_is_refused_in_github_s_words(site: Site) -> None:
    conversation = site.forge().conversation
    assert conversation is not None
    with pytest.raises(ForgeError, match=r"Body is too long \(maximum is 65536 characters\)"):
        conversation.write("x" * 65_537)


def test_a_comment_whose_fate_is_unknown_is_not_written_twice(site: Site) -> None:
    conversation = site.forge().conversation
    assert conversation is not None
    site.hub.troubles.append(("POST .*/comments", Answer(502)))
    with pytest.raises(ForgeError, match="status 502"):
        conversation.write(summary(HEAD))
    assert sum(line.startswith("POST") for line in site.requests) == 1
