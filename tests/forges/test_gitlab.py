"""The summary on GitLab: one note, ours, inert, found again on whatever page it stands."""

from collections.abc import Iterator

import pytest

from mergegate import __version__
from mergegate.core.errors import ForgeError
from mergegate.forges.ports import Conversation
from tests.forges.gitlab_case import SUMMARY, on, prepared
from tests.forges.gitlab_stand_in import ADA, BOT, BOT_TOKEN, EVE, GitLab


@pytest.fixture
def site() -> Iterator[GitLab]:
    with prepared("/gitlab") as gitlab:
        yield gitlab


def notes(site: GitLab) -> Conversation:
    conversation = on(site).conversation
    assert conversation
    return conversation


def test_it_knows_the_current_head_and_says_who_it_is(site: GitLab) -> None:
    assert on(site).head == site.project.head
    assert site.asked[0].headers["user-agent"] == f"mergegate/{__version__}"
    assert site.asked[0].headers["private-token"] == BOT_TOKEN


def test_an_oauth_token_goes_as_a_bearer(site: GitLab) -> None:
    on(site, kind="oauth")
    assert site.asked[0].headers["authorization"] == f"Bearer {BOT_TOKEN}"


def test_without_a_merge_request_there_is_nothing_to_talk_about(site: GitLab) -> None:
    made = on(site, number=None)
    assert (made.head, made.conversation, made.reviews, made.replies) == (None,) * 4
    assert made.verdicts and made.people and made.ledger
    assert not site.asked


def test_a_note_is_written_read_edited_and_deleted(site: GitLab) -> None:
    talk = notes(site)
    first = talk.write(SUMMARY)
    assert talk.comments() == [first]
    talk.edit(first.id, f"Failed{SUMMARY}")
    assert talk.comments()[0].body == f"Failed{SUMMARY}"
    talk.remove(first.id)
    assert talk.comments() == []


def test_a_note_that_is_gone_already_is_as_good_as_deleted(site: GitLab) -> None:
    notes(site).remove("12345")


def test_a_marker_that_another_forged_is_not_ours(site: GitLab) -> None:
    site.project.write(EVE, SUMMARY)
    site.project.write(ADA, SUMMARY)
    assert notes(site).comments() == []


def position(site: GitLab) -> dict[str, object]:
    return site.project.refs | {
        "position_type": "text",
        "old_path": "src/a.py",
        "new_path": "src/a.py",
        "new_line": 5,
    }


@pytest.mark.parametrize("filters", [True, False])
def test_notes_of_gitlab_itself_and_those_on_lines_are_left_out(
    site: GitLab, filters: bool
) -> None:
    site.project.filters = filters
    site.project._discuss(site.project._note(BOT, SUMMARY, system=True))
    site.project.discuss(BOT, SUMMARY, position(site))
    assert notes(site).comments() == []


def test_all_pages_are_read_oldest_first(site: GitLab) -> None:
    for number in range(250):
        site.project.write(EVE, f"chatter {number}")
        if number % 100 == 50:
            site.project.write(BOT, SUMMARY)
    found = notes(site).comments()
    assert [int(one.id) for one in found] == sorted(int(one.id) for one in found)
    assert len(found) == 2
    assert site.count("GET", r"/notes$") == 3


def test_pages_are_found_where_gitlab_believes_to_have_another_address(site: GitLab) -> None:
    site.named = "https://gitlab.example.org/gitlab"
    for _ in range(150):
        site.project.write(BOT, SUMMARY)
    assert len(notes(site).comments()) == 150


def test_a_summary_that_became_a_thread_by_a_reply_is_still_found(site: GitLab) -> None:
    written = notes(site).write(SUMMARY)
    site.project.reply(ADA, site.project.discussions[-1]["id"], "thanks")
    assert notes(site).comments() == [written]


def test_a_note_is_never_a_thread(site: GitLab) -> None:
    notes(site).write(SUMMARY)
    assert site.project.discussions[-1]["individual_note"]


def test_a_body_that_would_approve_is_shown_and_not_obeyed(site: GitLab) -> None:
    talk = notes(site)
    written = talk.write(f"/approve\n{SUMMARY}")
    talk.edit(written.id, f"text\n/merge\n\n{SUMMARY}")
    assert site.project.obeyed == []
    assert "/merge" in talk.comments()[0].body


def test_a_note_longer_than_gitlab_takes_is_not_sent(site: GitLab) -> None:
    with pytest.raises(ForgeError, match="1,000,001 characters"):
        notes(site).write("x" * 1_000_001)
    assert not site.writes()


@pytest.mark.parametrize("id", ["", "1/../2", "-1", "²", "1?x=1"])
def test_an_id_that_is_none_goes_into_no_address(site: GitLab, id: str) -> None:
    with pytest.raises(ForgeError, match="no id"):
        notes(site).edit(id, "text")
    assert not site.writes()
