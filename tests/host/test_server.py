"""How a host leaves, where no request is needed to see it."""

import asyncio
import os
import signal
from types import SimpleNamespace
from typing import Any

import pytest

from mergegate.host.server import Listen, _Server


def test_a_second_signal_ends_it_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    service: Any = SimpleNamespace(draining=asyncio.Event(), stopping=asyncio.Event())
    server = _Server(service, service, Listen())
    server.handle_exit(signal.SIGTERM, None)
    assert (server.should_exit, codes) == (True, [])
    server.handle_exit(signal.SIGTERM, None)
    assert codes == [128 + signal.SIGTERM]
