"""Comments and threads on a pull request."""

import pytest

from mergegate.core.errors import ForgeError, OffDiff
from mergegate.forges.bitbucket.conversation import MOST_CHARACTERS
from mergegate.forges.publication import Remark
from tests.forges.bitbucket import stand_in
from tests.forges.bitbucket.case import IDS, connected, conversation, remark, reviews, run, summary
from tests.forges.bitbucket.stand_in import PERSON, Bitbucket


def test_lists_are_read_to_their_end(bitbucket: Bitbucket) -> None:
    bitbucket.per_page = 2
    for _ in range(5):
        bitbucket.comment(PERSON, "Looks good")
    run(bitbucket, "bot-secret")
    assert len(conversation(connected(bitbucket)).comments()) == 1


@pytest.mark.parametrize(
    "elsewhere",
    ["https://evil.example.org/2.0/x", "http://127.0.0.1:1/2.0/x", "//evil.example.org/x", "\0"],
)
def test_a_list_that_continues_elsewhere_does_not_get_the_token(
    bitbucket: Bitbucket, elsewhere: str
) -> None:
    bitbucket.per_page, bitbucket.next_page = 1, elsewhere
    for _ in range(2):
        bitbucket.comment(PERSON, "Looks good")
    with pytest.raises(ForgeError, match="another host"):
        conversation(connected(bitbucket)).comments()


def test_deleted_comments_and_drafts_are_not_there(bitbucket: Bitbucket) -> None:
    bitbucket.comment(stand_in.BOT, summary(), deleted=True)
    bitbucket.comment(stand_in.BOT, summary(), pending=True)
    assert conversation(connected(bitbucket)).comments() == []


def test_too_long_a_comment_is_never_sent(bitbucket: Bitbucket) -> None:
    with pytest.raises(ForgeError, match="32768 characters"):
        conversation(connected(bitbucket)).write("x" * (MOST_CHARACTERS + 1))
    assert bitbucket.writes() == []


def test_a_comment_that_is_gone_can_be_removed(bitbucket: Bitbucket) -> None:
    talk = conversation(connected(bitbucket))
    written = talk.write(summary())
    talk.remove(written.id)
    talk.remove(written.id)
    assert bitbucket.standing() == []


def test_a_seal_is_not_part_of_what_is_read(bitbucket: Bitbucket) -> None:
    talk = conversation(connected(bitbucket, "token-secret"))
    assert talk.write(summary()).body == talk.comments()[0].body == summary()


def test_an_answer_stands_below_the_comment(bitbucket: Bitbucket) -> None:
    id = bitbucket.comment(PERSON, "/mergegate help")
    replies = connected(bitbucket).replies
    assert replies is not None
    replies.reply(str(id), "There is help.")
    replies.acknowledge(str(id), done=True)
    assert bitbucket.comments[2]["parent"]["id"] == id
    with pytest.raises(ForgeError, match="a number"):
        replies.reply("1/resolve", "There is help.")


def test_a_remark_on_a_range_spans_it(bitbucket: Bitbucket) -> None:
    reviews(connected(bitbucket)).open(remark(IDS[0], 3, 7))
    reviews(connected(bitbucket)).open(remark(IDS[1], 9, 9))
    assert [one["inline"] for one in bitbucket.standing()] == [
        {"path": "app.py", "start_to": 3, "to": 7},
        {"path": "app.py", "to": 9},
    ]


@pytest.mark.parametrize("off", [remark(IDS[0], path="other.py"), remark(IDS[0], 3, 999)])
def test_a_remark_off_the_diff_says_so(bitbucket: Bitbucket, off: Remark) -> None:
    with pytest.raises(OffDiff):
        reviews(connected(bitbucket)).open(off)


def test_resolving_and_reopening_twice_is_no_failure(bitbucket: Bitbucket) -> None:
    talk = reviews(connected(bitbucket))
    talk.open(remark(IDS[0]))
    (thread,) = talk.threads()
    talk.resolve(thread)
    talk.resolve(thread)
    assert talk.threads()[0].resolved_by_us
    talk.reopen(thread)
    talk.reopen(thread)
    assert not talk.threads()[0].resolved


def test_an_empty_resolution_is_none(bitbucket: Bitbucket) -> None:
    talk = reviews(connected(bitbucket))
    talk.open(remark(IDS[0]))
    bitbucket.comments[1]["resolution"] = {}
    assert not talk.threads()[0].resolved


def test_answers_in_a_thread_are_not_threads(bitbucket: Bitbucket) -> None:
    talk = reviews(connected(bitbucket))
    talk.open(remark(IDS[0]))
    inline, parent = {"path": "app.py", "to": 3}, {"type": "pullrequest_comment", "id": 1}
    bitbucket.comment(stand_in.BOT, remark(IDS[0]).body, inline=inline, parent=parent)
    assert len(talk.threads()) == 1
