"""The Observatory's tests of the way to the page, and of the scripts that it loads."""

from collections.abc import Iterator

from mergegate.sandbox.web.fetched import Fetched
from mergegate.site.document.facts import Script
from mergegate.site.security.checks.observatory.answer import is_trusted
from mergegate.site.security.checks.origins import host, origin, same_site, scheme
from mergegate.site.security.facts import SecurityFacts

_HTML = frozenset({"text/html", "application/xhtml+xml"})
_SECURE = "sri-implemented-and-all-scripts-loaded-securely"
_FROM_BEST_TO_WORST = (
    "sri-implemented-but-external-scripts-not-loaded-securely",
    "sri-not-implemented-but-external-scripts-loaded-securely",
    "sri-not-implemented-and-external-scripts-not-loaded-securely",
)


def redirection_result(facts: SecurityFacts) -> str:
    """Of how a visitor gets from http to https; no list of preloaded hosts is at hand."""
    start = _over_http(facts)
    if start is None or start.final is None:
        return "redirection-not-needed-no-http"
    if scheme(start.final_url) == "https" and not is_trusted(facts):
        return "redirection-invalid-cert"
    route = [answer.url for answer in start.answers]
    if len(route) == 1:
        return "redirection-missing"
    if scheme(route[-1]) != "https":
        return "redirection-not-to-https"
    if scheme(route[1]) == "http":
        return "redirection-not-to-https-on-initial-redirection"
    stays = host(route[0]) == host(route[1])
    return f"redirection-{'to-https' if stays else 'off-host-from-http'}"


def _over_http(facts: SecurityFacts) -> Fetched | None:
    """The page's twin over http; the page itself when that is how it was asked for."""
    if facts.insecure is not None:
        return facts.insecure
    return facts.page if scheme(facts.page.url) == "http" else None


def integrity_result(facts: SecurityFacts) -> str:
    """Of the page's scripts, and whether a hash holds those of others."""
    if facts.page.header("content-type").split(";")[0] not in _HTML:
        return "sri-not-implemented-response-not-html"
    if not facts.document.scripts:
        return "sri-not-implemented-but-no-scripts-loaded"
    home = host(facts.page.final_url)
    files = [(one, same_site(host(one.src), home, facts.site)) for one in facts.document.scripts]
    foreign = [one for one, own in files if not own and origin(one.src)]
    if found := set(_faults(foreign)):
        return max(found, key=_FROM_BEST_TO_WORST.index)
    if any(own and one.integrity and scheme(one.src) == "https" for one, own in files):
        return _SECURE
    if foreign:
        return "sri-implemented-and-external-scripts-loaded-securely"
    return "sri-not-implemented-but-all-scripts-loaded-from-secure-origin"


def _faults(foreign: list[Script]) -> Iterator[str]:
    """The Observatory calls ``//host/x.js`` insecure; on an https page it is fetched over https."""
    for script in foreign:
        secure = scheme(script.src) == "https"
        if script.integrity and not secure:
            yield _FROM_BEST_TO_WORST[0]
        elif not script.integrity:
            yield _FROM_BEST_TO_WORST[1 if secure else 2]
