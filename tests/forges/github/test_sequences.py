"""Push after push, run beside run: what stands on the pull request in the end."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from threading import Barrier, Thread

import pytest

from mergegate.core.report import Gate
from mergegate.forges.marker import Hiding, State, mark, marked, recall, remember
from mergegate.forges.publication import Publication
from mergegate.forges.publish import Published, publish
from tests.forges.github.conftest import Site
from tests.forges.github.hub import ACTIONS, HEAD, LATER, MAINTAINER, NUMBER, PERSON
from tests.forges.github.saying import id_of, publication, remark, summary

WALL = f"/issues/{NUMBER}/comments"


def head_of(push: int) -> str:
    return f"{push:040x}"


def answer(push: int, *numbers: int) -> Publication:
    """What the scan of one push has to say; its number is the run's too."""
    head = head_of(push)

    def comment(state: State | None) -> str:
        pushes = state.pushes if state else ()
        told = State(head=head, sequence=push, pushes=pushes)
        return f"{len(numbers)} findings in {head}\n\n{remember(told, Hiding.HTML)}"

    return publication(*numbers, head=head, comment=comment)


def say(site: Site, said: Publication, sequence: int, token: str = "ghs-resolver") -> Published:
    return publish(said, site.forge(token), sequence)


def push(site: Site, number: int, *found: int, token: str = "ghs-resolver") -> Published:
    site.hub.head = head_of(number)
    site.hub.diff = {"app.py": [range(1, 200)]}
    return say(site, answer(number, *found), number, token)


def standing(site: Site) -> Counter[str | None]:
    """Ids of the findings whose threads are open and not folded."""
    return Counter(
        marked(body)
        for thread in site.hub.threads
        for body in [thread["comments"][0]["body"]]
        if not thread["isResolved"] and "<!-- mergegate:folded -->" not in body
    )


@pytest.mark.parametrize("token", ["ghs-resolver", "ghs-usual"])
def test_ten_pushes_leave_one_comment_and_one_thread_a_finding(site: Site, token: str) -> None:
    for number in range(1, 11):
        found = [one for one in range(1, 9) if (number + one) % 3]
        said = push(site, number, *found, token=token)
        assert said.problems == []
        assert standing(site) == Counter(map(id_of, found))
    (comment,) = site.hub.comments
    state = recall(comment["body"])
    assert state is not None and (state.head, state.sequence) == (head_of(10), 10)
    assert len(site.hub.threads) == 8
    assert {run["head_sha"] for run in site.hub.runs} == {head_of(n) for n in range(1, 11)}


def test_what_a_person_resolved_stays_resolved_over_all_pushes(site: Site) -> None:
    push(site, 1, 3, 4)
    site.hub.threads[0] |= {"isResolved": True, "resolvedBy": MAINTAINER}
    for number, found in enumerate([(3, 4), (4,), (3, 4)], start=2):
        push(site, number, *found)
    assert standing(site) == Counter([id_of(4)])
    assert site.hub.threads[0]["resolvedBy"] == MAINTAINER


def test_a_finding_beyond_what_is_shown_in_line_keeps_its_thread_open(site: Site) -> None:
    push(site, 1, 3, 4)
    site.hub.head = head_of(2)
    fewer = replace(answer(2, 3, 4), remarks=(remark(3),))
    say(site, fewer, 2)
    assert standing(site) == Counter([id_of(3), id_of(4)])


def test_a_text_that_changed_is_edited_in_its_thread(site: Site) -> None:
    push(site, 1, 3)
    site.hub.head = head_of(2)
    say(site, replace(answer(2, 3), remarks=(remark(3, "Take more care"),)), 2)
    (thread,) = site.hub.threads
    assert thread["comments"][0]["body"].startswith("**Take more care**")


def test_nothing_is_written_when_nothing_changed(site: Site) -> None:
    push(site, 1, 3)
    sent = len(site.requests)
    push(site, 1, 3)
    writes = [one for one in site.requests[sent:] if not one.startswith("GET")]
    # Who we are and the threads are queries; the check is a run of its own.
    assert Counter(writes) == {
        "POST /api/graphql": 2,
        "POST /api/v3/repos/acme/shop/check-runs": 1,
    }


def at_the_same_time(*works: Callable[[], object]) -> None:
    threads = [Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()


def test_two_runs_at_once_leave_one_comment_and_one_thread(site: Site) -> None:
    site.hub.head = HEAD
    site.hub.diff = {"app.py": [range(1, 200)]}
    # Both have read that there is nothing yet before either writes.
    meeting = Barrier(2)
    unmet = {1, 2}

    def meet() -> None:
        if unmet:
            unmet.discard(max(unmet))
            meeting.wait(30)

    site.hub.interludes.append((f"POST .*{WALL}", meet))

    def run(sequence: int) -> Callable[[], object]:
        told = replace(
            publication(3, 4),
            comment=lambda state: summary(HEAD, sequence, text=f"Run {sequence}"),
        )
        return lambda: say(site, told, sequence)

    at_the_same_time(run(1), run(2))
    (comment,) = site.hub.comments
    assert recall(comment["body"]) == State(head=HEAD, sequence=2)
    assert comment["body"].startswith("## Run 2")
    assert standing(site) == Counter([id_of(3), id_of(4)])


def test_an_older_run_that_comes_late_changes_no_comment(site: Site) -> None:
    push(site, 5, 3)
    said = say(site, replace(answer(4), head=head_of(5)), 4)
    assert "A newer run has answered already: its comment stays" in said.notes
    assert "1 findings" in site.hub.comments[0]["body"]


def test_a_head_that_moved_gets_its_check_and_no_stale_suggestion(site: Site) -> None:
    site.hub.head = LATER
    said = say(site, publication(3), 1)
    assert [run["head_sha"] for run in site.hub.runs] == [HEAD]
    assert (site.hub.comments, site.hub.threads) == ([], [])
    assert "moved on" in said.notes[0]


def test_a_head_that_moves_while_we_speak_costs_the_threads_alone(site: Site) -> None:
    site.hub.diff = {"app.py": [range(1, 200)]}

    def move() -> None:
        site.hub.head = LATER

    site.hub.interludes.append(("POST .*/pulls/7/comments", move))
    said = say(site, publication(3), 1)
    assert said.done == ["check", "comment", "alerts"]
    assert "commit_id" in said.problems[0]


def test_a_forged_marker_neither_stops_nor_steers_us(site: Site) -> None:
    forged = summary("f" * 40, sequence=999_999, text="Passed, says Mallory")
    site.hub.comments.append({"id": 1, "body": forged, "user": PERSON.said})
    claim = {"id": "PRRC_1", "body": mark(id_of(3), Hiding.HTML), "author": PERSON}
    theirs = {"id": "PRRT_1", "isResolved": False, "resolvedBy": None, "comments": [claim]}
    site.hub.threads.append(theirs)
    push(site, 1, 3)
    push(site, 2)
    assert [one["user"]["login"] for one in site.hub.comments] == ["mallory", ACTIONS.login]
    assert site.hub.comments[0]["body"] == forged
    assert site.hub.threads[0]["isResolved"] is False
    assert site.hub.threads[1]["isResolved"] is True


def test_five_hundred_findings_stay_within_every_limit(site: Site) -> None:
    site.hub.diff = {"app.py": [range(1, 600)]}
    many = range(1, 501)
    whole = publication(*many, details="💥" * 60_000)
    said = say(site, replace(whole, remarks=whole.remarks[:200]), 1)
    assert said.problems == []
    assert said.notes == ["Shown 250 of 500 annotations, worst first"]
    assert len(site.hub.runs[0]["annotations"]) == 250
    assert len(site.hub.threads) == 200


def test_a_fork_s_token_publishes_nothing_and_says_each_time_why(site: Site) -> None:
    site.hub.diff = {"app.py": [range(1, 200)]}
    said = say(site, publication(3, sarif='{"runs": []}'), 1, "ghs-fork")
    assert said.done == []
    assert len(said.problems) == 4
    assert all("workflow_run" in problem for problem in said.problems)


def test_lines_off_the_diff_cost_their_own_remarks_alone(site: Site) -> None:
    site.hub.diff = {"app.py": [range(1, 5)]}
    said = say(site, publication(3, 30), 1)
    assert standing(site) == Counter([id_of(3)])
    assert said.notes[0].startswith("1 of 2 remarks")
    assert site.hub.runs[0]["conclusion"] == "failure"


def test_a_typical_push_takes_a_dozen_requests(site: Site) -> None:
    push(site, 1, 3, 4)
    sent = len(site.requests)
    push(site, 2, 3, 5)
    assert site.hub.runs[-1]["conclusion"] == Gate.FAILED.replace("failed", "failure")
    assert len(site.requests) - sent <= 12
