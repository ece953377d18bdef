"""A hosted repository with two branches, and the one way to it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from mergegate.core.change import Change, Provider
from mergegate.forges.locate import locate, locate_change
from mergegate.forges.pacing import Clock
from mergegate.forges.provider import Access, Located, Sought, Way
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import egress
from tests.forges.repositories.hosting import ALIVE, Hosting, hosting, mirrored
from tests.sandbox.git.test_repository import commit, git


@dataclass(frozen=True)
class Desk:
    """Asks the hosting, as any provider."""

    host: Hosting
    proxy: str

    def locate(
        self, provider: Provider, sought: Sought, token: str = ALIVE, base_url: str = ""
    ) -> Located:
        access = Access(provider=provider, base_url=base_url or self.host.url, token=token)
        return locate(sought, access, self._way)

    def locate_change(self, change: Change, token: str = ALIVE) -> Located:
        assert change.provider
        access = Access(provider=change.provider, base_url=self.host.url, token=token)
        return locate_change(change, access, self._way)

    @property
    def _way(self) -> Way:
        clock = Clock(sleep=lambda _: None)
        return Way(proxy=self.proxy, authorities=str(self.host.authorities), clock=clock)


@pytest.fixture(scope="session")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    work = tmp_path_factory.mktemp("work")
    git(work, "init", "-q", "-b", "main")
    for number in range(3):
        (work / "a.py").write_text(f"a = {number}\n")
        commit(work, f"main {number}")
    git(work, "checkout", "-q", "-b", "feature/új", "HEAD~1")
    (work / "b.py").write_text("b = 1\n")
    commit(work, "feature")
    return work


@pytest.fixture(scope="session")
def mirror(work: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mirrored(work, tmp_path_factory.mktemp("mirror") / "shop.git")


@pytest.fixture
def desk(mirror: Path, tmp_path: Path) -> Iterator[Desk]:
    with hosting(tmp_path, mirror) as host:
        policy = Policy(allowed=frozenset({("127.0.0.1", urlsplit(host.url).port or 0)}))
        with egress(policy) as way:
            yield Desk(host, way.url)
