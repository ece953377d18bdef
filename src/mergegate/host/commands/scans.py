"""``mergegate scans``: what this host was asked for, what became of it, and how it is stopped."""

import datetime as dt
import json
from collections.abc import Mapping

import click

from mergegate.core.errors import UsageError
from mergegate.core.render.escape import terminal
from mergegate.host.commands.database import in_database, of_account, on_host, plain
from mergegate.host.jobs import cancellation
from mergegate.host.store import scans as store
from mergegate.host.store.scans import ScanSummary, Stage
from mergegate.terminal.listing import FORMAT, JSON, Columns, listed, told

_MOST = 1000
_FIELDS = (
    *("id", "account", "tool", "state", "createdAt", "startedAt", "completedAt"),
    *("tries", "worker", "request", "code", "detail"),
)


@click.group()
def scans() -> None:
    """List this host's scans, tell why one failed, and cancel one."""


@scans.command("list")
@click.option("--account", "owner", help="Only those of this account.")
@click.option("--state", type=click.Choice([one.value for one in Stage]), help="Only those.")
@click.option("--limit", type=click.IntRange(1, _MOST), default=20, show_default=True)
@FORMAT
def listing(owner: str | None, state: str | None, limit: int, style: str) -> None:
    """List scans, the newest first; times in UTC.

    \b
    Examples:
      mergegate scans list --state failed
      mergegate scans list --account shop --state waiting --limit 100
    """
    stage = Stage(state) if state else None
    found = of_account(owner or None, lambda conn, mine: store.newest(conn, mine, stage, limit))
    columns: Columns[ScanSummary] = {
        "Id": lambda one: one.id,
        "Account": lambda one: one.account,
        "Tool": lambda one: one.tool,
        "Accepted": lambda one: f"{one.created_at:%Y-%m-%d %H:%M}",
        "State": lambda one: f"{one.stage} ({one.code})" if one.code else one.stage,
    }
    listed(style, found, columns, _plain)


@scans.command()
@click.argument("id")
@FORMAT
def show(id: str, style: str) -> None:
    """Tell everything about a scan but its result.

    The API gives that to its account.
    """
    found = _plain(_known(id))
    if style == JSON:
        click.echo(json.dumps(found, indent=2))
        return
    for name, value in found.items():
        if value is not None:
            click.echo(terminal(f"{name}: {value}"))


@scans.command()
@click.argument("id")
@FORMAT
def cancel(id: str, style: str) -> None:
    """End a scan that is not over, as failed with CANCELLED.

    One that is over stays as it is.
    """
    _known(id)
    now = dt.datetime.now(dt.UTC)
    is_ended = on_host(lambda database: cancellation.cancel(database, id, now))
    over = _known(id)
    sentence = "The scan is cancelled." if is_ended else f"The scan was over: {over.stage}."
    told(style, _plain(over), sentence)


def _known(id: str) -> ScanSummary:
    found = in_database(lambda conn: store.seen(conn, id))
    if found is None:
        raise UsageError("there is no such scan", remedy="`mergegate scans list` shows them.")
    return found


def _plain(one: ScanSummary) -> Mapping[str, object]:
    """Named as in the API's results."""
    return plain(one, *_FIELDS, state=one.stage, completedAt=one.finished_at)
