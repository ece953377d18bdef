"""What a browser test works with: one way out, one Chromium, the journey, the check of links."""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from mergegate import __version__
from mergegate.core.progress import Progress, silent
from mergegate.core.report import EngineRun
from mergegate.core.web_address import DEFAULT_PORTS
from mergegate.sandbox.browser import Chromium, chromium
from mergegate.sandbox.egress.destination import Verdict
from mergegate.sandbox.egress.dialer import Lookup, system_lookup
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import Egress, egress
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process.node import packaged
from mergegate.sandbox.visit import Visit
from mergegate.site.browser_test.facts import Journey, LinkAnswers, PageVisit
from mergegate.site.browser_test.journey.isolated import Bounds
from mergegate.site.browser_test.journey.travel import travel
from mergegate.site.browser_test.run import Anchors, BrowserToolbox, Ending
from mergegate.site.links.check import check_links
from mergegate.site.links.reopen import browser_reopen
from mergegate.site.plainly import asked

_BOUNDS = Bounds()
_IN_THE_PAGE = ("axe-core", "web-vitals")
"""Packages of ours that run in each page."""


@contextmanager
def browser_toolbox(
    policy: Policy,
    *,
    bounds: Bounds = _BOUNDS,
    progress: Progress = silent,
    lookup: Lookup = system_lookup,
) -> Iterator[BrowserToolbox]:
    """The toolbox of one test, which may reach what ``policy`` says; closed on leaving.

    Raises EngineMissing, EngineFailed or EngineTimeout when there is no browser.
    """
    with (
        Stage() as stage,
        egress(policy, lookup=lookup) as way,
        chromium(way.url, stage.room("browser")) as running,
    ):
        bench = _BrowserTools(way, running, bounds)
        yield BrowserToolbox(
            travel=bench.travel,
            check_links=bench.check_links,
            ending=bench.ending,
            engines=bench.engines,
            progress=progress,
        )


@dataclass(slots=True)
class _BrowserTools:
    """What stands ready for one test, and how long its parts took."""

    way: Egress
    running: Chromium
    bounds: Bounds
    took_ms: dict[str, int] = field(default_factory=dict)

    def travel(self, visit: Visit) -> Journey:
        with self._timed("pages"):
            return travel(visit, self.running, bounds=self.bounds)

    def check_links(self, links: Sequence[str], own: Visit, anchors: Anchors) -> LinkAnswers:
        # A page may have taken the browser with it: what is in doubt then stays so.
        reopen = browser_reopen(self.running, own) if self.running.alive else None
        with self._timed("links"):
            return check_links(links, proxy=self.way.url, own=own, anchors=anchors, reopen=reopen)

    def ending(self, page: PageVisit) -> Ending:
        """A page without any answer ended with what was asked for last, and is asked plainly."""
        told = self._contacted(page)
        if page.status is not None or told.refusal:
            return told
        plain = asked(Visit(url=page.url), self.way.url)
        refusal = plain.failure if plain.refused else ""
        return replace(told, refusal=refusal, answered=told.answered or plain.final is not None)

    def _contacted(self, page: PageVisit) -> Ending:
        contacts = self.way.contacted
        places = {_place(page.url), _place(page.final_url)}
        ends = [one for one in contacts if (one.host, one.port) in places]
        if page.status is None:
            ends += contacts[-1:]
        refusals = (one.reason for one in ends if one.verdict is Verdict.REFUSED)
        last = contacts[-1] if contacts else None
        return Ending(
            refusal=next(refusals, ""),
            answered=bool(last and last.verdict is Verdict.PASSED and last.received_bytes),
            failure=last.reason if last and last.verdict is Verdict.FAILED else "",
        )

    def engines(self) -> tuple[EngineRun, ...]:
        """The receipt: what took part, and how many hosts were contacted."""
        hosts = {one.host for one in self.way.contacted if one.verdict is not Verdict.REFUSED}
        version = self.running.version.removeprefix("Chromium ")
        return (
            EngineRun(name="chromium", version=version, duration_ms=self.took_ms["pages"]),
            *(EngineRun(name=name, version=_version(name)) for name in _IN_THE_PAGE),
            EngineRun(name="links", version=__version__, duration_ms=self.took_ms["links"]),
            EngineRun(name="egress", reason=f"hosts contacted: {len(hosts)}"),
        )

    @contextmanager
    def _timed(self, name: str) -> Iterator[None]:
        before = time.monotonic()
        yield
        self.took_ms[name] = round((time.monotonic() - before) * 1000)


def _place(url: str) -> tuple[str, int]:
    """Host and port; neither for what no server has, such as the browser's own error page."""
    try:
        parts = urlsplit(url)
        return parts.hostname or "", parts.port or DEFAULT_PORTS.get(parts.scheme, 0)
    except ValueError:
        return "", 0


def _version(package: str) -> str:
    """The version of an npm package; raises EngineMissing."""
    version: str = json.loads(packaged(package, "package.json").read_bytes())["version"]
    return version
