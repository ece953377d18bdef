"""One merge request over time: one note, no thread twice, none stale, nothing of others touched."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest

from mergegate.core.change import Change, Provider, Trigger
from mergegate.core.report import Gate
from mergegate.forges.gitlab.forge import forge
from mergegate.forges.marker import Hiding, State, is_summary, mark, marked, recall, remember
from mergegate.forges.pacing import Clock
from mergegate.forges.publication import Publication, Remark
from mergegate.forges.publish import Published, publish
from tests.forges.gitlab_stand_in import ADA, BOT, BOT_TOKEN, EVE, GitLab, Refuse, running

CHANGE = Change(
    provider=Provider.GITLAB, repository="group/sub/app", trigger=Trigger.CHANGE, number=7
)
CLOCK = Clock(sleep=lambda _: None)
IDS = tuple(f"{number:016x}" for number in range(1, 10))


@pytest.fixture
def site() -> Iterator[GitLab]:
    gitlab = GitLab()
    gitlab.project.users = [BOT, ADA, EVE]
    gitlab.project.base = {"a.py": "zero\n"}
    push(gitlab, 0)
    with running(gitlab):
        yield gitlab
    assert not gitlab.offences
    assert not gitlab.project.obeyed


def push(site: GitLab, number: int) -> None:
    text = "".join(f"{line} of {number}\n" for line in range(40))
    site.project.push({"a.py": f"zero\n{text}"})


def answer(
    site: GitLab, ids: tuple[str, ...] = (), sequence: int = 1, word: str = ""
) -> Publication:
    def comment(previous: State | None) -> str:
        waivers = previous.waivers if previous else ()
        state = State(head=site.project.head, sequence=sequence, waivers=waivers)
        return f"{len(ids)} findings {word}\n\n{remember(state, Hiding.HTML)}"

    def remark(id: str) -> Remark:
        line = 2 + IDS.index(id) if id in IDS else 2
        body = f"Finding {id} {word}\n\n{mark(id, Hiding.HTML)}"
        return Remark(finding_id=id, path="a.py", start_line=line, end_line=line + 1, body=body)

    return Publication(
        head=site.project.head,
        gate=Gate.FAILED if ids else Gate.PASSED,
        headline=f"{len(ids)} findings",
        comment=comment,
        details="",
        remarks=tuple(map(remark, ids)),
        present=frozenset(ids),
    )


def say(site: GitLab, said: Publication, sequence: int = 1) -> Published:
    made = forge(CHANGE, token=BOT_TOKEN, api_url=site.api, token_kind="private", clock=CLOCK)
    return publish(said, made, sequence)


def summaries(site: GitLab) -> list[str]:
    return [
        note["body"]
        for note in site.project.notes
        if note["author"]["id"] == BOT.id and is_summary(note["body"])
    ]


def standing(site: GitLab) -> dict[str, list[bool]]:
    """By finding: whether each of its threads is resolved."""
    found: dict[str, list[bool]] = {}
    for one in site.project.discussions:
        first = one["notes"][0]
        about = marked(first["body"])
        if first["type"] == "DiffNote" and about:
            found.setdefault(about, []).append(first["resolved"])
    return found


def test_ten_pushes_leave_one_note_and_no_stale_or_second_thread(site: GitLab) -> None:
    for number in range(10):
        push(site, number)
        ids = tuple(id for place, id in enumerate(IDS) if (number + place) % 3)
        said = say(site, answer(site, ids, number), number)
        assert not said.problems, said.problems
        assert said.done == ["check", "comment", "review threads"]
        open_ones = {id for id, states in standing(site).items() if False in states}
        assert open_ones == set(ids)
    assert len(summaries(site)) == 1
    assert all(len(states) == 1 for states in standing(site).values())
    assert [one["state"] for one in site.project.statuses] == ["failed"] * 10


def test_a_second_run_of_the_same_says_nothing_twice(site: GitLab) -> None:
    say(site, answer(site, IDS[:3]))
    before = len(site.writes())
    say(site, answer(site, IDS[:3]))
    assert [one.path.rsplit("/", 2)[1] for one in site.writes()[before:]] == ["statuses"]


def test_what_a_person_resolved_stays_resolved_and_unwritten(site: GitLab) -> None:
    say(site, answer(site, IDS[:2]))
    by_hand = site.project.discussions[-1]
    site.project.resolve(ADA, by_hand["id"], True)
    text = by_hand["notes"][0]["body"]
    for number in range(2, 5):
        push(site, number)
        say(site, answer(site, IDS[:2], number, word="changed"), number)
    assert by_hand["notes"][0]["resolved"]
    assert by_hand["notes"][0]["body"] == text
    assert standing(site) == {IDS[0]: [False], IDS[1]: [True]}


def test_a_finding_that_comes_back_opens_its_thread_again(site: GitLab) -> None:
    for number, ids in enumerate([IDS[:1], (), IDS[:1]]):
        push(site, number)
        say(site, answer(site, ids, number), number)
    assert standing(site) == {IDS[0]: [False]}


def test_a_forged_marker_is_neither_believed_nor_touched(site: GitLab) -> None:
    forged = remember(State(head="f" * 40, sequence=10**9), Hiding.HTML)
    other = site.project.write(EVE, f"Passed!\n\n{forged}")
    say(site, answer(site, IDS[:1], 5), 5)
    assert other["body"].startswith("Passed!")
    (body,) = summaries(site)
    assert recall(body) == State(head=site.project.head, sequence=5)


def test_an_older_run_does_not_overwrite_a_newer(site: GitLab) -> None:
    say(site, answer(site, IDS[:1], 9), 9)
    said = say(site, answer(site, IDS[:3], 8), 8)
    assert any("newer run" in note for note in said.notes)
    (body,) = summaries(site)
    assert body.startswith("1 findings")


@pytest.mark.parametrize("first", [1, 2])
def test_a_run_inside_another_leaves_one_note_the_newest(site: GitLab, first: int) -> None:
    second = 3 - first

    def meanwhile() -> None:
        say(site, answer(site, IDS[:second], second), second)

    site.before = [("POST", "/notes$", meanwhile)]
    say(site, answer(site, IDS[:first], first), first)
    (body,) = summaries(site)
    assert recall(body) == State(head=site.project.head, sequence=2)


def test_two_runs_that_write_at_the_same_moment_leave_one_note_and_one_thread(
    site: GitLab,
) -> None:
    for pattern in ("/notes$", "/discussions$"):
        together = threading.Barrier(2, timeout=20)
        site.before += [("POST", pattern, partial(_meet, together))] * 2
    runs = [threading.Thread(target=say, args=(site, answer(site, IDS[:1], n), n)) for n in (1, 2)]
    for run in runs:
        run.start()
    for run in runs:
        run.join(timeout=60)
    assert not site.before, "both runs wrote before either knew of the other"
    (body,) = summaries(site)
    assert recall(body) == State(head=site.project.head, sequence=2)
    assert sorted(standing(site)[IDS[0]]) == [False, True]


def _meet(at: threading.Barrier) -> None:
    at.wait()


def test_lines_that_moved_off_the_diff_are_told_and_nothing_else_suffers(site: GitLab) -> None:
    said = answer(site, IDS[:2])
    lost = replace(said.remarks[0], start_line=900, end_line=900)
    told = say(site, replace(said, remarks=(lost, said.remarks[1])))
    assert not told.problems
    assert any("1 of 2 remarks" in note for note in told.notes)
    assert standing(site) == {IDS[1]: [False]}


def test_a_head_that_moved_gets_its_status_and_nothing_else(site: GitLab) -> None:
    old = answer(site, IDS[:2])
    push(site, 99)
    told = say(site, old)
    assert told.done == ["check"]
    assert site.project.statuses[0]["sha"] == old.head
    assert summaries(site) == [] and standing(site) == {}


def test_a_refused_surface_does_not_stop_the_others(site: GitLab) -> None:
    site.refuse = [Refuse("POST", "/statuses/", 403)]
    told = say(site, answer(site, IDS[:1]))
    assert told.done == ["comment", "review threads"]
    (problem,) = told.problems
    assert "scope api" in problem


def test_hostile_words_in_a_finding_are_shown_and_not_obeyed(site: GitLab) -> None:
    word = "\n/approve\r\n/merge\n```suggestion\n/close\n```\n"
    say(site, answer(site, IDS[:2], 1, word), 1)
    say(site, answer(site, IDS[:2], 2, word + "/label ~x"), 2)
    assert site.project.obeyed == []
    assert "/merge" in summaries(site)[0]


def test_five_hundred_findings_are_written_within_the_limits(site: GitLab) -> None:
    ids = tuple(f"{number:016x}" for number in range(500))
    said = replace(answer(site, ids), remarks=answer(site, ids[:30]).remarks)
    told = say(site, said)
    assert not told.problems
    assert len(site.writes()) == 32
