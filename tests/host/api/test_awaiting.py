"""How many callers may wait for their scans, and what a full host does for whoever asks."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from mergegate.core.plans import Tool
from mergegate.host.api.awaiting import line, result_of
from mergegate.host.api.problems import Code, Refusal
from mergegate.host.api.trail import Trail, lay


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_who_finds_no_place_is_sent_away_and_does_not_wait_for_one() -> None:
    service: Any = SimpleNamespace(lines=asyncio.Semaphore(1))
    async with line(service):
        with pytest.raises(Refusal) as refused:
            async with asyncio.timeout(5), line(service):
                pytest.fail("there is no place")
    assert (refused.value.code, refused.value.retry_after_s) == (Code.OVERLOADED, 10)
    async with line(service):
        assert service.lines.locked()


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_nothing_goes_on_waiting_for_a_caller_who_is_given_up() -> None:
    for_ever = asyncio.Event()

    async def settled(_: str, __: float) -> bool:
        return await for_ever.wait()

    service: Any = SimpleNamespace(
        limits=SimpleNamespace(queued_s=1),
        watch=SimpleNamespace(settled=settled),
        stopping=asyncio.Event(),
    )
    request: Any = SimpleNamespace(receive=for_ever.wait, scope={})
    lay(request.scope, Trail("request-1"))
    caller: Any = SimpleNamespace(account_id="acc_1")
    before = asyncio.all_tasks()
    waiting = asyncio.create_task(result_of(request, service, caller, Tool.AUDIT, "aud_1"))
    while len(asyncio.all_tasks() - before) < 4:
        await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait({waiting})
    await asyncio.sleep(0)  # what is cancelled ends with the next turn
    assert asyncio.all_tasks() == before
