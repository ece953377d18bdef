"""A repository on the stand-in, a clock, and tokens to come with."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from mergegate.core.change import Change, Provider, Trigger
from mergegate.forges.github.client import Pace
from mergegate.forges.github.forge import forge
from mergegate.forges.ports import Forge
from tests.forges.github.clock import Clock
from tests.forges.github.contract import kept
from tests.forges.github.hub import HEAD, NUMBER, REPOSITORY, Hub
from tests.forges.github.server import serving

PULL = Change(
    provider=Provider.GITHUB,
    repository=REPOSITORY,
    trigger=Trigger.CHANGE,
    head=HEAD,
    base_branch="main",
    number=NUMBER,
    run_url="https://github.example.org/acme/shop/actions/runs/1",
)
PUSH = replace(PULL, trigger=Trigger.PUSH, number=None)


@dataclass(frozen=True)
class Site:
    """The stand-in, and how to come to it."""

    hub: Hub
    clock: Clock
    api_url: str
    requests: list[str]
    """What was sent, ``VERB path`` each; all of it valid by GitHub's own description."""

    def forge(self, token: str = "ghs-usual", change: Change = PULL, **pace: Any) -> Forge:
        now = self.clock.now
        own = Pace(sleep=self.clock.sleep, now=now, monotonic=now, **pace)
        return forge(change, token=token, api_url=self.api_url, pace=own)


@pytest.fixture
def site() -> Iterator[Site]:
    clock = Clock()
    hub = Hub(now=clock.now)
    with serving(hub) as api_url, kept(api_url) as requests:
        yield Site(hub, clock, api_url, requests)
