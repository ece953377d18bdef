"""What every request gets, whichever route answers it: context, headers, compression, log line."""

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import structlog
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mergegate.host.api import problems
from mergegate.host.api.problems import Code, Refusal, busy, internal_error
from mergegate.host.api.request_parsing import OTHER_ROUTE, RequestContext, set_context
from mergegate.host.api.service import Service

REQUESTS_AT_ONCE = 2_000
"""The requests that one process answers at a time; more are refused."""
_REQUEST_ID = re.compile(rb"[A-Za-z0-9_.-]{8,64}")
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
EVERYWHERE: Mapping[bytes, bytes] = {
    b"x-api-version": b"1",
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"x-frame-options": b"DENY",
    b"cache-control": b"no-store",
}
"""Headers of every answer, unless its route sets them itself."""
_HTTPS_ALONE = {b"strict-transport-security": b"max-age=31536000"}
_UNLOGGED = frozenset({"/healthz", "/readyz", "/metrics"})
"""Machines ask for these every few seconds: they write no line into the log."""
_NO_GZIP = re.compile(rb"gzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)", re.IGNORECASE)
_log = structlog.get_logger("mergegate.api")


class RequestMiddleware:
    """The outermost layer: whatever happens inside, the client gets an HTTP answer of ours."""

    def __init__(
        self, app: ASGIApp, service: Service, templates: Mapping[Callable[..., Any], str]
    ) -> None:
        """``templates``: the endpoint of each route → the route's path."""
        self._app = app
        self._service = service
        self._templates = templates
        self._headers = tuple({**EVERYWHERE, **(_HTTPS_ALONE if service.https else {})}.items())
        self._at_once = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        reply = _Reply(send, self._headers, RequestContext(_request_id(scope)))
        set_context(scope, reply.context)
        started_s = self._service.monotonic()
        self._at_once += 1
        try:
            await self._answer(scope, receive, reply)
        finally:
            self._at_once -= 1
        self._record(scope, reply, self._service.monotonic() - started_s)

    async def _answer(self, scope: Scope, receive: Receive, reply: "_Reply") -> None:
        if self._at_once > REQUESTS_AT_ONCE:
            await _refuse(busy("Too many requests at once.", 1), scope, receive, reply)
            return
        if not _names_its_host(scope):
            await _refuse(_hostless(), scope, receive, reply)
            return
        try:
            await self._app(scope, receive, reply.send)
        except Exception:
            _log.exception("mistake", request_id=reply.context.request_id)
            if not reply.status:
                await _refuse(internal_error(), scope, receive, reply)
        finally:
            if "endpoint" in scope:
                reply.context.route = self._templates[scope["endpoint"]]

    def _record(self, scope: Scope, reply: "_Reply", seconds: float) -> None:
        """Count the request, and write its log line."""
        context, metrics = reply.context, self._service.metrics
        method = scope["method"] if scope["method"] in _METHODS else OTHER_ROUTE
        metrics.answered(method, context.route, reply.status, seconds)
        if context.code is not None:
            metrics.refused(context.code)
        if context.route in _UNLOGGED:
            return
        _log.info(
            "request",
            request_id=context.request_id,
            method=method,
            route=context.route,
            status=reply.status,
            ms=round(seconds * 1000, 1),
            key_id=context.key_id,
            scan_id=context.scan_id,
            code=context.code,
            trouble=context.database_error,
        )


class CompressionMiddleware(GZipMiddleware):
    """Compresses longer answers; unlike Starlette's own it follows ``gzip;q=0`` too."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(
            app,
            minimum_size=1_024,
            compresslevel=5,
            thread_minimum_size=64 << 10,
            exclude_content_types=(problems.MEDIA_TYPE, "text/plain"),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        scope["headers"] = [
            (name, value)
            for name, value in scope.get("headers", ())
            if name != b"accept-encoding" or not _NO_GZIP.search(value)
        ]
        await super().__call__(scope, receive, send)


class _Reply:
    """Sends an answer with the headers that all have, and remembers its status."""

    def __init__(
        self, send: Send, headers: Sequence[tuple[bytes, bytes]], context: RequestContext
    ) -> None:
        self._send = send
        self._headers = headers
        self.context = context
        self.status = 0

    async def send(self, message: Message) -> None:
        """ASGI."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            given = message.get("headers", ())
            named = {name.lower() for name, _ in given}
            ours = [one for one in self._headers if one[0] not in named]
            identity = (b"x-request-id", self.context.request_id.encode())
            message = {**message, "headers": [*given, *ours, identity]}
        await self._send(message)


async def _refuse(refusal: Refusal, scope: Scope, receive: Receive, reply: _Reply) -> None:
    reply.context.code = refusal.code
    await problems.answer(refusal, scope["path"])(scope, receive, reply.send)


def _names_its_host(scope: Scope) -> bool:
    """Once, as HTTP/1.1 asks for (RFC 9112, 3.2); proxies disagree on which of two counts."""
    hosts = sum(name == b"host" for name, _ in scope["headers"])
    return hosts == 1 or bool(hosts == 0 and scope["http_version"] == "1.0")


def _hostless() -> Refusal:
    what = "The request names no host, or more than one."
    return Refusal(Code.INVALID_REQUEST, what, headers={"Connection": "close"})


def _request_id(scope: Scope) -> str:
    """The client's own where it is well-formed, since it goes into the log; else a new one."""
    given = [value for name, value in scope["headers"] if name == b"x-request-id"]
    if len(given) == 1 and _REQUEST_ID.fullmatch(given[0]):
        return str(given[0].decode("ascii"))
    return secrets.token_hex(12)
