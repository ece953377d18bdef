"""What is written, edited, resolved and left alone."""

from mergegate.forges import publish
from mergegate.forges.marker import Hiding, State, mark, remember
from mergegate.forges.publication import Comment, Remark, Thread

A, B, C = ("a" * 16, "b" * 16, "c" * 16)


def body(finding: str, text: str = "says") -> str:
    return f"{text}\n\n{mark(finding, Hiding.HTML)}"


def remark(finding: str, text: str = "says") -> Remark:
    return Remark(
        finding_id=finding, path="a.py", start_line=1, end_line=1, body=body(finding, text)
    )


def thread(
    id: str, finding: str, *, resolved: bool = False, by_us: bool = False, text: str = "says"
) -> Thread:
    return Thread(
        id=id,
        comment_id=f"c{id}",
        body=body(finding, text),
        resolved=resolved,
        resolved_by_us=resolved and by_us,
    )


def comment(id: str, sequence: int) -> Comment:
    state = State(head="h" * 40, sequence=sequence)
    return Comment(id=id, body=f"Summary\n\n{remember(state, Hiding.HTML)}")


def test_the_oldest_comment_leads_and_remembers_the_newest() -> None:
    found = publish.summary([Comment(id="0", body="other"), comment("1", 3), comment("2", 7)])
    assert found.comment == comment("1", 3)
    assert found.state is not None
    assert found.state.sequence == 7
    assert [one.id for one in found.doubles] == ["2"]


def test_a_newer_run_is_not_overwritten() -> None:
    found = publish.summary([comment("1", 5)])
    assert found.outranks(4)
    assert not found.outranks(5)
    assert not found.outranks(6)


def test_a_damaged_state_is_no_reason_for_a_second_comment() -> None:
    found = publish.summary([Comment(id="1", body="<!-- mergegate:state AAAA -->")])
    assert found.comment is not None
    assert found.state is None
    assert not found.outranks(0)


def test_a_new_finding_opens_a_thread_and_a_known_one_does_not() -> None:
    plan = publish.threads([thread("1", A)], [remark(A), remark(B)], frozenset({A, B}))
    assert plan == publish.Threads(open=(remark(B),))


def test_a_thread_closes_when_its_finding_is_gone() -> None:
    gone = thread("1", A)
    assert publish.threads([gone], [], frozenset()) == publish.Threads(resolve=(gone,))


def test_a_thread_stays_when_its_finding_is_merely_not_shown() -> None:
    assert publish.threads([thread("1", A)], [], frozenset({A})) == publish.Threads()


def test_what_a_person_resolved_stays_resolved() -> None:
    closed = thread("1", A, resolved=True, text="old")
    assert publish.threads([closed], [remark(A)], frozenset({A})) == publish.Threads()


def test_what_we_resolved_opens_again_with_its_finding() -> None:
    closed = thread("1", A, resolved=True, by_us=True)
    plan = publish.threads([closed], [remark(A)], frozenset({A}))
    assert plan == publish.Threads(reopen=(closed,))


def test_a_second_thread_on_one_finding_is_closed() -> None:
    first, second = thread("1", A), thread("2", A)
    plan = publish.threads([first, second], [remark(A)], frozenset({A}))
    assert plan == publish.Threads(resolve=(second,))


def test_a_text_is_edited_when_it_says_something_else() -> None:
    old = thread("1", A, text="old")
    plan = publish.threads([old], [remark(A)], frozenset({A}))
    assert plan == publish.Threads(edit=((old, body(A)),))


def test_line_ends_and_trimmed_blanks_are_no_change() -> None:
    kept = Thread(id="1", comment_id="c1", body=body(A).replace("\n", " \r\n") + "\n")
    assert publish.threads([kept], [remark(A)], frozenset({A})) == publish.Threads()


def test_a_thread_without_our_mark_is_not_touched() -> None:
    other = Thread(id="9", comment_id="c9", body="a question")
    assert publish.threads([other], [], frozenset()) == publish.Threads()
