"""What probes are told."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from mergegate.host.api import handlers
from mergegate.host.api.handlers import Handlers
from mergegate.host.api.problems import Code, Refusal


class Frozen:
    """A database that neither answers nor fails."""

    @asynccontextmanager
    async def read(self) -> AsyncIterator[None]:
        await asyncio.Event().wait()
        yield


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.parametrize("asked", ["ready", "metrics"])
async def test_a_database_that_is_silent_is_not_waited_for(
    asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handlers, "_PROBE_S", 0.01)
    service: Any = SimpleNamespace(draining=asyncio.Event(), shows_metrics=True, database=Frozen())
    request: Any = None
    with pytest.raises(Refusal) as refused:
        await getattr(Handlers(service), asked)(request)
    assert refused.value.code is Code.OVERLOADED
