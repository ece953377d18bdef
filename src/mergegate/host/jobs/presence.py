"""Whether another worker of this machine holds the same SQLite file."""

import fcntl
import os
from pathlib import Path

from mergegate.host.store.address import claim_file


class Presence:
    """A lock that the system takes away when the process ends, however it ends."""

    def __init__(self, database: Path) -> None:
        self._beside = database.with_name(f"{database.name}.workers")

    def enter(self) -> bool:
        """Whether nobody else is there: who was before is then dead, whatever was heard of it.

        Raises StoreError when the file beside the database cannot be made.
        """
        claim_file(self._beside)
        self._held = os.open(self._beside, os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            alone = True
        except BlockingIOError:
            alone = False
        fcntl.flock(self._held, fcntl.LOCK_SH)
        return alone

    def leave(self) -> None:
        """Let others be alone."""
        os.close(self._held)
