"""What a worker is called, and what that tells; beside it, for whoever only asks."""

import os
import secrets
import socket


def worker_id() -> str:
    """Tells people the machine, and the sweep each process from any other there ever was."""
    return f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(8)}"


def machine_of(worker: str) -> str:
    """The host name in :func:`worker_id`; one may begin as another does, and hold hyphens too."""
    return worker.rsplit("-", 2)[0]
