"""One answer, written once, whatever happens on the way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from mergegate.core.errors import ForgeError, OffDiff
from mergegate.core.report import Gate
from mergegate.forges.marker import Hiding, State, mark, recall, remember
from mergegate.forges.ports import Forge
from mergegate.forges.publication import Comment, Publication, Remark, Thread
from mergegate.forges.publish import publish

HEAD, LATER = "a" * 40, "b" * 40
IDS = tuple(f"{number:016x}" for number in range(9))


@dataclass
class Wall:
    """Comments and threads as a forge keeps them."""

    written: list[Comment] = field(default_factory=list)
    discussed: list[Thread] = field(default_factory=list)
    before_write: list[Callable[[], None]] = field(default_factory=list)
    off_diff: frozenset[str] = frozenset()
    broken: bool = False
    count: int = 0

    def comments(self) -> Sequence[Comment]:
        return tuple(self.written)

    def write(self, body: str) -> Comment:
        if self.broken:
            raise ForgeError("the forge refused", remedy="Grant it.")
        for meanwhile in self.before_write[:1]:
            self.before_write.clear()
            meanwhile()
        self.count += 1
        self.written.append(Comment(id=str(self.count), body=body))
        return self.written[-1]

    def edit(self, comment_id: str, body: str) -> None:
        self.written = [
            Comment(id=one.id, body=body) if one.id == comment_id else one for one in self.written
        ]

    def remove(self, comment_id: str) -> None:
        self.written = [one for one in self.written if one.id != comment_id]


@dataclass
class Threads:
    wall: Wall

    def threads(self) -> Sequence[Thread]:
        return tuple(self.wall.discussed)

    def open(self, remark: Remark) -> None:
        if remark.finding_id in self.wall.off_diff:
            raise OffDiff("no such line")
        id = str(len(self.wall.discussed))
        self.wall.discussed.append(Thread(id=id, comment_id=id, body=remark.body))

    def edit(self, thread: Thread, body: str) -> None:
        self._change(thread, replace(thread, body=body))

    def resolve(self, thread: Thread) -> None:
        self._change(thread, replace(thread, resolved=True, resolved_by_us=True))

    def reopen(self, thread: Thread) -> None:
        self._change(thread, replace(thread, resolved=False, resolved_by_us=False))

    def _change(self, old: Thread, new: Thread) -> None:
        self.wall.discussed = [new if one.id == old.id else one for one in self.wall.discussed]


@dataclass
class Check:
    announced: list[str] = field(default_factory=list)

    def announce(self, publication: Publication) -> Sequence[str]:
        self.announced.append(publication.head)
        return ()


def forge(wall: Wall, check: Check, head: str | None = None) -> Forge:
    return Forge(name="test", head=head, conversation=wall, reviews=Threads(wall), verdicts=check)


def answer(*ids: str, head: str = HEAD, sequence: int = 1) -> Publication:
    def comment(previous: State | None) -> str:
        pushes = previous.pushes if previous else ()
        state = State(head=head, sequence=sequence, pushes=pushes)
        return f"{len(ids)} findings of {head}\n\n{remember(state, Hiding.HTML)}"

    return Publication(
        head=head,
        gate=Gate.PASSED,
        headline="Passed",
        comment=comment,
        details="",
        remarks=tuple(
            Remark(
                finding_id=id,
                path="a.py",
                start_line=1,
                end_line=1,
                body=f"Finding\n\n{mark(id, Hiding.HTML)}",
            )
            for id in ids
        ),
        present=frozenset(ids),
    )


def test_ten_pushes_leave_one_comment_and_no_stale_thread() -> None:
    wall, check = Wall(), Check()
    for number in range(10):
        ids = [id for place, id in enumerate(IDS) if (number + place) % 3]
        publish(answer(*ids, sequence=number), forge(wall, check), number)
    assert len(wall.written) == 1
    assert len(wall.discussed) == len({one.body for one in wall.discussed})
    standing = {one.body[-20:-4] for one in wall.discussed if not one.resolved}
    assert standing == {id for place, id in enumerate(IDS) if (9 + place) % 3}


def test_two_runs_at_once_leave_the_newest_answer_once() -> None:
    wall, check = Wall(), Check()
    newer = answer(IDS[0], head=LATER, sequence=2)
    wall.before_write.append(lambda: _publish(newer, wall, check, 2))
    publish(answer(sequence=1), forge(wall, check), 1)
    (comment,) = wall.written
    assert recall(comment.body) == State(head=LATER, sequence=2)


def test_two_runs_at_once_the_other_way_round() -> None:
    wall, check = Wall(), Check()
    older = answer(sequence=1)
    wall.before_write.append(lambda: _publish(older, wall, check, 1))
    publish(answer(IDS[0], head=LATER, sequence=2), forge(wall, check), 2)
    (comment,) = wall.written
    assert recall(comment.body) == State(head=LATER, sequence=2)


def _publish(publication: Publication, wall: Wall, check: Check, sequence: int) -> None:
    publish(publication, forge(wall, check), sequence)


def test_a_head_that_moved_gets_its_check_and_nothing_else() -> None:
    wall, check = Wall(), Check()
    said = publish(answer(IDS[0]), forge(wall, check, head=LATER), 1)
    assert check.announced == [HEAD]
    assert (wall.written, wall.discussed) == ([], [])
    assert "moved on" in said.notes[0]


def test_what_one_surface_refuses_the_others_still_get() -> None:
    wall, check = Wall(broken=True), Check()
    said = publish(answer(IDS[0]), forge(wall, check), 1)
    assert said.done == ["check", "review threads"]
    assert said.problems == ["comment: the forge refused. Grant it."]


def test_a_line_off_the_diff_is_told_and_the_next_is_tried() -> None:
    wall, check = Wall(off_diff=frozenset({IDS[0]})), Check()
    said = publish(answer(IDS[0], IDS[1]), forge(wall, check), 1)
    assert len(wall.discussed) == 1
    assert said.notes[0].startswith("1 of 2 remarks")
    assert said.problems == []


def test_an_incomplete_scan_closes_no_thread() -> None:
    wall, check = Wall(), Check()
    publish(answer(IDS[0]), forge(wall, check), 1)
    publish(replace(answer(sequence=2), complete=False), forge(wall, check), 2)
    assert [one.resolved for one in wall.discussed] == [False]
    publish(answer(sequence=3), forge(wall, check), 3)
    assert [one.resolved for one in wall.discussed] == [True]
