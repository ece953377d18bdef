"""Accept a scan: all that belongs to it happens in one transaction, or nothing does."""

import hashlib
import json
from dataclasses import replace

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.plans import Tool
from mergegate.host.account import Caller
from mergegate.host.api.bodies import canonical
from mergegate.host.api.callers import no_key
from mergegate.host.api.orders import Order, new_id
from mergegate.host.api.problems import Code, Refusal, busy
from mergegate.host.api.providers import chosen_provider
from mergegate.host.api.service import Service
from mergegate.host.store import accounts, idempotency, scans, usage
from mergegate.host.store.idempotency import Conflict, Fresh, Same
from mergegate.host.store.scans import Submission, Submitted
from mergegate.host.store.usage import Cooldown


class _Answered(Exception):
    """Another request with the same idempotency key was first; what was done is undone."""

    def __init__(self, scan_id: str) -> None:
        super().__init__()
        self.scan_id = scan_id


async def accept(service: Service, caller: Caller, order: Order, key: str | None) -> str:
    """The identifier of the scan that stands for ``order``: a new one, or one that does already.

    ``key`` is the caller's idempotency key. Raises Refusal, and StoreError when the database does
    not answer: then nothing was accepted.
    """
    try:
        return await _accepted(service, caller, order, key)
    except IntegrityError:
        await _check_account(service, caller)
        raise


async def _check_account(service: Service, caller: Caller) -> None:
    """Raises Refusal when it was removed since the key was judged: nothing is accepted for it."""
    async with service.database.read() as connection:
        if not await accounts.is_there(connection, caller.account_id):
            raise no_key()


async def _accepted(service: Service, caller: Caller, order: Order, key: str | None) -> str:
    if service.draining.is_set():
        raise busy("This process is stopping; ask again.", 2)
    await service.pressure.look()
    if key is None:  # a repeated request is answered however much waits; all others before the work
        service.pressure.check(order.lane)
    try:
        async with service.database.change() as connection:
            submitted = await _Counter(service, caller, connection).take(order, key)
    except _Answered as first:
        return first.scan_id
    if not submitted.joined:
        service.pressure.add(order.lane)
        service.measures.accepted(order.tool)
    return submitted.id


class _Counter:
    """Where one order of one caller is taken."""

    def __init__(self, service: Service, caller: Caller, connection: AsyncConnection) -> None:
        self._service = service
        self._caller = caller
        self._connection = connection

    async def take(self, order: Order, key: str | None) -> Submitted:
        """See :func:`accept`."""
        scan_id = new_id(order.tool, self._service.now())
        if key is not None:  # before all else: a request that was accepted is so for a day
            await self._claim(order, key, scan_id)
        self._service.pressure.check(order.lane)
        await self._check_room()
        await self._count(order)
        submitted = await self._submit(await self._located(order), scan_id)
        if key is not None and submitted.joined:
            await idempotency.point(self._connection, self._caller.account_id, key, submitted.id)
        return submitted

    async def _claim(self, order: Order, key: str, scan_id: str) -> None:
        digest = hashlib.sha256(f"{order.tool}\n{order.request}".encode()).hexdigest()
        match await idempotency.claim(
            self._connection, self._caller.account_id, key, digest, scan_id, self._service.now()
        ):
            case Same(scan_id=first):
                raise _Answered(first)
            case Conflict():
                raise Refusal(
                    Code.IDEMPOTENCY_CONFLICT,
                    "The key came with another request within the last 24 hours.",
                )
            case Fresh():
                return

    async def _check_room(self) -> None:
        """Of the account: exactly, for one may ask for a thousand at once."""
        most = self._caller.plan.most_waiting
        if most is None:
            return
        if await scans.waiting(self._connection, self._caller.account_id) >= most:
            raise busy("Too many scans of this account are waiting.", 10)

    async def _count(self, order: Order) -> None:
        if order.site is None:
            return
        found = await usage.admit_audit(
            self._connection, self._caller, order.site, self._service.now()
        )
        if isinstance(found, Cooldown):
            raise Refusal(
                Code.SCAN_COOLDOWN,
                "The audits without waiting of this month are used up, and this site was audited "
                f"less than {self._caller.plan.cooldown_s // 60} minutes ago.",
                retry_after_s=found.wait_s,
            )

    async def _located(self, order: Order) -> Order:
        """With the provider of the account as it is now, where a provider is needed."""
        if order.tool is not Tool.REPOSITORY:
            return order
        fields = json.loads(order.request)
        provider = await chosen_provider(
            self._connection, self._caller.account_id, fields.get("provider")
        )
        return replace(order, request=canonical(fields | {"provider": provider}))

    async def _submit(self, order: Order, scan_id: str) -> Submitted:
        now, account = self._service.now(), self._caller.account_id
        given = Submission(scan_id, account, order.tool, order.lane, order.request, now)
        return await scans.submit(self._connection, given, joinable=order.joinable)
