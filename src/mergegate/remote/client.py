"""A client of a host: a scan is submitted once, however often that must be said, and waited for.

A POST carries an Idempotency-Key, so that a host which was killed between taking a scan and saying
so is asked again and names the same scan. Nothing here judges the result: that is read elsewhere.
"""

import asyncio
import datetime as dt
import json
import random
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import NoReturn

from mergegate.core.errors import EngineFailed, EngineTimeout
from mergegate.core.plans import PREFIXES
from mergegate.forges.pacing import retry_after
from mergegate.remote.exchange import (
    Answer,
    HostClient,
    HostRequest,
    NoAnswer,
    Problem,
    TooLarge,
    code_in,
    cooldown,
    failure,
    minutes,
    refusal,
)
from mergegate.remote.host import Host, Order, PollPolicy, ScanProgress


@dataclass(frozen=True, slots=True)
class Clock:
    """Time and chance, so that a test need not wait."""

    now: Callable[[], float] = time.monotonic
    """Seconds since some moment."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    today: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC)
    chance: Callable[[], float] = random.random
    """0 to 1: many jobs that start together must not ask together."""


SYSTEM = Clock()
"""The clock of the machine."""


def _retry_after_s(answer: Answer, clock: Clock) -> float | None:
    """Seconds that ``Retry-After`` asks for; None when it does not say."""
    return retry_after(answer.headers.get("retry-after"), clock.today())


def backoff_s(policy: PollPolicy, number: int, chance: float) -> float:
    """Seconds before try or poll ``number``, from 0: growing, bounded, a quarter more or less."""
    # The exponent is bounded, for a float is: a scan may be polled for days.
    plain = min(policy.first_poll_s * policy.growth ** min(number, 64), policy.longest_poll_s)
    return plain * (0.75 + chance / 2)


_PATIENCE_S = 2.0
"""The user interrupted the command and wants it to end."""
_CANCELLED = "CANCELLED"
_OK, _ACCEPTED = 200, 202


def cancel(order: Order, scan_id: str, host: Host) -> bool:
    """Whether the host says that the scan has ended by it; hosts of before know no such request.

    Where ``scan_id`` is empty, for the host has not named it, the order's own key stands for it.
    """

    async def asked() -> bool:
        async with HostClient(host) as client:
            return await _is_cancelled(order, scan_id, client)

    return asyncio.run(asked())


async def _is_cancelled(order: Order, scan_id: str, client: HostClient) -> bool:
    named = scan_id or order.idempotency_key
    request = HostRequest(method="DELETE", path=order.endpoint.submit, query={"id": named})
    try:
        answer = await client.exchange(request, _PATIENCE_S)
    except (NoAnswer, TooLarge):
        return False
    error = answer.document().get("error")
    code = error.get("code") if isinstance(error, dict) else None
    return answer.status == _OK and code == _CANCELLED


_TOO_MANY, _UNAVAILABLE, _GATEWAY_TIMEOUT = 429, 503, 504
_TRANSIENT = frozenset({500, 502, _UNAVAILABLE, _GATEWAY_TIMEOUT})
_MISTAKE = 500
_MOST_MISTAKES = 3
"""A host that answers 500 again and again has a fault that patience does not mend."""
_TAKEN = range(200, 300)
_LONGEST_ID = 200
_LEAST_S = 1.0
"""The time kept for the last try."""
_COOLDOWN = "SCAN_COOLDOWN"
_UNFINISHED = "SCAN_TIMEOUT"
_ENDED = frozenset({"SCAN_FAILED", _UNFINISHED})
"""Codes of a scan that is over: the status alone would read as trouble that passes."""


class OutOfTime(EngineTimeout):
    """Our own patience is over; the scan may not be."""


def submit(order: Order, host: Host, progress: ScanProgress, policy: PollPolicy) -> bytes:
    """:func:`ask` in an event loop of its own."""

    async def asked() -> bytes:
        async with HostClient(host) as client:
            return await ask(order, client, progress, policy)

    return asyncio.run(asked())


async def ask(
    order: Order,
    client: HostClient,
    progress: ScanProgress,
    policy: PollPolicy,
    clock: Clock = SYSTEM,
) -> bytes:
    """The result's bytes, as the host sends them.

    Raises UsageError and TargetError for what the host refuses, EngineError when there is no
    result, however long that was waited for.
    """
    return await _Delegation(order, client, progress, policy, clock).run()


@dataclass(slots=True)
class _Attempts:
    """What was spent on one request."""

    tries: int = 0
    waited_s: float = 0.0
    mistakes: int = 0


@dataclass(slots=True)
class _Delegation:
    """One order on its way."""

    order: Order
    client: HostClient
    progress: ScanProgress
    policy: PollPolicy
    clock: Clock
    has_answered: bool = False
    """Whether the host has ever answered."""
    until: float = field(init=False)

    def __post_init__(self) -> None:
        self.until = self.clock.now() + self.policy.timeout_s

    async def run(self) -> bytes:
        """Submit, and poll where the answer is not the result yet."""
        content = await self._found()
        if self.client.host.key.encode() in content:
            raise EngineFailed(f"{self._name} answers with the key that opens it")
        return content

    async def _found(self) -> bytes:
        answer = await self._answered(self._submission())
        if answer.status in _TAKEN and self.order.endpoint.waits and answer.status != _ACCEPTED:
            return answer.content
        self._accept(self._unfinished(answer) or self._started(answer))
        return await self._polled()

    @property
    def _name(self) -> str:
        return self.client.host.name

    def _submission(self) -> HostRequest:
        return HostRequest(
            method="POST",
            path=self.order.endpoint.submit,
            query=self.order.query,
            body=json.dumps(dict(self.order.body)).encode(),
            headers={
                "Content-Type": "application/json",
                "Idempotency-Key": self.order.idempotency_key,
            },
        )

    def _unfinished(self, answer: Answer) -> str:
        """The scan that a host, which no longer holds the line for it, names in its excuse."""
        if answer.status != _GATEWAY_TIMEOUT:
            return ""
        problem = self.client.problem(answer)
        if problem.code != _UNFINISHED:
            return ""
        # A host of before had the identifier in its sentence alone.
        for told in (answer.headers.get("location", ""), problem.detail):
            named = re.search(rf"\b{PREFIXES[self.order.tool]}[0-9a-z]{{1,100}}\b", told)
            if named:
                return named[0]
        return ""

    def _started(self, answer: Answer) -> str:
        if answer.status not in _TAKEN:
            raise refusal(self.client.problem(answer), self._name)
        document = answer.document()
        found = document.get("scanId", document.get("id"))
        if not isinstance(found, str) or not 0 < len(found) <= _LONGEST_ID:
            raise EngineFailed(f"{self._name} does not say which scan it has started")
        return found

    def _accept(self, scan_id: str) -> None:
        self.progress.scan_id = scan_id
        self.progress.tell(f"{self._name} scans: {scan_id}")

    async def _polled(self) -> bytes:
        query = {**self.order.query, "id": self.progress.scan_id}
        request = HostRequest(method="GET", path=self.order.endpoint.result, query=query)
        number = 0
        while True:
            answer = await self._answered(request)
            if not self._is_running(answer):
                return self._result(answer)
            own = backoff_s(self.policy, number, self.clock.chance())
            wanted = _retry_after_s(answer, self.clock) or 0.0
            await self._pause(max(own, min(wanted, self.policy.longest_hint_s)))
            number += 1

    def _is_running(self, answer: Answer) -> bool:
        if answer.status not in _TAKEN:
            return False
        return answer.status == _ACCEPTED or answer.document().get("status") == "running"

    def _result(self, answer: Answer) -> bytes:
        """What was waited for; raises for a scan that ended without a result."""
        if answer.status != _OK:
            raise refusal(self.client.problem(answer), self._name)
        document = answer.document()
        error = document.get("error")
        if document.get("status") == "failed" and "verdict" not in document:
            said = error if isinstance(error, dict) else {}
            detail = self.client.quoted(said.get("detail"))
            raise failure(code_in(said.get("code")), detail, self._name)
        if document.get(self.order.endpoint.id, self.progress.scan_id) != self.progress.scan_id:
            raise EngineFailed(f"{self._name} answers about another scan than it was asked for")
        return answer.content

    async def _answered(self, request: HostRequest) -> Answer:
        """The first answer that more patience would not change."""
        attempts = _Attempts()
        while True:
            found = await self._tried(request)
            wait_s = self._wait_s(found)
            if isinstance(found, Answer) and (wait_s is None or self._is_hopeless(found, attempts)):
                return found
            own = backoff_s(self.policy, attempts.tries, self.clock.chance())
            await self._pause(self._checked_wait_s(max(own, wait_s or 0.0), found, attempts), found)
            attempts.tries += 1

    async def _tried(self, request: HostRequest) -> Answer | NoAnswer:
        """The answer, or why there is none."""
        left_s = max(self.until - self.clock.now(), _LEAST_S)
        self.progress.sent = self.progress.sent or request.method == "POST"
        try:
            answer = await self.client.exchange(request, min(self.policy.answer_s, left_s))
        except NoAnswer as silence:
            self.has_answered = self.has_answered or silence.reached
            return silence
        except TooLarge:
            raise EngineFailed(f"what {self._name} answers is larger than any result") from None
        is_its_own = answer.status not in _TRANSIENT or bool(self.client.problem(answer).code)
        self.has_answered = self.has_answered or is_its_own  # and no gateway's before it
        return answer

    def _wait_s(self, found: Answer | NoAnswer) -> float | None:
        """Seconds to wait when the same is to be said again; None when it would not help."""
        if isinstance(found, NoAnswer):
            return 0.0
        wanted = _retry_after_s(found, self.clock)
        if found.status == _TOO_MANY:
            return self._quota_wait_s(self.client.problem(found), wanted)
        if found.status in _TRANSIENT and self.client.problem(found).code not in _ENDED:
            return wanted or 0.0
        return None

    def _is_hopeless(self, answer: Answer, attempts: "_Attempts") -> bool:
        attempts.mistakes += answer.status == _MISTAKE
        return attempts.mistakes >= _MOST_MISTAKES

    def _checked_wait_s(
        self, wait_s: float, found: Answer | NoAnswer, attempts: "_Attempts"
    ) -> float:
        """``wait_s``; raises when the host has been away for too long.

        Only pauses count: a scan that holds the line for minutes is no silence. Nor is a quota.
        """
        if isinstance(found, Answer) and found.status == _TOO_MANY:
            return wait_s
        if not attempts.waited_s:
            self.progress.tell(f"{self._name}: {_why(found)}; trying again")
        attempts.waited_s += wait_s
        patience_s = self.policy.outage_s if self.has_answered else self.policy.introduction_s
        if attempts.waited_s > patience_s:
            self._give_up(found)
        return wait_s

    def _quota_wait_s(self, problem: Problem, wanted: float | None) -> float | None:
        """A quota is waited for; a cooldown only where the caller says so, and it has time."""
        if problem.code != _COOLDOWN:
            return wanted or 0.0
        left_s = self.until - self.clock.now()
        if wanted is None or wanted > left_s or not self.policy.cooldown:
            raise cooldown(self._name, wanted, asked=self.policy.cooldown)
        self.progress.tell(f"{self._name} audits this site again in {minutes(wanted)}")
        return wanted

    async def _pause(self, wait_s: float, found: Answer | NoAnswer | None = None) -> None:
        """Sleep; raises EngineTimeout when there would be no time left then."""
        if self.clock.now() + wait_s < self.until:
            await self.clock.sleep(wait_s)
            return
        if isinstance(found, Answer):
            self._give_up(found)
        raise OutOfTime(
            f"{self._name} did not finish within {self.policy.timeout_s:.0f} s",
            remedy="Raise --timeout.",
        )

    def _give_up(self, found: Answer | NoAnswer) -> NoReturn:
        if isinstance(found, Answer):
            raise refusal(self.client.problem(found), self._name)
        raise EngineFailed(
            f"there is no answer from {self._name}: {found}",
            remedy="Is the address right, and is the host running?",
        )


def _why(found: Answer | NoAnswer) -> str:
    return f"it answers {found.status}" if isinstance(found, Answer) else str(found)
