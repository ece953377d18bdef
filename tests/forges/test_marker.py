"""What our comments remember survives the forge, and nothing else is believed."""

import base64
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergegate.forges.marker import (
    Hiding,
    Push,
    State,
    Waiver,
    is_summary,
    mark,
    marked,
    recall,
    remember,
)

TEXTS = st.text(max_size=200)
STATES = st.builds(
    State,
    head=TEXTS,
    sequence=st.integers(0, 2**62),
    pushes=st.lists(
        st.builds(
            Push,
            head=TEXTS,
            gate=TEXTS,
            score=st.integers(0, 100),
            new=st.none() | st.integers(0, 9999),
            at=TEXTS,
        ),
        max_size=5,
    ).map(tuple),
    waivers=st.lists(
        st.builds(Waiver, id=TEXTS, reason=TEXTS, owner=TEXTS, expires=TEXTS), max_size=3
    ).map(tuple),
)


@given(STATES, st.sampled_from(Hiding), st.text(alphabet="ab\n", max_size=30))
def test_a_state_is_recalled_from_the_comment_around_it(
    state: State, hiding: Hiding, text: str
) -> None:
    body = f"{text}\n{remember(state, hiding)}\n{text}"
    assert recall(body) == state
    assert is_summary(body)


@given(STATES, st.sampled_from(Hiding))
def test_a_hidden_line_holds_nothing_that_ends_it(state: State, hiding: Hiding) -> None:
    line = remember(state, hiding)
    assert "\n" not in line
    assert line.count("-->") == (hiding is Hiding.HTML)
    assert line.count(")") == (hiding is Hiding.REFERENCE) * 1


@pytest.mark.parametrize(
    "packed",
    [
        "x",
        "AAAA",
        base64.urlsafe_b64encode(zlib.compress(b"[]")).decode(),
        base64.urlsafe_b64encode(zlib.compress(b'{"version":1}')).decode(),
        base64.urlsafe_b64encode(zlib.compress(b'{"version":9,"pushes":[]}')).decode(),
        base64.urlsafe_b64encode(zlib.compress(b'{"version":1,"pushes":3,"waivers":[]}')).decode(),
        base64.urlsafe_b64encode(zlib.compress(b" " * 9_000_000)).decode(),
        base64.urlsafe_b64encode(zlib.compress(b"[" * 100_000)).decode(),
    ],
)
def test_a_damaged_state_is_none_and_still_our_comment(packed: str) -> None:
    body = f"<!-- mergegate:state {packed} -->"
    assert recall(body) is None
    assert is_summary(body)


@pytest.mark.parametrize("hiding", Hiding)
def test_a_finding_is_found_by_its_mark(hiding: Hiding) -> None:
    assert marked(f"Text\n\n{mark('0123456789abcdef', hiding)}\n") == "0123456789abcdef"


def test_a_mark_in_the_middle_of_a_line_is_text() -> None:
    quoted = f"> {mark('0123456789abcdef', Hiding.HTML)}"
    assert marked(quoted) is None
    assert not is_summary(f"> {remember(State(head='a', sequence=1), Hiding.HTML)}")
