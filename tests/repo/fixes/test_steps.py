"""How one list becomes another."""

import pytest

from mergegate.repo.fixes.steps import Step, steps


def applied(old: list[str], new: list[str], found: list[Step]) -> list[str]:
    """What the steps make of the old list."""
    made: list[str] = []
    for tag, first, end, new_first, new_end in found:
        made += old[first:end] if tag == "equal" else new[new_first:new_end]
    return made


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", []),
        ("ab", "ab", [("equal", 0, 2, 0, 2)]),
        ("abc", "axc", [("equal", 0, 1, 0, 1), ("replace", 1, 2, 1, 2), ("equal", 2, 3, 2, 3)]),
        ("aa", "aaa", [("equal", 0, 2, 0, 2), ("insert", 2, 2, 2, 3)]),
        ("aba", "aa", [("equal", 0, 1, 0, 1), ("delete", 1, 2, 1, 1), ("equal", 2, 3, 1, 2)]),
        ("", "a", [("insert", 0, 0, 0, 1)]),
    ],
)
def test_the_steps_name_what_changes_alone(old: str, new: str, expected: list[Step]) -> None:
    found = list(steps(old, new))
    assert found == expected
    assert applied(list(old), list(new), found) == list(new)


def test_a_list_of_very_many_equal_items_is_no_trouble() -> None:
    many = ["x = 1"] * 60_000
    old, new = (["a", *many, one, *many, two, *many] for one, two in (("b", "c"), ("d", "e")))
    found = list(steps(old, new))
    assert applied(old, new, found) == new
    assert (found[0], found[-1]) == (
        ("equal", 0, 60_001, 0, 60_001),
        ("equal", 120_003, 180_003, 120_003, 180_003),
    )
