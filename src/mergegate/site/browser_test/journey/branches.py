"""What runs beside a page and belongs to it: frames of other sites, and workers.

To the browser each is a target of its own. Its events come through the session of its parent, as
Playwright's sessions report only their own page.
"""

import asyncio
import contextlib
import json
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

from playwright.async_api import Error

Event = Mapping[str, Any]
Answer = Callable[[Event], None]
FRAME = "iframe"
"""The kind of a frame of another site."""
_KINDS = frozenset({FRAME, "worker"})
_WITH_ALL_BELOW = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": False}
"""A frame waits until it is resumed, so that nothing of it is missed. A worker goes as soon as
Playwright resumes it: its errors are told afterwards too, the requests of its first moment are not.
"""


class Line(Protocol):
    """A session of the DevTools protocol: Playwright's, or a :class:`Branch`."""

    def on(self, event: Any, f: Any) -> None:
        """Call ``f`` with the parameters of each ``event``."""

    async def send(self, method: str, params: dict[str, Any] | None = None) -> Any:
        """Have ``method`` done."""


class Branch:
    """A session that hangs on another one; it is told what to do, and never asked."""

    def __init__(self, trunk: Line, session: str, kind: str) -> None:
        self._trunk = trunk
        self._session = session
        self.kind = kind
        """``iframe``, ``worker``…"""
        self._answers = defaultdict[str, list[Answer]](list)
        self._told = 0

    def on(self, event: Any, f: Any) -> None:
        """Call ``f`` with the parameters of each ``event``."""
        self._answers[event].append(f)

    async def send(self, method: str, params: dict[str, Any] | None = None) -> None:
        """Have ``method`` done; what comes of it is not heard."""
        self._told += 1
        message = json.dumps({"id": self._told, "method": method, "params": params or {}})
        given = {"sessionId": self._session, "message": message}
        await self._trunk.send("Target.sendMessageToTarget", given)

    def hear(self, message: str) -> None:
        """One message of the target; one that no browser writes is passed over."""
        with contextlib.suppress(ValueError, RecursionError):
            match json.loads(message):
                case {"method": str(method), "params": dict(given)}:
                    for answer in self._answers.get(method, ()):
                        answer(given)


class Branches:
    """All that hangs on one page, however deep."""

    def __init__(self, listen: Callable[[Branch], Awaitable[None]], most: int) -> None:
        """``listen`` is given each of the first ``most`` before it runs."""
        self._listen = listen
        self._left = most
        self._starting: set[asyncio.Task[None]] = set()
        self.overgrown = False
        """Whether there were more."""

    async def grow(self, trunk: Line) -> None:
        """Listen to what hangs on ``trunk``, from now on."""
        held: dict[str, Branch] = {}

        def attached(event: Event) -> None:
            session = event["sessionId"]
            held[session] = Branch(trunk, session, event["targetInfo"]["type"])
            self._begin(held[session])

        def heard(event: Event) -> None:
            if branch := held.get(event["sessionId"]):
                branch.hear(event["message"])

        trunk.on("Target.attachedToTarget", attached)
        trunk.on("Target.receivedMessageFromTarget", heard)
        trunk.on("Target.detachedFromTarget", lambda event: held.pop(event["sessionId"], None))
        await trunk.send("Target.setAutoAttach", _WITH_ALL_BELOW)

    def _begin(self, branch: Branch) -> None:
        task = asyncio.get_running_loop().create_task(self._started(branch))
        self._starting.add(task)  # the loop itself holds tasks weakly
        task.add_done_callback(self._starting.discard)

    async def _started(self, branch: Branch) -> None:
        with contextlib.suppress(Error):  # it has ended, or its page has
            if branch.kind in _KINDS and self._has_room():
                await self._listen(branch)
                await self.grow(branch)
            await branch.send("Runtime.runIfWaitingForDebugger")

    def _has_room(self) -> bool:
        self._left -= 1
        self.overgrown = self._left < 0
        return not self.overgrown
