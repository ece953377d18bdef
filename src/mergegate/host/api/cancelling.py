"""DELETE: call a scan off. What is not over ends as cancelled, once; what is stays as it is."""

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from mergegate.core.plans import Scope, Tool
from mergegate.host.api import results
from mergegate.host.api.asked import no_scan, started_scan
from mergegate.host.api.described import Described, Endpoint
from mergegate.host.api.routes import ID, POLLED
from mergegate.host.api.sending import send
from mergegate.host.api.service import Service
from mergegate.host.api.shapes import EndedScan
from mergegate.host.api.trail import trail_of
from mergegate.host.jobs.cancellation import cancel
from mergegate.host.scan import Scan
from mergegate.host.store import scans

_ABOUT = (
    "A scan that is not over ends as failed with the error `CANCELLED`, and nobody works on it any "
    "more; one that is over stays what it is. Either way the answer says what became of it. Who "
    "joined an equal scan has joined this one. What was counted of a plan stays counted."
)
_ID = replace(
    ID,
    about="The identifier of the scan, or the `Idempotency-Key` that it was started with, of at "
    "most 64 letters, digits, `_` and `-`: who leaves a synchronous tool early was told no other.",
)


def cancel_routes(service: Service) -> tuple[Described, ...]:
    """Not of the specification: an endpoint for each tool, at the path where it is started."""
    repo, site = Scope.REPO, Scope.SITE
    tools = (
        (Tool.REPOSITORY, repo, "/api/repo/scan", "Repository scan", "a repository scan"),
        (Tool.SEO, site, "/api/seo-optimizer", "SEO optimizer", "an SEO scan"),
        (Tool.AUDIT, site, "/api/audit", "Website audit", "an audit"),
        (Tool.BROWSER_TEST, site, "/api/browser-test", "Browser test", "a browser test"),
        (Tool.SECURITY_SCAN, site, "/api/security-scan", "Security scan", "a security scan"),
    )
    return tuple(
        Described(
            method="DELETE",
            path=path,
            endpoint=_endpoint(service, scope, tool),
            name="cancel" + what.partition(" ")[2].title().replace(" ", ""),
            summary=f"Cancel {what}",
            about=_ABOUT,
            tag=tag,
            scope=scope,
            parameters=(_ID,),
            answers={200: (EndedScan,)},
            codes=POLLED,
        )
        for tool, scope, path, tag, what in tools
    )


def _endpoint(service: Service, scope: Scope, tool: Tool) -> Endpoint:
    async def cancelled(request: Request) -> Response:
        scan = await started_scan(request, service, scope, tool)
        trail_of(request).scan_id = scan.id
        over = scan if scan.outcome is not None else await _called_off(service, scan)
        return await send(request, results.ended(over))

    return cancelled


async def _called_off(service: Service, scan: Scan) -> Scan:
    """As its row says then: it may have come to its end by itself. Raises Refusal."""
    await cancel(service.database, scan.id, service.now())
    async with service.database.read() as connection:
        found = await scans.find(connection, scan.account_id, scan.id)
    if found is None:
        raise no_scan()
    return found
