"""What operators and their machines ask for: life, readiness, figures."""

import asyncio
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from mergegate.core.errors import StoreError
from mergegate.core.plans import Lane
from mergegate.host.api import measures
from mergegate.host.api.problems import Code, Refusal, busy
from mergegate.host.api.sending import send
from mergegate.host.api.service import Service
from mergegate.host.api.shapes import Health
from mergegate.host.store import scans

_SOON_S = 5.0
"""Whoever probes would not wait for longer."""
_OK = Health(status="ok").model_dump_json().encode()


class Operations:
    """One method an endpoint; none needs a key, and none tells a secret."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def alive(self, request: Request) -> Response:
        """GET /healthz."""
        return await send(request, _OK)

    async def ready(self, request: Request) -> Response:
        """GET /readyz: whether requests should be sent here; raises Refusal when not."""
        if self._service.draining.is_set():
            raise busy("This process is stopping.", 2)
        await self._backlog()
        return await send(request, _OK)

    async def figures(self, _: Request) -> Response:
        """GET /metrics; there is nothing where they are not wanted."""
        if not self._service.metrics:
            raise Refusal(Code.NOT_FOUND, "Metrics are off; the operator can turn them on.")
        backlog = await self._backlog()
        page = self._service.measures.page(backlog, self._service.watch.callers)
        return Response(page, media_type=measures.MEDIA_TYPE)

    async def _backlog(self) -> Mapping[Lane, int]:
        """How many scans wait; raises Refusal when the database does not say so soon."""
        try:
            async with asyncio.timeout(_SOON_S), self._service.database.read() as connection:
                return await scans.backlog(connection)
        except (StoreError, TimeoutError):
            raise busy("The database does not answer.") from None
