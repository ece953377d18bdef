"""Bodies that never come to an end."""

import asyncio
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request

from mergegate.host.api import request_parsing
from mergegate.host.api.problems import Code, Refusal

PIECE = {"type": "http.request", "body": b" ", "more_body": True}
GONE = {"type": "http.disconnect"}

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("anyio_backend", ["asyncio"])]


def request(*messages: dict[str, Any]) -> Request:
    """Sends ``messages``, and then nothing."""
    left = list(messages)

    async def receive() -> dict[str, Any]:
        if not left:
            await asyncio.Event().wait()
        return left.pop(0)

    return Request({"type": "http", "headers": []}, receive)


async def test_a_body_that_does_not_go_on_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(request_parsing, "_SLOWEST_S", 0.01)
    with pytest.raises(Refusal) as refused:
        await request_parsing.content_of(request(PIECE))
    assert refused.value.code is Code.REQUEST_TIMEOUT
    assert refused.value.headers == {"Connection": "close"}


async def test_whoever_leaves_in_the_middle_is_gone() -> None:
    with pytest.raises(ClientDisconnect):
        await request_parsing.content_of(request(PIECE, GONE))


async def test_a_body_that_is_too_large_is_drained_for_a_while_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(request_parsing, "_DRAINED_S", 0.01)
    with pytest.raises(Refusal) as refused:
        await request_parsing.content_of(request(PIECE, PIECE, PIECE), most_bytes=1)
    assert refused.value.code is Code.PAYLOAD_TOO_LARGE
