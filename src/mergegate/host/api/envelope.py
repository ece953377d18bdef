"""What every answer has, whichever route made it: identifiers, security headers, log and count."""

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mergegate.host.api import problems
from mergegate.host.api.logs import line
from mergegate.host.api.problems import Refusal, busy, mistaken
from mergegate.host.api.service import Service
from mergegate.host.api.trail import OTHER, Trail, lay

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
"""A route may say otherwise for itself."""
_HTTPS_ALONE = {b"strict-transport-security": b"max-age=31536000"}
_UNASKED = frozenset({"/healthz", "/readyz", "/metrics"})
"""Asked for by machines every few seconds: no line in the log."""
Endpoint = Callable[..., Any]
Headers = Sequence[tuple[bytes, bytes]]
_log = structlog.get_logger("mergegate.api")


class Envelope:
    """The outermost layer; it lets nothing out that is no HTTP answer of ours."""

    def __init__(self, app: ASGIApp, service: Service, templates: Mapping[Endpoint, str]) -> None:
        """``templates``: whoever answers → the path that it was routed by."""
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
        reply = _Reply(send, self._headers, Trail(_request_id(scope)))
        lay(scope, reply.trail)
        started_s = self._service.monotonic()
        self._at_once += 1
        try:
            await self._answer(scope, receive, reply)
        finally:
            self._at_once -= 1
        self._note(scope, reply, self._service.monotonic() - started_s)

    async def _answer(self, scope: Scope, receive: Receive, reply: "_Reply") -> None:
        if self._at_once > self._service.limits.requests_at_once:
            await _refuse(busy("Too many requests at once.", 1), scope, receive, reply)
            return
        # Whoever asks for the head alone gets that of GET; the server leaves the body out.
        asked = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
        try:
            await self._app(asked, receive, reply.send)
        except Exception:
            _log.exception("mistake", request_id=reply.trail.request_id)
            if not reply.status:
                await _refuse(mistaken(), scope, receive, reply)
        finally:
            reply.trail.route = self._templates.get(asked.get("endpoint", _nobody), OTHER)

    def _note(self, scope: Scope, reply: "_Reply", seconds: float) -> None:
        trail = reply.trail
        method = scope["method"] if scope["method"] in _METHODS else OTHER
        self._service.measures.answered(method, trail.route, reply.status, seconds)
        if trail.code is not None:
            self._service.measures.refused(trail.code)
        if trail.route in _UNASKED:
            return
        line(
            "request",
            request_id=trail.request_id,
            method=method,
            route=trail.route,
            status=reply.status,
            ms=round(seconds * 1000, 1),
            key_id=trail.key_id,
            scan_id=trail.scan_id,
            code=trail.code,
            trouble=trail.trouble,
        )


class _Reply:
    """Sends an answer, and remembers how it began."""

    def __init__(self, send: Send, headers: Headers, trail: Trail) -> None:
        self._send = send
        self._headers = headers
        self.trail = trail
        self.status = 0

    async def send(self, message: Message) -> None:
        """ASGI; adds what every answer has."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            given = message.get("headers", ())
            named = {name.lower() for name, _ in given}
            ours = [one for one in self._headers if one[0] not in named]
            identity = (b"x-request-id", self.trail.request_id.encode())
            message = {**message, "headers": [*given, *ours, identity]}
        await self._send(message)


def _nobody() -> None:
    """Stands for the endpoint of paths that have none."""


async def _refuse(refusal: Refusal, scope: Scope, receive: Receive, reply: _Reply) -> None:
    reply.trail.code = refusal.code
    await problems.answer(refusal, scope["path"])(scope, receive, reply.send)


def _request_id(scope: Scope) -> str:
    """The caller's own where it is well-formed: it goes into the log."""
    given = [value for name, value in scope["headers"] if name == b"x-request-id"]
    if len(given) == 1 and _REQUEST_ID.fullmatch(given[0]):
        return str(given[0].decode("ascii"))
    return secrets.token_hex(12)
