"""What an answer, or the lack of one, means for a person who follows one of its links."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime

import httpx

from mergegate.sandbox.egress.destination import Lack
from mergegate.site.browser_test.facts import LinkAnswer, LinkState
from mergegate.site.links.address import Address, anchor, is_held
from mergegate.site.links.asker import Failure, Reply, wall
from mergegate.site.links.page import Page

_GONE = {404: "not found", 410: "gone"}
_LOGIN = frozenset({401, 407})
_ROBOTS = {
    403: "it turns robots away, or wants a login",
    429: "it answers too many requests",
    451: "it is withheld for legal reasons",
    999: "it turns robots away",
}
_LATER = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
"""Worth another try."""
_BUSY = frozenset({429, 503})
_STATES = {
    # A host that takes no connections may be starting anew: that cannot be told from one that is
    # gone. A name that nobody knows is gone, unless nothing can be looked up from here (check.py).
    Lack.NO_NAME: LinkState.DEAD,
    Lack.NO_CONNECTION: LinkState.FLAKY,
    Lack.SLOW: LinkState.FLAKY,
    Lack.BROKEN: LinkState.FLAKY,
    Lack.BAD_CERTIFICATE: LinkState.DEAD,
    Lack.UNKNOWN_ISSUER: LinkState.BLOCKED,
    Lack.FORBIDDEN: LinkState.UNCHECKED,
    Lack.SPENT: LinkState.UNCHECKED,
    Lack.BUSY: LinkState.UNCHECKED,
    Lack.TOO_LARGE: LinkState.ALIVE,
    Lack.HEAD_TOO_LARGE: LinkState.FLAKY,
}
_MAY_PASS = frozenset({Lack.NO_NAME, Lack.NO_CONNECTION, Lack.SLOW, Lack.BROKEN, Lack.BUSY})


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one answer means."""

    state: LinkState
    reason: str = ""
    again: bool = False
    """Whether it may be another one in a moment."""
    doubtful: bool = False
    """Whether a browser may see it differently."""


def of_reply(reply: Reply) -> Verdict:
    """The verdict on an answer that redirects no further."""
    status = reply.status
    owner = wall(status, reply.headers)
    if owner:
        return Verdict(
            LinkState.BLOCKED, f"{owner} turns robots away", status in _BUSY, doubtful=True
        )
    if status < 400:
        return Verdict(LinkState.ALIVE)
    if status in _GONE:
        return Verdict(LinkState.DEAD, _GONE[status])
    if status in _LOGIN:
        return Verdict(LinkState.BLOCKED, "it wants a login")
    if status in _LATER or 500 <= status < 600:
        return _unwell(status)
    reason = _ROBOTS.get(status, f"it refuses the request with status {status}")
    return Verdict(LinkState.BLOCKED, reason, doubtful=True)


def of_failure(failure: Failure) -> Verdict:
    """The verdict on no answer."""
    state = _STATES[failure.lack]
    doubtful = state in {LinkState.FLAKY, LinkState.BLOCKED}
    return Verdict(state, failure.reason, failure.lack in _MAY_PASS, doubtful)


def asks_for_patience(reply: Reply) -> bool:
    """Whether the server has too much to do."""
    return reply.status in _BUSY


def retry_after_s(reply: Reply, wall_s: float) -> float | None:
    """What ``Retry-After`` asks for, as seconds from now; None when it asks for nothing readable.

    Source: RFC 9110, 10.2.3. A date is measured against the server's own ``Date``.
    """
    value = reply.headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    until, now = (_moment(text) for text in (value, reply.headers.get("date", "")))
    return None if until is None else max(until - (wall_s if now is None else now), 0.0)


def _unwell(status: int) -> Verdict:
    state = LinkState.BLOCKED if status == 429 else LinkState.FLAKY
    reason = _ROBOTS.get(status, f"the server answers {status}")
    return Verdict(state, reason, status in _LATER, doubtful=True)


def _moment(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text[:64]).timestamp() if text else None
    except (ValueError, OverflowError):
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What an address answered; links that differ in their fragment alone share it."""

    verdict: Verdict
    status: int | None = None
    final_url: str = ""
    attempts: int = 1
    page: Page | None = None
    """What it holds, its text left out; None when it is no page, or no link wants an anchor."""
    whole: bool = True
    """Whether the page was read to its end."""
    fragment: str | None = None
    """What a redirect put in the place of the link's fragment."""
    lack: Lack | None = None
    """Why there was no answer; None when there was one."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One link, and what to say of it."""

    address: Address
    found: Found
    verdict: Verdict

    @property
    def anchor(self) -> str:
        """The anchor that the link ends at; empty when it means none."""
        redirected = self.found.fragment
        return anchor(self.address.fragment if redirected is None else redirected)

    def answer(self) -> LinkAnswer:
        """The verdict as a fact of the report."""
        return LinkAnswer(
            url=self.address.link,
            state=self.verdict.state,
            status=self.found.status,
            final_url=self.found.final_url,
            reason=self.verdict.reason,
            attempts=self.found.attempts,
        )


def unasked(reason: str) -> Found:
    """An address that was not asked for, or not to the end."""
    return Found(verdict=Verdict(LinkState.UNCHECKED, reason), attempts=0)


TOO_LONG = Verdict(LinkState.UNCHECKED, "the page answers, but is too long to look for the anchor")


def judged(address: Address, found: Found, visited: Mapping[str, frozenset[str]]) -> Judged:
    """``found`` as it concerns the link; ``visited`` is what the browser saw (:func:`known`)."""
    plain = Judged(address, found, found.verdict)
    if found.verdict.state is not LinkState.ALIVE or not plain.anchor:
        return plain
    seen = visited.get(str(address.url), visited.get(found.final_url))
    return Judged(address, found, _on_anchor(plain.anchor, found, seen))


def known(anchors: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """``anchors`` with their addresses spelled as ours are."""
    return {_bare(url): held for url, held in anchors.items()}


def _on_anchor(name: str, found: Found, seen: frozenset[str] | None) -> Verdict:
    """What a browser saw counts; what came from the server is but a beginning."""
    missing = Verdict(LinkState.DEAD, "the page has no such anchor")
    if seen is not None:
        return found.verdict if is_held(name, seen) else missing
    page = found.page
    if page is None or is_held(name, page.anchors):
        return found.verdict
    if not (found.whole and page.whole):
        return replace(TOO_LONG, doubtful=True)
    if page.scripted:
        reason = "the page answers, but its scripts may have yet to make the anchor"
        return Verdict(LinkState.UNCHECKED, reason, doubtful=True)
    return missing


def _bare(url: str) -> str:
    try:
        return str(httpx.URL(url).copy_with(fragment=None))
    except (httpx.InvalidURL, ValueError):
        return url
