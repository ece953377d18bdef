"""Accept a scan: all that belongs to it happens in one transaction, or nothing does."""

import hashlib
import json
from dataclasses import replace

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.plans import Tool
from mergegate.host.account import Caller
from mergegate.host.api.problems import Code, Refusal, busy, invalid, invalid_key
from mergegate.host.api.scan_requests import ScanRequest, canonical, new_id
from mergegate.host.api.service import Service
from mergegate.host.store import accounts, connections, idempotency, scans, usage
from mergegate.host.store.idempotency import Conflict, Fresh, Same
from mergegate.host.store.scans import Submission, Submitted
from mergegate.host.store.usage import Cooldown


class _AlreadyAnswered(Exception):
    """Another request with the same idempotency key was first; the transaction is rolled back."""

    def __init__(self, scan_id: str) -> None:
        super().__init__()
        self.scan_id = scan_id


async def accept(service: Service, caller: Caller, asked: ScanRequest, key: str | None) -> str:
    """The identifier of the scan that stands for ``asked``: a new one, or one that does already.

    ``key`` is the caller's idempotency key. Raises Refusal, and StoreError when the database does
    not answer: then nothing was accepted.
    """
    try:
        return await _accepted(service, caller, asked, key)
    except IntegrityError:
        async with service.database.read() as connection:
            if not await accounts.is_there(connection, caller.account_id):
                raise invalid_key() from None  # the account was removed after the key was checked
        raise


async def provider_of(connection: AsyncConnection, account_id: str, wanted: str | None) -> str:
    """``wanted``, or the only provider that the account is connected with.

    Raises Refusal when it is not connected, or when several are and none is named.
    """
    found = await connections.providers(connection, account_id)
    if wanted is None and len(found) > 1:
        raise invalid("provider", "the account has several connections: say which one")
    for one in found:
        if wanted is None or wanted == one:
            return one.value
    raise Refusal(
        Code.PROVIDER_NOT_CONNECTED,
        "Connect the account with the provider of the repository in the settings first.",
    )


async def _accepted(service: Service, caller: Caller, asked: ScanRequest, key: str | None) -> str:
    if service.draining.is_set():
        raise busy("This process is stopping; ask again.", 2)
    await service.backpressure.refresh()
    if key is None:  # a repeated request is answered however much waits; all others before the work
        service.backpressure.check(asked.lane)
    try:
        async with service.database.change() as connection:
            submitted = await _Acceptance(service, caller, connection).submit(asked, key)
    except _AlreadyAnswered as first:
        return first.scan_id
    if not submitted.joined:
        service.backpressure.add(asked.lane)
        service.metrics.accepted(asked.tool)
        service.submitted.set()
    return submitted.id


class _Acceptance:
    """Accepts one scan of one caller, in the transaction of ``connection``."""

    def __init__(self, service: Service, caller: Caller, connection: AsyncConnection) -> None:
        self._service = service
        self._caller = caller
        self._connection = connection
        self._now = service.now()

    async def submit(self, asked: ScanRequest, key: str | None) -> Submitted:
        """See :func:`accept`."""
        scan_id = new_id(asked.tool, self._now)
        if key is not None:  # before all else: a request that was accepted is so for a day
            await self._claim(asked, key, scan_id)
        self._service.backpressure.check(asked.lane)
        await self._check_waiting()
        site = await self._counted_site(asked)
        submitted = await self._insert(await self._with_provider(asked), scan_id, site)
        if key is not None and submitted.joined:
            await idempotency.point(self._connection, self._caller.account_id, key, submitted.id)
        return submitted

    async def _claim(self, asked: ScanRequest, key: str, scan_id: str) -> None:
        digest = hashlib.sha256(f"{asked.tool}\n{asked.request}".encode()).hexdigest()
        match await idempotency.claim(
            self._connection, self._caller.account_id, key, digest, scan_id, self._now
        ):
            case Same(scan_id=first):
                raise _AlreadyAnswered(first)
            case Conflict():
                raise Refusal(
                    Code.IDEMPOTENCY_CONFLICT,
                    "The key came with another request within the last 24 hours.",
                )
            case Fresh():
                return

    async def _check_waiting(self) -> None:
        """The account's limit, counted exactly: a client may send a thousand requests at once."""
        most = self._caller.plan.most_waiting
        if most is None:
            return
        if await scans.waiting(self._connection, self._caller.account_id) >= most:
            raise busy("Too many scans of this account are waiting.", 10)

    async def _counted_site(self, asked: ScanRequest) -> str | None:
        """The site for which an audit of the month is used up by this, until it fails."""
        if asked.site is None:
            return None
        found = await usage.admit_audit(self._connection, self._caller, asked.site, self._now)
        if isinstance(found, Cooldown):
            raise Refusal(
                Code.SCAN_COOLDOWN,
                "The audits without waiting of this month are used up, and this site was audited "
                f"less than {self._caller.plan.cooldown_s // 60} minutes ago.",
                retry_after_s=found.wait_s,
            )
        return asked.site if found.is_counted else None

    async def _with_provider(self, asked: ScanRequest) -> ScanRequest:
        """A repository scan names the provider that the account is connected with now."""
        if asked.tool is not Tool.REPOSITORY:
            return asked
        fields = json.loads(asked.request)
        wanted = fields.get("provider")
        provider = await provider_of(self._connection, self._caller.account_id, wanted)
        return replace(asked, request=canonical(fields | {"provider": provider}))

    async def _insert(self, asked: ScanRequest, scan_id: str, site: str | None) -> Submitted:
        now, account = self._now, self._caller.account_id
        what = (asked.tool, asked.lane, asked.request)
        given = Submission(scan_id, account, *what, now, audited_site=site)
        return await scans.submit(self._connection, given, joinable=asked.joinable)
