"""The client that a scan holds: asks from any thread, some addresses side by side."""

import asyncio
import contextlib
import ssl
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, Future

import httpx

from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.visit import Visit
from mergegate.sandbox.web.address import Origin, origin
from mergegate.sandbox.web.way import Bounds, Exchange, Method, Request, Way, asking, trusted

_BOUNDS = Bounds()


@contextlib.contextmanager
def client(
    proxy: str,
    own: Visit,
    *,
    trust: ssl.SSLContext | None = None,
    insecure: bool = False,
    bounds: Bounds = _BOUNDS,
    agent: str | None = None,
) -> Iterator["Client"]:
    """A client that reaches everything through ``proxy``, the address of an egress.

    ``trust`` is who vouches for certificates; None for those whom browsers and this machine trust.
    An ``insecure`` client goes on despite a bad certificate, and keeps the visit's credentials to
    itself: the site's identity is unknown. ``agent`` is its User-Agent; None for our own.
    """
    context = asking(names=False, chain=False) if insecure else trust or trusted()
    exchange = Exchange(proxy, lambda: context, again=True)
    way = Way(exchange, own, bounds, agent=agent, trusted=not insecure)
    with _loop() as loop:
        web = Client(way, loop, bounds)
        try:
            yield web
        finally:
            web.end()
            loop.call_soon_threadsafe(exchange.close)


class Client:
    """Fetches addresses; nothing that a site does makes it raise.

    A request that is open when it ends, or comes later, gets a ``Fetched.failure`` that says so.
    """

    def __init__(self, way: Way, loop: asyncio.AbstractEventLoop, bounds: Bounds) -> None:
        self._way = way
        self._loop = loop
        self._bounds = bounds
        self._until = loop.time() + bounds.total_s
        self._lanes = defaultdict[Origin, asyncio.Semaphore](
            lambda: asyncio.Semaphore(bounds.per_host)
        )
        self._slots = asyncio.Semaphore(bounds.at_once)
        self._door = threading.Lock()
        self._ended = False

    def end(self) -> None:
        """Begin no further request from now on."""
        with self._door:
            self._ended = True

    def get(
        self,
        url: str,
        *,
        headers: Sequence[tuple[str, str]] = (),
        method: Method = "GET",
        agent: str | None = None,
        most_bytes: int | None = None,
        follow: bool = True,
        timeout_s: float | None = None,
    ) -> Fetched:
        """What ``url`` answers; the parameters are those of a Request."""
        request = Request(
            url=url,
            method=method,
            headers=tuple(headers),
            agent=agent,
            most_bytes=most_bytes,
            follow=follow,
            timeout_s=timeout_s,
        )
        return self.many([request])[0]

    def many(
        self, requests: Sequence[Request], *, at_once: int | None = None
    ) -> tuple[Fetched, ...]:
        """What each answers, in their order; at most ``at_once`` of these side by side."""
        asked = self._begun(requests, at_once or self._bounds.at_once)
        with contextlib.suppress(CancelledError):
            if asked:
                return asked.result()
        return tuple(Fetched(url=one.url, failure="the scan has ended") for one in requests)

    def _begun(
        self, requests: Sequence[Request], at_once: int
    ) -> "Future[tuple[Fetched, ...]] | None":
        """None at the end: a loop that stops would leave its caller waiting for ever."""
        with self._door:
            if self._ended:
                return None
            all_of_them = self._all(requests, asyncio.Semaphore(at_once))
            return asyncio.run_coroutine_threadsafe(all_of_them, self._loop)

    async def _all(
        self, requests: Sequence[Request], turns: asyncio.Semaphore
    ) -> tuple[Fetched, ...]:
        return tuple(await asyncio.gather(*(self._one(request, turns) for request in requests)))

    async def _one(self, request: Request, turns: asyncio.Semaphore) -> Fetched:
        async with turns, self._lane(request.url), self._slots:
            if self._loop.time() >= self._until:
                return Fetched(url=request.url, failure="there is no time left to ask")
            return await self._way.fetch(request)

    def _lane(self, address: str) -> asyncio.Semaphore:
        """The semaphore of the origin; unreadable addresses share one and reach no host."""
        try:
            return self._lanes[origin(httpx.URL(address))]
        except (httpx.InvalidURL, ValueError):
            return self._lanes["", "", 0]


@contextlib.contextmanager
def _loop() -> Iterator[asyncio.AbstractEventLoop]:
    """A loop in a thread of its own, for the caller's may be busy with a browser's."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="web", daemon=True)
    thread.start()
    try:
        yield loop
    finally:
        asyncio.run_coroutine_threadsafe(_end_others(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _end_others() -> None:
    """Cancel all other tasks, and those that they begin while they end: their callers have gone."""
    while others := asyncio.all_tasks() - {asyncio.current_task()}:
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_asyncgens()
