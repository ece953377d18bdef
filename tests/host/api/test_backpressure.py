import asyncio
from collections.abc import Mapping
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest

from mergegate.core.plans import Lane
from mergegate.host.api.limits import Backpressure
from mergegate.host.api.problems import Refusal
from mergegate.host.store import scans

pytestmark = pytest.mark.anyio
FULL = dict.fromkeys(Lane, 3)


class Count:
    """Stands for the database: what a count finds, when it is let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go_on = asyncio.Event()
        self.asked = 0
        self.now_s = 100.0
        monkeypatch.setattr(scans, "backlog", self.backlog)

    @asynccontextmanager
    async def read(self) -> Any:
        yield None

    async def backlog(self, _: object) -> Mapping[Lane, int]:
        self.asked += 1
        await self.go_on.wait()
        return dict.fromkeys(Lane, 1)

    def backpressure(self) -> Backpressure:
        return Backpressure(cast("Any", self), FULL, lambda: self.now_s)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def count(monkeypatch: pytest.MonkeyPatch) -> Count:
    return Count(monkeypatch)


async def test_what_comes_while_it_is_counted_is_not_lost(count: Count) -> None:
    backpressure = count.backpressure()
    look = asyncio.create_task(backpressure.refresh())
    await asyncio.sleep(0)
    backpressure.add(Lane.LIGHT)
    backpressure.add(Lane.LIGHT)
    count.go_on.set()
    await look
    backpressure.check(Lane.BROWSER)
    with pytest.raises(Refusal):
        backpressure.check(Lane.LIGHT)


async def test_what_came_before_the_count_is_not_counted_twice(count: Count) -> None:
    backpressure = count.backpressure()
    count.go_on.set()
    backpressure.add(Lane.LIGHT)
    backpressure.add(Lane.LIGHT)
    await backpressure.refresh()
    backpressure.check(Lane.LIGHT)


async def test_one_asks_for_all_and_only_when_the_last_count_is_old(count: Count) -> None:
    backpressure = count.backpressure()
    count.go_on.set()
    await asyncio.gather(*(backpressure.refresh() for _ in range(20)))
    assert count.asked == 1
    count.now_s += 0.3
    await backpressure.refresh()
    assert count.asked == 2
