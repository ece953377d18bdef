"""Bring an account's repository here: its connection, the provider's word, a fetch by a child."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mergegate.core.change import Provider
from mergegate.core.errors import Failed
from mergegate.core.render.failures import AMBIGUOUS, NOT_CONNECTED
from mergegate.core.report import Target
from mergegate.forges.locate import locate
from mergegate.forges.provider import Access, Located, Sought, Way
from mergegate.host.jobs.execution import retrying
from mergegate.host.order import LocalRepository
from mergegate.host.runner.children import Children, WorkerKind
from mergegate.host.store import connections, hooks
from mergegate.host.store.connections import OpenConnection
from mergegate.host.store.database import Database, DatabaseUnavailable
from mergegate.host.store.hooks import SharedSecret
from mergegate.host.store.sealing import Sealer
from mergegate.sandbox.egress.dialer import Lookup, system_lookup
from mergegate.sandbox.egress.policy import PUBLIC, Caps, Policy
from mergegate.sandbox.egress.server import Egress, egress
from mergegate.sandbox.git.clone import Wanted
from mergegate.secrets.places import shown_name
from mergegate.site.address import host_and_port

_APIS: Mapping[str, str] = {
    "github.com": "api.github.com",
    "bitbucket.org": "api.bitbucket.org",
}
"""Providers whose API is on a host of its own."""


Where = Callable[[Access, Way], Located]
"""Asks the provider what is to be fetched."""
Check = Callable[[Located], Awaitable[None]]
"""Raises Refused where nothing is to be fetched."""


class Refused(Exception):
    """There is no repository to scan."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(failed.code)
        self.failed = failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaching:
    """How providers are reached from this host."""

    allow: tuple[str, ...] = ()
    """``HOST`` or ``HOST:PORT`` beyond the public internet."""
    authorities: str = ""
    """A file of certificates that vouch for providers, in place of those this machine trusts."""
    most_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetching(Reaching):
    """How repositories are fetched on this host."""

    worker_kind: WorkerKind


@dataclass(frozen=True, slots=True)
class Checkouts:
    """Where repositories come from."""

    database: Database
    sealer: Sealer
    children: Children
    fetching: Fetching

    async def fetched(
        self, account_id: str, name: str, request: Mapping[str, Any], into: Path, timeout_s: float
    ) -> LocalRepository:
        """The repository that ``request`` names, in the empty folder ``into``.

        Raises Refused and MergegateError.
        """
        opened = await self.connection(account_id, request.get("provider"))
        where = partial(locate, _sought(request))
        return await self.brought(where, access_of(opened), name, into, timeout_s)

    async def brought(
        self,
        where: Where,
        access: Access,
        name: str,
        into: Path,
        timeout_s: float,
        *,
        check: Check | None = None,
    ) -> LocalRepository:
        """What ``where`` finds, in the empty folder ``into``; raises as :meth:`fetched` does.

        ``check`` is made once the provider has answered, and before anything is fetched.
        """
        held = ExitStack()
        # Here and not in a thread: a scan that is cancelled meanwhile must not leave it open.
        way = held.enter_context(way_out(access.base_url, self.fetching))
        try:
            to = way_of(way, self.fetching)
            found = await self.children.in_thread(partial(where, access, to))
            if check is not None:
                await check(found)
            await self._bring(found, way, name, into, timeout_s)
        finally:
            await self.children.in_thread(held.close)
        return _repository(found, access.provider, into)

    async def connection(self, account_id: str, provider: str | None) -> OpenConnection:
        """The account's access to its provider, as it stands now.

        A database that is away is waited for: it is no fault of the scan. Raises Refused where
        there is none or it is not clear which, StoreError when none of our keys opens its token.
        """
        look = partial(self._connection, account_id, provider)
        return await retrying("a connection cannot be read", look, DatabaseUnavailable)

    async def hook(self, hook_id: str) -> SharedSecret | None:
        """A hook with its secret, as it stands now; as :meth:`connection` otherwise."""
        look = partial(self._hook, hook_id)
        return await retrying("a hook cannot be read", look, DatabaseUnavailable)

    async def _hook(self, hook_id: str) -> SharedSecret | None:
        async with self.database.read() as conn:
            return await hooks.find(conn, self.sealer, hook_id)

    async def _connection(self, account_id: str, provider: str | None) -> OpenConnection:
        async with self.database.read() as conn:
            if provider is None:
                provider = _only(await connections.listed(conn, account_id))
            found = await connections.find(conn, self.sealer, account_id, Provider(provider))
        if found is None:
            raise Refused(NOT_CONNECTED)
        return found

    async def _bring(
        self, found: Located, way: Egress, name: str, into: Path, timeout_s: float
    ) -> None:
        wanted = Wanted(
            url=found.url,
            user=found.user,
            token=found.word,
            proxy=way.url,
            authorities=self.fetching.authorities,
            branch=found.branch,
            commit=found.commit,
            base=found.base,
            into=into,
            most_bytes=self.fetching.most_bytes,
        )
        outcome = await self.children.ask(self.fetching.worker_kind, name, wanted, timeout_s)
        if isinstance(outcome, Failed):
            raise Refused(outcome)


def way_out(base_url: str, fetching: Reaching) -> AbstractContextManager[Egress]:
    """To the provider alone, wherever a redirect or an answer may point."""
    host = urlsplit(base_url).hostname or ""
    named = frozenset(to for one in fetching.allow for to in host_and_port(one))
    policy = Policy(ports=PUBLIC.ports, allowed=named)
    # More than Git may write: its own limit tells the better reason.
    most = 2 * fetching.most_bytes
    caps = Caps(tunnel_bytes=most, scan_bytes=2 * most, total_s=1800.0)
    return egress(policy, caps, only(host, _APIS.get(host, host)))


def way_of(way: Egress, fetching: Reaching) -> Way:
    """The way out, as the provider's adapters take it."""
    return Way(proxy=way.url, authorities=fetching.authorities, contacted=lambda: way.contacted)


def access_of(opened: OpenConnection) -> Access:
    """The connection, as the provider's adapters take it."""
    connection = opened.connection
    return Access(provider=connection.provider, base_url=connection.base_url, token=opened.token)


def _only(known: Sequence[connections.Connection]) -> str:
    if len(known) > 1:
        raise Refused(AMBIGUOUS)
    if not known:
        raise Refused(NOT_CONNECTED)
    return known[0].provider


def only(*hosts: str) -> Lookup:
    """Names other than these have no address."""

    def lookup(host: str) -> Sequence[str]:
        if host not in hosts:
            raise OSError("this is not who is to be asked")
        return system_lookup(host)

    return lookup


def _sought(request: Mapping[str, Any]) -> Sought:
    return Sought(
        owner=request["owner"],
        repo=request["repo"],
        branch=request.get("branch"),
        commit=request.get("commit"),
        base=request.get("base"),
    )


def _repository(found: Located, provider: Provider, tree: Path) -> LocalRepository:
    target = Target(
        provider=provider.value,
        owner=found.owner,
        repo=found.repo,
        branch=found.branch and shown_name(found.branch),
        commit=found.commit,
        web=found.url.removesuffix(".git"),
    )
    return LocalRepository(tree=tree, target=target, base=found.base)
