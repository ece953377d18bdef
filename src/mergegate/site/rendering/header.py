"""Put a content security policy on a page's own answer, as its server would send it.

Chromium reads the policy of an answer that we give in the server's place; headers that are only
changed on the way (``Fetch.continueResponse``) come too late for it (seen in 156).
"""

import asyncio
import base64
import contextlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from playwright.async_api import CDPSession, Error

HEADER = "Content-Security-Policy"
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_OF_THE_BODY = frozenset({"content-encoding", "content-length", "transfer-encoding", "set-cookie"})
"""What no longer holds: the body comes unpacked, and the browser has the cookies already."""
_SCRIPT = re.compile(rb"<script(?=[\s>/])", re.IGNORECASE)
Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Worn:
    """A policy that a page is loaded under."""

    policy: str
    reports: bool = False
    """Whether it only reports; then the site's own policies stay in force."""
    nonce: str = ""
    """Given to every script that the server writes into the page; empty for none."""


class Dresser:
    """Dresses the document of one frame."""

    def __init__(self, session: CDPSession, frame: str, worn: Worn, most_bytes: int) -> None:
        self._session = session
        self._frame = frame
        self._worn = worn
        self._most_bytes = most_bytes
        self._running: set[asyncio.Task[None]] = set()
        self.failure = "the policy could not be put on the page"
        """Why the page went without; empty as soon as it does not."""

    async def begin(self) -> None:
        """Pause answers, before the page is opened; others may pause requests in other sessions."""
        self._session.on("Fetch.requestPaused", self._paused)
        pattern = {"urlPattern": "*", "resourceType": "Document", "requestStage": "Response"}
        await self._session.send("Fetch.enable", {"patterns": [pattern]})

    def _paused(self, event: Event) -> None:
        task = asyncio.get_running_loop().create_task(self._go_on(event))
        self._running.add(task)  # the loop itself holds tasks weakly
        task.add_done_callback(self._running.discard)

    async def _go_on(self, event: Event) -> None:
        with contextlib.suppress(Error):  # the page is gone, or went elsewhere
            if self._is_page(event):
                await self._dress(event)
            else:
                await self._let_pass(event)

    def _is_page(self, event: Event) -> bool:
        answered = "responseErrorReason" not in event and "responseStatusCode" in event
        return (
            answered
            and event["frameId"] == self._frame
            and event["responseStatusCode"] not in _REDIRECTS
        )

    async def _let_pass(self, event: Event) -> None:
        await self._session.send("Fetch.continueRequest", {"requestId": event["requestId"]})

    async def _dress(self, event: Event) -> None:
        given = {"requestId": event["requestId"]}
        answer = await self._session.send("Fetch.getResponseBody", given)
        body = _bytes(answer)
        if len(body) > self._most_bytes:
            self.failure = "the page is too large to be tried"
            await self._let_pass(event)
            return
        await self._session.send(
            "Fetch.fulfillRequest",
            {
                **given,
                "responseCode": event["responseStatusCode"],
                "responseHeaders": self._headers(event.get("responseHeaders", ())),
                "body": base64.b64encode(self._marked(body)).decode("ascii"),
            },
        )
        self.failure = ""

    def _headers(self, sent: Iterable[Mapping[str, str]]) -> list[dict[str, str]]:
        gone = _OF_THE_BODY if self._worn.reports else _OF_THE_BODY | {HEADER.lower()}
        name = f"{HEADER}-Report-Only" if self._worn.reports else HEADER
        kept = [dict(one) for one in sent if one["name"].lower() not in {*gone, name.lower()}]
        return [*kept, {"name": name, "value": self._worn.policy}]

    def _marked(self, body: bytes) -> bytes:
        """``body`` with the nonce in every script tag, also in those that scripts hold as text.

        Without quotes, which would end such a text; of two nonces browsers take the first.
        """
        nonce = self._worn.nonce.encode("ascii")
        return _SCRIPT.sub(b"<script nonce=" + nonce, body) if nonce else body


def _bytes(answer: Mapping[str, Any]) -> bytes:
    body = str(answer["body"])
    return base64.b64decode(body) if answer["base64Encoded"] else body.encode("utf-8", "replace")
