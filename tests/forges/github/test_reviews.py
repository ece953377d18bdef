"""Review threads on GitHub."""

from dataclasses import replace

import pytest

from mergegate.core.errors import ForgeError, NotAllowed, OffDiff
from mergegate.forges.ports import Reviews
from tests.forges.github.conftest import Site
from tests.forges.github.hub import ACTIONS, LATER, MAINTAINER, PERSON, Account, Answer, Hub
from tests.forges.github.saying import remark


def reviews(site: Site, token: str = "ghs-resolver") -> Reviews:
    site.hub.diff = {"app.py": [range(1, 20), range(40, 60)]}
    found = site.forge(token).reviews
    assert found is not None
    return found


def foreign(hub: Hub, author: Account, body: str) -> None:
    comment = {"id": "PRRC_1", "body": body, "author": author}
    hub.threads.append(
        {"id": "PRRT_1", "isResolved": False, "resolvedBy": None, "comments": [comment]}
    )


def test_a_thread_is_opened_on_its_lines_and_found_again(site: Site) -> None:
    room = reviews(site)
    room.open(remark(3, start_line=3, end_line=5))
    room.open(remark(7))
    assert [one["place"] for one in site.hub.threads] == [("app.py", 3, 5), ("app.py", 7, 7)]
    assert [one.body for one in room.threads()] == [remark(3).body, remark(7).body]


@pytest.mark.parametrize(
    "off",
    [
        remark(30),
        remark(15, end_line=45),
        remark(3, path="other.py"),
        remark(3, path="caf\udce9.py"),
    ],
    ids=["between hunks", "over two hunks", "another file", "a name without UTF-8"],
)
def test_lines_that_the_diff_does_not_show_are_off_it(site: Site, off: object) -> None:
    with pytest.raises(OffDiff):
        reviews(site).open(off)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "error",
    [
        {"code": "invalid", "field": "pull_request_review_thread.path"},
        {"code": "missing_field", "field": "pull_request_review_thread.diff_hunk"},
        "Pull request review thread start line must be part of the same hunk as the line.",
    ],
)
def test_github_has_several_words_for_off_the_diff(site: Site, error: object) -> None:
    room = reviews(site)
    said = {"message": "Validation Failed", "errors": [error]}
    site.hub.troubles.append(("POST .*/pulls/7/comments", Answer(422, said)))
    with pytest.raises(OffDiff):
        room.open(remark(3))


def test_a_head_that_moved_meanwhile_is_no_matter_of_the_diff(site: Site) -> None:
    room = reviews(site)
    site.hub.head = LATER
    with pytest.raises(ForgeError, match="commit_id") as refused:
        room.open(remark(3))
    assert not isinstance(refused.value, OffDiff)


def test_threads_of_others_are_not_ours_whatever_marker_they_copy(site: Site) -> None:
    room = reviews(site)
    foreign(site.hub, PERSON, remark(3).body)
    foreign(site.hub, ACTIONS, "Another workflow of the same bot")
    assert room.threads() == []


def test_a_reply_of_ours_does_not_make_a_thread_ours(site: Site) -> None:
    room = reviews(site)
    foreign(site.hub, PERSON, "What is this?")
    ours = {"id": "PRRC_2", "body": remark(3).body, "author": ACTIONS}
    site.hub.threads[0]["comments"].append(ours)
    assert room.threads() == []


def test_threads_beyond_the_first_page_are_found(site: Site) -> None:
    room = reviews(site)
    for _ in range(130):
        foreign(site.hub, PERSON, "Why?")
    foreign(site.hub, ACTIONS, remark(3).body)
    assert len(room.threads()) == 1


def test_a_thread_of_ours_is_resolved_and_reopened(site: Site) -> None:
    room = reviews(site)
    room.open(remark(3))
    room.resolve(room.threads()[0])
    (closed,) = room.threads()
    assert (closed.resolved, closed.resolved_by_us) == (True, True)
    room.reopen(closed)
    assert room.threads()[0].resolved is False


def test_what_a_person_resolved_was_not_resolved_by_us(site: Site) -> None:
    room = reviews(site)
    room.open(remark(3))
    site.hub.threads[0] |= {"isResolved": True, "resolvedBy": MAINTAINER}
    (closed,) = room.threads()
    assert (closed.resolved, closed.resolved_by_us) == (True, False)


def test_a_resolver_that_the_schema_cannot_name_is_an_app_s_own_bot(site: Site) -> None:
    room = reviews(site)
    room.open(remark(3))
    site.hub.threads[0] |= {"isResolved": True, "resolvedBy": None}
    assert room.threads()[0].resolved_by_us is True


def test_without_write_access_to_the_code_a_thread_is_folded_instead(site: Site) -> None:
    room = reviews(site, "ghs-usual")
    room.open(remark(3))
    (before,) = room.threads()
    room.resolve(before)
    shown = site.hub.threads[0]["comments"][0]["body"]
    assert "**No longer found**" in shown and "<details>" in shown
    (folded,) = room.threads()
    assert folded == replace(before, resolved=True, resolved_by_us=True)


def test_a_folded_thread_unfolds_when_its_finding_is_back(site: Site) -> None:
    room = reviews(site, "ghs-usual")
    room.open(remark(3))
    room.resolve(room.threads()[0])
    room.reopen(room.threads()[0])
    assert site.hub.threads[0]["comments"][0]["body"] == remark(3).body
    assert room.threads()[0].resolved is False


@pytest.mark.parametrize("reopens_first", [True, False])
def test_a_folded_thread_may_come_back_with_another_text(site: Site, reopens_first: bool) -> None:
    room = reviews(site, "ghs-usual")
    room.open(remark(3))
    room.resolve(room.threads()[0])
    (folded,) = room.threads()
    text = remark(3, "Take more care").body
    if reopens_first:
        room.reopen(folded)
        room.edit(folded, text)
    else:
        room.edit(folded, text)
        room.reopen(folded)
    assert (room.threads()[0].body, room.threads()[0].resolved) == (text, False)


def test_a_folded_thread_that_a_person_resolved_too_stays_theirs(site: Site) -> None:
    room = reviews(site, "ghs-usual")
    room.open(remark(3))
    room.resolve(room.threads()[0])
    site.hub.threads[0] |= {"isResolved": True, "resolvedBy": MAINTAINER}
    assert room.threads()[0].resolved_by_us is False


def test_the_right_to_resolve_is_tried_once_a_run(site: Site) -> None:
    room = reviews(site, "ghs-usual")
    for number in (3, 4, 5):
        room.open(remark(number))
    sent = len(site.requests)
    for thread in room.threads():
        room.resolve(thread)
    # Who we are, the list, one refusal, three folds.
    assert len(site.requests) - sent == 6


def test_a_token_that_may_not_even_fold_says_what_it_lacks(site: Site) -> None:
    room = reviews(site, "ghs-usual")
    room.open(remark(3))
    reader = reviews(site, "ghs-fork")
    with pytest.raises(NotAllowed, match="edit a review comment"):
        reader.resolve(reader.threads()[0])
