"""The HTTP API as one ASGI application (service specification, decisions)."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from mergegate import __version__
from mergegate.core.errors import StoreError
from mergegate.host.api import problems
from mergegate.host.api.cancelling import cancel_routes
from mergegate.host.api.described import Described
from mergegate.host.api.envelope import Envelope
from mergegate.host.api.openapi import document
from mergegate.host.api.operations import Operations
from mergegate.host.api.problems import Code, Refusal, busy, mistaken
from mergegate.host.api.reference import reference_routes
from mergegate.host.api.routes import operation_routes, tool_routes
from mergegate.host.api.service import Service
from mergegate.host.api.tools import Tools
from mergegate.host.api.trail import trail_of

Handler = Callable[[Request], Coroutine[Any, Any, Response]]
_NOT_FOUND, _METHOD_NOT_ALLOWED = 404, 405
_CLIENT_LEFT = 499
"""No status of HTTP; what nginx notes."""


def create_app(service: Service, more: Sequence[Route] = ()) -> ASGIApp:
    """The application; ``more`` are routes beside the API's own, such as pages and hooks."""
    tools = (*tool_routes(Tools(service)), *cancel_routes(service))
    described = (*tools, *operation_routes(Operations(service)))
    known = (*map(_Plain, described), *reference_routes(document(described)), *more)
    app = FastAPI(
        title="Mergegate",
        version=__version__,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        routes=list(known),
    )
    for kind, handler in _HANDLERS.items():
        app.add_exception_handler(kind, handler)
    app.add_exception_handler(HTTPException, _unrouted)
    app.add_exception_handler(Exception, _mistaken)
    templates = {route.endpoint: route.path for route in known}
    keyed = {(one.method, one.path): one.endpoint for one in described if one.scope}
    return Envelope(_Shortcut(app, keyed), service, templates)


class _Plain(APIRoute):
    """A route whose endpoint reads the request itself.

    The framework would look at the body before the key, believe duplicate keys and NaN, and take
    its time for each request.
    """

    def __init__(self, route: Described) -> None:
        super().__init__(route.path, route.endpoint, methods=[route.method], response_model=None)

    def get_route_handler(self) -> Handler:
        """FastAPI's own place to take over."""
        return self.endpoint


class _Shortcut:
    """Answers the tools, which are most requests, past the framework's layers: they take long."""

    def __init__(self, app: ASGIApp, keyed: Mapping[tuple[str, str], Handler]) -> None:
        """``keyed``: method and exact path → who answers there."""
        self._app = app
        self._keyed = keyed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        endpoint = self._keyed.get((scope.get("method", ""), scope.get("path", "")))
        if endpoint is None:
            await self._app(scope, receive, send)
            return
        scope["endpoint"] = endpoint
        request = Request(scope, receive, send)
        try:
            response = await endpoint(request)
        except tuple(_HANDLERS) as error:
            answering = next(one for kind, one in _HANDLERS.items() if isinstance(error, kind))
            response = await answering(request, error)
        await response(scope, receive, send)


async def _refused(request: Request, error: Exception) -> Response:
    if not isinstance(error, Refusal):
        raise error
    trail_of(request).code = error.code
    return problems.answer(error, request.url.path)


async def _out_of_reach(request: Request, error: Exception) -> Response:
    """The database's own words are for the log, which the trail leads to."""
    trail_of(request).trouble = str(error)
    return await _refused(request, busy("The database does not answer."))


async def _gone(_: Request, __: Exception) -> Response:
    """Nobody reads it; the log and the figures tell it from a failure of ours."""
    return Response(status_code=_CLIENT_LEFT)


async def _unrouted(request: Request, error: Exception) -> Response:
    """What the router says of paths and methods that it does not know."""
    if isinstance(error, HTTPException) and error.status_code == _METHOD_NOT_ALLOWED:
        allowed = _methods(request)
        return await _refused(
            request,
            Refusal(
                Code.METHOD_NOT_ALLOWED,
                f"This path takes {', '.join(allowed)}.",
                headers={"Allow": ", ".join(allowed)},
            ),
        )
    if isinstance(error, HTTPException) and error.status_code == _NOT_FOUND:
        return await _refused(request, Refusal(Code.NOT_FOUND, "There is nothing at this path."))
    return await _mistaken(request, error)


_HANDLERS: Mapping[type[Exception], Callable[..., Awaitable[Response]]] = {
    Refusal: _refused,
    ClientDisconnect: _gone,
    StoreError: _out_of_reach,
}
"""What ends a request early, and who answers it."""


async def _mistaken(request: Request, _: Exception) -> Response:
    return await _refused(request, mistaken())


def _methods(request: Request) -> list[str]:
    """What the path takes, by all of its routes; the router asks only the first."""
    found: set[str] = set()
    for route in request.app.routes:
        if route.matches(request.scope)[0] is not Match.NONE:
            found |= route.methods or set()
    return sorted(found | {"HEAD"} if "GET" in found else found)
