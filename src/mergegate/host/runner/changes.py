"""Answer a change that a webhook told of: as whom, what is fetched, and a child that does it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import monotonic

from mergegate.core.change import Change, Provider
from mergegate.core.errors import ForgeError, MergegateError, NotAllowed
from mergegate.core.failure import Failed
from mergegate.core.render.failures import LOST_AGAIN
from mergegate.forges.github.app import installation_token
from mergegate.forges.hooks import App, Credentials, Heard, ScanRequest
from mergegate.forges.repositories import (
    Access,
    AccessDenied,
    ProviderUnreachable,
    api_address,
    locate_change,
)
from mergegate.host.jobs.execution import TRIES
from mergegate.host.order import Answering, LocalRepository, ScanOrder
from mergegate.host.runner.checkouts import Checkouts, Refused, access_of
from mergegate.host.runner.children import WorkerKind
from mergegate.host.runner.forge_status import ForgeStatus, Over, outcome_of
from mergegate.host.scan import Outcome, Scan

_FORGOTTEN = Failed("HOOK_REMOVED", "The hook that told of the change is gone, or not in use.")
_NOT_INSTALLED = Failed("PROVIDER_ACCESS_DENIED", "The delivery names no installation of the app.")
_ANSWERING_S = 120.0
"""Of a scan's time: kept back for the answer."""

Scanned = Callable[[ScanOrder, LocalRepository, float], Awaitable[Outcome]]
"""Scans what was fetched, until then, by a child that knows no token."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Where changes come from, and how they are answered."""

    checkouts: Checkouts
    worker_kind: WorkerKind
    """Of the children that talk to forges."""
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
            except Over as over:
                return over.outcome
            return await status.told(found)

    async def _found(
        self, scan: Scan, request: ScanRequest, access: Access, status: ForgeStatus, into: Path
    ) -> Outcome:
        """The scan's own outcome; raises Over for a comment that is answered without one."""
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
        )
    except NotAllowed as error:
        raise AccessDenied(error.what, remedy=error.remedy) from error
    except ForgeError as error:
        raise ProviderUnreachable(error.what, remedy=error.remedy) from error
    return Access(provider=Provider.GITHUB, base_url=app.base_url, token=token)


def _answering(scan: Scan, access: Access, told: Change) -> Answering:
    return Answering(
        token=access.token,
        api_url=api_address(access.provider, access.base_url),
        server_url=access.base_url,
        head=told.head,
        base=told.base,
        sequence=int(scan.created_at.timestamp() * 1000),
    )
