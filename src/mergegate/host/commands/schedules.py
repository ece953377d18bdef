"""``mergegate schedules``: scans that this host makes again and again by itself."""

import datetime as dt
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import replace

import click
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.errors import UsageError
from mergegate.core.plans import Lane, Tool
from mergegate.core.strict_json import strict_json
from mergegate.host.api.problems import Refusal
from mergegate.host.api.scan_requests import BODIES, ScanRequest, canonical, scan_request
from mergegate.host.commands.database import OWNER, of_account, plain
from mergegate.host.database import host_settings
from mergegate.host.jobs.schedule import next_time
from mergegate.host.server import scan_policy
from mergegate.host.store import connections, scans
from mergegate.host.store import schedules as store
from mergegate.host.store.scans import ScanSummary
from mergegate.host.store.schedules import Schedule
from mergegate.host.store.sql import safe_id
from mergegate.sandbox.egress.policy import Policy
from mergegate.site.level import RANDOM_BYTES, identifier
from mergegate.terminal.listing import FORMAT, Columns, listed
from mergegate.terminal.output import say

SCHEDULABLE = tuple(BODIES)
"""The tools whose scans can come back by a timetable."""
_REMEDY = "It is the body of the API's POST: `docs/api.md` describes it."


async def scheduled(
    conn: AsyncConnection, account_id: str, tool: Tool, body: str, policy: Policy
) -> ScanRequest:
    """``body``, JSON as the API takes it, as a scan of a lane without waiting callers.

    Raises UsageError for what the API would refuse.
    """
    try:
        asked = scan_request(tool, strict_json(body.encode()), policy)
    except Refusal as refusal:
        raise UsageError(_said(refusal), remedy=_REMEDY) from refusal
    except ValueError as error:
        raise UsageError("the request is no JSON", remedy=_REMEDY) from error
    if tool is not Tool.REPOSITORY:
        return _unhurried(asked)
    fields = json.loads(asked.request)
    provider = fields.get("provider") or await _only_provider(conn, account_id)
    return replace(asked, request=canonical(fields | {"provider": provider}))


async def _only_provider(conn: AsyncConnection, account_id: str) -> str:
    found = await connections.listed(conn, account_id)
    if len(found) != 1:
        raise UsageError(
            f"the account has {len(found)} connections: the request must name a provider",
            remedy="`mergegate connections list` shows them.",
        )
    return found[0].provider


def _unhurried(asked: ScanRequest) -> ScanRequest:
    """In another lane than that of synchronous tools, whose slots are for waiting callers."""
    if asked.lane is not Lane.WAITED:
        return asked
    lane = Lane.LIGHT if asked.tool is Tool.SECURITY_SCAN else Lane.BROWSER
    return replace(asked, lane=lane)


def _said(refusal: Refusal) -> str:
    faults = [f"{one.path}: {one.message}" for one in refusal.mistakes]
    return "; ".join(faults) or refusal.detail.rstrip(".")


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
@OWNER
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

    async def put(conn: AsyncConnection, account_id: str) -> None:
        order = await scheduled(conn, account_id, Tool(tool), request, policy)
        what = (order.tool, order.lane, order.request, cron)
        await store.add(conn, Schedule(made, account_id, *what, first, now))

    of_account(owner, put)
    say(f"{made}\n")
    click.echo(f"First at {first:%Y-%m-%d %H:%M} UTC.", err=True)


@schedules.command("list")
@OWNER
@FORMAT
def listing(owner: str, style: str) -> None:
    """List the account's schedules, the next one first; times in UTC."""
    columns: Columns[Schedule] = {
        "Id": lambda one: one.id,
        "Next": lambda one: f"{one.next_at:{_TIME}}",
        "Tool": lambda one: one.tool,
        "Times": lambda one: one.cron,
        "Request": lambda one: one.request,
    }
    listed(style, of_account(owner, store.listed), columns, _plain)


@schedules.command()
@OWNER
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
@FORMAT
def results(owner: str, limit: int, style: str) -> None:
    """List the account's newest scans, scheduled or not; times in UTC.

    The API tells the result of each by its identifier.
    """
    found = of_account(owner, lambda conn, mine: scans.newest(conn, mine, None, limit))
    columns: Columns[ScanSummary] = {
        "Id": lambda one: one.id,
        "Since": lambda one: f"{one.created_at:{_TIME}}",
        "Tool": lambda one: one.tool,
        "State": lambda one: f"{one.state} ({one.code})" if one.code else one.state,
    }
    listed(style, found, columns, _plain_scan)


@schedules.command()
@click.argument("id")
@OWNER
def remove(id: str, owner: str) -> None:
    """Stop a schedule; scans that it submitted stay."""
    if not of_account(owner, lambda conn, mine: store.remove(conn, mine, safe_id(id))):
        raise UsageError(
            f"{owner} has no such schedule", remedy="`mergegate schedules list` shows them."
        )
    click.echo("The schedule is removed.", err=True)


def _plain(one: Schedule) -> Mapping[str, object]:
    names = ("id", "tool", "cron", "nextAt", "createdAt", "request")
    return plain(one, *names, request=json.loads(one.request))


def _plain_scan(one: ScanSummary) -> Mapping[str, object]:
    names = ("id", "tool", "state", "code", "createdAt", "completedAt")
    return plain(one, *names, completedAt=one.finished_at)
