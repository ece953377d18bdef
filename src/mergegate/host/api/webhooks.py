"""``POST /hooks/{provider}/{hook}``: check that a forge sent it, and queue what is new.

A signature is verified over the raw bytes, and every delivery is answered at once.
"""

import asyncio
import datetime as dt
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mergegate.core.change import Provider
from mergegate.core.plans import Lane, Tool
from mergegate.forges.deliveries import Credentials, Delivery, Heard, Ignored, ScanRequest
from mergegate.forges.hooks import is_genuine, known_by, read
from mergegate.forges.orders import NotAnOrder, parse
from mergegate.host.api.problems import Code, Refusal, busy
from mergegate.host.api.request_parsing import content_of, context_of
from mergegate.host.api.scan_requests import new_id
from mergegate.host.api.service import Service
from mergegate.host.jobs.cancellation import SUPERSEDED
from mergegate.host.scan import Priority
from mergegate.host.store import accounts, hooks, idempotency, scans
from mergegate.host.store.hooks import Hook, SharedSecret
from mergegate.host.store.scans import Submission, Submitted
from mergegate.host.store.sealing import Sealer

PATH = "/hooks/{provider}/{hook}"
LARGEST_BYTES = 25 << 20
"""GitHub delivers no more."""
_SMALL_BYTES, _USUAL_BYTES = 64 << 10, 1 << 20
_MOST_LARGE, _MOST_STRANGE = 4, 2
_LONGEST_ID = 100
_TALK = Ignored("the comment gives no order")


@dataclass(frozen=True, slots=True)
class Webhooks:
    """What deliveries are received with."""

    service: Service
    sealer: Sealer
    large: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_MOST_LARGE))
    """Places for bodies larger than usual: so many are held at a time."""
    strange: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_MOST_STRANGE))
    """Places for bodies that are not small and come to an unknown hook: anyone may send one."""


@dataclass(frozen=True, slots=True)
class _Answer:
    status: str
    """``queued``, ``duplicate`` or ``ignored``."""
    reason: str = ""
    scan_id: str = ""

    def response(self) -> Response:
        fields = {"status": self.status, "reason": self.reason, "scanId": self.scan_id}
        text = json.dumps({name: said for name, said in fields.items() if said})
        return Response(text, 202, media_type="application/json")


def webhook_routes(webhooks: Webhooks) -> tuple[Route, ...]:
    """The one path of all webhooks; it needs no key, since the signature is one."""

    async def receive(request: Request) -> Response:
        async with _room(request, webhooks) as most_bytes:
            delivery = Delivery(_headers(request), await content_of(request, most_bytes))
            return await _answered(request, webhooks, delivery)

    return (Route(PATH, receive, methods=["POST"], include_in_schema=False),)


def _headers(request: Request) -> Mapping[str, str]:
    """All headers; one that was sent twice has both values (RFC 9110, 5.3), as a proxy sees it."""
    found: dict[str, str] = {}
    for name, said in request.headers.items():
        found[name] = f"{found[name]}, {said}" if name in found else said
    return found


@asynccontextmanager
async def _room(request: Request, webhooks: Webhooks) -> AsyncIterator[int]:
    """How many bytes may be read; raises Refusal while too many large bodies are held.

    A sender that does not know the address of a hook takes no room that a forge would need.
    """
    declared = _declared(request)
    if declared <= _SMALL_BYTES:
        yield _SMALL_BYTES
        return
    is_known = await _known(webhooks, request.path_params["hook"]) is not None
    if is_known and declared <= _USUAL_BYTES:
        yield _USUAL_BYTES
        return
    places = webhooks.large if is_known else webhooks.strange
    if places.locked():
        raise busy("Too many large deliveries are being read; send again.")
    async with places:
        yield LARGEST_BYTES


def _declared(request: Request) -> int:
    """The length that the request declares, in bytes; without one, more than is usual."""
    said = request.headers.get("content-length", "")
    return int(said[:20]) if said.isdecimal() else _USUAL_BYTES + 1


async def _answered(request: Request, webhooks: Webhooks, delivery: Delivery) -> Response:
    hook = await _genuine(request, webhooks, delivery)
    found = await run_in_threadpool(_heard, hook.provider, delivery, webhooks.service.now())
    if isinstance(found, Ignored):
        return _Answer("ignored", found.reason).response()
    answer = await _queued(webhooks.service, hook, delivery, found)
    context_of(request).scan_id = answer.scan_id or None
    return answer.response()


async def _genuine(request: Request, webhooks: Webhooks, delivery: Delivery) -> Hook:
    """The hook whose secret the sender knows; raises Refusal, alike for an unknown hook."""
    provider, hook_id = request.path_params["provider"], request.path_params["hook"]
    known = await _known(webhooks, hook_id)
    if known is not None and known.hook.provider.value != provider:
        known = None
    kind = Provider(provider) if provider in set(Provider) else Provider.GITHUB
    secret = None if known is None else Credentials.of(known.secret).secret.encode()
    now = webhooks.service.now()
    if not await run_in_threadpool(is_genuine, kind, delivery, secret, now) or known is None:
        raise Refusal(
            Code.UNAUTHORIZED, "The delivery is not signed with the secret of a hook that is here."
        )
    return known.hook


async def _known(webhooks: Webhooks, hook_id: str) -> SharedSecret | None:
    if len(hook_id) > _LONGEST_ID:
        return None
    async with webhooks.service.database.read() as connection:
        return await hooks.find(connection, webhooks.sealer, hook_id)


def _heard(provider: Provider, delivery: Delivery, now: dt.datetime) -> Heard | Ignored:
    """What the delivery asks for; run in a thread, since a payload may be large."""
    found = read(provider, delivery)
    if isinstance(found, Heard) and found.asked is not None:
        order = parse(found.asked.body, now.date())
        return _TALK if isinstance(order, NotAnOrder) else found
    return found


async def _queued(service: Service, hook: Hook, delivery: Delivery, heard: Heard) -> _Answer:
    """Queue a scan and remember the delivery, or neither."""
    if service.draining.is_set():
        raise busy("This process is stopping; send again.", 2)
    await service.backpressure.refresh()
    names = known_by(hook.provider, delivery, heard)
    async with service.database.change() as connection:
        if not await _is_new(connection, hook, names, service.now()):
            return _Answer("duplicate")
        submitted = await _submitted(service, connection, hook, heard)
    if not submitted.joined:
        service.backpressure.add(Lane.REPOSITORY)
        service.metrics.accepted(Tool.CHANGE)
        service.submitted.set()
    return _Answer("queued", scan_id=submitted.id)


async def _is_new(
    connection: AsyncConnection, hook: Hook, names: tuple[str, ...], now: dt.datetime
) -> bool:
    found = [
        await idempotency.first_delivery(connection, hook.provider, f"{hook.id} {name}", now)
        for name in names
    ]
    return all(found)


async def _submitted(
    service: Service, connection: AsyncConnection, hook: Hook, heard: Heard
) -> Submitted:
    """The scan that answers; it replaces the running ones.

    One that still waits is joined: it has not yet looked which commit is the newest.
    """
    now, request = (
        service.now(),
        ScanRequest.of(hook.id, heard).model_dump_json(exclude_defaults=True),
    )
    id = new_id(Tool.CHANGE, now)
    what = (hook.account_id, Tool.CHANGE, Lane.REPOSITORY, request)
    given = Submission(id, *what, now, Priority.SOON)
    is_order = heard.asked is not None
    submitted = await scans.submit(connection, given, joinable=not is_order)
    if submitted.joined:
        return submitted
    service.backpressure.check(Lane.REPOSITORY)
    await _check_account(connection, hook)
    if not is_order:
        # Their workers let go of them.
        await scans.supersede(connection, given, SUPERSEDED)
    return submitted


async def _check_account(connection: AsyncConnection, hook: Hook) -> None:
    """Raises Refusal when more scans of the account wait, with this one, than may."""
    most = (await accounts.plan(connection, hook.account_id)).most_waiting
    if most is not None and await scans.waiting(connection, hook.account_id) > most:
        raise busy("Too many scans of this account are waiting.", 10)
