"""A patch is what Git applies, whatever the texts, and shows no line with a secret."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergegate.core.report import Mended
from mergegate.repo.fixes import patch

NAMES = ["a.py", "with blank.py", "ünï.py", 'quo"te.py', "tab\there.py", "deep/er/x.py"]


def mended(before: str, after: str, *secrets: int, path: str = "a.py") -> Mended:
    return Mended(
        path=path,
        name=path,
        fix_ids=("fix-1",),
        before=before,
        after=after,
        unshown=frozenset(secrets),
    )


def applied(folder: Path, one: Mended) -> str:
    file = folder / one.path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(one.before.encode())
    subprocess.run(["git", "apply", "-"], cwd=folder, input=patch.of(one).encode(), check=True)
    return file.read_bytes().decode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("patched")


LINES = st.lists(st.sampled_from(["a", "b", "", "c\r", "x = 1", "}", "\x0c"]), max_size=14)


@given(LINES, LINES, st.sampled_from(NAMES))
def test_git_makes_of_the_old_text_the_new_one(
    folder: Path, old: list[str], new: list[str], path: str
) -> None:
    one = mended("\n".join(old), "\n".join([*old[:3], *new, *old[5:]]), path=path)
    if one.before and one.after and patch.of(one):
        assert applied(folder, one) == one.after


def test_far_changes_are_hunks_of_their_own(folder: Path) -> None:
    before = "".join(f"{n}\n" for n in range(30))
    one = mended(before, before.replace("\n3\n", "\nx\n").replace("\n20\n", "\ny\n"))
    assert patch.of(one).count("@@ -") == 2
    assert applied(folder, one) == one.after


SHOWABLE = {1: True, 2: True, 3: False, 4: False, 5: False, 6: True, 9: True}
"""Line with a secret → whether the change of the fourth can be told."""


@pytest.mark.parametrize(("secret", "is_told"), SHOWABLE.items())
def test_context_ends_before_a_secret(folder: Path, secret: int, is_told: bool) -> None:
    before = "".join(f"line {n}\n" for n in range(1, 10))
    one = mended(before, before.replace("line 4", "new"), secret)
    assert bool(patch.of(one)) is is_told
    assert f"line {secret}" not in patch.of(one)
    if is_told:
        assert applied(folder, one) == one.after
