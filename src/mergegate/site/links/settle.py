"""Open what is in doubt in a browser, and believe what it sees."""

from collections.abc import Sequence
from dataclasses import replace

from mergegate.sandbox.web.address import Origin, origin
from mergegate.site.browser_test.facts import LinkState
from mergegate.site.links.address import is_held
from mergegate.site.links.answer import is_wall
from mergegate.site.links.bounds import Reopen, Reopened
from mergegate.site.links.found import Judged
from mergegate.site.links.page import says_nothing
from mergegate.site.links.verdict import Verdict

_GONE = frozenset({404, 410})
_ROBOTS_ONLY = frozenset({401, 403, 407, 408, 425, 429, 451})
"""What a headless browser may be told, and a visitor not."""
_NOWHERE = frozenset({"net::ERR_TOO_MANY_REDIRECTS", "net::ERR_UNSAFE_REDIRECT"})
"""Failures that do not depend on the day."""


def settled(links: Sequence[Judged], own: Origin, reopen: Reopen, most: int) -> list[Judged]:
    """The same links; those in doubt, the site's own first, as a browser sees them."""
    doubtful = [link for link in links if link.verdict.doubtful]
    doubtful.sort(key=lambda link: (not _is_own(link, own), str(link.address.url)))
    urls = list(dict.fromkeys(str(link.address.url) for link in doubtful))[:most]
    opened = reopen(urls) if urls else {}
    return [_settled(link, opened.get(str(link.address.url)), own) for link in links]


def _settled(link: Judged, seen: Reopened | None, own: Origin) -> Judged:
    if seen is None or not link.verdict.doubtful:
        return link
    verdict = _verdict(link, seen, _is_own(link, own))
    found = replace(
        link.found,
        status=link.found.status if seen.status is None else seen.status,
        final_url=seen.final_url or link.found.final_url,
        attempts=link.found.attempts + 1,
    )
    return Judged(link.address, found, verdict)


def _verdict(link: Judged, seen: Reopened, own: bool) -> Verdict:
    if seen.error in _NOWHERE:
        return Verdict(LinkState.DEAD, "it redirects, and a browser gives up on it")
    if seen.status in _GONE:
        return Verdict(LinkState.DEAD, "a browser does not find it either")
    if seen.status is None:
        return replace(link.verdict, doubtful=False)
    if own and 400 <= seen.status < 500 and seen.status not in _ROBOTS_ONLY:
        return Verdict(LinkState.DEAD, "it refuses a browser too")
    if seen.status >= 400 or is_wall(seen.title):
        return replace(link.verdict, doubtful=False)
    return _of_page(link, seen)


def _of_page(link: Judged, seen: Reopened) -> Verdict:
    """The browser shows something."""
    if says_nothing(seen.title) or says_nothing(seen.heading):
        soft = link.verdict.state is LinkState.SOFT_404
        reason = link.verdict.reason if soft else "it says that there is no such page"
        return Verdict(LinkState.SOFT_404, reason)
    if link.anchor and not is_held(link.anchor, seen.anchors):
        return Verdict(LinkState.DEAD, "the page has no such anchor")
    return Verdict(LinkState.ALIVE, "it opens in a browser")


def _is_own(link: Judged, own: Origin) -> bool:
    return origin(link.address.url) == own
