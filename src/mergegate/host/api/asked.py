"""The scan that a request names."""

import re
from collections.abc import Mapping

from starlette.requests import Request

from mergegate.core.plans import Scope, Tool
from mergegate.host.account import Caller
from mergegate.host.api.callers import scan_of
from mergegate.host.api.problems import Code, Refusal
from mergegate.host.api.reading import ID_QUERY, asked_id, query_of, scan_id_of
from mergegate.host.api.service import Service
from mergegate.host.scan import Scan
from mergegate.host.store import idempotency, scans


async def asked_scan(
    request: Request,
    service: Service,
    scope: Scope,
    tool: Tool,
    known: Mapping[str, re.Pattern[str]] = ID_QUERY,
) -> Scan:
    """The caller's scan; one of another tool or of another account is none.

    ``known`` are the parameters that the query may have. Raises Refusal.
    """
    _, scan = await _named(request, service, scope, known)
    return _of(tool, scan)


async def started_scan(request: Request, service: Service, scope: Scope, tool: Tool) -> Scan:
    """The same; ``id`` may also be the idempotency key of the request that started it."""
    caller, scan = await _named(request, service, scope, ID_QUERY)
    if scan is None:
        scan = await _first_answer(service, caller, asked_id(request))
    return _of(tool, scan)


async def _named(
    request: Request, service: Service, scope: Scope, known: Mapping[str, re.Pattern[str]]
) -> tuple[Caller, Scan | None]:
    """Nothing is said of the query to whoever may not ask."""
    found = await scan_of(request, service, scope, asked_id(request))
    scan_id_of(query_of(request, known))
    return found


async def _first_answer(service: Service, caller: Caller, key: str) -> Scan | None:
    async with service.database.read() as connection:
        scan_id = await idempotency.answered(connection, caller.account_id, key)
        if scan_id is None:
            return None
        return await scans.find(connection, caller.account_id, scan_id)


def _of(tool: Tool, scan: Scan | None) -> Scan:
    if scan is None or scan.tool is not tool:
        raise no_scan()
    return scan


def no_scan() -> Refusal:
    """404, for one that is not there and for one that the caller may not see."""
    return Refusal(Code.SCAN_NOT_FOUND, "There is no scan with this identifier for this key.")
