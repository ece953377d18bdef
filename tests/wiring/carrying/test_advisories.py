"""What a scan without a network needs is there before it begins, asked for once."""

import os
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mergegate.wiring.carrying.advisories import Advisories, ecosystems
from mergegate.wiring.scanning import Stock


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tree = tmp_path / "tree"
    for path in ("web/package-lock.json", "requirements/dev.txt", ".git/go.mod", "a/Cargo.toml"):
        (tree / path).parent.mkdir(parents=True)
        (tree / path).write_text("")
    (tree / "go.mod").symlink_to("/dev/zero")
    (tree / "notes.txt").write_text("")
    return tree


@dataclass(frozen=True)
class Counting(Stock):
    """A store that nothing can be had for."""

    fills: list[list[str]] = field(default_factory=list)

    def fill(self, ecosystems: Iterable[str]) -> None:
        self.fills.append(list(ecosystems))


@pytest.fixture
def stock(tmp_path: Path) -> Counting:
    return Counting(tmp_path / "advisories.sqlite", fetch=True)


def test_ecosystems_are_known_by_the_names_of_files(tree: Path) -> None:
    assert sorted(ecosystems(tree)) == ["Go", "PyPI", "crates.io", "npm"]


def test_folders_nested_without_end_end_nothing(tmp_path: Path) -> None:
    inside = os.open(tmp_path, os.O_RDONLY)
    for _ in range(2500):
        os.mkdir("a", dir_fd=inside)
        inner = os.open("a", os.O_RDONLY, dir_fd=inside)
        os.close(inside)
        inside = inner
    os.close(inside)
    (tmp_path / "go.mod").touch()
    try:
        assert list(ecosystems(tmp_path)) == ["Go"]
    finally:  # pytest itself could not remove it
        subprocess.run(["rm", "-rf", tmp_path / "a"], check=True)


def test_what_could_not_be_had_is_not_asked_for_at_every_scan(tree: Path, stock: Counting) -> None:
    now = [0.0]
    kept = Advisories(stock, clock=lambda: now[0])
    kept.prepare(tree)
    now[0] = 599
    kept.prepare(tree)
    (tree / "go.mod").unlink()
    now[0] = 601
    kept.prepare(tree)
    assert stock.fills == [["Go", "PyPI", "crates.io", "npm"], ["PyPI", "crates.io", "npm"]]


def test_a_tree_without_lock_files_needs_none(stock: Counting, tmp_path: Path) -> None:
    Advisories(stock).prepare(tmp_path)
    assert stock.fills == []
