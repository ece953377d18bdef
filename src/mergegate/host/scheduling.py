"""A scan that comes back, from what the API would take for a single one."""

import json
from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.errors import UsageError
from mergegate.core.plans import Lane, Tool
from mergegate.core.strict_json import strict_json
from mergegate.host.api.problems import Refusal
from mergegate.host.api.request_bodies import canonical
from mergegate.host.api.scan_requests import BODIES, ScanRequest, scan_request
from mergegate.host.store import connections
from mergegate.sandbox.egress.policy import Policy

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
