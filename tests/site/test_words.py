"""Amounts as people read them, and texts that never grow too long."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergegate.site.words import amount, counted, cut, duration, is_switch, listed, size


@settings(deadline=None)
@given(st.text(max_size=3000), st.integers(1, 400))
def test_what_is_cut_is_one_line_within_its_bound(text: str, most: int) -> None:
    shown = cut(text, most)
    assert len(shown) <= most
    assert "\n" not in shown


@pytest.mark.parametrize(
    ("bytes", "expected"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1 kB"),
        (999_499, "999 kB"),
        (999_600, "1.0 MB"),
        (2_398_321, "2.4 MB"),
    ],
)
def test_sizes_are_told_in_their_unit(bytes: int, expected: str) -> None:
    assert size(bytes) == expected


@pytest.mark.parametrize(
    ("ms", "expected"), [(340, "340 ms"), (999.4, "999 ms"), (999.6, "1.0 s"), (4380, "4.4 s")]
)
def test_durations_are_told_in_their_unit(ms: float, expected: str) -> None:
    assert duration(ms) == expected


def test_a_saving_of_layout_shift_has_no_unit() -> None:
    assert (amount("CLS", 0.123), amount("LCP", 1240)) == ("0.12", "1.2 s")


@pytest.mark.parametrize(
    ("number", "expected"), [(0, "0 pages"), (1, "1 page"), (1_200, "1,200 pages")]
)
def test_a_number_goes_with_its_noun(number: int, expected: str) -> None:
    assert counted(number, "page") == expected


@pytest.mark.parametrize(
    ("parts", "expected"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_the_last_part_is_joined_by_a_word(parts: list[str], expected: str) -> None:
    assert listed(parts) == expected


@pytest.mark.parametrize("text", ["[−]", "[+]", "▼", "►", " × ", "☰"])
def test_a_sign_that_folds_or_closes_is_a_switch(text: str) -> None:
    assert is_switch(text)


@pytest.mark.parametrize("text", ["", "»", "›", "→", "2", "+ Tea", "Open", "…"])
def test_what_may_lead_on_is_no_switch(text: str) -> None:
    assert not is_switch(text)
