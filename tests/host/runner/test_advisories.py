"""What a scan without a network needs is there before it begins, asked for once."""

import os
import subprocess
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mergegate.core.errors import StoreError
from mergegate.host.runner.advisories import Advisories, Importer, ecosystems, host_stock
from mergegate.host.settings import service_settings
from mergegate.packages.advisories import Stock, update
from mergegate.packages.dependencies import AdvisorySource
from tests.packages.test_advisories import RECORDS


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


def test_whoever_lacks_nothing_waits_for_nobody(tree: Path, tmp_path: Path) -> None:
    """Another scan may fetch for minutes."""
    begun, go_on = threading.Event(), threading.Event()

    class Slow(Counting):
        def fill(self, ecosystems: Iterable[str]) -> None:
            begun.set()
            assert go_on.wait(60)

    stock = Slow(tmp_path / "advisories.sqlite", fetch=True)
    update(RECORDS, stock.file, ecosystems=("Go", "PyPI", "npm"))
    kept = Advisories(stock)
    other = threading.Thread(target=kept.prepare, args=(tree,))
    other.start()
    assert begun.wait(60)
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "package-lock.json").touch()
    kept.prepare(tmp_path / "web")
    assert other.is_alive()
    go_on.set()
    other.join()


def test_a_damaged_store_is_told_by_the_scan_alone(tree: Path, tmp_path: Path) -> None:
    stock = Counting(tmp_path / "advisories.sqlite", fetch=True)
    stock.file.write_bytes(b"not a database at all" * 300)
    Advisories(stock).prepare(tree)
    assert stock.fills == []


FETCHED = {
    "of the public dumps": ({}, True),
    "of a mirror": ({"MERGEGATE_ADVISORIES": "https://mirror.example.org/osv"}, True),
    "without a network": ({"MERGEGATE_OFFLINE": "1"}, False),
    "of what lies here, which is whole": ({"MERGEGATE_ADVISORIES": str(RECORDS)}, False),
}


@pytest.mark.parametrize(("environment", "fetches"), FETCHED.values(), ids=FETCHED)
def test_what_a_host_lacks_a_child_of_it_fetches(
    environment: dict[str, str],
    fetches: bool,
    tree: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[str, Sequence[str]]] = []

    def run(importer: Importer, ecosystems: Sequence[str]) -> Sequence[AdvisorySource]:
        asked.append((importer.source, ecosystems))
        raise StoreError("it could not be had")

    monkeypatch.setattr(Importer, "run", run)
    settings = service_settings(environment, tmp_path)
    Advisories(host_stock(settings, {})).prepare(tree)
    source = environment.get(
        "MERGEGATE_ADVISORIES", "https://osv-vulnerabilities.storage.googleapis.com"
    )
    assert asked == ([(source, ["Go", "PyPI", "crates.io", "npm"])] if fetches else [])
