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
from mergegate.forges.hooks import App, Credentials, Errand, Heard
from mergegate.forges.repositories import (
    Access,
    AccessDenied,
    ProviderUnreachable,
    api_address,
    locate_change,
)
from mergegate.host.jobs.limits import TRIES
from mergegate.host.order import Answering, Ground, ScanOrder
from mergegate.host.runner.children import Trade
from mergegate.host.runner.grounds import Grounds, Refused, access_of
from mergegate.host.runner.telling import Over, Telling, outcome_of
from mergegate.host.scan import Outcome, Scan

_FORGOTTEN = Failed("HOOK_REMOVED", "The hook that told of the change is gone, or not in use.")
_NOT_INSTALLED = Failed("PROVIDER_ACCESS_DENIED", "The delivery names no installation of the app.")
_ANSWERING_S = 120.0
"""Of a scan's time: kept back for the answer."""

Scanned = Callable[[ScanOrder, Ground, float], Awaitable[Outcome]]
"""Scans what was fetched, until then, by a child that knows no token."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Where changes come from, and how they are answered."""

    grounds: Grounds
    trade: Trade
    """Of the children that talk to forges."""
    scanned: Scanned

    async def answered(self, scan: Scan, order: ScanOrder, into: Path, limit_s: float) -> Outcome:
        """What the change comes to as it stands now; the forge is told of it, as far as it can be.

        ``into`` is an empty folder; ``order`` is that of the scan, as far as it is known. Raises
        Refused and MergegateError where there is no access to the forge: nobody can be told.
        """
        until, errand = monotonic() + limit_s, Errand.model_validate_json(scan.request)
        access = await self._access(scan, errand)
        known = replace(order, answering=_answering(scan, access, errand.heard.change))
        is_order = errand.asked is not None
        children = self.grounds.children
        telling = Telling(children, self.trade, known, until, scan=scan, is_order=is_order)
        async with telling.called_off():
            try:
                found = await self._found(scan, errand, access, telling, into)
            except Over as over:
                return over.outcome
            return await telling.told(found)

    async def _found(
        self, scan: Scan, errand: Errand, access: Access, telling: Telling, into: Path
    ) -> Outcome:
        """The scan's own outcome; raises Over for a comment that is answered without one."""
        until = telling.until - _ANSWERING_S
        where = partial(locate_change, errand.heard.change)
        feared = LOST_AGAIN if scan.tries >= TRIES else None
        begin = partial(telling.begin, feared=feared)
        try:
            left = until - monotonic()
            ground = await self.grounds.brought(where, access, scan.id, into, left, check=begin)
            telling.lies_at(ground)
            return await self.scanned(telling.order, ground, until)
        except Refused as refusal:
            return refusal.failed
        except MergegateError as error:
            return outcome_of(scan.id, error)

    async def _access(self, scan: Scan, errand: Errand) -> Access:
        """As whom: the app, where the hook belongs to one, else the account's connection."""
        heard = errand.heard
        app = await self._app(scan, errand)
        if app is None:
            provider = heard.change.provider
            opened = await self.grounds.connection(scan.account_id, provider)
            return access_of(opened)
        as_app = partial(_as_app, app, heard, self.grounds.fetching.authorities)
        return await self.grounds.children.in_thread(as_app)

    async def _app(self, scan: Scan, errand: Errand) -> App | None:
        known = await self.grounds.hook(errand.hook)
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
