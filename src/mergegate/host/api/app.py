"""The HTTP API as one Starlette application (service specification, decisions)."""

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match, Route

from mergegate.core.errors import StoreError
from mergegate.host.api import problems
from mergegate.host.api.handlers import Handlers
from mergegate.host.api.middleware import CompressionMiddleware, RequestMiddleware
from mergegate.host.api.openapi import document
from mergegate.host.api.problems import Code, Refusal, busy, internal_error
from mergegate.host.api.reference import reference_routes
from mergegate.host.api.request_parsing import context_of
from mergegate.host.api.routes import operations
from mergegate.host.api.service import Service

_CLIENT_LEFT = 499
"""Not a status of HTTP; nginx logs it for a client that closed the connection."""


def create_app(service: Service, more: Sequence[Route] = ()) -> Starlette:
    """Build the application; ``more`` are routes beside the API's own, such as pages and hooks."""
    offered = operations(Handlers(service))
    routes = (
        *(Route(one.path, one.handler, methods=[one.method]) for one in offered),
        *reference_routes(document(offered)),
        *more,
    )
    templates = {one.endpoint: one.path for one in routes}
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(RequestMiddleware, service=service, templates=templates),
            Middleware(CompressionMiddleware),
        ],
        exception_handlers={
            Refusal: _refused,
            StoreError: _database_error,
            ClientDisconnect: _client_left,
            HTTPException: _unrouted,
        },
    )
    app.router.redirect_slashes = False
    return app


async def _refused(request: Request, error: Exception) -> Response:
    """The problem document of a Refusal."""
    if not isinstance(error, Refusal):
        raise error
    context_of(request).code = error.code
    return problems.answer(error, request.url.path)


async def _database_error(request: Request, error: Exception) -> Response:
    """503; what the database said goes to the log and not to the client."""
    context_of(request).database_error = str(error)
    return await _refused(request, busy("The database does not answer."))


async def _client_left(_: Request, __: Exception) -> Response:
    """An answer for the log and the metrics alone: it tells a lost client from our own failure."""
    return Response(status_code=_CLIENT_LEFT)


async def _unrouted(request: Request, error: Exception) -> Response:
    """What the router raises for paths and methods that it does not know."""
    status = error.status_code if isinstance(error, HTTPException) else None
    if status == Code.NOT_FOUND.status:
        return await _refused(request, Refusal(Code.NOT_FOUND, "There is nothing at this path."))
    if status == Code.METHOD_NOT_ALLOWED.status:
        allowed = ", ".join(_allowed_methods(request))
        refusal = Refusal(
            Code.METHOD_NOT_ALLOWED, f"This path takes {allowed}.", headers={"Allow": allowed}
        )
        return await _refused(request, refusal)
    return await _refused(request, internal_error())


def _allowed_methods(request: Request) -> list[str]:
    """The methods of every route of the path; the router itself names those of the first alone."""
    matching = (one for one in request.app.routes if one.matches(request.scope)[0] != Match.NONE)
    return sorted({method for one in matching for method in one.methods})
