"""How many callers may wait for their scans, and what a full host does for whoever asks."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from mergegate.api.awaiting import line
from mergegate.api.problems import Code, Refusal


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
