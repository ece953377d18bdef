"""Ask Search Console for an account, away from the page: its key meets no stranger's bytes.

A child of its own has the key, reaches Google alone, and ends before the page is read; the child
that reads the page gets what Google said.
"""

import datetime as dt
import json
import logging
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

from mergegate.core.errors import Failed, MergegateError, StoreError
from mergegate.host.jobs.execution import retrying
from mergegate.host.order import ConsoleFacts, ConsoleQuestion
from mergegate.host.runner.checkouts import only
from mergegate.host.runner.children import Children, WorkerKind
from mergegate.host.store import consoles
from mergegate.host.store.database import Database, DatabaseUnavailable
from mergegate.host.store.sealing import Sealer
from mergegate.sandbox.egress.policy import PUBLIC, Policy
from mergegate.sandbox.egress.server import Egress, egress
from mergegate.site.seo.google import GOOGLE, TOKENS

_log = logging.getLogger(__name__)
_LONGEST_S = 60.0
_LOCKED = "the account's key to it cannot be opened on this host"
_UNHEARD = "this host could not ask"


@dataclass(frozen=True, slots=True)
class Google:
    """Where its API is found; another address in tests."""

    base: str = GOOGLE
    tokens: str = TOKENS

    def way(self) -> AbstractContextManager[Egress]:
        """Out to these alone."""
        hosts = {urlsplit(one).hostname or "" for one in (self.base, self.tokens)}
        named = frozenset(
            (parts.hostname, parts.port)
            for parts in map(urlsplit, (self.base, self.tokens))
            if parts.hostname and parts.port
        )
        return egress(Policy(ports=PUBLIC.ports, allowed=named), lookup=only(*hosts))


USUAL = Google()


def properties(key: str, now: dt.datetime, google: Google = USUAL) -> Sequence[str]:
    """The properties that ``key`` opens; raises EngineFailed that says why none can be told."""
    from mergegate.site.seo.gather import Console, read_access  # noqa: PLC0415 - of the extra `site`

    with google.way() as way:
        console = Console(read_access(key), way.url, google=google.base, tokens=google.tokens)
        return console.properties(now)


@dataclass(frozen=True, slots=True)
class Consoles:
    """What accounts have lent."""

    database: Database
    sealer: Sealer
    children: Children
    worker_kind: WorkerKind
    google: Google

    async def asked(self, account_id: str, name: str, url: str) -> ConsoleFacts | None:
        """What Google says of the page at ``url``; None where the account lent nothing.

        Whatever goes wrong is said in the facts: it is no fault of the page.
        """
        look = partial(self._key, account_id)
        try:
            key = await retrying("a console's key cannot be read", look, DatabaseUnavailable)
        except StoreError as error:
            _log.error("scan %s: %s", name, error)
            return ConsoleFacts(url, {"property": "", "failure": _LOCKED})
        return None if key is None else ConsoleFacts(url, await self._told(key, name, url))

    async def _key(self, account_id: str) -> str | None:
        async with self.database.read() as conn:
            return await consoles.find(conn, self.sealer, account_id)

    async def _told(self, key: str, name: str, url: str) -> dict[str, object]:
        held = ExitStack()
        way = held.enter_context(self.google.way())
        question = ConsoleQuestion(
            key=key, url=url, proxy=way.url, google=self.google.base, tokens=self.google.tokens
        )
        try:
            outcome = await self.children.ask(self.worker_kind, name, question, _LONGEST_S)
            if not isinstance(outcome, Failed):
                return dict(json.loads(outcome.result))
        except (MergegateError, ValueError) as error:
            _log.error("scan %s: Search Console was not asked: %s", name, error)
        finally:
            await self.children.in_thread(held.close)
        return {"property": "", "failure": _UNHEARD}
