"""``mergegate worker``."""

import os
import sys

import click

from mergegate.host.commands import GRACE
from mergegate.terminal.exits import INCOMPLETE

_POLL_S = 0.5


@click.command()
@click.option(
    "--slots",
    metavar="LANE=N,...",
    help="Scans at a time, as in repository=2,browser=1,light=4,waited=4; default:"
    " MERGEGATE_SLOTS.",
)
@click.option(
    "--poll",
    type=click.FloatRange(0.01, 60),
    default=_POLL_S,
    show_default=True,
    metavar="SECONDS",
    help="How often it looks for work; of many workers each may look less often.",
)
@GRACE
@click.option("--check", is_flag=True, help="Only tell whether a worker lives on this machine.")
def worker(slots: str | None, poll: float, grace: float, check: bool) -> None:
    """Carry out scans that `mergegate serve` accepted, beside it or on another machine.

    Any number may run on one PostgreSQL (MERGEGATE_DATABASE_URL); what one of them drops, the
    others take up. SIGTERM lets it finish what runs; what takes longer goes to another worker.
    A second SIGTERM ends it at once.

    \b
    Examples:
      mergegate worker
      mergegate worker --slots repository=2,browser=0,light=8,waited=4
      mergegate worker --check        for health checks: exits with 3 when none lives
    """
    from mergegate.host.database import host_settings  # noqa: PLC0415
    from mergegate.host.settings import SLOTS  # noqa: PLC0415 - help is asked for more

    settings = host_settings(os.environ if slots is None else {**os.environ, SLOTS: slots})
    if check:
        from mergegate.host.database import alive_here  # noqa: PLC0415 - asked every few seconds

        sys.exit(0 if alive_here(settings) else INCOMPLETE)
    from mergegate.host.worker_process import work  # noqa: PLC0415

    work(settings, poll_s=poll, grace_s=grace)
