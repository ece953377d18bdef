"""What the browser says about a page while it lives: its faults, and what it still loads."""

import asyncio
import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from time import time

from playwright.async_api import CDPSession, Error

from mergegate.site.browser_test.facts import Fault, ScriptFault, StackFrame
from mergegate.site.browser_test.journey import arrival
from mergegate.site.browser_test.journey.branches import (
    FRAME,
    Answer,
    Branch,
    Branches,
    Event,
    Line,
)
from mergegate.site.browser_test.journey.isolated import Bounds, script
from mergegate.site.browser_test.journey.telling import (
    address,
    clean,
    frames_of,
    logged,
    spoken,
    thrown,
    vendor,
)

_HIDDEN = "net::ERR_BLOCKED_BY_ORB"
"""What Chromium keeps from a page that asked another origin for a picture or a script."""
_SILENT = frozenset({"ping", "cspviolationreport", "preflight", "prefetch"})
"""Their failures are not reported; a failed preflight is reported with its request."""
_LOAD = "Failed to load resource:"
"""How Chromium logs a request that failed, which is told by itself."""
_WORKER = "worker"
"""The source of what the page's console repeats of its workers', which are listened to."""
_NO_WORKER = "Service Worker registration blocked by Playwright"
_QUOTED = re.compile(r"'((?:https?|wss?):[^']+)'")
_NOT_FETCHED = "TypeError: Failed to fetch"
"""What Chromium throws at a script whose call got no answer that it may read."""
_STREAMS = frozenset({"eventsource", "websocket", "media"})
"""They may load for as long as the page is open."""
_LEAVING = frozenset({"net::ERR_ABORTED"})
"""The page, or a navigation away from it, gave up the request."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request of the page."""

    url: str
    kind: str
    frames: tuple[StackFrame, ...]
    is_page: bool
    """Whether it is the document of the page itself."""


@dataclass(slots=True)
class _Ear:
    """How many messages are still listened to."""

    left: int
    is_spent: bool = False
    """Whether there were more."""


@dataclass(slots=True)
class Moment:
    """A stretch of time, in milliseconds since 1970; the browser stamps by the same clock."""

    start: float
    end: float = field(default=float("inf"))

    def holds(self, event: Event) -> bool:
        """Whether it happened then."""
        return self.start <= float(event["timestamp"]) <= self.end


class Recorder:
    """Listens to one page until it is closed; made before the page is opened."""

    def __init__(self, frame: str, bounds: Bounds) -> None:
        self._frame = frame
        self._bounds = bounds
        self._ear = _Ear(bounds.events)
        self._ear_beside = _Ear(bounds.events)
        self._branches = Branches(self._listen_beside, bounds.branches)
        self._deaf = False
        self._inputs: list[Moment] | None = None
        self._failing: set[str] = set()
        self._stopping: dict[Line, asyncio.Task[None]] = {}
        self._own = ""
        self._asked: dict[str, _Asked] = {}
        self._pending: set[str] = set()
        self._faults: dict[ScriptFault, int] = {}
        self._revocable: dict[tuple[Line, int], ScriptFault] = {}
        self._hidden: dict[str, tuple[int, str]] = {}
        self._doubted: list[tuple[str, ScriptFault]] = []
        self._refused: list[ScriptFault] = []
        self._origins: dict[tuple[Line, int], str] = {}
        self._ours: set[tuple[Line, int]] = set()
        self.document = ""
        """The request of the page that is shown now."""
        self.answer: Event | None = None
        """What the browser says of the answer to it, or of why there is none."""
        self.arrivals = 0
        """How many documents the page has been, one after the other."""
        self.crashed = False
        self.kept_out_worker = False
        """Whether the page wanted a service worker: none is let run here."""
        self.garbled = False
        """Whether something that it said could not be understood."""
        self._overflown = False

    @property
    def overflown(self) -> bool:
        """Whether the page itself said more than is listened to."""
        return self._overflown or self._ear.is_spent

    @property
    def overgrown(self) -> bool:
        """Whether what runs beside it did, or there was too much of that."""
        return self._ear_beside.is_spent or self._branches.overgrown

    @property
    def pending(self) -> int:
        """How many requests are on their way."""
        return len(self._pending)

    def belongs_to(self, host: str) -> None:
        """Whose faults are the site's own."""
        self._own = host

    def pause(self) -> None:
        """Hear nothing from here on."""
        self._deaf = True

    def hear_input(self) -> None:
        """Hear again what scripts throw, and that alone, at the moments of our own input."""
        self._deaf, self._inputs = False, []

    @contextlib.contextmanager
    def input(self) -> Iterator[None]:
        """The moment of one input; the caller stays until the page has answered it.

        What is thrown between two of them is of timers and of connections that were cut: whether
        that is heard would depend on the day.
        """
        moment = Moment(time() * 1000)
        if self._inputs is not None:
            self._inputs.append(moment)
        try:
            yield
        finally:
            moment.end = time() * 1000

    async def listen(self, session: CDPSession) -> None:
        """Listen to ``session``, before its Page, Runtime, Network and Inspector are enabled."""
        self._listen(session, self._ear)
        for event, answer in (
            ("Page.frameNavigated", self._arrived),
            ("Inspector.targetCrashed", self._crashed),
        ):
            session.on(event, self._bounded(answer, session, self._ear))
        await self._branches.grow(session)

    async def _listen_beside(self, branch: Branch) -> None:
        """What frames of others and workers say leaves the page itself its say."""
        self._listen(branch, self._ear_beside)
        if branch.kind == FRAME:
            await branch.send("Page.enable")
            given = {"source": script("console.js")}
            await branch.send("Page.addScriptToEvaluateOnNewDocument", given)
        for domain in ("Runtime", "Network", "Log"):
            await branch.send(f"{domain}.enable")

    def _listen(self, line: Line, ear: _Ear) -> None:
        answers: dict[str, Answer] = {
            "Runtime.executionContextCreated": partial(self._world, line),
            "Runtime.exceptionThrown": partial(self._thrown, line),
            "Runtime.exceptionRevoked": partial(self._revoked, line),
            "Runtime.consoleAPICalled": partial(self._console, line),
            "Log.entryAdded": self._logged,
            "Network.requestWillBeSent": self._sent,
            "Network.responseReceivedExtraInfo": self._hinted,
            "Network.responseReceived": self._received,
            "Network.loadingFinished": self._finished,
            "Network.loadingFailed": self._failed,
            "Network.webSocketCreated": self._connecting,
            "Network.webSocketHandshakeResponseReceived": self._finished,
            "Network.webSocketClosed": self._finished,
            "Target.attachedToTarget": self._begun,
        }
        for event, answer in answers.items():
            line.on(event, self._bounded(answer, line, ear))

    def faults(self) -> tuple[ScriptFault, ...]:
        """The faults, each once with its count, in an order that does not depend on time."""
        self.settle()
        known = [replace(one, count=count, vendor=self._vendor(one)) for one, count in self._all()]
        return tuple(
            sorted(known, key=lambda one: (one.fault, one.url, one.message, str(one.frames)))
        )

    def settle(self) -> tuple[ScriptFault, ...]:
        """The requests that the way out, not the site, refused; asked when all is said.

        The head of an answer that the page may not read can follow the word that it failed.
        """
        for request, fault in self._doubted:
            status, refusal = self._hidden.get(request, (None, ""))
            if status and fault.message == _HIDDEN.removeprefix("net::"):
                fault = _answering(fault, status)  # noqa: PLW2901 - the same one, better known
            self._answered(fault, status, refusal)
        self._doubted.clear()
        return tuple(self._refused)

    def _answered(self, fault: ScriptFault, status: int | None, refusal: str) -> None:
        """Note a failed answer of the server, or of the way out: forbidden, or no server there."""
        if not (refusal and fault.url.startswith("http://")):
            self._note(fault)
        elif status == arrival.POLICY:
            self._refused.append(fault)
        else:
            self._note(replace(fault, status=None, message="the server did not answer"))

    def _bounded(self, answer: Answer, line: Line, ear: _Ear) -> Answer:
        def heard(event: Event) -> None:
            ear.left -= 1
            if ear.left < 0:
                ear.is_spent = True
                self._overflow(line)
            elif not self._deaf:
                self._understand(answer, event)

        return heard

    def _understand(self, answer: Answer, event: Event) -> None:
        """Another Chromium may use other words; raised here, that would end the whole journey."""
        try:
            answer(event)
        except (KeyError, TypeError, ValueError, AttributeError):
            self.garbled = True

    def _overflow(self, line: Line) -> None:
        """Have the browser say no more: what one page says holds up what others have to say."""
        if line not in self._stopping:
            self._pending.clear()
            self._stopping[line] = asyncio.get_running_loop().create_task(_silenced(line))

    def _all(self) -> list[tuple[ScriptFault, int]]:
        return [
            (one, count)
            for one, count in self._faults.items()
            if count > 0
            and not self._is_echo(one)
            and not self._is_told(one)
            and not self._is_our_doing(one)
        ]

    def _is_our_doing(self, fault: ScriptFault) -> bool:
        """Whether a script only says that a request failed which the way out refused."""
        thrown = fault.fault in {Fault.REJECTION, Fault.UNCAUGHT} and fault.message == _NOT_FETCHED
        return thrown and any(set(one.frames) & set(fault.frames) for one in self._refused)

    def _is_told(self, fault: ScriptFault) -> bool:
        """Whether a word of the browser's is about a request that failed, ours to tell or not."""
        if fault.fault is not Fault.LOGGED:
            return False
        return any(url in self._failing for url in _QUOTED.findall(fault.message))

    def _is_echo(self, fault: ScriptFault) -> bool:
        """A worker repeats what a worker of its own threw, with ``null`` in place of the error."""
        return fault.message == "null" and any(
            (one.fault, one.frames) == (fault.fault, fault.frames) and one != fault
            for one in self._faults
        )

    def _say(self, fault: ScriptFault, event: Event) -> None:
        """Note what a script said or threw: once that input is tried, what input alone set off."""
        if self._inputs is None:
            self._note(fault)
        elif fault not in self._faults and any(one.holds(event) for one in self._inputs):
            self._note(replace(fault, by_input=True))

    def _note(self, fault: ScriptFault) -> None:
        if self._inputs is not None and not fault.by_input:
            return
        if fault in self._faults or len(self._faults) < self._bounds.faults:
            self._faults[fault] = self._faults.get(fault, 0) + 1
        else:
            self._overflown = True

    def _placed(self, fault: ScriptFault, line: Line, event: Event) -> ScriptFault:
        """``fault`` with the origin of its frame or worker where it names no script."""
        if fault.url or not isinstance(line, Branch):
            return fault
        return replace(fault, url=self._origins.get((line, event.get("executionContextId", 0)), ""))

    def _vendor(self, fault: ScriptFault) -> str | None:
        """The vendor of the requested address, or of the innermost script of an error."""
        inner = next((one.url for one in fault.frames if one.url), fault.url)
        return vendor(fault.url if fault.fault is Fault.REQUEST else inner, self._own)

    def _world(self, line: Line, event: Event) -> None:
        context = event["context"]
        if (context.get("auxData") or {}).get("isDefault", True):  # a worker's has no such word
            self._origins[line, context["id"]] = address(context.get("origin"))
        else:
            self._ours.add((line, context["id"]))

    def _thrown(self, line: Line, event: Event) -> None:
        details = event["exceptionDetails"]
        if (line, details.get("executionContextId")) in self._ours:
            return
        fault = self._placed(thrown(details), line, details)
        self._revocable[line, details["exceptionId"]] = fault
        self._say(fault, event)

    def _revoked(self, line: Line, event: Event) -> None:
        """A rejection that was handled after all."""
        fault = self._revocable.pop((line, event["exceptionId"]), None)
        for one in () if fault is None else (fault, replace(fault, by_input=True)):
            if one in self._faults:
                self._faults[one] -= 1

    def _console(self, line: Line, event: Event) -> None:
        if event["type"] == "warning" and _NO_WORKER in spoken(event["args"]):
            self.kept_out_worker = True
        if event["type"] != "error" or (line, event.get("executionContextId")) in self._ours:
            return
        frames = frames_of(event.get("stackTrace"))
        fault = ScriptFault(
            fault=Fault.CONSOLE,
            message=spoken(event["args"]),
            url=frames[0].url if frames else "",
            frames=frames,
        )
        self._say(self._placed(fault, line, event), event)

    def _logged(self, event: Event) -> None:
        entry = event["entry"]
        repeated = entry["source"] == _WORKER or str(entry["text"]).startswith(_LOAD)
        if entry["level"] == "error" and not repeated:
            self._note(logged(entry))

    def _connecting(self, event: Event) -> None:
        if self._inputs is None:
            self._pending.add(event["requestId"])

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
            self.document, self.answer = request, None
        if kind not in _STREAMS and kind not in _SILENT:
            self._pending.add(request)

    def _received(self, event: Event) -> None:
        response = event["response"]
        status = int(response["status"])
        asked = self._asked.get(event["requestId"])
        if event["requestId"] == self.document:
            self.answer = response
        if asked is None or status < 400:
            return
        self._failing.add(asked.url)
        if not _matters(asked):
            return
        self._asked.pop(event["requestId"])
        self._doubt(event["requestId"], _answering(_request(asked), status))

    def _hinted(self, event: Event) -> None:
        """Keep the status of an answer that the page may not read: only its head is told."""
        status = int(event["statusCode"])
        if status >= 400:
            self._hidden[event["requestId"]] = (status, arrival.refusal(event["headers"]))

    def _finished(self, event: Event) -> None:
        self._pending.discard(event["requestId"])

    def _begun(self, event: Event) -> None:
        """A worker bears the name of its script's request, whose end some never tell."""
        self._pending.discard(event["targetInfo"]["targetId"])

    def _failed(self, event: Event) -> None:
        self._pending.discard(event["requestId"])
        asked = self._asked.pop(event["requestId"], None)
        error = clean(event.get("errorText"))
        if asked is not None:
            self._failing.add(asked.url)
        if asked is None or event.get("canceled") or error in _LEAVING:
            return
        if event["requestId"] == self.document:
            self.answer = event
        if _matters(asked):
            blocked = clean(event.get("blockedReason"))
            reason = f"blocked: {blocked}" if blocked else error.removeprefix("net::")
            self._doubt(event["requestId"], replace(_request(asked), message=reason))

    def _doubt(self, request: str, fault: ScriptFault) -> None:
        """Wait for what else is said of it; behind TLS the way out says nothing."""
        if self._inputs is None:
            self._doubted.append((request, fault))

    def _arrived(self, event: Event) -> None:
        if "parentId" not in event["frame"]:
            self.arrivals += 1

    def _crashed(self, _: Event) -> None:
        self.crashed = True


def _matters(asked: _Asked) -> bool:
    """Whether a failure counts: not ``/favicon.ico``, nor the page itself, which has a status."""
    icon = asked.kind == "other" and asked.url.partition("?")[0].endswith("/favicon.ico")
    return not asked.is_page and not icon and asked.kind not in _SILENT


def _request(asked: _Asked) -> ScriptFault:
    return ScriptFault(
        fault=Fault.REQUEST, message="", url=asked.url, frames=asked.frames, resource=asked.kind
    )


def _answering(fault: ScriptFault, status: int) -> ScriptFault:
    return replace(fault, status=status, message=f"it answered {status}")


async def _silenced(line: Line) -> None:
    for domain in ("Runtime", "Network", "Log"):
        with contextlib.suppress(Error):  # the page is gone
            await line.send(f"{domain}.disable")
