"""``/repo?scan=…``: the report on a repository, or how far its scan is."""

import datetime as dt
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from mergegate.api.pages.links import Links
from mergegate.errors import UsageError
from mergegate.model.service.scan import Failed, Scan
from mergegate.model.service.tool import Tool
from mergegate.report import html, web
from mergegate.report.sheet import content_security_policy
from mergegate.wire.reading import read

Find = Callable[[str], Awaitable[Scan | None]]
"""The scan of that identifier, whoever's it is."""
_HEADERS: Mapping[str, str] = {
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
}
_LONGEST = 200
"""Characters of an identifier or a token."""


@dataclass(frozen=True, slots=True)
class Pages:
    """What the pages are made from."""

    links: Links
    find: Find
    now: Callable[[], dt.datetime]


def routes(pages: Pages) -> tuple[Route, ...]:
    """The pages as routes; they need no key, for the link is one."""

    async def repository(request: Request) -> HTMLResponse:
        scan = await _scan(request, pages)
        if scan is None:
            return _page(web.closed(), 403)
        return await run_in_threadpool(_shown, scan, pages.now())

    return (Route("/repo", repository, methods=["GET"], include_in_schema=False),)


async def _scan(request: Request, pages: Pages) -> Scan | None:
    """The scan that the link opens; the signature is looked at first, so nothing can be guessed."""
    scan_id, token = request.query_params.get("scan", ""), request.query_params.get("token", "")
    if max(len(scan_id), len(token)) > _LONGEST:
        return None
    if not pages.links.opens(scan_id, token, pages.now()):
        return None
    scan = await pages.find(scan_id)
    return scan if scan is not None and scan.tool is Tool.REPOSITORY else None


def _shown(scan: Scan, now: dt.datetime) -> HTMLResponse:
    if scan.outcome is None:
        started = scan.started_at
        subject = _subject(scan)
        return _page(web.running(subject, created=scan.created_at, started=started, now=now))
    if scan.outcome.result is not None:
        return _report(scan, scan.outcome.result)
    return _without(scan)


def _report(scan: Scan, result: str) -> HTMLResponse:
    try:
        return _page(html.render(read(result.encode())))
    except UsageError:
        return _without(scan)


def _without(scan: Scan) -> HTMLResponse:
    """A scan that failed before there was anything to show, or whose result cannot be read."""
    known = scan.outcome if isinstance(scan.outcome, Failed) else _UNREADABLE
    return _page(web.failed(_subject(scan), code=known.code, detail=known.detail))


def _page(text: str, status: int = 200) -> HTMLResponse:
    policy = f"{content_security_policy()}; frame-ancestors 'none'"
    return HTMLResponse(text, status, {**_HEADERS, "Content-Security-Policy": policy})


def _subject(scan: Scan) -> str:
    """What is scanned, in the words of the request."""
    asked = json.loads(scan.request)
    branch = asked.get("branch")
    return f"{asked['owner']}/{asked['repo']}{f' ({branch})' if branch else ''}"


_UNREADABLE = Failed("INTERNAL", "The stored result cannot be shown")
