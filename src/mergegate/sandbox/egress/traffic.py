"""Write down what was contacted, and stop what takes too much or stands still for too long."""

import asyncio
import threading
from dataclasses import dataclass
from types import TracebackType

from mergegate.sandbox.egress.destination import Destination, Lack, Refused, Verdict, cut, forbidden
from mergegate.sandbox.egress.policy import Caps


@dataclass(frozen=True)
class Contact:
    """One request or tunnel, as it stands."""

    host: str
    """The host in its canonical spelling; empty when it could not be read."""
    port: int
    """0 when it could not be read."""
    address: str
    """What was dialled; empty when nothing was."""
    sent_bytes: int
    received_bytes: int
    verdict: Verdict
    reason: str
    """Why it did not pass; empty when it did."""


class Visit:
    """One request or tunnel while it goes on."""

    def __init__(self, ledger: "Traffic") -> None:
        self._ledger = ledger
        self._to: Destination | None = None
        self._limits = (ledger.caps.request_bytes, ledger.caps.response_bytes)
        self._sent = 0
        self._received = 0
        self._verdict = Verdict.PASSED
        self._reason = ""
        self.address = ""

    def goes(self, to: Destination) -> None:
        """Where it wants to go; raises Refused when the scan has used up its bytes."""
        self._to = to
        self._ledger.affords()

    def becomes_tunnel(self) -> None:
        """Apply the larger cap of tunnels from now on."""
        self._limits = (self._ledger.caps.tunnel_bytes, self._ledger.caps.tunnel_bytes)

    def sent(self, count: int) -> None:
        """Count bytes that went out; raises Refused past a cap."""
        self._sent += count
        self._ledger.spend(count)
        if self._sent > self._limits[0]:
            raise cut("the request is larger than a scan may send")

    def received(self, count: int) -> None:
        """Count bytes that came in; raises Refused past a cap."""
        self._received += count
        self._ledger.spend(count)
        if self._received > self._limits[1]:
            raise _too_large()

    def announced(self, count: int) -> None:
        """Raises Refused when a body of ``count`` bytes is not worth beginning."""
        if count > self._limits[1]:
            raise _too_large()

    def ended(self, refused: Refused) -> None:
        """It did not pass, or not to its end."""
        self._verdict = refused.verdict
        self._reason = refused.reason

    @property
    def received_bytes(self) -> int:
        """The bytes received so far."""
        return self._received

    def contact(self) -> Contact:
        """What to say of it now."""
        host, port = (self._to.host, self._to.port) if self._to else ("", 0)
        return Contact(
            host, port, self.address, self._sent, self._received, self._verdict, self._reason
        )


def _too_large() -> Refused:
    return cut("the response is larger than a scan may receive", Lack.TOO_LARGE)


class Traffic:
    """All visits of a scan, and what they took together."""

    def __init__(self, caps: Caps) -> None:
        self.caps = caps
        self._visits: list[Visit] = []
        self._spent = 0
        self._lock = threading.Lock()

    def open(self) -> Visit:
        """A new visit; raises Refused when the scan has used up its requests."""
        if len(self._visits) >= self.caps.requests:
            raise forbidden("the scan has made all the requests it may make")
        visit = Visit(self)
        with self._lock:
            self._visits.append(visit)
        return visit

    def affords(self) -> None:
        """Raises Refused when the scan has used up its bytes."""
        if self._spent >= self.caps.scan_bytes:
            raise forbidden("the scan has taken all the bytes it may take")

    def spend(self, count: int) -> None:
        """Count bytes of any visit; raises Refused past the scan's cap."""
        self._spent += count
        if self._spent > self.caps.scan_bytes:
            raise cut("the scan has taken all the bytes it may take")

    def contacts(self) -> tuple[Contact, ...]:
        """One entry per request or tunnel, first first; safe from any thread."""
        with self._lock:
            visits = tuple(self._visits)
        return tuple(visit.contact() for visit in visits)


class Patience:
    """Ends what runs inside it with TimeoutError: when nothing moves, and at last in any case."""

    def __init__(self, caps: Caps) -> None:
        self._loop = asyncio.get_running_loop()
        self._idle_s = caps.idle_s
        self._end = self._loop.time() + caps.total_s
        self._timeout = asyncio.timeout_at(self._next())

    async def __aenter__(self) -> "Patience":
        await self._timeout.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._timeout.__aexit__(kind, error, trace)

    def moved(self) -> None:
        """Something came or went."""
        if not self._timeout.expired():
            self._timeout.reschedule(self._next())

    def _next(self) -> float:
        return min(self._loop.time() + self._idle_s, self._end)


class Meter:
    """Watches a line: tells patience that it moves, and counts its bytes for a visit, if any."""

    def __init__(self, patience: Patience, visit: Visit | None = None) -> None:
        self._patience = patience
        self._visit = visit

    def sent(self, count: int) -> None:
        """Bytes went out; raises Refused past a cap."""
        self._patience.moved()
        if self._visit:
            self._visit.sent(count)

    def received(self, count: int) -> None:
        """Bytes came in; raises Refused past a cap."""
        self._patience.moved()
        if self._visit:
            self._visit.received(count)
