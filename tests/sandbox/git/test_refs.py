"""What may be named to Git is what Git itself would take."""

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergegate.sandbox.git.names import is_branch, is_commit, is_nothing

LETTERS = st.text(alphabet="aé.-/@{}~^:?*[\\ \t\x7f$()lock", min_size=1, max_size=12)


def git_takes(name: str) -> bool:
    command = ["git", "check-ref-format", f"refs/heads/{name}"]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


@given(st.one_of(LETTERS, LETTERS.map("{}.lock".format), LETTERS.map("{}.lock/a".format)))
@settings(max_examples=150, deadline=None)
def test_git_agrees_on_what_is_a_branch(name: str) -> None:
    ours_alone = name.startswith("-") or name in {"@", "HEAD"}
    assert is_branch(name) == (git_takes(name) and not ours_alone)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a" * 40, True),
        ("0123456789abcdef" * 4, True),
        ("A" * 40, False),
        ("a" * 39, False),
        ("a" * 41, False),
        ("a" * 40 + "\n", False),
        ("\uff11" * 40, False),
        ("main", False),
    ],
)
def test_a_commit_is_named_in_full(text: str, expected: bool) -> None:
    assert is_commit(text) is expected


def test_zeros_are_no_commit() -> None:
    assert is_nothing("0" * 40) and is_nothing("0" * 64)
    assert not is_nothing("0" * 39 + "1") and not is_nothing("")
