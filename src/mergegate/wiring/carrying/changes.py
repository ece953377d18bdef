"""Answer a change that a webhook told of: as whom, what is fetched, and a child that does it."""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from mergegate.errors import ForgeError, NotAllowed
from mergegate.forges.github.app import installation_token
from mergegate.forges.hooks import App, Credentials, Errand, Heard
from mergegate.forges.repositories import (
    Access,
    AccessDenied,
    ProviderUnreachable,
    api_address,
    locate_change,
)
from mergegate.model.change import Provider
from mergegate.model.service.order import Answering, Ground, ScanOrder
from mergegate.model.service.scan import Failed, Scan
from mergegate.store.service import hooks
from mergegate.wiring.carrying.children import Trade
from mergegate.wiring.carrying.grounds import Grounds, Refused, access_of

_FORGOTTEN = Failed("HOOK_REMOVED", "The hook that told of the change has been removed.")
_NOT_INSTALLED = Failed("PROVIDER_ACCESS_DENIED", "The delivery names no installation of the app.")


@dataclass(frozen=True, slots=True)
class Changes:
    """Where changes come from."""

    grounds: Grounds
    trade: Trade
    """Of the children that talk to forges."""

    async def fetched(
        self, scan: Scan, order: ScanOrder, into: Path, timeout_s: float
    ) -> tuple[Ground, Answering]:
        """The change as it stands now, in the empty folder ``into``, and where its answer goes.

        ``order`` is that of the scan, as far as it is known. Raises Refused and MergegateError.
        """
        errand = Errand.model_validate_json(scan.request)
        access = await self._access(scan, errand)
        where = partial(locate_change, errand.heard.change)
        answering = _answering(scan, access)
        check = partial(self._check_author, replace(order, answering=answering), timeout_s)
        ground = await self.grounds.brought(
            where, access, scan.id, into, timeout_s, check=check if errand.asked else None
        )
        return ground, replace(answering, head=ground.target.commit, base=ground.base)

    async def _check_author(self, order: ScanOrder, timeout_s: float) -> None:
        """Anybody may comment on a public change: that is worth no clone."""
        outcome = await self.grounds.children.ask(self.trade, order.id, order, timeout_s)
        if isinstance(outcome, Failed):
            raise Refused(outcome)

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
        async with self.grounds.database.read() as conn:
            known = await hooks.find(conn, self.grounds.sealer, errand.hook)
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


def _answering(scan: Scan, access: Access) -> Answering:
    return Answering(
        token=access.token,
        api_url=api_address(access.provider, access.base_url),
        server_url=access.base_url,
        sequence=int(scan.created_at.timestamp() * 1000),
    )
