"""``mergegate schedules``: scans that this host makes again and again by itself."""

import datetime as dt
import json
import os
import secrets
from collections.abc import Mapping, Sequence

import click
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.errors import UsageError
from mergegate.core.plans import Tool
from mergegate.host.commands.database import USUAL, account, in_database
from mergegate.host.database import host_settings
from mergegate.host.jobs.schedule import next_time
from mergegate.host.scheduling import SCHEDULABLE, scheduled
from mergegate.host.serving import scan_policy
from mergegate.host.store import scans
from mergegate.host.store import schedules as store
from mergegate.host.store.scans import ScanLine
from mergegate.host.store.schedules import Schedule
from mergegate.host.store.sql import safe_id
from mergegate.site.level import RANDOM_BYTES, identifier
from mergegate.terminal.listing import FORMAT, Columns, listed, moment
from mergegate.terminal.output import say

_ACCOUNT = click.option("--account", "owner", default=USUAL, show_default=True)

_TIME = "%Y-%m-%dT%H:%MZ"


@click.group()
def schedules() -> None:
    """Let this host scan again and again by itself.

    What is due is submitted by the worker of `mergegate serve`, or by `mergegate worker`; what was
    missed while none ran is made up for once.
    """


@schedules.command()
@click.argument("tool", type=click.Choice([tool.value for tool in SCHEDULABLE]))
@click.argument("request")
@click.option("--cron", required=True, metavar="FIELDS", help="Five fields of crontab, in UTC.")
@_ACCOUNT
def add(tool: str, request: str, cron: str, owner: str) -> None:
    """Have TOOL scan what REQUEST, the body of the API's POST, names.

    Audits that are made so count for no limit of the account's plan.

    \b
    Examples:
      mergegate schedules add seo '{"url":"https://example.org/"}' --cron '0 3 * * *'
      mergegate schedules add repository '{"owner":"acme","repo":"shop"}' --cron '30 6 * * 1'
    """
    now = dt.datetime.now(dt.UTC)
    first = next_time(cron, now)
    policy = scan_policy(host_settings(os.environ))
    made = identifier("sch_", now, secrets.token_bytes(RANDOM_BYTES))

    async def put(conn: AsyncConnection) -> None:
        theirs = await account(conn, owner)
        order = await scheduled(conn, theirs.id, Tool(tool), request, policy)
        what = (order.tool, order.lane, order.request, cron)
        await store.add(conn, Schedule(made, theirs.id, *what, first, now))

    in_database(put)
    say(f"{made}\n")
    click.echo(f"First at {first:%Y-%m-%d %H:%M} UTC.", err=True)


@schedules.command("list")
@_ACCOUNT
@FORMAT
def listing(owner: str, style: str) -> None:
    """List the account's schedules, the next one first; times in UTC."""

    async def read(conn: AsyncConnection) -> Sequence[Schedule]:
        return await store.listed(conn, (await account(conn, owner)).id)

    columns: Columns[Schedule] = {
        "Id": lambda one: one.id,
        "Next": lambda one: f"{one.next_at:{_TIME}}",
        "Tool": lambda one: one.tool,
        "Times": lambda one: one.cron,
        "Request": lambda one: one.request,
    }
    listed(style, in_database(read), columns, _plain)


@schedules.command()
@_ACCOUNT
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
@FORMAT
def results(owner: str, limit: int, style: str) -> None:
    """List the account's newest scans, scheduled or not; times in UTC.

    The API tells the result of each by its identifier.
    """

    async def read(conn: AsyncConnection) -> Sequence[ScanLine]:
        return await scans.listed(conn, (await account(conn, owner)).id, limit)

    columns: Columns[ScanLine] = {
        "Id": lambda one: one.id,
        "Since": lambda one: f"{one.created_at:{_TIME}}",
        "Tool": lambda one: one.tool,
        "State": lambda one: f"{one.state} ({one.code})" if one.code else one.state,
    }
    listed(style, in_database(read), columns, _plain_scan)


@schedules.command()
@click.argument("id")
@_ACCOUNT
def remove(id: str, owner: str) -> None:
    """Stop a schedule; scans that it submitted stay."""

    async def forget(conn: AsyncConnection) -> bool:
        return await store.remove(conn, (await account(conn, owner)).id, safe_id(id))

    if not in_database(forget):
        raise UsageError(
            f"{owner} has no such schedule", remedy="`mergegate schedules list` shows them."
        )
    click.echo("The schedule is removed.", err=True)


def _plain(one: Schedule) -> Mapping[str, object]:
    return {
        "id": one.id,
        "tool": one.tool,
        "cron": one.cron,
        "nextAt": moment(one.next_at),
        "createdAt": moment(one.created_at),
        "request": json.loads(one.request),
    }


def _plain_scan(one: ScanLine) -> Mapping[str, object]:
    return {
        "id": one.id,
        "tool": one.tool,
        "state": one.state,
        "code": one.code,
        "createdAt": moment(one.created_at),
        "completedAt": moment(one.finished_at),
    }
