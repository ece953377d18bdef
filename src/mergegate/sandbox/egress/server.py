"""Listen on loopback, or at a Unix socket, in a thread of its own for as long as a scan lasts.

There is no password: Chromium takes none from its command line. Who can reach a loopback port can
reach the network without us, and a web page cannot name the absolute targets that we answer.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path

import h11

from mergegate.core.errors import EngineFailed
from mergegate.sandbox.egress.conversation import Conversation
from mergegate.sandbox.egress.dialer import Dialer, Lookup, Names, system_lookup
from mergegate.sandbox.egress.line import CHUNK_BYTES, Doorbell, Line
from mergegate.sandbox.egress.policy import Caps, Policy
from mergegate.sandbox.egress.traffic import Contact, Traffic

_LOOPBACK = "127.0.0.1"
_CAPS = Caps()
_EVERYONE = 0o666


class Egress:
    """The open proxy of one scan; made by :func:`egress`."""

    def __init__(self, policy: Policy, caps: Caps, lookup: Lookup, at: Path | None = None) -> None:
        self._at = at
        self._policy = policy
        self._caps = caps
        self._lookup = lookup
        self._ledger = Traffic(caps)
        self._opened: Future[int] = Future()
        self._faults: list[str] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._count = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="mergegate-egress", daemon=True)

    @property
    def port(self) -> int:
        """Where it listens on 127.0.0.1; 0 where it does so at a Unix socket."""
        return self._opened.result()

    @property
    def url(self) -> str:
        """What httpx takes as ``proxy`` and Chromium as ``--proxy-server``."""
        return f"http://{_LOOPBACK}:{self.port}"

    @property
    def contacted(self) -> tuple[Contact, ...]:
        """One entry per request or tunnel, first first; those still open as they stand."""
        return self._ledger.contacts()

    @property
    def faults(self) -> tuple[str, ...]:
        """Names of errors that this code did not foresee; each ended one connection."""
        return tuple(self._faults)

    def start(self) -> None:
        """Listen; raises EngineFailed when this machine gives no port."""
        self._thread.start()
        try:
            self._opened.result()
        except OSError as error:
            raise EngineFailed(
                f"the way out could not be opened: {error.strerror or error}"
            ) from error

    def stop(self) -> None:
        """Hang up on everyone and wait until the thread has ended."""
        if self._loop and self._closing:
            with contextlib.suppress(RuntimeError):  # it has ended on its own
                self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            if not self._opened.done():
                self._opened.set_exception(error)
                return
            raise

    async def _serve(self) -> None:
        self._loop, self._closing = asyncio.get_running_loop(), asyncio.Event()
        dialer = Dialer(Names(self._lookup, self._policy, self._caps), self._caps)
        server = await self._listening(lambda: self._answering(dialer))
        self._opened.set_result(0 if self._at else server.sockets[0].getsockname()[1])
        try:
            await self._closing.wait()
        finally:
            server.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            dialer.close()
            await asyncio.sleep(0)  # aborted transports close their sockets in the next round

    async def _listening(self, met: Callable[[], Doorbell]) -> asyncio.Server:
        loop, waiting = asyncio.get_running_loop(), self._caps.connections_at_once
        if self._at is None:
            return await loop.create_server(met, _LOOPBACK, 0, backlog=waiting)
        server = await loop.create_unix_server(met, self._at, backlog=waiting)
        # Its folder says who gets here: what has no network may have another account as well.
        self._at.chmod(_EVERYONE)
        return server

    def _answering(self, dialer: Dialer) -> Doorbell:
        loop = asyncio.get_running_loop()

        def met(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            client = Line(reader, writer, h11.SERVER, self._caps.head_bytes)
            self._begin(Conversation(client, bell, dialer, self._ledger, self._caps))

        bell = Doorbell(asyncio.StreamReader(limit=CHUNK_BYTES, loop=loop), met, loop)
        return bell

    def _begin(self, conversation: Conversation) -> None:
        self._count += 1
        if self._count > self._caps.connections:
            work = conversation.turn_away("the scan has made all the connections it may make")
        elif len(self._tasks) >= self._caps.connections_at_once:
            work = conversation.turn_away("the scan has too many connections at once")
        else:
            work = conversation.run()
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self._faults.append(type(error).__name__)


@contextlib.contextmanager
def egress(
    policy: Policy,
    caps: Caps = _CAPS,
    lookup: Lookup = system_lookup,
    at: Path | None = None,
) -> Iterator[Egress]:
    """The proxy for one scan, open while inside; raises EngineFailed.

    It listens at the Unix socket ``at`` where one is named: a process without any network, not even
    loopback, reaches that alone.

    Its clients must use no other way: httpx ``proxy=egress.url, trust_env=False``; Chromium
    ``--proxy-server=URL --proxy-bypass-list=<-loopback>
    --webrtc-ip-handling-policy=disable_non_proxied_udp``.
    """
    way = Egress(policy, caps, lookup, at)
    way.start()
    try:
        yield way
    finally:
        way.stop()
