"""The scan that a request names."""

import re
from collections.abc import Mapping

from starlette.requests import Request

from mergegate.api.callers import scan_of
from mergegate.api.problems import Code, Refusal
from mergegate.api.reading import ID_QUERY, asked_id, query_of, scan_id_of
from mergegate.api.service import Service
from mergegate.model.service.scan import Scan
from mergegate.model.service.tool import Scope, Tool


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
    scan = await scan_of(request, service, scope, asked_id(request))
    scan_id_of(query_of(request, known))
    if scan is None or scan.tool is not tool:
        raise no_scan()
    return scan


def no_scan() -> Refusal:
    """404, for one that is not there and for one that the caller may not see."""
    return Refusal(Code.SCAN_NOT_FOUND, "There is no scan with this identifier for this key.")
