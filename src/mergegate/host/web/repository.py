"""``/repo?scan=…``: the report on a repository, or how far its scan is; ``/``: what runs here."""

import asyncio
import datetime as dt
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mergegate.core.errors import StoreError, UsageError
from mergegate.core.failure import Failed
from mergegate.core.plans import Tool
from mergegate.core.render import wording
from mergegate.core.render.sheet import content_security_policy
from mergegate.core.report import Target
from mergegate.host.api.problems import Code
from mergegate.host.api.reference.causes import remedy
from mergegate.host.api.trail import trail_of
from mergegate.host.scan import Scan
from mergegate.host.web import status
from mergegate.host.web.answering import page, told
from mergegate.host.web.links import Links
from mergegate.repo.report import html
from mergegate.repo.wire.reading import read
from mergegate.site.deployment.reading import read_section

Find = Callable[[str], Awaitable[Scan | None]]
"""The scan of that identifier, whoever's it is; None also while its account is suspended."""
_LONGEST = 200
"""Characters of an identifier or a token."""
_AT_ONCE = 2
"""Reports that are drawn side by side: a large one takes a core for a second."""
_JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Pages:
    """What the pages are made from."""

    links: Links
    find: Find
    now: Callable[[], dt.datetime]


def routes(pages: Pages) -> tuple[Route, ...]:
    """The pages as routes; they need no key, for the link is one."""
    drawing = asyncio.Semaphore(_AT_ONCE)

    async def repository(request: Request) -> Response:
        try:
            scan = await _scan(request, pages)
        except StoreError as error:
            return await _busy(request, error)
        if scan is None:
            return await page(request, status.closed(), 403)
        trail_of(request).scan_id = scan.id
        if request.headers.get("accept") == _JSON:
            return told(_progress(scan, pages.now()))
        async with drawing:
            shown = await run_in_threadpool(_shown, scan, pages.now())
        return await page(request, shown)

    return (
        Route("/repo", repository, methods=["GET"], include_in_schema=False),
        Route("/", _home, methods=["GET"], include_in_schema=False),
    )


async def _home(request: Request) -> Response:
    return await page(request, status.home())


async def _busy(request: Request, error: StoreError) -> Response:
    """For people; the database's own words are for the log."""
    trail = trail_of(request)
    trail.code, trail.trouble = Code.OVERLOADED, str(error)
    return await page(request, status.busy(), Code.OVERLOADED.status)


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
    return wording.target(Target(**{name: asked[name] for name in names if asked.get(name)}))


_UNREADABLE = Failed("INTERNAL", "The stored result cannot be shown.")
