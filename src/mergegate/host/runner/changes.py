"""Answer a change that a webhook told of: as whom, what is fetched, and what the forge is told.

A child that has the token speaks with the forge.
"""

import asyncio
import datetime as dt
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from pathlib import Path
from time import monotonic

from mergegate.core.change import Change, Provider
from mergegate.core.errors import Failed, ForgeError, MergegateError, NotAllowed
from mergegate.core.render.escape import terminal
from mergegate.core.render.failures import CANCELLED, INTERNAL, LOST_AGAIN, failed
from mergegate.forges.deliveries import App, Credentials, Heard, ScanRequest
from mergegate.forges.github.app import installation_token
from mergegate.forges.locate import api_address, locate_change
from mergegate.forges.orders import ShowFix, parse
from mergegate.forges.provider import Access, AccessDenied, Located, ProviderUnreachable
from mergegate.host.jobs.execution import TRIES
from mergegate.host.order import AnswerTarget, LocalRepository, ScanOrder
from mergegate.host.runner.checkouts import Checkouts, Refused, access_of
from mergegate.host.runner.children import Children, WorkerKind
from mergegate.host.scan import Outcome, Scan

_log = logging.getLogger(__name__)

_STOPPED = Failed(CANCELLED, "The scan was called off before its end.")
_BEGINNING_S = 60.0
"""A forge that is this slow gets its answer in the end, and no sign before it."""
_STOPPING_S = 20.0
"""Shorter than a caller who cancels waits for the answer."""
_CLOSED = "CHANGE_CLOSED"
_UNTOLD = frozenset({"PUBLISHING_FAILED", "ORDER_NOT_HEARD", _CLOSED})
"""The forge has just refused to hear more, or nobody there waits for an answer."""


class AnsweredAlready(Exception):
    """The comment that the scan was made for has its answer already."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome


class ForgeStatus:
    """The status of one scan of a change."""

    def __init__(
        self,
        children: Children,
        worker_kind: WorkerKind,
        order: ScanOrder,
        until: float,
        *,
        scan: Scan,
        is_order: bool,
    ) -> None:
        """``order`` says where answers go; ``until``, by the monotonic clock, all has to be said.

        ``scan`` has an outcome where it was called off while nobody carried it. ``is_order``: a
        comment asked for it, whose author is nobody until the forge was asked.
        """
        self.order = order
        """As far as it is known."""
        self.until = until
        self._children = children
        self._worker_kind = worker_kind
        self._is_order = is_order
        self._is_off = scan.outcome is not None
        self._was_begun = scan.tries > (0 if self._is_off else 1)
        """By a worker that was lost."""
        self._may_tell = not is_order
        self._has_begun = False

    async def begin(self, found: Located, failure: Failed | None = None) -> None:
        """Once it is known where the change lies, and before any of it is fetched.

        ``failure`` is told until the scan has an end: it may never have one. Raises Refused for a
        comment of somebody who gets no answer, and AnsweredAlready for one that is answered by
        this. Raises Refused for a scan that was called off: what is begun shows that it ended.
        """
        at = self.order.answering
        if at is not None:
            at = replace(at, head=found.commit, base=found.base)
        self.order = replace(self.order, answering=at)
        self._has_begun = True
        outcome = await self._ask(self.order, _BEGINNING_S)
        if self._is_order and isinstance(outcome, Failed):
            raise Refused(outcome)
        self._may_tell = True
        if outcome.result:
            raise AnsweredAlready(outcome)
        if self._is_off:
            raise Refused(_STOPPED)
        if failure:
            await self._report_failure(failure)

    def lies_at(self, repository: LocalRepository) -> None:
        """The change has been fetched."""
        self.order = replace(self.order, repository=repository)

    async def told(self, found: Outcome) -> Outcome:
        """What the scan comes to, once the forge knows it as far as it can be told."""
        if found.result is not None:
            found = await self._ask(replace(self.order, report=found.result))
        if isinstance(found, Failed) and found.code not in _UNTOLD:
            await self._refuse(found)
        if isinstance(found, Failed) and found.code == _CLOSED and self._was_begun:
            await self._refuse(_STOPPED)
        return found

    @asynccontextmanager
    async def called_off(self) -> AsyncIterator[None]:
        """Take back the sign that promises an end, where the work is called off."""
        try:
            yield
        except asyncio.CancelledError:
            if self._has_begun and self._may_tell:
                await self._quietly(self._stop())
            raise
        except Exception:
            await self._quietly(self._refuse(INTERNAL))
            raise

    async def _report_failure(self, failure: Failed) -> None:
        """As of an older scan: the answer of this one must not seem to be said already."""
        at = self.order.answering
        older = replace(at, sequence=at.sequence - 1) if at else None
        await self._ask(replace(self.order, answering=older, failed=failure))

    async def _stop(self) -> None:
        """Whatever time the scan has left."""
        order = replace(self.order, repository=None, failed=_STOPPED)
        await self._children.ask(self._worker_kind, order.id, order, _STOPPING_S)

    async def _refuse(self, why: Failed) -> None:
        if not self._may_tell:
            return
        outcome = await self._ask(replace(self.order, repository=None, failed=why))
        if isinstance(outcome, Failed):
            said = terminal(outcome.detail)
            _log.warning("nobody could be told why scan %s failed: %s", self.order.id, said)

    async def _ask(self, order: ScanOrder, most_s: float = inf) -> Outcome:
        left = min(self.until - monotonic(), most_s)
        return await self._children.ask(self._worker_kind, order.id, order, left)

    async def _quietly(self, saying: Awaitable[None]) -> None:
        """What goes wrong with it must not hide why we leave."""
        try:
            await saying
        except Exception:
            _log.exception("nobody could be told how scan %s ended", self.order.id)


def outcome_of(name: str, error: MergegateError) -> Failed:
    """What the scan ``name`` comes to by ``error``; one that tells of this machine is logged."""
    outcome = failed(error)
    if outcome == INTERNAL:
        _log.error("scan %s failed: %s", name, terminal(str(error)))
    return outcome


_FORGOTTEN = Failed("HOOK_REMOVED", "The hook that told of the change is gone, or not in use.")
_NOT_INSTALLED = Failed("PROVIDER_ACCESS_DENIED", "The delivery names no installation of the app.")
_ANSWERING_S = 120.0
"""Seconds of a scan's time that are kept back for the answer."""

Scanned = Callable[[ScanOrder, LocalRepository, float], Awaitable[Outcome]]
"""Scans what was fetched, until then, by a child that knows no token."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Where changes come from, and how they are answered."""

    checkouts: Checkouts
    worker_kind: WorkerKind
    """The kind of the children that talk to forges."""
    scanned: Scanned

    async def answered(self, scan: Scan, order: ScanOrder, into: Path, limit_s: float) -> Outcome:
        """What the change comes to as it stands now; the forge is told of it, as far as it can be.

        ``into`` is an empty folder; ``order`` is that of the scan, as far as it is known. Raises
        Refused and MergegateError where there is no access to the forge: nobody can be told.
        """
        until, request = monotonic() + limit_s, ScanRequest.model_validate_json(scan.request)
        access = await self._access(scan, request)
        known = replace(order, answering=_answering(scan, access, request.heard.change))
        is_order = request.asked is not None
        children = self.checkouts.children
        status = ForgeStatus(children, self.worker_kind, known, until, scan=scan, is_order=is_order)
        async with status.called_off():
            try:
                found = await self._found(scan, request, access, status, into)
            except AnsweredAlready as over:
                return over.outcome
            return await status.told(found)

    async def _found(
        self, scan: Scan, request: ScanRequest, access: Access, status: ForgeStatus, into: Path
    ) -> Outcome:
        """The scan's own outcome; raises AnsweredAlready for a comment that needs no scan."""
        until = status.until - _ANSWERING_S
        where = partial(locate_change, request.heard.change)
        failure = LOST_AGAIN if scan.tries >= TRIES else None
        begin = partial(status.begin, failure=failure)
        try:
            left = until - monotonic()
            repository = await self.checkouts.brought(
                where, access, scan.id, into, left, check=begin
            )
            status.lies_at(repository)
            return await self.scanned(status.order, repository, until)
        except Refused as refusal:
            return refusal.failed
        except MergegateError as error:
            return outcome_of(scan.id, error)

    async def _access(self, scan: Scan, request: ScanRequest) -> Access:
        """As whom: the app, where the hook belongs to one, else the account's connection."""
        heard = request.heard
        app = await self._app(scan, request)
        if app is None:
            provider = heard.change.provider
            opened = await self.checkouts.connection(scan.account_id, provider)
            return access_of(opened)
        as_app = partial(_as_app, app, heard, self.checkouts.fetching.authorities)
        return await self.checkouts.children.in_thread(as_app)

    async def _app(self, scan: Scan, request: ScanRequest) -> App | None:
        known = await self.checkouts.hook(request.hook)
        if known is None or known.hook.account_id != scan.account_id:
            raise Refused(_FORGOTTEN)
        return Credentials.of(known.secret).app


def _orders_fix(heard: Heard) -> bool:
    """Whether somebody of the project orders a fix, which may come to a commit."""
    asked = heard.asked
    if asked is None or not asked.insider:
        return False
    return isinstance(parse(asked.body, dt.datetime.now(dt.UTC).date()), ShowFix)


def _as_app(app: App, heard: Heard, authorities: str) -> Access:
    if heard.installation is None:
        raise Refused(_NOT_INSTALLED)
    try:
        token = installation_token(
            app_id=app.id,
            private_key=app.private_key,
            installation=heard.installation,
            repository=heard.change.repository,
            api_url=api_address(Provider.GITHUB, app.base_url),
            authorities=authorities,
            may_commit=_orders_fix(heard),
        )
    except NotAllowed as error:
        raise AccessDenied(error.what, remedy=error.remedy) from error
    except ForgeError as error:
        raise ProviderUnreachable(error.what, remedy=error.remedy) from error
    return Access(provider=Provider.GITHUB, base_url=app.base_url, token=token)


def _answering(scan: Scan, access: Access, told: Change) -> AnswerTarget:
    return AnswerTarget(
        token=access.token,
        api_url=api_address(access.provider, access.base_url),
        server_url=access.base_url,
        head=told.head,
        base=told.base,
        sequence=int(scan.created_at.timestamp() * 1000),
    )
