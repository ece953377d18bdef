"""The handlers of the API's operations; each answers a request, or raises Refusal."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import Response

from mergegate.core.errors import StoreError
from mergegate.core.plans import Tool
from mergegate.host.account import Caller
from mergegate.host.api import metrics, responses
from mergegate.host.api.acceptance import accept
from mergegate.host.api.authentication import authenticate, named_scan
from mergegate.host.api.problems import Code, Refusal, busy, scan_not_found
from mergegate.host.api.request_parsing import context_of, document_of, idempotency_key_of, query_of
from mergegate.host.api.responses import Health, Started
from mergegate.host.api.scan_requests import ScanRequest, scan_request
from mergegate.host.api.service import Service
from mergegate.host.jobs.cancellation import cancel
from mergegate.host.scan import Scan
from mergegate.host.store import endings, scans, usage

Answer = TypeVar("Answer")
_JSON = "application/json"
_RUNNING = 202
_PARAMETERS: Mapping[Tool, Mapping[str, re.Pattern[str]]] = {
    Tool.AUDIT: {"shape": re.compile("flat|nested")}
}
"""What the query of a tool's requests may hold beside the identifier."""
_NESTED = re.compile(r";\s*shape=\"?nested\"?\s*(?:[,;]|$)", re.IGNORECASE)
_PROOF_S = 10.0
_PROBE_S = 5.0
"""Seconds that a probe waits for the database."""
_OK = Health(status="ok").model_dump_json().encode()


class Handlers:
    """One method for each kind of operation; ``tool`` says which tool's it is."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._written_at_s = -_PROOF_S

    async def start(self, request: Request, *, tool: Tool) -> Response:
        """POST of an asynchronous tool: accept a scan, and answer its identifier."""
        caller, asked, key = await self._scan_request(request, tool)
        scan_id = await accept(self._service, caller, asked, key)
        context_of(request).scan_id = scan_id
        started = Started(scan_id=scan_id).model_dump_json(by_alias=True)
        return Response(started, media_type=_JSON)

    async def run(self, request: Request, *, tool: Tool) -> Response:
        """POST of a synchronous tool: accept a scan, wait for it, and answer its result."""
        caller, asked, key = await self._scan_request(request, tool)
        try:
            result = await self._waited(request, caller, asked, key)
        except Refusal as refused:
            refused.headers = {**refused.headers, **await self._left(caller, tool)}
            raise
        left = await self._left(caller, tool)
        return Response(_shaped(request, tool, result), headers=left, media_type=_JSON)

    async def poll(self, request: Request, *, tool: Tool) -> Response:
        """GET of an asynchronous tool: the result resource, running scans included."""
        scan = await named_scan(request, self._service, tool)
        if tool is Tool.SEO:
            return Response(responses.seo(scan), media_type=_JSON)
        link = self._service.link(scan.id)
        return Response(responses.repository(scan, link), media_type=_JSON)

    async def result(self, request: Request, *, tool: Tool) -> Response:
        """GET of a synchronous tool: the result of a scan whose caller left before its end."""
        scan = await named_scan(request, self._service, tool, _PARAMETERS.get(tool))
        if scan.outcome is None:
            return Response(responses.running(scan), _RUNNING, media_type=_JSON)
        result = responses.waited(scan)
        return Response(_shaped(request, tool, result), media_type=_JSON)

    async def cancel(self, request: Request, *, tool: Tool) -> Response:
        """DELETE: cancel a scan that has not ended, and answer how it ended."""
        scan = await named_scan(request, self._service, tool, by_key=True)
        context_of(request).scan_id = scan.id
        ended = scan if scan.outcome is not None else await self._cancelled(scan)
        return Response(responses.ended(ended), media_type=_JSON)

    async def alive(self, _: Request) -> Response:
        """GET /healthz."""
        return Response(_OK, media_type=_JSON)

    async def ready(self, _: Request) -> Response:
        """GET /readyz: whether requests should be sent here; raises Refusal when not."""
        if self._service.draining.is_set():
            raise busy("This process is stopping.", 2)
        await self._asked(scans.backlog)
        await self._prove_writable()
        return Response(_OK, media_type=_JSON)

    async def metrics(self, _: Request) -> Response:
        """GET /metrics; raises Refusal unless the operator turned them on."""
        if not self._service.shows_metrics:
            raise Refusal(Code.NOT_FOUND, "Metrics are off; the operator can turn them on.")
        backlog, ended = await self._asked(scans.backlog), await self._asked(endings.counted)
        page = self._service.metrics.page(backlog, self._service.watch.callers, ended)
        return Response(page, media_type=metrics.MEDIA_TYPE)

    async def _scan_request(
        self, request: Request, tool: Tool
    ) -> tuple[Caller, ScanRequest, str | None]:
        """Caller, scan and idempotency key of a POST, checked in the order that is documented."""
        caller = await authenticate(request, self._service, tool)
        query_of(request, _PARAMETERS.get(tool, {}))
        key = idempotency_key_of(request)
        document = await document_of(request)
        return caller, scan_request(tool, document, self._service.policy), key

    async def _waited(
        self, request: Request, caller: Caller, asked: ScanRequest, key: str | None
    ) -> bytes:
        watch, tool = self._service.watch, asked.tool
        async with watch.place():
            scan_id = await accept(self._service, caller, asked, key)
            context_of(request).scan_id = scan_id
            if not await watch.wait(request, tool, scan_id):
                raise responses.abandoned(tool, scan_id)
        return await self._result(caller.account_id, tool, scan_id)

    async def _left(self, caller: Caller, tool: Tool) -> Mapping[str, str]:
        """Headers that tell what the plan leaves of the month's audits, where it sets a limit.

        None while the database does not answer: the answer itself matters more.
        """
        if tool is not Tool.AUDIT or caller.plan.audits_without_waiting is None:
            return {}
        now = self._service.now()
        with suppress(Refusal):
            found = await self._asked(lambda conn: usage.audits_left(conn, caller, now))
            return {} if found is None else responses.audits_left(found)
        return {}

    async def _result(self, account_id: str, tool: Tool, scan_id: str) -> bytes:
        """The result of a scan that was waited for; raises Refusal when there is none in time."""
        async with self._service.database.read() as connection:
            scan = await scans.find(connection, account_id, scan_id)
        if scan is None:
            raise responses.unfinished(tool, scan_id)
        return responses.waited(scan)

    async def _cancelled(self, scan: Scan) -> Scan:
        """The scan as its row is afterwards: it may have ended by itself. Raises Refusal."""
        service = self._service
        await cancel(service.database, scan.id, service.now())
        async with service.database.read() as connection:
            found = await scans.find(connection, scan.account_id, scan.id)
        if found is None:
            raise scan_not_found()
        return found

    async def _prove_writable(self) -> None:
        """A disk that is full answers reads; asked every few seconds at most. Raises Refusal."""
        now_s = self._service.monotonic()
        if now_s - self._written_at_s < _PROOF_S:
            return
        try:
            async with asyncio.timeout(_PROBE_S), self._service.database.change() as connection:
                await usage.prove_writable(connection)
        except (StoreError, TimeoutError):
            raise busy("The database takes no changes.") from None
        self._written_at_s = now_s

    async def _asked(self, what: Callable[[AsyncConnection], Awaitable[Answer]]) -> Answer:
        """What the database says; raises Refusal when it does not say so soon."""
        try:
            async with asyncio.timeout(_PROBE_S), self._service.database.read() as connection:
                return await what(connection)
        except (StoreError, TimeoutError):
            raise busy("The database does not answer.") from None


def _shaped(request: Request, tool: Tool, result: bytes) -> bytes:
    """An audit in the shape that the request asks for, in its query or else in ``Accept``."""
    if tool is not Tool.AUDIT:
        return result
    shape = request.query_params.get("shape")
    accepted = ",".join(request.headers.getlist("accept"))
    nested = shape == "nested" if shape else bool(_NESTED.search(accepted))
    return responses.nested(result) if nested else result
