"""Markdown of Lighthouse becomes prose and references."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergegate.checks.audit.plain import cut, duration, prose, references, size


def test_learn_more_goes_and_other_links_keep_their_words() -> None:
    text = (
        "[Reduce its latency](https://a.example/l) with `gzip`. "
        "[Learn more about it](https://a.example/m)."
    )
    assert prose(text) == "Reduce its latency with gzip."


def test_references_are_https_alone_and_each_once() -> None:
    text = (
        "[a](https://a.example/) [b](http://b.example/) [c](https://a.example/) [d](javascript:x)"
    )
    assert references(text) == ("https://a.example/",)


@settings(deadline=None)
@given(st.text(max_size=3000), st.integers(1, 400))
def test_what_is_cut_is_one_line_within_its_bound(text: str, most: int) -> None:
    shown = cut(text, most)
    assert len(shown) <= most
    assert "\n" not in shown


@pytest.mark.parametrize(
    ("bytes", "expected"),
    [(0, "0 B"), (999, "999 B"), (1000, "1 kB"), (10**6, "1.0 MB"), (2_398_321, "2.4 MB")],
)
def test_sizes_are_told_in_their_unit(bytes: int, expected: str) -> None:
    assert size(bytes) == expected


@pytest.mark.parametrize(("ms", "expected"), [(340, "340 ms"), (999.4, "999 ms"), (4380, "4.4 s")])
def test_durations_are_told_in_their_unit(ms: float, expected: str) -> None:
    assert duration(ms) == expected
