"""Which providers an account is connected with, remembered for a few seconds.

What was there a moment ago may be gone: then the scan says so. What was not there is asked again.
"""

from collections import OrderedDict
from collections.abc import Callable

from mergegate.api.problems import Code, Refusal, invalid
from mergegate.model.change import Provider
from mergegate.store.service import connections
from mergegate.store.service.database import Database

_FRESH_S = 5.0
_MOST = 10_000


class Providers:
    """Finds the provider that a repository is fetched from."""

    def __init__(self, database: Database, monotonic: Callable[[], float]) -> None:
        self._database = database
        self._monotonic = monotonic
        self._known: OrderedDict[str, tuple[float, frozenset[Provider]]] = OrderedDict()

    async def chosen(self, account_id: str, wanted: str | None) -> str:
        """``wanted``, or the only one; raises Refusal when it is not connected or not clear."""
        found = self._remembered(account_id)
        if not found or (wanted is not None and wanted not in found):
            found = await self._read(account_id)
        if wanted is None and len(found) > 1:
            raise invalid("provider", "the account has several connections: say which one")
        for one in found:
            if wanted is None or wanted == one:
                return one.value
        raise Refusal(
            Code.PROVIDER_NOT_CONNECTED,
            "Connect the account with the provider of the repository in the settings first.",
        )

    def _remembered(self, account_id: str) -> frozenset[Provider]:
        at_s, found = self._known.get(account_id, (-_FRESH_S, frozenset()))
        return found if self._monotonic() - at_s < _FRESH_S else frozenset()

    async def _read(self, account_id: str) -> frozenset[Provider]:
        async with self._database.read() as connection:
            listed = await connections.listed(connection, account_id)
        found = frozenset(one.provider for one in listed)
        self._known[account_id] = (self._monotonic(), found)
        self._known.move_to_end(account_id)
        if len(self._known) > _MOST:
            self._known.popitem(last=False)
        return found
