"""What commits brought and took away again is searched, wherever a commit may put it."""

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest

from mergegate.core.report import EngineStatus
from mergegate.core.severity import Confidence
from mergegate.core.tree import Reason
from mergegate.repo.cache import RunMemory
from mergegate.sandbox.engines.engine import EngineContext, Gathered
from mergegate.sandbox.files.checkout import read_tree
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.git.repository import Repository
from mergegate.secrets import history
from mergegate.secrets.history import ChangeSearch
from tests.sandbox.git.test_repository import commit, git
from tests.secrets.mint import minted


def token(seed: int) -> str:
    return minted("ghp_<alnum:30><crc62>", seed)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    (root / "old.py").write_text(f"OLD = '{token(0)}'\n")
    (root / "app.py").write_text("one\n")
    commit(root, "first")
    git(root, "checkout", "-q", "-b", "topic")
    return root


def write(root: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = root / name.replace("__", "/").replace("_py", ".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def removed(root: Path, *names: str) -> None:
    for name in names:
        (root / name).unlink()
    commit(root, "removed")


@pytest.fixture
def stage() -> Iterator[Stage]:
    with Stage() as stage:
        yield stage


def search(root: Path, stage: Stage, **context: object) -> Gathered:
    repository = Repository(root)
    here = EngineContext(stage, **context)  # type: ignore[arg-type]
    return ChangeSearch(repository, git(root, "rev-parse", "main"), RunMemory()).gather(
        read_tree(root, repository=repository), here, {}
    )


def told(gathered: Gathered) -> list[tuple[str, int]]:
    """Path and line of what commits held, a message without a path."""
    return [(past.path, past.match.line) for past in gathered.facts[0].history]


def test_what_was_removed_again_is_found_in_every_place(root: Path, stage: Stage) -> None:
    write(
        root,
        plain_py=f"import os\nTOKEN = '{token(1)}'\n",
        far_py="x = 1\n" * 60_000 + f"TOKEN = '{token(2)}'\n",
        wide_py="x = '" + "y " * 20_000 + f"{token(3)}'\n",
    )
    (root / ".gitattributes").write_text("*.py binary -diff\n")
    commit(root, "added")
    removed(root, "plain.py", "far.py", "wide.py")
    found = search(root, stage)
    assert sorted(told(found)) == [("far.py", 60_001), ("plain.py", 2), ("wide.py", 1)]
    assert (found.run.status, found.limited) == (EngineStatus.OK, ())


def test_what_a_merge_itself_brings_is_found_and_what_it_joins_is_told_once(
    root: Path, stage: Stage
) -> None:
    write(root, a_py=f"TOKEN = '{token(1)}'\n")
    commit(root, "one side")
    git(root, "checkout", "-q", "-b", "side", "main")
    write(root, b_py=f"TOKEN = '{token(2)}'\n")
    commit(root, "other side")
    git(root, "checkout", "-q", "topic")
    git(root, "merge", "-q", "--no-commit", "side")
    write(root, evil_py=f"TOKEN = '{token(3)}'\n", app_py=f"TOKEN = '{token(4)}'\n")
    commit(root, "merge")
    write(root, app_py="one\n")
    removed(root, "a.py", "b.py", "evil.py")
    assert sorted(told(search(root, stage))) == [(f"{n}.py", 1) for n in ("a", "app", "b", "evil")]


def test_what_stood_before_the_commit_was_not_brought_by_it(root: Path, stage: Stage) -> None:
    write(root, old_py=f"OLD = '{token(0)}'\nmore = 1\n")
    commit(root, "a line more")
    git(root, "mv", "old.py", "moved.py")
    commit(root, "moved")
    removed(root, "moved.py")
    assert told(search(root, stage)) == []


def test_what_still_stands_is_the_trees(root: Path, stage: Stage) -> None:
    write(root, kept_py=f"TOKEN = '{token(1)}'\n")
    commit(root, "kept")
    found = search(root, stage)
    assert [file.path for file in found.facts[0].files] == ["kept.py", "old.py"]
    assert told(found) == []


def test_a_message_is_searched_and_a_sentence_is_believed_less(root: Path, stage: Stage) -> None:
    write(root, app_py="two\n")
    password = minted("<letters:3><digits:1>!<upper:1><lower:2><digits:2><lower:1>")
    head = commit(root, f"use {token(1)}\n\nrun `curl -u app:{password} https://ci.acme.io`")
    found = [
        (past.commit, past.path, past.match.detector, past.match.confidence)
        for past in search(root, stage).facts[0].history
    ]
    assert found == [
        (head, "", "github-token", Confidence.HIGH),
        (head, "", "command-line-password", Confidence.MEDIUM),
    ]


def test_what_a_sentence_says_of_passwords_is_none(root: Path, stage: Stage) -> None:
    write(root, app_py="two\n")
    commit(root, "the password: 'letmein22' is no default any more\n\npassword=swordfish1")
    assert search(root, stage).facts[0].history == ()


def test_a_path_that_the_policy_excludes_is_not_searched(root: Path, stage: Stage) -> None:
    write(root, out__a_py=f"TOKEN = '{token(1)}'\n", b_py=f"TOKEN = '{token(2)}'\n")
    commit(root, "added")
    removed(root, "out/a.py", "b.py")
    assert told(search(root, stage, excludes=lambda path: path.startswith("out/"))) == [("b.py", 1)]


def test_a_folder_of_the_repository_is_searched_alone(root: Path, stage: Stage) -> None:
    write(root, sub__a_py=f"TOKEN = '{token(1)}'\n", b_py=f"TOKEN = '{token(2)}'\n")
    commit(root, "added")
    write(root, sub__kept_py="1\n")
    removed(root, "sub/a.py", "b.py")
    assert told(search(root / "sub", stage)) == [("a.py", 1)]


def test_every_limit_that_is_reached_is_named(
    root: Path, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, big_py="x = 1\n" * 40, small_py="y = 2\n" * 10, last_py="z = 3\n" * 10)
    commit(root, "added")
    removed(root, "big.py", "small.py", "last.py")
    monkeypatch.setattr(history, "LARGEST_BYTES", 200)
    monkeypatch.setattr(history, "MOST_BYTES", 100)
    found = search(root, stage)
    assert found.run.status is EngineStatus.LIMITED
    assert sorted((one.path, one.cause) for one in found.limited) == [
        ("big.py", Reason.SIZE),
        ("small.py", Reason.LIMIT),
    ]


def test_commits_are_searched_once_for_all_trees_of_a_scan(root: Path, stage: Stage) -> None:
    write(root, a_py=f"TOKEN = '{token(1)}'\n")
    commit(root, "added")
    removed(root, "a.py")
    repository = Repository(root)
    searching = ChangeSearch(repository, git(root, "rev-parse", "main"), RunMemory())
    tree = read_tree(root, repository=repository)
    first = searching.gather(tree, EngineContext(stage), {})
    object.__setattr__(repository, "root", Path("/nonexistent"))
    assert searching.gather(tree, EngineContext(stage), {}).facts == first.facts


def test_what_is_spelled_otherwise_is_found_in_commits_and_brought_by_no_rename(
    root: Path, stage: Stage
) -> None:
    spelled = f"call('{token(1)[:4]}'\n     '{token(1)[4:]}')\n"
    write(root, a_py=spelled, b_py=f"call('{base64.b64encode(token(2).encode()).decode()}')\n")
    commit(root, "added")
    git(root, "mv", "a.py", "moved.py")
    commit(root, "moved")
    removed(root, "moved.py", "b.py")
    assert told(search(root, stage)) == [("a.py", 1), ("b.py", 1)]
