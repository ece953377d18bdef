"""A running host of the tests' own, a clock without real waits, a clone that was pushed."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from mergegate.core.render.formats import Surface
from mergegate.core.report import EngineRun, EngineStatus, Report
from mergegate.remote.client import Clock
from mergegate.remote.scan import ENGINES
from mergegate.site.render.formats import AUDIT_FORMATS, SECURITY_FORMATS, SEO_FORMATS, TEST_FORMATS
from tests.ci.jobs.conftest import first_pull, mergegate, pull  # noqa: F401 - fixtures
from tests.remote.stand_in import StandIn
from tests.sandbox.git.test_repository import commit, git


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    with StandIn().running() as host:
        yield host


@dataclass
class Ticking:
    """Sleeping moves the time, and takes none."""

    now_s: float = 0.0
    slept: list[float] = field(default_factory=list)

    def clock(self, chance: float = 0.5) -> Clock:
        async def sleep(seconds: float) -> None:
            self.slept.append(seconds)
            self.now_s += seconds
            await asyncio.sleep(0)

        return Clock(now=lambda: self.now_s, sleep=sleep, chance=lambda: chance)


@pytest.fixture
def ticking() -> Ticking:
    return Ticking()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone of an empty-handed provider, with one commit on main that was pushed."""
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "provider.git")
    root = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "provider.git", "clone")
    git(root, "checkout", "-q", "-b", "main")
    (root / "a.py").write_text("one\n")
    commit(root, "first")
    git(root, "push", "-q", "-u", "origin", "main")
    called(root, "https://x:secret@github.com/octo-org/shop.git")
    return root


def called(root: Path, url: str) -> None:
    """The origin's address, once what is needed was pushed to a folder."""
    git(root, "config", "remote.origin.url", url)


def whole(report: Report) -> Report:
    """With a word of every engine of a scan, as a host that ran them all tells of it."""
    named = {one.name for one in report.engines}
    idle = (EngineRun(name=name, status=EngineStatus.IDLE) for name in sorted(ENGINES - named))
    return replace(report, engines=(*report.engines, *idle))


def head(root: Path) -> str:
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def written() -> Callable[..., bytes]:
    """A report of a site tool as a host sends it."""
    formats: dict[str, Any] = {
        "audit": AUDIT_FORMATS,
        "browser-test": TEST_FORMATS,
        "security-scan": SECURITY_FORMATS,
        "seo": SEO_FORMATS,
    }
    return lambda tool, report: formats[tool]["json"].render(report, Surface()).encode()
