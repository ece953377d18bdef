"""``mergegate serve`` as it is, but that its scans' children ask the tests for addresses.

python -c "from tests.host.api.named import main; main()" PORT     PORT: who answers, on 127.0.0.1
"""

import json
import os
import socket
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

_ROOT = str(Path(__file__).parents[3])


def main() -> None:
    from mergegate.host.database import host_settings, sealer  # noqa: PLC0415
    from mergegate.host.runner import executor as runner  # noqa: PLC0415 - children have no use for it
    from mergegate.host.server import Listen, serve  # noqa: PLC0415

    port = sys.argv[1]

    def argv(_: str) -> list[str]:
        run = (
            f"sys.path.insert(0, {_ROOT!r}); from tests.host.api.named import child; child({port})"
        )
        return [sys.executable, "-X", "utf8", "-c", f"import sys; {run}"]

    vars(runner)["python_module"] = argv
    settings = host_settings(os.environ)
    serve(
        settings,
        Listen(port=0, grace_s=1.0),
        lambda database: closing(runner.scan_executor(database, sealer(settings), settings)),
    )


def child(port: int) -> None:
    """What ``mergegate.host.runner.slot`` is."""
    system = socket.getaddrinfo

    def getaddrinfo(host: Any, *rest: Any, **more: Any) -> list[Any]:
        name = host.decode() if isinstance(host, bytes) else str(host)
        if name[0].isdigit():
            return system(host, *rest, **more)
        with socket.create_connection(("127.0.0.1", port)) as asked:
            asked.sendall(f"{name}\n".encode())
            found = json.loads(asked.makefile().readline())
        if not found:
            raise socket.gaierror(socket.EAI_NONAME, "nobody knows it")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, 0)) for one in found]

    vars(socket)["getaddrinfo"] = getaddrinfo
    from mergegate.host.runner.slot.__main__ import main as answer  # noqa: PLC0415 - it may look names up

    answer()
