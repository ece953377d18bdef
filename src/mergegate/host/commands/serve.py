"""``mergegate serve``."""

import os
from contextlib import closing
from typing import TYPE_CHECKING

import click

from mergegate.host.commands import GRACE

if TYPE_CHECKING:
    from mergegate.host.server import ExecutorFactory
    from mergegate.host.settings import ServiceSettings


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help="0 takes any that is free.",
)
@click.option(
    "--no-worker", is_flag=True, help="Answer requests alone; `mergegate worker` scans elsewhere."
)
@GRACE
def serve(host: str, port: int, no_worker: bool, grace: float) -> None:
    """Answer the HTTP API, and carry out its scans.

    Nothing else needs to be started: the database is a file in MERGEGATE_DATA_DIR, unless
    MERGEGATE_DATABASE_URL names a PostgreSQL. The API's own reference is at /api/docs.

    \b
    Examples:
      mergegate serve
      mergegate keys create
      curl -H "X-API-Key: mg_..." http://127.0.0.1:8080/api/repo/result?id=rs_...
    """
    from mergegate.host import server  # noqa: PLC0415 - help is asked for more often
    from mergegate.host.database import host_settings  # noqa: PLC0415

    settings = host_settings(os.environ)
    listen = server.Listen(host=host, port=port, grace_s=grace)
    server.serve(settings, listen, None if no_worker else _executor_factory(settings))


def _executor_factory(settings: "ServiceSettings") -> "ExecutorFactory":
    from mergegate.host.database import sealer  # noqa: PLC0415
    from mergegate.host.runner.executor import scan_executor  # noqa: PLC0415

    return lambda database: closing(scan_executor(database, sealer(settings), settings))
