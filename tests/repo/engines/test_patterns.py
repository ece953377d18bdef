"""Patterns of scanned files take no longer than they are worth."""

import pytest

from mergegate.repo.engines.patterns import bounded


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("^.*:", "a:b"),
        ("[^a-zA-Z0-9]+", "x" * 250),
        ("^(web|api)$", "web"),
        (r"v(\d+)\.(\d+)\.(\d+)", "v1.2.3"),
        (r"[?*+|]\*\+", "x"),
        ("web-.*", "web-1"),
        ("(?:a)b", "ab"),
    ],
)
def test_an_honest_pattern_is_taken(pattern: str, text: str) -> None:
    assert bounded(pattern, text) is not None


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("(a+)+b", "a" * 30),
        ("(a|a)*b", "a" * 30),
        ("(a|a)" * 30 + "b", "a" * 40),
        ("a?" * 30 + "a" * 30, "a" * 30),
        ("a*a*a*a*b", "a" * 200),
        ("(a{1,50}){1,50}b", "a" * 200),
        ("a" * 201, "a"),
        ("a", "a" * 301),
        ("(?i)a", "a"),
        (r"\pL", "a"),
        ("(", "a"),
        ("a{99999999999999999999}", "a"),
    ],
)
def test_a_pattern_that_may_take_long_or_means_something_else_is_not(
    pattern: str, text: str
) -> None:
    assert bounded(pattern, text) is None
