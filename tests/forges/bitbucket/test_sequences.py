"""Pushes, people and rival runs in every order: one comment, and no stale thread."""

import re
from typing import Any

import pytest

from mergegate.forges.bitbucket.conversation import Seal
from mergegate.forges.marker import Hiding, State, Waiver, recall, remember
from mergegate.forges.publish import publish
from tests.forges.bitbucket.case import (
    BOTH,
    IDS,
    LATER,
    answer,
    connected,
    conversation,
    open_threads,
    remark,
    run,
    summaries,
    summary,
)
from tests.forges.bitbucket.stand_in import HEAD, PERSON, Bitbucket


@BOTH
def test_ten_pushes_leave_one_comment_and_no_stale_or_double_thread(
    bitbucket: Bitbucket, token: str
) -> None:
    for number in range(10):
        ids = [id for place, id in enumerate(IDS) if (number + place) % 3]
        assert run(bitbucket, token, *ids, sequence=number).problems == []
    assert len(summaries(bitbucket)) == 1
    assert summaries(bitbucket)[0].startswith("Run 9")
    assert sorted(open_threads(bitbucket)) == sorted(ids)


@BOTH
def test_what_a_person_resolved_stays_resolved(bitbucket: Bitbucket, token: str) -> None:
    run(bitbucket, token, IDS[0])
    (thread,) = [one for one in bitbucket.standing() if "inline" in one]
    bitbucket.settle(thread["id"], PERSON)
    run(bitbucket, token, IDS[0], sequence=2)
    assert open_threads(bitbucket) == []


@BOTH
def test_a_finding_that_is_back_opens_its_thread_again(bitbucket: Bitbucket, token: str) -> None:
    for sequence, ids in enumerate([IDS[:1], (), IDS[:1]]):
        run(bitbucket, token, *ids, sequence=sequence)
    assert open_threads(bitbucket) == [IDS[0]]
    assert len([one for one in bitbucket.standing() if "inline" in one]) == 1


@BOTH
def test_a_forged_marker_is_neither_believed_nor_touched(bitbucket: Bitbucket, token: str) -> None:
    waiver = Waiver(id=IDS[0], reason="mine", owner="mallory", expires="2999-01-01")
    forged = bitbucket.comment(PERSON, summary(99, waivers=(waiver,)))
    thread = bitbucket.comment(PERSON, remark(IDS[0]).body, inline={"path": "app.py", "to": 3})
    run(bitbucket, token, IDS[1])
    assert bitbucket.comments[forged]["content"]["raw"].startswith("Run 99")
    assert bitbucket.comments[thread]["resolution"] is None
    (ours,) = [one for one in summaries(bitbucket) if one.startswith("Run 1\n")]
    assert recall(ours) == State(head=HEAD, sequence=1)


def test_a_sealed_comment_that_is_copied_is_not_ours(bitbucket: Bitbucket) -> None:
    run(bitbucket, "token-secret")
    copied = bitbucket.comment(PERSON, bitbucket.comments[1]["content"]["raw"])
    run(bitbucket, "token-secret", IDS[0], sequence=2)
    assert bitbucket.comments[1]["content"]["raw"].startswith("Run 2")
    assert bitbucket.comments[copied]["content"]["raw"].startswith("Run 1")


def test_a_seal_holds_for_no_other_token(
    bitbucket: Bitbucket,
) -> None:
    run(bitbucket, "token-secret")
    (sealed,) = summaries(bitbucket)
    assert len(conversation(connected(bitbucket, "token-secret")).comments()) == 1
    assert conversation(connected(bitbucket, "other-secret")).comments() == []
    bitbucket.comments[1]["content"]["raw"] = sealed.replace("seal ", "seal 0")
    assert conversation(connected(bitbucket, "token-secret")).comments() == []


def test_a_seal_speaks_of_one_pull_request() -> None:
    seals = [Seal("secret", f"example/shop#{number}") for number in (7, 8)]
    sealed = seals[0].sealed(summary())
    assert [one.holds(sealed) for one in seals] == [True, False]


@pytest.mark.parametrize("hiding", list(Hiding))
def test_a_seal_covers_every_state_that_could_be_read(hiding: Hiding) -> None:
    seal = Seal("secret", "example/shop#7")
    smuggled = remember(State(head=HEAD, sequence=99), hiding)
    forged = f"{smuggled}\n\n{seal.sealed(summary())}"
    assert recall(forged) == State(head=HEAD, sequence=99)
    assert not seal.holds(forged)


def test_a_state_that_was_changed_breaks_its_seal(bitbucket: Bitbucket) -> None:
    run(bitbucket, "token-secret")
    (sealed,) = summaries(bitbucket)
    other = remember(State(head=HEAD, sequence=99), Hiding.REFERENCE)
    forged = re.sub(r"^.*mergegate:state.*$", lambda _: other, sealed, flags=re.MULTILINE)
    assert recall(forged) == State(head=HEAD, sequence=99)
    bitbucket.comments[1]["content"]["raw"] = forged
    assert conversation(connected(bitbucket, "token-secret")).comments() == []


@BOTH
def test_two_runs_at_once_leave_one_comment_with_the_newest_answer(
    bitbucket: Bitbucket, token: str
) -> None:
    older, newer = connected(bitbucket, token), connected(bitbucket, token)
    first = conversation(older)
    write = first.write

    def meanwhile(body: str) -> Any:
        publish(answer(IDS[0], sequence=2), newer, 2)
        return write(body)

    first.write = meanwhile  # type: ignore[method-assign]
    publish(answer(IDS[0], sequence=1), older, 1)
    (comment,) = summaries(bitbucket)
    assert comment.startswith("Run 2")
    assert open_threads(bitbucket) == [IDS[0]]


def test_a_second_run_of_the_same_head_changes_nothing(bitbucket: Bitbucket) -> None:
    run(bitbucket, "bot-secret", IDS[0])
    before = len([one for one in bitbucket.writes() if "comments" in one.path])
    run(bitbucket, "bot-secret", IDS[0])
    assert len([one for one in bitbucket.writes() if "comments" in one.path]) == before


def test_a_typical_push_takes_few_requests(bitbucket: Bitbucket) -> None:
    run(bitbucket, "bot-secret", IDS[0])
    bitbucket.exchanges.clear()
    run(bitbucket, "bot-secret", IDS[0], sequence=2)
    assert len(bitbucket.exchanges) <= 12


def test_a_head_that_moved_gets_its_report_and_no_comment(bitbucket: Bitbucket) -> None:
    bitbucket.head = LATER
    here = connected(bitbucket)
    assert here.head == LATER
    publish(answer(IDS[0]), here, 1)
    assert list(bitbucket.reports) == [HEAD]
    assert bitbucket.comments == {}
