"""Build a host that serves: database, queue, API and pages, and the worker beside them."""

import asyncio
import datetime as dt
import gc
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from types import FrameType

import sqlalchemy as sa
import structlog
import uvicorn
import uvloop
from prometheus_client.core import GaugeMetricFamily, Metric
from starlette.routing import Route
from starlette.types import ASGIApp

from mergegate.core.errors import UsageError
from mergegate.host.advisory_renewal import Renewal, renewed
from mergegate.host.api.app import create_app
from mergegate.host.api.limits import Backpressure, RateLimits, SharedRates
from mergegate.host.api.logs import configure
from mergegate.host.api.metrics import Metrics
from mergegate.host.api.protocol import BoundedProtocol
from mergegate.host.api.service import Link, Service, utc_now
from mergegate.host.api.synchronous import ScanWatch
from mergegate.host.api.webhooks import Webhooks, webhook_routes
from mergegate.host.database import KEY_FILE, opened, sealer
from mergegate.host.jobs.execution import ALONE, USUAL, Executor
from mergegate.host.jobs.worker import Worker
from mergegate.host.scan import Scan
from mergegate.host.settings import ServiceSettings
from mergegate.host.store import keys, tables
from mergegate.host.store.database import Database
from mergegate.host.store.scans import COLUMNS, scan_of
from mergegate.host.store.sealing import kept_key
from mergegate.host.web.repository import Links, Pages
from mergegate.host.web.repository import routes as page_routes
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.process.run import allow_many_files
from mergegate.site.address import host_and_port, policy_for


class AdvisoryFigures:
    """How old the advisories are, and whether they can be renewed (a ``Collector``)."""

    def __init__(self, renewal: Renewal) -> None:
        self._renewal = renewal

    def collect(self) -> Iterator[Metric]:
        """No age where there is no store."""
        yield GaugeMetricFamily(
            "mergegate_advisories_renewal_failures",
            "Times in a row that advisories could not be renewed.",
            self._renewal.failures,
        )
        age = self._renewal.age()
        if age is not None:
            yield GaugeMetricFamily(
                "mergegate_advisories_age_seconds",
                "Since the ecosystem was imported that has not been for longest.",
                age.total_seconds(),
            )


GRACE_S = 30.0
"""What running scans and waiting callers get when the process is asked to stop."""
_LEAVE_S = 2
"""For answers on their way, once the grace is over."""
_KEEP_ALIVE_S = 20
_SWITCH_S = 0.0005
"""The database's threads wait that long for a busy event loop at each of their steps, not 5 ms."""
_LINKS_KEPT = 10_000
_BACKLOG = 2048
"""Connections that wait to be taken; the system may allow fewer."""
ExecutorFactory = Callable[[Database], AbstractContextManager[Executor]]
"""Builds what carries scans out, for as long as the host lives."""
_log = structlog.get_logger("mergegate.serve")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listen:
    """Where the host is reached, and how long it takes to leave."""

    host: str = "127.0.0.1"
    port: int = 8080
    """0: any that is free."""
    grace_s: float = GRACE_S


def serve(settings: ServiceSettings, listen: Listen, open_executor: ExecutorFactory | None) -> None:
    """Serve until SIGTERM or SIGINT; without ``open_executor`` scans are left to other processes.

    Raises UsageError when it cannot listen there, StoreError when the database does not answer.
    """
    configure()
    allow_many_files()
    sys.setswitchinterval(_SWITCH_S)
    with _socket(listen) as listening, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(settings, listen, open_executor, listening))


def scan_policy(settings: ServiceSettings) -> Policy:
    """What this host's scans may reach; raises UsageError for a host that none ever may."""
    return policy_for(also=[to for one in settings.allow_hosts for to in host_and_port(one)])


async def _serve(
    settings: ServiceSettings,
    listen: Listen,
    open_executor: ExecutorFactory | None,
    listening: socket.socket,
) -> None:
    url = _url(listen, listening)
    async with opened(settings) as database:
        links = Links(_keys(settings), settings.app_url or url)
        renewal = renewed(settings)
        metrics = Metrics(AdvisoryFigures(renewal)) if open_executor else Metrics()
        async with _service(settings, database, links, metrics) as service:
            webhooks = webhook_routes(Webhooks(service, sealer(settings)))
            app = create_app(service, (*_pages(database, links), *webhooks))
            server = _Server(app, service, listen)
            working = _working(settings, service, open_executor, renewal, server.grace_left_s)
            async with working:
                await _greet(database, url)
                gc.collect()
                gc.freeze()  # a look at all that is loaded would hold requests up for 0.1 s
                await server.serve([listening])


@asynccontextmanager
async def _service(
    settings: ServiceSettings, database: Database, links: Links, metrics: Metrics
) -> AsyncIterator[Service]:
    watch, rates = ScanWatch(database), RateLimits()
    sharing = _sharing(database, rates)
    try:
        yield Service(
            database=database,
            policy=scan_policy(settings),
            watch=watch,
            backpressure=Backpressure(database, settings.most_waiting, time.monotonic),
            rates=rates,
            metrics=metrics,
            link=_linking(links),
            https=settings.app_url.startswith("https://"),
            shows_metrics=settings.metrics,
        )
    finally:
        if sharing is not None:
            sharing.cancel()
        await watch.close()


def _sharing(database: Database, rates: RateLimits) -> asyncio.Task[None] | None:
    """SQLite's host is one process: there is no other to tell."""
    if database.is_sqlite:
        return None
    return asyncio.create_task(SharedRates(database, rates, time.monotonic).run())


@asynccontextmanager
async def _working(
    settings: ServiceSettings,
    service: Service,
    open_executor: ExecutorFactory | None,
    renewal: Renewal,
    grace_left_s: Callable[[], float],
) -> AsyncIterator[None]:
    """With a worker in this process, where it can carry scans, and advisories that stay young."""
    if open_executor is None:
        yield
        return
    retention = dt.timedelta(days=settings.retention_days)
    database = service.database
    # SQLite's host is one process: nobody else submits a scan.
    intervals = ALONE if database.is_sqlite else USUAL
    with open_executor(database) as executor, renewal.kept():
        worker = Worker(
            database,
            executor,
            settings.slots,
            intervals=intervals,
            retention=retention,
            wake=service.submitted,
        )
        await worker.start()
        try:
            yield
        finally:
            await worker.stop(grace_left_s())


class _Server(uvicorn.Server):
    """Tells the service when it leaves, and ends in peace: being stopped is no failure."""

    def __init__(self, app: ASGIApp, service: Service, listen: Listen) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=BoundedProtocol,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_keep_alive=_KEEP_ALIVE_S,
                timeout_graceful_shutdown=int(listen.grace_s) + _LEAVE_S,
                backlog=_BACKLOG,
            )
        )
        self._service = service
        self._grace_s = listen.grace_s
        self._until_s: float | None = None

    def grace_left_s(self) -> float:
        """One grace is for callers and scans together; all of it while nobody asked to stop."""
        if self._until_s is None:
            return self._grace_s
        return max(0.0, self._until_s - asyncio.get_running_loop().time())

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal asks it to leave; the second takes it, and what children run, along."""
        if self.should_exit:
            os._exit(128 + sig)
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take nothing new; who waits is answered within the grace, or refused after it."""
        loop = asyncio.get_running_loop()
        self._service.draining.set()
        self._until_s = loop.time() + self._grace_s
        loop.call_at(self._until_s, self._service.watch.stopping.set)
        await super().shutdown(sockets)
        # uvicorn would raise the signal again, for a parent that it does not have.
        self._captured_signals.clear()


def _linking(links: Links) -> Link:
    """Links are the same all day, and asked for with every poll."""

    @lru_cache(_LINKS_KEPT)
    def made(scan_id: str, day: dt.date) -> str:
        return links.link(scan_id, dt.datetime.combine(day, dt.time(), dt.UTC))

    return lambda scan_id: made(scan_id, utc_now().date())


def _pages(database: Database, links: Links) -> tuple[Route, ...]:
    async def find(scan_id: str) -> Scan | None:
        mine = tables.accounts.c.id == tables.scans.c.account_id
        served = tables.accounts.c.suspended_at.is_(None)
        this = sa.select(*COLUMNS).join(tables.accounts, mine)
        this = this.where(tables.scans.c.id == scan_id, served)
        async with database.read() as connection:
            row = (await connection.execute(this)).first()
        return None if row is None else scan_of(row)

    return page_routes(Pages(links, find, utc_now))


def _keys(settings: ServiceSettings) -> tuple[str, ...]:
    """What links are signed with: the keys that seal tokens, whose own salt keeps them apart."""
    sealer(settings)  # says what is wrong with them, if anything is
    return settings.secret_keys or (kept_key(settings.data / KEY_FILE),)


def _socket(listen: Listen) -> socket.socket:
    """Bound before anything else is done; raises UsageError when it cannot be."""
    try:
        found = socket.getaddrinfo(
            listen.host, listen.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, _, _, _, address = found[0]
        return socket.create_server(address[:2], family=family, backlog=_BACKLOG)
    except OSError as error:
        raise UsageError(
            f"it is not possible to listen on port {listen.port} of that host: {error.strerror}",
            remedy="Name another by --host and --port.",
        ) from error


def _url(listen: Listen, listening: socket.socket) -> str:
    host = f"[{listen.host}]" if ":" in listen.host else listen.host
    return f"http://{host}:{listening.getsockname()[1]}"


async def _greet(database: Database, url: str) -> None:
    _log.info("serving", url=url, reference=f"{url}/api/docs")
    async with database.read() as connection:
        if not await keys.listed(connection):
            _log.info("no key yet", next="mergegate keys create")
