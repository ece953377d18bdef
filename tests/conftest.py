"""What end-to-end tests share: the installed command and a small repository."""

import gc
import json
import os
import shutil
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from mergegate.repo.settings import folders
from tests.ready import PROGRAM, Ended, Order, forked, started
from tests.sandbox.git.test_repository import commit, git

_SLOW = ("container", "slow")
# A busy machine proves nothing.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays until the end: looking through it for garbage finds none.

    It would take a third of the collection's time, and some of every test's.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="rare variants too, as every night")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Files with slow tests first: else one of these runs on when all others are done."""
    if not config.getoption("thorough"):
        _set_aside(config, items, {item for item in items if item.get_closest_marker("thorough")})
    slow = {item.path for item in items if any(map(item.get_closest_marker, _SLOW))}
    items.sort(key=lambda item: item.path not in slow)


def _set_aside(config: pytest.Config, items: list[pytest.Item], variants: set[pytest.Item]) -> None:
    """Said in the summary as deselected."""
    if variants:
        config.hook.pytest_deselected(items=list(variants))
        items[:] = [item for item in items if item not in variants]


CLEAN = '"""A clean module."""\n\n\ndef add(a: int, b: int) -> int:\n    return a + b\n'


@dataclass(frozen=True)
class Run:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        return dict(json.loads(self.out))


Mergegate = Callable[..., Run]
KEPT = folders().answers.name


@pytest.fixture(scope="session")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a machine that runs many jobs keeps what engines said of the same contents.

    One folder for all workers of a run: it is made to be used by several processes at a time.
    """
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "answers"
    (folder / "cache").mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def mergegate(tmp_path: Path, answers: Path) -> Mergegate:
    """The installed command, with its data in a folder of the test's own.

    What engines answered in an earlier test they are not asked again: many tests scan the same.
    """
    data = tmp_path / "data"
    (data / "cache").mkdir(parents=True)
    (data / "cache" / KEPT).symlink_to(answers / "cache" / KEPT)
    return command(tmp_path, data)


@pytest.fixture
def mergegate_started(tmp_path: Path) -> Mergegate:
    """The same, from an interpreter of its own each time: see ``tests.ready``."""
    return command(tmp_path, tmp_path / "data", started)


def command(folder: Path, data: Path, begin: Callable[[Order], Ended] = forked) -> Mergegate:
    """The installed command in ``folder``, with its answers kept in ``data``."""
    environment = {"PATH": "/usr/bin:/bin", "MERGEGATE_DATA_DIR": str(data)}

    def run(*arguments: str | Path, env: Mapping[str, str] = {}, cwd: Path = folder) -> Run:
        given = (PROGRAM, *map(str, arguments))
        return Run(*begin(Order(given, environment | dict(env), str(cwd.absolute()))))

    return run


@pytest.fixture(scope="session")
def _fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(tmp_path_factory.mktemp("fresh") / "repo")


@pytest.fixture
def repo(tmp_path: Path, _fresh: Path) -> Path:
    """As :func:`repository` makes it: a copy takes a tenth of the time."""
    return Path(shutil.copytree(_fresh, tmp_path / "repo", symlinks=True))


def repository(root: Path) -> Path:
    """A new repository at ``root`` with one clean commit on main."""
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    (root / "clean.py").write_text(CLEAN)
    commit(root, "clean")
    return root
