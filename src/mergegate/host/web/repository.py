"""``/repo?scan=…``: the report on a repository, or how far its scan is; ``/``: what runs here.

A report opens for everyone who has its link, until the link expires. A page is not cached, not
framed, and sends no referrer to the sites that it links to.
"""

import asyncio
import datetime as dt
import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from itsdangerous import BadSignature, Signer
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mergegate.core.errors import Failed, StoreError, UsageError
from mergegate.core.plans import Tool
from mergegate.core.render import wording
from mergegate.core.render.templates import content_security_policy
from mergegate.core.report import Target
from mergegate.host.api.problems import Code
from mergegate.host.api.request_parsing import context_of
from mergegate.host.causes import remedy
from mergegate.host.scan import Scan
from mergegate.host.web import status
from mergegate.repo.report import html
from mergegate.repo.wire.reading import read
from mergegate.secrets.places import shown_name
from mergegate.site.deployment.reading import read_section

_SALT = "mergegate.report-link"
_DAY = dt.timedelta(days=1)
LIFETIME = dt.timedelta(days=7)
"""At least; a link ends at midnight UTC, so that it is the same all day."""


class Links:
    """Makes and checks links below ``app_url``; the first of ``keys`` signs, all are believed."""

    def __init__(self, keys: tuple[str, ...], app_url: str) -> None:
        # The newest key of itsdangerous is its last.
        self._signer = Signer(
            list(reversed(keys)),
            salt=_SALT,
            key_derivation="hmac",
            digest_method=hashlib.sha256,
        )
        self._app_url = app_url.rstrip("/")

    def link(self, scan_id: str, now: dt.datetime) -> str:
        """The address of the report on ``scan_id``; ``now`` is aware."""
        midnight = now.astimezone(dt.UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        expires = int((midnight + _DAY + LIFETIME).timestamp())
        signature = self._signer.get_signature(_value(scan_id, expires)).decode()
        query = urlencode({"scan": scan_id, "token": f"{expires}.{signature}"})
        return f"{self._app_url}/repo?{query}"

    def opens(self, scan_id: str, token: str, now: dt.datetime) -> bool:
        """Whether ``token`` was made here for this scan and has not expired."""
        expires, _, signature = token.partition(".")
        if not (expires.isascii() and expires.isdecimal() and len(expires) < 12):
            return False
        try:
            self._signer.unsign(f"{_value(scan_id, int(expires))}.{signature}")
        except BadSignature:
            return False
        return now.timestamp() < int(expires)


def _value(scan_id: str, expires: int) -> str:
    return f"{scan_id}@{expires}"


Find = Callable[[str], Awaitable[Scan | None]]
"""The scan of an identifier, of any account; None also while its account is suspended."""
_LONGEST = 200
"""Characters of an identifier or a token."""
_AT_ONCE = 2
"""Reports that are drawn side by side: a large one takes a core for a second."""
_JSON = "application/json"
_HEADERS: Mapping[str, str] = {
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
}
_RETRY_S = 5


@dataclass(frozen=True, slots=True)
class Pages:
    """What the pages are made from."""

    links: Links
    find: Find
    now: Callable[[], dt.datetime]


def routes(pages: Pages) -> tuple[Route, ...]:
    """The pages as routes; they need no key, since the link is one."""
    drawing = asyncio.Semaphore(_AT_ONCE)

    async def repository(request: Request) -> Response:
        try:
            scan = await _scan(request, pages)
        except StoreError as error:
            return _busy(request, error)
        if scan is None:
            return _page(status.closed(), 403)
        context_of(request).scan_id = scan.id
        if request.headers.get("accept") == _JSON:
            progress = _progress(scan, pages.now())
            return Response(progress, headers=_HEADERS, media_type=_JSON)
        async with drawing:
            shown = await run_in_threadpool(_shown, scan, pages.now())
        return _page(shown)

    return (
        Route("/repo", repository, methods=["GET"], include_in_schema=False),
        Route("/", _home, methods=["GET"], include_in_schema=False),
    )


def _page(shown: status.Page, code: int = 200, **more: str) -> Response:
    policy = {"Content-Security-Policy": f"{shown.policy}; frame-ancestors 'none'"}
    return Response(shown.text, code, {**_HEADERS, **policy, **more}, media_type="text/html")


async def _home(_: Request) -> Response:
    return _page(status.home())


def _busy(request: Request, error: StoreError) -> Response:
    """503 as a page; what the database said goes to the log alone."""
    context = context_of(request)
    context.code, context.database_error = Code.OVERLOADED, str(error)
    retry = {"Retry-After": str(_RETRY_S)}
    return _page(status.busy(), Code.OVERLOADED.status, **retry)


async def _scan(request: Request, pages: Pages) -> Scan | None:
    """The scan that the link opens; the signature is looked at first, so nothing can be guessed."""
    scan_id, token = request.query_params.get("scan", ""), request.query_params.get("token", "")
    if max(len(scan_id), len(token)) > _LONGEST:
        return None
    if not pages.links.opens(scan_id, token, pages.now()):
        return None
    scan = await pages.find(scan_id)
    return scan if scan is not None and scan.tool is Tool.REPOSITORY else None


def _progress(scan: Scan, now: dt.datetime) -> str:
    """What the script of a waiting page asks for, as JSON."""
    if scan.outcome is not None:
        return status.OVER
    return status.progress(status.waiting(scan.created_at, scan.started_at, now))


def _shown(scan: Scan, now: dt.datetime) -> status.Page:
    if scan.outcome is None:
        return status.running(_subject(scan), status.waiting(scan.created_at, scan.started_at, now))
    if scan.outcome.result is not None:
        return _report(scan, scan.outcome.result)
    return _without(scan)


def _report(scan: Scan, result: str) -> status.Page:
    try:
        return status.Page(
            html.render(read(result.encode(), read_section)), content_security_policy()
        )
    except UsageError:
        return _without(scan)


def _without(scan: Scan) -> status.Page:
    """A scan that failed before there was anything to show, or whose result cannot be read."""
    known = scan.outcome if isinstance(scan.outcome, Failed) else _UNREADABLE
    reason = status.Reason(known.code, known.detail, remedy(known.code))
    ended = scan.finished_at.astimezone(dt.UTC).isoformat() if scan.finished_at else ""
    return status.failed(_subject(scan), reason, wording.moment(ended))


def _subject(scan: Scan) -> str:
    """What is scanned, as its report will say it."""
    asked = json.loads(scan.request)
    names = ("owner", "repo", "branch", "commit")
    said: dict[str, Any] = {one: shown_name(asked[one]) for one in names if asked.get(one)}
    return wording.target(Target(**said))


_UNREADABLE = Failed("INTERNAL", "The stored result cannot be shown.")
