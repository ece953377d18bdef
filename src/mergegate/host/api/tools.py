"""The endpoints of the scanning tools (service specification)."""

import re
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from mergegate.core.plans import Scope, Tool
from mergegate.host.account import Caller
from mergegate.host.api import orders, results
from mergegate.host.api.accepting import accept
from mergegate.host.api.asked import asked_scan
from mergegate.host.api.awaiting import line, result_of
from mergegate.host.api.bodies import AuditBody, PageBody, RepositoryScanBody, SeoBody
from mergegate.host.api.callers import caller_of
from mergegate.host.api.orders import Order
from mergegate.host.api.reading import ID_QUERY, body_of, idempotency_key_of, query_of
from mergegate.host.api.sending import send
from mergegate.host.api.service import Service
from mergegate.host.api.shapes import Started
from mergegate.host.api.trail import trail_of
from mergegate.host.scan import Scan

_NO_QUERY: Mapping[str, re.Pattern[str]] = {}
_SHAPE = {"shape": re.compile("flat|nested")}
_NESTED = re.compile(r";\s*shape=\"?nested\"?\s*(?:[,;]|$)", re.IGNORECASE)
_ACCEPTED, _RUNNING = 200, 202


class Tools:
    """One method an endpoint; each takes a request and answers it, or raises Refusal."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def start_repository_scan(self, request: Request) -> Response:
        """POST /api/repo/scan."""
        caller = await caller_of(request, self._service, Scope.REPO)
        query_of(request, _NO_QUERY)
        key = idempotency_key_of(request)
        body = await body_of(request, RepositoryScanBody)
        return await self._started(request, caller, orders.repository(body), key)

    async def repository_result(self, request: Request) -> Response:
        """GET /api/repo/result."""
        scan = await self._scan(request, Scope.REPO, Tool.REPOSITORY)
        return await send(request, results.repository(scan, self._service.link))

    async def start_seo_scan(self, request: Request) -> Response:
        """POST /api/seo-optimizer."""
        caller = await caller_of(request, self._service, Scope.SITE)
        query_of(request, _NO_QUERY)
        key = idempotency_key_of(request)
        body = await body_of(request, SeoBody)
        return await self._started(request, caller, orders.seo(body, self._service.policy), key)

    async def seo_result(self, request: Request) -> Response:
        """GET /api/seo-optimizer."""
        return await send(request, results.seo(await self._scan(request, Scope.SITE, Tool.SEO)))

    async def audit(self, request: Request) -> Response:
        """POST /api/audit."""
        caller = await caller_of(request, self._service, Scope.SITE)
        is_nested = _is_nested(request, query_of(request, _SHAPE))
        key = idempotency_key_of(request)
        order = orders.audit(await body_of(request, AuditBody), self._service.policy)
        flat = await self._awaited(request, caller, order, key)
        return await send(request, results.nested(flat) if is_nested else flat)

    async def audit_result(self, request: Request) -> Response:
        """GET /api/audit."""
        known = {**ID_QUERY, **_SHAPE}
        scan = await self._scan(request, Scope.SITE, Tool.AUDIT, known)
        is_nested = _is_nested(request, query_of(request, known))
        return await self._kept(request, scan, is_nested=is_nested)

    async def browser_test(self, request: Request) -> Response:
        """POST /api/browser-test."""
        return await self._page(request, Tool.BROWSER_TEST)

    async def browser_test_result(self, request: Request) -> Response:
        """GET /api/browser-test."""
        return await self._kept(request, await self._scan(request, Scope.SITE, Tool.BROWSER_TEST))

    async def security_scan(self, request: Request) -> Response:
        """POST /api/security-scan."""
        return await self._page(request, Tool.SECURITY_SCAN)

    async def security_scan_result(self, request: Request) -> Response:
        """GET /api/security-scan."""
        return await self._kept(request, await self._scan(request, Scope.SITE, Tool.SECURITY_SCAN))

    async def _page(self, request: Request, tool: Tool) -> Response:
        caller = await caller_of(request, self._service, Scope.SITE)
        query_of(request, _NO_QUERY)
        key = idempotency_key_of(request)
        order = orders.page(await body_of(request, PageBody), tool, self._service.policy)
        return await send(request, await self._awaited(request, caller, order, key))

    async def _started(
        self, request: Request, caller: Caller, order: Order, key: str | None
    ) -> Response:
        scan_id = await accept(self._service, caller, order, key)
        trail_of(request).scan_id = scan_id
        started = Started(scan_id=scan_id).model_dump_json(by_alias=True)
        return await send(request, started.encode(), _ACCEPTED)

    async def _awaited(
        self, request: Request, caller: Caller, order: Order, key: str | None
    ) -> bytes:
        async with line(self._service):
            scan_id = await accept(self._service, caller, order, key)
            return await result_of(request, self._service, caller, order.tool, scan_id)

    async def _scan(
        self,
        request: Request,
        scope: Scope,
        tool: Tool,
        known: Mapping[str, re.Pattern[str]] = ID_QUERY,
    ) -> Scan:
        """The caller's scan; one of another tool or of another account is none."""
        return await asked_scan(request, self._service, scope, tool, known)

    async def _kept(self, request: Request, scan: Scan, *, is_nested: bool = False) -> Response:
        """The result of a synchronous tool whose caller left."""
        if scan.outcome is None:
            return await send(request, results.running(scan), _RUNNING)
        flat = results.waited(scan)
        return await send(request, results.nested(flat) if is_nested else flat)


def _is_nested(request: Request, query: Mapping[str, str]) -> bool:
    if "shape" in query:
        return query["shape"] == "nested"
    return bool(_NESTED.search(",".join(request.headers.getlist("accept"))))
