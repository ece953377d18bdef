"""What a request carries: the usual headers, credentials of the visit, cookies of earlier hops."""

from collections.abc import Sequence
from typing import TypeAlias

import httpx

from mergegate import __version__
from mergegate.sandbox.visit import NONE, Visit
from mergegate.sandbox.web.address import origin

Headers: TypeAlias = Sequence[tuple[str, str]]
_LONGEST_COOKIE = 8_192


def keep(cookies: httpx.Cookies, url: str, given: Sequence[str], most: int) -> None:
    """Take up the ``Set-Cookie`` values that ``url`` has given, ``most`` of them."""
    fields = [value for value in given if len(value) <= _LONGEST_COOKIE][:most]
    if fields:
        request = httpx.Request("GET", url)
        headers = [("Set-Cookie", value) for value in fields]
        cookies.extract_cookies(httpx.Response(200, headers=headers, request=request))


def state(url: httpx.URL, cookies: httpx.Cookies) -> tuple[str, str]:
    """Tells apart what is asked of ``url`` before and after a cookie changed."""
    held = sorted((one.domain, one.path, one.name, one.value) for one in cookies.jar)
    return str(url), repr(held)


def usual(purpose: str) -> Headers:
    """As a browser asks, under our own name: servers send others to their wall at once."""
    return (
        ("User-Agent", f"Mozilla/5.0 (compatible; Mergegate/{__version__}; {purpose})"),
        ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
        ("Accept-Language", "en-US,en;q=0.9"),
        ("Accept-Encoding", "gzip, deflate"),
    )


class RequestHeaders:
    """The headers of each request of a visit; its credentials go to its own origin alone.

    Where the site is not ``trusted`` they go nowhere.
    """

    def __init__(self, own: Visit, usually: Headers, *, trusted: bool = True) -> None:
        self._own = origin(httpx.URL(own.url))
        self._credentials = own.credentials if trusted else NONE
        self._usually = usually

    def is_own(self, url: httpx.URL) -> bool:
        """Whether ``url`` is of the origin of the visit."""
        return origin(url) == self._own

    def to(self, url: httpx.URL, cookies: httpx.Cookies, *more: Headers) -> Headers:
        """The usual ones, over them those of the visit, over them each of ``more``."""
        given = self._credentials if self.is_own(url) else NONE
        ours = [pair for pair in given.headers if pair[0].lower() != "cookie"]
        jar = [value for name, value in given.headers if name.lower() == "cookie"]
        jar += [f"{name}={value}" for name, value in given.cookies]
        jar += [_crumbs(cookies, url)]
        sent = over(self._usually, ours, *more)
        kept = "; ".join(filter(None, jar))
        return [*sent, *([("Cookie", kept)] if kept else [])]


def over(lower: Headers, *uppers: Headers) -> Headers:
    """All of them; of those with one name, the ones given last."""
    for upper in uppers:
        names = {name.lower() for name, _ in upper}
        lower = [*(pair for pair in lower if pair[0].lower() not in names), *upper]
    return lower


def _crumbs(cookies: httpx.Cookies, url: httpx.URL) -> str:
    """The ``Cookie`` that goes to ``url``; empty when there is none."""
    if not cookies:
        return ""
    request = httpx.Request("GET", url)
    cookies.set_cookie_header(request)
    return str(request.headers.get("Cookie", ""))
