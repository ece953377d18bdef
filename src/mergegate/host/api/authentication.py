"""Who sends a request, whether their key allows it, and which scan of theirs it names."""

import re
from collections.abc import Mapping

from starlette.requests import Request

from mergegate.core.plans import Scope, Tool
from mergegate.host.account import Caller
from mergegate.host.api.problems import Code, Refusal, invalid, invalid_key, scan_not_found
from mergegate.host.api.request_parsing import context_of, parameters, query_of
from mergegate.host.api.service import Service
from mergegate.host.scan import Scan
from mergegate.host.store import idempotency, keys, scans
from mergegate.host.store.keys import Authenticated

HEADER = "x-api-key"
_LONGEST_KEY = 200
_NO_SCAN = ""
"""The identifier of no scan."""
_ID_QUERY: Mapping[str, re.Pattern[str]] = {"id": re.compile(r"(?s).*")}
"""An identifier is opaque: one of another form is one that nobody has."""


def scope_of(tool: Tool) -> Scope:
    """What a key must hold for the scans of ``tool``."""
    return Scope.REPO if tool is Tool.REPOSITORY else Scope.SITE


async def authenticate(request: Request, service: Service, tool: Tool) -> Caller:
    """The owner of the request's key.

    Raises Refusal for an invalid key, for one without the scope of ``tool``, and for one that
    makes too many requests.
    """
    return _admitted(request, service, tool, await _look(request, service, _NO_SCAN))


async def named_scan(
    request: Request,
    service: Service,
    tool: Tool,
    more: Mapping[str, re.Pattern[str]] | None = None,
    *,
    by_key: bool = False,
) -> Scan:
    """The caller's scan that ``id`` of the query names; ``more`` are further parameters.

    ``by_key``: ``id`` may also be the idempotency key of the request that started the scan. Raises
    Refusal as :func:`authenticate` does, for an invalid query, and for a scan that does not exist,
    is of another tool or belongs to another account: these three alike.
    """
    id = _id_of(request)
    seen = await _look(request, service, id)
    caller, scan = _admitted(request, service, tool, seen), seen.scan
    if "id" not in query_of(request, {**_ID_QUERY, **(more or {})}):
        raise invalid("id", "it is missing")
    if scan is None and by_key:
        scan = await _started_with(service, caller, id)
    if scan is None or scan.tool is not tool:
        raise scan_not_found()
    return scan


async def _look(request: Request, service: Service, scan_id: str) -> Authenticated:
    """Find key and scan in one query; the database is asked before the query is judged."""
    async with service.database.read() as connection:
        return await keys.authenticate(connection, _key(request), service.now(), scan_id)


def _admitted(request: Request, service: Service, tool: Tool, seen: Authenticated) -> Caller:
    caller, scope = seen.caller, scope_of(tool)
    if caller is None:
        raise invalid_key()
    context_of(request).key_id = caller.key_id
    if not {scope, Scope.ADMIN} & caller.scopes:
        raise Refusal(Code.FORBIDDEN, f"The key lacks the scope `{scope}`.")
    limit = caller.plan.requests_a_minute
    wait_s = service.rates.wait_s(caller.key_id, limit, service.monotonic())
    if wait_s:
        what = f"The key may make {limit} requests a minute."
        raise Refusal(Code.RATE_LIMITED, what, retry_after_s=wait_s)
    return caller


def _key(request: Request) -> str:
    """The key that was sent; empty when it is missing, sent twice or far too long.

    An empty key is looked up like every other, so that all invalid keys take the same time.
    """
    given = request.headers.getlist(HEADER)
    return given[0] if len(given) == 1 and len(given[0]) <= _LONGEST_KEY else ""


def _id_of(request: Request) -> str:
    """``id`` of the query before it is judged; empty when there is none."""
    try:
        return dict(parameters(request)).get("id", "")
    except Refusal:
        return ""


async def _started_with(service: Service, caller: Caller, key: str) -> Scan | None:
    """The scan that the idempotency key ``key`` of the caller's account started."""
    async with service.database.read() as connection:
        scan_id = await idempotency.answered(connection, caller.account_id, key)
        if scan_id is None:
            return None
        return await scans.find(connection, caller.account_id, scan_id)
