"""How many callers may wait for their scans, and what a full host does for whoever asks."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from mergegate.core.plans import Tool
from mergegate.host.api import synchronous
from mergegate.host.api.problems import Code, Refusal
from mergegate.host.api.synchronous import ScanWatch


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_who_finds_no_place_is_sent_away_and_does_not_wait_for_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(synchronous, "MOST_CALLERS", 1)
    database: Any = None
    watch = ScanWatch(database)
    async with watch.place():
        with pytest.raises(Refusal) as refused:
            async with asyncio.timeout(5), watch.place():
                pytest.fail("there is no place")
    assert (refused.value.code, refused.value.retry_after_s) == (Code.OVERLOADED, 10)
    async with asyncio.timeout(5), watch.place():
        """There is one again."""


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_nothing_goes_on_waiting_for_a_caller_who_is_given_up() -> None:
    for_ever = asyncio.Event()

    class Silent(ScanWatch):
        async def settled(self, _: str, __: float) -> bool:
            return await for_ever.wait()

    database: Any = None
    request: Any = SimpleNamespace(receive=for_ever.wait)
    before = asyncio.all_tasks()
    result = Silent(database).wait(request, Tool.AUDIT, "aud_1")
    waiting = asyncio.create_task(result)
    while len(asyncio.all_tasks() - before) < 4:
        await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait({waiting})
    await asyncio.sleep(0)  # what is cancelled ends with the next turn
    assert asyncio.all_tasks() == before
