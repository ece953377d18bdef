"""Call a scan off, for whoever may: people by the API, operators by ``mergegate scans``."""

import datetime as dt

from mergegate.core.failure import Failed
from mergegate.host.jobs import farewell
from mergegate.host.jobs.ledger import CANCELLED
from mergegate.host.jobs.port import Queue
from mergegate.host.store import scans
from mergegate.host.store.database import Database

SUPERSEDED = Failed("SUPERSEDED", "A newer state of the change is scanned in its place.")


async def cancel(database: Database, queue: Queue, scan_id: str, now: dt.datetime) -> bool:
    """Whether the scan ended by this, as ``CANCELLED``; one that is settled stays as it is.

    Its row says so at once; a worker that carries it hears of it within a second or two, and ends
    its child. Of a change the forge is told by a worker, which may be after others that wait.
    Raises StoreError when the database does not answer.
    """
    if not farewell.is_owed(scan_id):
        # The queue first: if this process ends in between, the sweep settles what is left.
        await queue.cancel(scan_id)
    async with database.change() as conn:
        return await scans.settle(conn, scan_id, CANCELLED, now)
