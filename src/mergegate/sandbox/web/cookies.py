"""Keep what the answers on the way set, for the rest of that way and no longer."""

import httpx

from mergegate.sandbox.fetched import Answer

_LONGEST = 8_192


def keep(cookies: httpx.Cookies, answer: Answer, most: int) -> None:
    """Take up what ``answer`` sets, ``most`` of it."""
    fields = [value for value in answer.all("set-cookie") if len(value) <= _LONGEST][:most]
    if fields:
        request = httpx.Request("GET", answer.url)
        headers = [("Set-Cookie", value) for value in fields]
        cookies.extract_cookies(httpx.Response(answer.status, headers=headers, request=request))


def crumbs(cookies: httpx.Cookies, url: httpx.URL) -> str:
    """The ``Cookie`` that goes to ``url``; empty when there is none."""
    if not cookies:
        return ""
    request = httpx.Request("GET", url)
    cookies.set_cookie_header(request)
    return str(request.headers.get("Cookie", ""))


def state(cookies: httpx.Cookies) -> str:
    """Tells apart what was asked before and after a cookie changed."""
    return repr(sorted((one.domain, one.path, one.name, one.value) for one in cookies.jar))
