"""What was found at an address, and what that means for each link to it."""

from collections.abc import Mapping
from dataclasses import dataclass

import httpx

from mergegate.sandbox.egress.destination import Lack
from mergegate.site.browser_test.facts import LinkAnswer, LinkState
from mergegate.site.links.address import Address, anchor, is_held
from mergegate.site.links.page import Page
from mergegate.site.links.verdict import Verdict


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
        """The same for the world outside."""
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
    if not found.whole:
        reason = "the page answers, but is too long to look for the anchor"
        return Verdict(LinkState.UNCHECKED, reason, doubtful=True)
    if page.scripted:
        reason = "the page answers, but its scripts may have yet to make the anchor"
        return Verdict(LinkState.UNCHECKED, reason, doubtful=True)
    return missing


def _bare(url: str) -> str:
    try:
        return str(httpx.URL(url).copy_with(fragment=None))
    except (httpx.InvalidURL, ValueError):
        return url
