"""Carry scans out: each in a child process without this one's secrets, ended with its task."""

import json
import logging
import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic

from mergegate.core.errors import Failed, MergegateError, UsageError
from mergegate.core.plans import Tool
from mergegate.core.render.escape import terminal
from mergegate.host.jobs.execution import LIMITS_S
from mergegate.host.order import LocalRepository, ScanOrder
from mergegate.host.runner.advisories import Advisories, host_stock
from mergegate.host.runner.changes import Changes, outcome_of
from mergegate.host.runner.checkouts import Checkouts, Fetching, Refused
from mergegate.host.runner.children import Children, WorkerKind
from mergegate.host.runner.consoles import USUAL, Consoles, Google
from mergegate.host.scan import Outcome, Scan, moment
from mergegate.host.settings import ALLOW_HOSTS, AUTHORITIES, ServiceSettings
from mergegate.host.store.database import Database
from mergegate.host.store.sealing import Sealer
from mergegate.sandbox.process.confinement import network_is_isolated
from mergegate.sandbox.process.deny_ptrace import deny_ptrace
from mergegate.sandbox.process.run import MEBIBYTE, Limits, python_module
from mergegate.sandbox.process.slots import LIMITS, Kind, Slots, remove, slots
from mergegate.site.address import host_and_port

_MOST_BYTES = 1024 * MEBIBYTE
"""The bytes that a repository's provider may send, and that its files may come to."""
_OF_REPOSITORIES = frozenset({Tool.REPOSITORY, Tool.CHANGE})
_WARM_SCANS = 20
_MOST_IDLE = 4
_TRIES = 2
"""How often that is tried which has no effect beyond its answer."""
_TASKS = 500
"""Processes and threads of one scan; an audit has some 140."""
_LEAST_TASKS = 16_384
_PASSED_ON = (
    *("MERGEGATE_CHROMIUM", "PLAYWRIGHT_NODEJS_PATH", "PLAYWRIGHT_BROWSERS_PATH"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR"),
)
"""What of our environment children see: where programs and certificates lie."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _WorkerKinds:
    """What children are there for."""

    sites: WorkerKind
    fetching: WorkerKind
    repositories: WorkerKind
    changes: WorkerKind
    consoles: WorkerKind


class ScanExecutor:
    """Carries scans out (``jobs.execution.Executor``); made by :func:`scan_executor`."""

    def __init__(
        self,
        held: ExitStack,
        place: Slots,
        checkouts: Checkouts,
        kinds: _WorkerKinds,
        beside: tuple[Advisories, Consoles],
    ) -> None:
        self._held = held
        self._slots = place
        self._children = checkouts.children
        self._checkouts = checkouts
        self._kinds = kinds
        self._advisories, self._consoles = beside

    async def __call__(self, scan: Scan) -> Outcome:
        """What the scan comes to. Cancelled, it ends what it started before it lets go."""
        try:
            found = await self._carried(scan)
        except Refused as refusal:
            found = refusal.failed
        except MergegateError as error:
            found = outcome_of(scan.id, error)
        return _noted(scan, found) if scan.tool is Tool.CHANGE else found

    def close(self) -> None:
        """End every child; scans that are still being carried out end without a result."""
        self._children.close()
        self._held.close()

    async def _carried(self, scan: Scan) -> Outcome:
        if scan.tool in _OF_REPOSITORIES:
            return await self._of_a_repository(scan)
        order, until = self._order(scan), monotonic() + LIMITS_S[scan.tool]
        if scan.tool is Tool.SEO:
            asked = self._consoles.asked(scan.account_id, scan.id, order.request["url"])
            order = replace(order, console=await asked)
        left_s = until - monotonic()
        return await self._children.ask(self._kinds.sites, scan.id, order, left_s)

    async def _of_a_repository(self, scan: Scan) -> Outcome:
        limit_s, tree = LIMITS_S[scan.tool], self._slots.room()
        try:
            if scan.tool is Tool.CHANGE:
                changes = Changes(self._checkouts, self._kinds.changes, self._scanned)
                return await changes.answered(scan, self._order(scan), tree, limit_s)
            until, request = monotonic() + limit_s, json.loads(scan.request)
            repository = await self._checkouts.fetched(
                scan.account_id, scan.id, request, tree, limit_s
            )
            return await self._scanned(self._order(scan), repository, until)
        finally:
            await self._children.in_thread(partial(remove, tree))

    async def _scanned(
        self, order: ScanOrder, repository: LocalRepository, until: float
    ) -> Outcome:
        """By a child that reads what strangers wrote: without a network, and without the token."""
        await self._children.in_thread(partial(self._slots.seal, repository.tree))
        await self._children.in_thread(partial(self._advisories.prepare, repository.tree))
        plain = replace(order, tool=Tool.REPOSITORY, repository=repository, answering=None)
        left = until - monotonic()
        return await self._children.ask(self._kinds.repositories, order.id, plain, left)

    def _order(self, scan: Scan) -> ScanOrder:
        return ScanOrder(
            id=scan.id,
            tool=scan.tool,
            request=json.loads(scan.request),
            created_at=moment(scan.created_at),
            allow=self._checkouts.fetching.allow,
        )


def scan_executor(
    database: Database,
    sealer: Sealer,
    settings: ServiceSettings,
    *,
    environment: Mapping[str, str] = os.environ,
    most_bytes: int = _MOST_BYTES,
    google: Google = USUAL,
) -> ScanExecutor:
    """What carries out the scans of this process, until it is closed or this process ends.

    From now on other processes of our account cannot look into this one. Raises EngineError, and
    UsageError for what the operator named wrongly, before any scan is accepted.
    """
    _check(settings, environment)
    if not network_is_isolated():
        _log.warning("repositories are scanned with a network: it cannot be taken here")
    deny_ptrace()
    with ExitStack() as opening:
        place = opening.enter_context(slots())
        kinds = _kinds(settings, environment)
        fetching = Fetching(
            worker_kind=kinds.fetching,
            allow=settings.allow_hosts,
            authorities=environment.get(AUTHORITIES, ""),
            most_bytes=most_bytes,
        )
        checkouts = Checkouts(database, sealer, Children(place), fetching)
        stock = host_stock(settings, environment)
        opening.callback(stock.importer.end)
        consoles = Consoles(database, sealer, checkouts.children, kinds.consoles, google)
        beside = Advisories(stock), consoles
        return ScanExecutor(opening.pop_all(), place, checkouts, kinds, beside)


def _check(settings: ServiceSettings, environment: Mapping[str, str]) -> None:
    try:
        for host in settings.allow_hosts:
            host_and_port(host)
    except UsageError as error:
        raise UsageError(f"{ALLOW_HOSTS}: {error.what}", remedy=error.remedy) from error
    authorities = environment.get(AUTHORITIES)
    if authorities and not os.access(authorities, os.R_OK):
        raise UsageError(f"{AUTHORITIES} names no file that can be read")


def _kinds(settings: ServiceSettings, environment: Mapping[str, str]) -> _WorkerKinds:
    """The kinds of children. Those that scan repositories have no network: advisories lie here."""
    argv = python_module("mergegate.host.runner.slot")
    seen = {name: environment[name] for name in _PASSED_ON if environment.get(name)}
    seen["MERGEGATE_DATA_DIR"] = str(settings.data)
    plain = Kind(argv, limits=_limits(settings))
    sites = replace(plain, environment=seen)
    repositories = replace(sites, network=False)
    changes = replace(plain, environment=seen | _vouched(environment))
    return _WorkerKinds(
        sites=WorkerKind("sites", sites, _WARM_SCANS, _MOST_IDLE, _TRIES),
        fetching=WorkerKind("fetching", plain),
        repositories=WorkerKind("repositories", repositories, tries=_TRIES),
        changes=WorkerKind("changes", changes),
        consoles=WorkerKind("consoles", sites),
    )


def _limits(settings: ServiceSettings) -> Limits:
    """Enough processes for every slot: the kernel counts by account, and all children share one.

    Where containers have no accounts of their own it counts theirs along. A child that multiplies
    is stopped far below what a machine holds.
    """
    most = sum(settings.slots.values()) + _MOST_IDLE
    return replace(LIMITS, tasks=max(most * _TASKS, _LEAST_TASKS))


def _vouched(environment: Mapping[str, str]) -> dict[str, str]:
    """What the forges' own libraries trust; they are not asked through our way out."""
    authorities = environment.get(AUTHORITIES)
    return {"REQUESTS_CA_BUNDLE": authorities, "SSL_CERT_FILE": authorities} if authorities else {}


def _noted(scan: Scan, outcome: Outcome) -> Outcome:
    """Log why a change failed: no caller asks for its result."""
    if isinstance(outcome, Failed):
        detail = terminal(outcome.detail)
        _log.warning("scan %s did not answer its change: %s: %s", scan.id, outcome.code, detail)
    return outcome
