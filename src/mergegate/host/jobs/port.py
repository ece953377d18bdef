"""What the rest of the house knows of the queue: a scan goes in, and may be called off."""

from collections.abc import Awaitable, Callable, Mapping
from enum import IntEnum
from typing import Protocol

import sqlalchemy as sa

from mergegate.core.tool import Tool
from mergegate.host.scan import Outcome, Scan

Carrier = Callable[[Scan], Awaitable[Outcome]]
"""Carries a scan out, in a process of its own that ends when the awaiting task is cancelled.

Of a change that was called off, which its ``outcome`` says, it only tells the forge.
An exception is a mistake of ours: it becomes ``INTERNAL``, and its text goes to the log alone.
"""


class Priority(IntEnum):
    """Orders the scans of one account and lane; accounts take turns whatever theirs are."""

    SOON = 1
    """Somebody cannot go on without it: a merge waits."""
    NORMAL = 2
    LATER = 3
    """Nobody waits: a schedule asked for it."""


LIMITS_S: Mapping[Tool, float] = {
    Tool.REPOSITORY: 900.0,
    Tool.CHANGE: 900.0,
    Tool.SEO: 180.0,
    Tool.AUDIT: 120.0,
    Tool.BROWSER_TEST: 300.0,
    Tool.SECURITY_SCAN: 120.0,
}
"""How long a worker may be busy with one scan, unless whoever submits it says otherwise."""


class Queue(Protocol):
    """Where accepted scans wait for a worker."""

    def enqueue(
        self,
        connection: sa.Connection,
        scan: Scan,
        timeout_s: float,
        *,
        priority: Priority = Priority.NORMAL,
    ) -> None:
        """Put ``scan`` into its lane within the caller's transaction: both happen, or neither.

        ``timeout_s`` counts from when a worker takes it up, anew each time; the wait is not in it.
        From an async connection: ``await conn.run_sync(queue.enqueue, scan, timeout_s)``.
        """

    async def cancel(self, scan_id: str) -> None:
        """Ask that a scan end as ``CANCELLED``, waiting or begun; a settled one stays as it is.

        Soon, not at once: a worker hears of it. Raises StoreError when the database does not
        answer.
        """

    def close(self) -> None:
        """Let go of what connections it holds."""
