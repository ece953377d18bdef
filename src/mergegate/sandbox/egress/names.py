"""Look a name up once a scan, and refuse it unless every answer is allowed."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from typing import TypeAlias

from mergegate.sandbox.egress.addresses import Address
from mergegate.sandbox.egress.destination import Destination
from mergegate.sandbox.egress.policy import Caps, Policy
from mergegate.sandbox.egress.refusal import broken, forbidden, too_slow

Lookup: TypeAlias = Callable[[str], Sequence[str]]
"""A name → its addresses, best first; raises OSError. Called in a thread of its own."""

_AT_ONCE = 16
"""The system's resolver cannot be interrupted; so many threads may hang in it."""


def system_lookup(host: str) -> tuple[str, ...]:
    """The addresses that this machine knows for ``host``; raises OSError."""
    found = socket.getaddrinfo(
        host.encode("ascii"), None, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP
    )
    return tuple(dict.fromkeys(str(answer[4][0]) for answer in found))


class Names:
    """What was looked up so far; a name keeps its answers until none of them can be reached."""

    def __init__(self, lookup: Lookup, policy: Policy, caps: Caps) -> None:
        self._lookup = lookup
        self._policy = policy
        self._caps = caps
        self._asked: dict[str, asyncio.Task[tuple[str, ...]]] = {}
        self._count = 0
        self._turns = asyncio.Semaphore(_AT_ONCE)

    async def addresses(self, to: Destination) -> tuple[Address, ...]:
        """Checked addresses of ``to``, at least one; raises Refused."""
        self._policy.admits(to)
        if to.literal is not None:
            return (to.literal,)
        answers = await self._answers(to.host)
        if not answers:
            self.forget(to.host)
            raise broken("the host's name could not be resolved")
        if len(answers) > self._caps.answers:
            raise forbidden("the host's name has too many addresses")
        return tuple(self._checked(to, answer) for answer in answers)

    def forget(self, host: str) -> None:
        """Look ``host`` up anew next time, and check those answers too."""
        task = self._asked.get(host)
        if task is not None and task.done():
            del self._asked[host]

    async def _answers(self, host: str) -> tuple[str, ...]:
        task = self._asked.get(host)
        if task is None:
            task = self._asked[host] = self._ask(host)
        try:
            async with asyncio.timeout(self._caps.lookup_s):
                # Others may wait for the same answer.
                return await asyncio.shield(task)
        except TimeoutError as error:
            raise too_slow("the host's name was not resolved in time") from error

    def _ask(self, host: str) -> asyncio.Task[tuple[str, ...]]:
        if self._count >= self._caps.hosts:
            raise forbidden("the scan has looked up all the names it may look up")
        self._count += 1
        return asyncio.create_task(self._in_turn(host))

    async def _in_turn(self, host: str) -> tuple[str, ...]:
        async with self._turns:
            loop = asyncio.get_running_loop()
            answer: asyncio.Future[tuple[str, ...]] = loop.create_future()

            def settle(found: tuple[str, ...]) -> None:
                if not answer.done():
                    answer.set_result(found)

            def look() -> None:
                found: tuple[str, ...] = ()
                try:
                    found = tuple(self._lookup(host))
                except (OSError, UnicodeError):
                    pass
                finally:
                    with contextlib.suppress(RuntimeError):  # the scan is over
                        loop.call_soon_threadsafe(settle, found)

            threading.Thread(target=look, name="mergegate-lookup", daemon=True).start()
            return await answer

    def _checked(self, to: Destination, answer: str) -> Address:
        try:
            address = ip_address(answer)
        except ValueError as error:
            raise forbidden("the host's name has an address that cannot be read") from error
        self._policy.admits_address(to, address)
        return address
