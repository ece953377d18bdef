"""The submitting end of the queue."""

import sqlalchemy as sa
from dbos import DBOSClient, EnqueueOptions

from mergegate.host.jobs.durable import (
    APPLICATION,
    SCHEMA,
    SERIALIZER,
    VERSION,
    WORKFLOW,
    dbos_url,
    queue_name,
    quiet,
)
from mergegate.host.jobs.port import Priority, Queue
from mergegate.host.scan import Scan
from mergegate.host.store.trouble import drop_read_only, told_plainly


def open_queue(url: str) -> Queue:
    """The queue in the database that ``url`` names, which may be out of reach for now.

    ``url`` as ``store.service.database`` takes it, UsageError included; ``jobs.migrate`` makes the
    tables.
    """
    quiet()
    client = DBOSClient(
        system_database_url=dbos_url(url),
        dbos_system_schema=SCHEMA,
        serializer=SERIALIZER,
        system_database_pool_size=2,
        application_name=APPLICATION,
        lazy=True,
        # Otherwise a request would hang for as long as the database is away.
        retry_connection_errors=False,
    )
    sa.event.listen(client._sys_db.engine, "handle_error", drop_read_only)
    return _DurableQueue(client)


class _DurableQueue:
    """``port.Queue`` on DBOS; a workflow has the identifier of its scan."""

    def __init__(self, client: DBOSClient) -> None:
        self._client = client

    def enqueue(
        self,
        connection: sa.Connection,
        scan: Scan,
        timeout_s: float,
        *,
        priority: Priority = Priority.NORMAL,
    ) -> None:
        """See the port. DBOS cannot join identical work in a queue of turns: our table does.

        Its time-outs are not used either: they go by the wall clock, of one machine when they are
        set and of another when they are judged, and go on while no worker is there.
        """
        options: EnqueueOptions = {
            "workflow_name": WORKFLOW,
            "queue_name": queue_name(scan.lane),
            "workflow_id": scan.id,
            "priority": priority,
            "queue_partition_key": scan.account_id,
            "app_version": VERSION,
        }
        self._client.enqueue_in_transaction(connection, options, scan.id, timeout_s)

    async def cancel(self, scan_id: str) -> None:
        """See the port."""
        with told_plainly():
            await self._client.cancel_workflow_async(scan_id)

    def close(self) -> None:
        """See the port."""
        self._client.destroy()
