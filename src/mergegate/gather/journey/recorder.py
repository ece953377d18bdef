"""What the browser says about a page while it lives: its faults, and what it still loads."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from playwright.async_api import CDPSession, Error

from mergegate.gather.journey.bounds import Bounds
from mergegate.gather.journey.telling import frames_of, spoken, thrown
from mergegate.gather.journey.vendors import vendor
from mergegate.gather.journey.words import address, clean
from mergegate.model.facts.journey import Fault, ScriptFault, StackFrame

Event = Mapping[str, Any]
_REFUSED = "Not let through: "
"""How answers of the way out begin (world/egress/conversation.py)."""
_REFUSALS = frozenset({400, 403, 408, 502, 503, 504})
_POLICY = 403
_HIDDEN = "net::ERR_BLOCKED_BY_ORB"
"""What Chromium keeps from a page that asked another origin for a picture or a script."""
_ANSWER_OF_OURS = {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
}
"""Headers of the way out; a site's own answers have a date besides."""
_SILENT = frozenset({"ping", "cspviolationreport", "preflight", "prefetch"})
"""Nobody misses them; a failed preflight is told with the request that it stands for."""
_STREAMS = frozenset({"eventsource", "websocket", "media"})
"""They may load for as long as the page is open."""
_LEAVING = frozenset({"net::ERR_ABORTED"})
"""The page, or whoever left it, changed its mind."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request of the page."""

    url: str
    kind: str
    frames: tuple[StackFrame, ...]
    is_page: bool
    """Whether it is the document of the page itself."""


class Recorder:
    """Listens to one page until it is closed; made before the page is opened."""

    def __init__(self, frame: str, bounds: Bounds) -> None:
        self._frame = frame
        self._bounds = bounds
        self._heard = 0
        self._deaf = False
        self._stopping: asyncio.Task[None] | None = None
        self._own = ""
        self._asked: dict[str, _Asked] = {}
        self._pending: set[str] = set()
        self._faults: dict[ScriptFault, int] = {}
        self._revocable: dict[int, ScriptFault] = {}
        self._suspects: list[tuple[str, ScriptFault]] = []
        self._hidden: dict[str, tuple[int, bool]] = {}
        self._veiled: list[tuple[str, _Asked]] = []
        self._refused = 0
        self._worlds: set[int] = set()
        self._live: set[str] = set()
        self.document = ""
        """The request of the page that is shown now."""
        self.arrivals = 0
        """How many documents the page has been, one after the other."""
        self.crashed = False
        self.overflown = False
        """Whether it said more than is listened to."""

    @property
    def pending(self) -> int:
        """How many requests are on their way."""
        return len(self._pending)

    @property
    def talks(self) -> bool:
        """Whether it holds a connection on which it can send without asking."""
        return bool(self._live)

    def belongs_to(self, host: str) -> None:
        """Whose faults are the site's own."""
        self._own = host

    def close(self) -> None:
        """Hear nothing from here on."""
        self._deaf = True

    def listen(self, session: CDPSession) -> None:
        """Before the domains Page, Runtime, Network and Inspector are enabled."""
        answers: dict[str, Callable[[Event], None]] = {
            "Runtime.executionContextCreated": self._world,
            "Runtime.exceptionThrown": self._thrown,
            "Runtime.exceptionRevoked": self._revoked,
            "Runtime.consoleAPICalled": self._console,
            "Network.requestWillBeSent": self._sent,
            "Network.responseReceivedExtraInfo": self._hinted,
            "Network.responseReceived": self._received,
            "Network.loadingFinished": self._finished,
            "Network.loadingFailed": self._failed,
            "Network.webSocketCreated": self._opened,
            "Network.webTransportCreated": self._opened,
            "Network.webSocketClosed": self._closed,
            "Page.frameNavigated": self._arrived,
            "Inspector.targetCrashed": self._crashed,
        }
        for event, answer in answers.items():
            session.on(event, self._bounded(answer, session))

    def faults(self) -> tuple[ScriptFault, ...]:
        """Each once with its number, in an order that does not depend on time."""
        known = [replace(one, count=count, vendor=self._vendor(one)) for one, count in self._all()]
        return tuple(
            sorted(known, key=lambda one: (one.fault, one.url, one.message, str(one.frames)))
        )

    async def settle(self, session: CDPSession) -> int:
        """Ask what the way out, not the site, answered; how many requests it did not let out."""
        for request, fault in self._suspects:
            body = await _body(session, request)
            if not body.startswith(_REFUSED):
                continue
            self._faults.pop(fault, None)
            self._turned_away(fault)
        for request, asked in self._veiled:
            self._unveil(asked, *self._hidden.get(request, (None, False)))
        self._suspects.clear()
        self._veiled.clear()
        return self._refused

    def _unveil(self, asked: _Asked, status: int | None, ours: bool) -> None:
        """Not before the end: the head of an answer may be told after its failure."""
        message = "" if status else _HIDDEN.removeprefix("net::")
        fault = _request(asked, status=status, message=message)
        (self._turned_away if ours else self._note)(fault)

    def _turned_away(self, fault: ScriptFault) -> None:
        """The way out answered: the scan may not go there, or nobody is there."""
        if fault.status == _POLICY:
            self._refused += 1
        else:
            self._note(replace(fault, status=None, message="the server did not answer"))

    def _bounded(
        self, answer: Callable[[Event], None], session: CDPSession
    ) -> Callable[[Event], None]:
        def heard(event: Event) -> None:
            self._heard += 1
            if self._heard > self._bounds.events:
                self._overflow(session)
            elif not self._deaf:
                answer(event)

        return heard

    def _overflow(self, session: CDPSession) -> None:
        """Have the browser say no more: what one page says holds up what others have to say."""
        if self._stopping is None:
            self.overflown = True
            self._pending.clear()
            self._stopping = asyncio.get_running_loop().create_task(_silenced(session))

    def _all(self) -> list[tuple[ScriptFault, int]]:
        return [(one, count) for one, count in self._faults.items() if count > 0]

    def _note(self, fault: ScriptFault) -> None:
        if fault in self._faults or len(self._faults) < self._bounds.faults:
            self._faults[fault] = self._faults.get(fault, 0) + 1
        else:
            self.overflown = True

    def _vendor(self, fault: ScriptFault) -> str | None:
        """Of what was asked for; of an error whose innermost script it is."""
        inner = next((one.url for one in fault.frames if one.url), fault.url)
        return vendor(fault.url if fault.fault is Fault.REQUEST else inner, self._own)

    def _world(self, event: Event) -> None:
        context = event["context"]
        if not (context.get("auxData") or {}).get("isDefault"):
            self._worlds.add(context["id"])

    def _thrown(self, event: Event) -> None:
        details = event["exceptionDetails"]
        if details.get("executionContextId") in self._worlds:
            return
        fault = thrown(details)
        self._revocable[details["exceptionId"]] = fault
        self._note(fault)

    def _revoked(self, event: Event) -> None:
        """A rejection that was handled after all."""
        fault = self._revocable.pop(event["exceptionId"], None)
        if fault in self._faults:
            self._faults[fault] -= 1

    def _console(self, event: Event) -> None:
        if event["type"] != "error" or event.get("executionContextId") in self._worlds:
            return
        frames = frames_of(event.get("stackTrace"))
        self._note(
            ScriptFault(
                fault=Fault.CONSOLE,
                message=spoken(event["args"]),
                url=frames[0].url if frames else "",
                frames=frames,
            )
        )

    def _sent(self, event: Event) -> None:
        url = event["request"]["url"]
        kind = str(event.get("type", "Other")).lower()
        if not url.startswith(("http://", "https://")):
            return
        request = event["requestId"]
        is_page = kind == "document" and event.get("frameId") == self._frame
        frames = frames_of((event.get("initiator") or {}).get("stack"))
        self._asked[request] = _Asked(address(url), kind, frames, is_page)
        if is_page:
            self.document = request
        if kind not in _STREAMS and kind not in _SILENT:
            self._pending.add(request)

    def _received(self, event: Event) -> None:
        status = int(event["response"]["status"])
        asked = self._asked.get(event["requestId"])
        if asked is None or status < 400 or not _matters(asked):
            return
        fault = _request(asked, status=status)
        self._asked.pop(event["requestId"])
        self._note(fault)
        plain = str(event["response"].get("mimeType")) == "text/plain"
        if plain and status in _REFUSALS and len(self._suspects) < self._bounds.faults:
            self._suspects.append((event["requestId"], fault))

    def _hinted(self, event: Event) -> None:
        """Of an answer that is kept from the page there is no more than its head."""
        status = int(event["statusCode"])
        if status >= 400:
            headers = {name.lower(): value for name, value in event["headers"].items()}
            ours = "date" not in headers and _ANSWER_OF_OURS.items() <= headers.items()
            self._hidden[event["requestId"]] = (status, ours)

    def _finished(self, event: Event) -> None:
        self._pending.discard(event["requestId"])

    def _failed(self, event: Event) -> None:
        self._pending.discard(event["requestId"])
        asked = self._asked.pop(event["requestId"], None)
        error = clean(event.get("errorText"))
        if asked is None or event.get("canceled") or error in _LEAVING or not _matters(asked):
            return
        if error == _HIDDEN:
            self._veiled.append((event["requestId"], asked))
            return
        blocked = clean(event.get("blockedReason"))
        reason = f"blocked: {blocked}" if blocked else error.removeprefix("net::")
        self._note(_request(asked, message=reason))

    def _opened(self, event: Event) -> None:
        self._live.add(str(event.get("requestId") or event.get("transportId")))

    def _closed(self, event: Event) -> None:
        self._live.discard(str(event["requestId"]))

    def _arrived(self, event: Event) -> None:
        if "parentId" not in event["frame"]:
            self.arrivals += 1

    def _crashed(self, _: Event) -> None:
        self.crashed = True


def _matters(asked: _Asked) -> bool:
    """Nobody named ``/favicon.ico``; what the page itself answered is its status."""
    icon = asked.kind == "other" and asked.url.partition("?")[0].endswith("/favicon.ico")
    return not asked.is_page and not icon and asked.kind not in _SILENT


def _request(asked: _Asked, *, status: int | None = None, message: str = "") -> ScriptFault:
    return ScriptFault(
        fault=Fault.REQUEST,
        message=message or f"it answered {status}",
        url=asked.url,
        frames=asked.frames,
        status=status,
        resource=asked.kind,
    )


async def _silenced(session: CDPSession) -> None:
    for domain in ("Runtime", "Network"):
        with contextlib.suppress(Error):  # the page is gone
            await session.send(f"{domain}.disable")


async def _body(session: CDPSession, request: str) -> str:
    try:
        answer = await session.send("Network.getResponseBody", {"requestId": request})
    except Error:
        return ""
    return str(answer.get("body", "")) if not answer.get("base64Encoded") else ""
