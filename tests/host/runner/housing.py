"""A host with accounts, and the forges that tell it of changes."""

import asyncio
import datetime as dt
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mergegate.core.change import Provider
from mergegate.core.plans import Tool
from mergegate.forges.deliveries import App, Credentials, Heard, ScanRequest
from mergegate.forges.hooks import read
from mergegate.host.account import FREE
from mergegate.host.runner.executor import ScanExecutor, scan_executor
from mergegate.host.scan import Outcome, Scan
from mergegate.host.settings import AUTHORITIES, OFFLINE, service_settings
from mergegate.host.store import accounts, connections, hooks
from mergegate.host.store.connections import Connection
from mergegate.host.store.database import Database
from mergegate.host.store.hooks import Hook
from mergegate.host.store.sealing import Sealer, new_key
from tests.forges.github.test_app import PEM
from tests.forges.hooks import saying
from tests.host.runner.front import Front, Street, street
from tests.host.runner.ready import Ready, ready
from tests.host.runner.scans import ACCEPTED, opened, scan_of

_seconds = itertools.count()
_accounts = itertools.count()


@dataclass(frozen=True)
class Host:
    """One that all forges tell of changes, wherever on the street they stand."""

    street: Street
    data: Path
    carriage: ScanExecutor
    database: Database
    sealer: Sealer
    runner: asyncio.Runner
    ready: Ready


@dataclass
class House:
    """An account of a host, and the forge that tells it of a change."""

    host: Host
    front: Front
    provider: Provider
    account: str = ""
    hook: str = ""
    tries: int = 1

    @property
    def carriage(self) -> ScanExecutor:
        return self.host.carriage

    @property
    def runner(self) -> asyncio.Runner:
        return self.host.runner

    def answered(self, body: Any, **headers: str) -> Outcome:
        """What the scan that the delivery asks for comes to."""
        return self.runner.run(self._carried(self.scan(body, **headers)))

    def scan(self, body: Any, **headers: str) -> Scan:
        """What the delivery asks for."""
        found = read(self.provider, saying.delivery(body, **headers))
        assert isinstance(found, Heard), found
        request = ScanRequest.of(self.hook, found).model_dump(mode="json", exclude_defaults=True)
        later = ACCEPTED + dt.timedelta(seconds=next(_seconds))
        made = scan_of(Tool.CHANGE, request, self.account)
        return replace(made, created_at=later, tries=self.tries)

    async def _carried(self, scan: Scan) -> Outcome:
        return await self.carriage(scan)

    async def settle_in(self, token: str, app: App | None) -> None:
        number, sealer = next(_accounts), self.host.sealer
        self.hook = f"hook_{number}"
        async with self.host.database.change() as conn:
            owner = await accounts.create(conn, f"ada-{number}", FREE, ACCEPTED)
            self.account = owner.id
            hook = Hook(self.hook, owner.id, self.provider, ACCEPTED)
            secret = Credentials(secret="s", app=app).text()
            await hooks.add(conn, hook, sealer.seal(secret, hook.place))
            if app is None:
                id = f"con_{number}"
                made = Connection(id, owner.id, self.provider, self.front.url, ACCEPTED)
                await connections.put(conn, made, sealer.seal(token, made.place))

    async def forget_the_hook(self) -> None:
        async with self.host.database.change() as conn:
            assert await hooks.remove(conn, self.account, self.hook)


@contextmanager
def hosted(folder: Path) -> Iterator[Host]:
    """Shared by all: each test has an account of its own."""
    with street(folder) as there:
        data = folder / "data"
        data.mkdir()
        allowed = {"MERGEGATE_ALLOW_HOSTS": there.url.removeprefix("https://")}
        settings = service_settings({**allowed, OFFLINE: "1"}, data)
        sealer, database = Sealer([new_key()]), opened(settings.database_url)
        trusted = {AUTHORITIES: str(there.authorities)}
        carriage = scan_executor(database, sealer, settings, environment=trusted)
        with asyncio.Runner() as runner, ready(carriage) as children:
            yield Host(there, data, carriage, database, sealer, runner, children)
            runner.run(database.close())
        carriage.close()


@contextmanager
def housed(
    host: Host, front: Front, provider: Provider, token: str, app: bool = False
) -> Iterator[House]:
    """An account that the forge tells of changes, answered with ``token`` or as an app."""
    with host.street.shows(front):
        house = House(host, front, provider)
        as_app = App(id=12, private_key=PEM, base_url=front.url) if app else None
        host.runner.run(house.settle_in(token, as_app))
        yield house
