"""How a page is sent: kept by nobody, framed by nobody, told to nobody that it links to."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from mergegate.host.api.sending import send
from mergegate.host.web.status import Page

_HEADERS: Mapping[str, str] = {
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
}
_AGAIN_S = 5


async def page(request: Request, shown: Page, status: int = 200) -> Response:
    """``shown`` to a person; with 503 it says when to come back."""
    response = await send(request, shown.text.encode(), status, "text/html")
    response.headers.update(_HEADERS)
    response.headers["Content-Security-Policy"] = f"{shown.policy}; frame-ancestors 'none'"
    if status == 503:
        response.headers["Retry-After"] = str(_AGAIN_S)
    return response


def told(progress: str) -> Response:
    """JSON for the script of a page."""
    return Response(progress, headers=_HEADERS, media_type="application/json")
