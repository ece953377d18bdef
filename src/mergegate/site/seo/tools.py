"""What an SEO analysis works with: one way out, a client behind it, Chromium where asked for."""

import datetime as dt
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from mergegate import __version__
from mergegate.core.progress import Progress, silent
from mergegate.core.report import EngineRun, EngineStatus
from mergegate.sandbox.browser import Chromium, chromium
from mergegate.sandbox.egress.destination import Verdict
from mergegate.sandbox.egress.dialer import Lookup, system_lookup
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import Egress, egress
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.visit import Visit
from mergegate.sandbox.web import Client, client
from mergegate.site.rendering import render
from mergegate.site.seo.facts import Rendered, SearchFacts
from mergegate.site.seo.gather import Access, Bounds, Console, Told, gather
from mergegate.site.seo.google import GOOGLE
from mergegate.site.seo.run import SeoToolbox

_OWN = Bounds()
_OTHERS = Bounds(crawlers=0)
"""Bounds for a competitor's page, which is never requested under a crawler's name."""


@contextmanager
def seo_toolbox(
    policy: Policy,
    own: Visit,
    *,
    render_js: bool = False,
    console: Access | Told | None = None,
    google: str = GOOGLE,
    progress: Progress = silent,
    lookup: Lookup = system_lookup,
) -> Iterator[SeoToolbox]:
    """Open the tools for one analysis of ``own``, which may reach what ``policy`` allows.

    ``console`` is what opens Search Console, or what it has told, None leaves it out; ``google`` is
    where its API is found. Raises EngineMissing, EngineFailed or EngineTimeout when a browser is
    asked for and there is none.
    """
    with (
        egress(policy, lookup=lookup) as way,
        client(way.url, own) as web,
        _browser(way, wanted=render_js) as browser,
    ):
        known = _known(console, way.url, google)
        bench = _SearchTools(way, web, browser, known, progress)
        yield SeoToolbox(
            look=bench.look,
            look_at_competitor=bench.look_at_competitor,
            engines=bench.engines,
        )


def _known(console: Access | Told | None, proxy: str, google: str) -> Console | Told | None:
    if console is None or isinstance(console, Told):
        return console
    return Console(console, proxy, google=google)


@contextmanager
def _browser(way: Egress, *, wanted: bool) -> Iterator[Chromium | None]:
    if not wanted:
        yield None
        return
    with Stage() as stage, chromium(way.url, stage.room("browser")) as running:
        yield running


@dataclass(slots=True)
class _SearchTools:
    """What stands ready for one analysis, and how its parts fared."""

    way: Egress
    web: Client
    browser: Chromium | None
    console: Console | Told | None
    progress: Progress
    took_ms: dict[str, int] = field(default_factory=dict)
    step: str = ""
    """What is being done, as it is told."""
    own: SearchFacts | None = None
    """What was seen of the page itself; how the competitor's fared is no matter of ours."""

    def look(self, visit: Visit, now: dt.datetime) -> SearchFacts:
        """Gather the facts about the page, with all that belongs to it."""
        self.own = self._gathered(visit, now, self.console, _OWN)
        return self.own

    def look_at_competitor(self, visit: Visit, now: dt.datetime) -> SearchFacts:
        """Gather facts about a competitor's page, without crawler requests or Search Console."""
        return self._gathered(visit, now, None, _OTHERS)

    def engines(self) -> tuple[EngineRun, ...]:
        """The receipt: what took part, and how many hosts were contacted."""
        hosts = {one.host for one in self.way.contacted if one.verdict is not Verdict.REFUSED}
        return (
            EngineRun(name="fetch", version=__version__, duration_ms=self.took_ms.get("fetch", 0)),
            *self._chromium(),
            *self._search_console(),
            EngineRun(name="egress", reason=f"hosts contacted: {len(hosts)}"),
        )

    def _gathered(
        self, visit: Visit, now: dt.datetime, console: Console | Told | None, bounds: Bounds
    ) -> SearchFacts:
        rendered = self._rendered(visit)
        with self._timed("fetch"):
            facts = gather(
                visit,
                self.web,
                rendered=rendered,
                console=console,
                now=now,
                progress=self._step,
                bounds=bounds,
            )
        self.progress(self.step, "done")
        return facts

    def _step(self, name: str, state: str) -> None:
        """Steps follow each other: what was before is done."""
        if self.step not in {"", name}:
            self.progress(self.step, "done")
        self.step = name
        self.progress(name, state)

    def _rendered(self, visit: Visit) -> Rendered | None:
        if self.browser is None:
            return None
        self._step("rendering", "started")
        with self._timed("chromium"):
            page = render(visit, self.browser)
        return Rendered(document=page.document, final_url=page.document.url, failure=page.failure)

    def _chromium(self) -> Iterator[EngineRun]:
        if self.browser is not None:
            rendered = self.own.rendered if self.own else None
            reason = rendered.failure if rendered else ""
            yield EngineRun(
                name="chromium",
                version=self.browser.version.removeprefix("Chromium "),
                status=_status(reason),
                reason=reason,
                duration_ms=self.took_ms.get("chromium", 0),
            )

    def _search_console(self) -> Iterator[EngineRun]:
        if self.console is not None:
            told = self.own.console if self.own else None
            reason = told.failure if told else ""
            yield EngineRun(name="search-console", status=_status(reason), reason=reason)

    @contextmanager
    def _timed(self, name: str) -> Iterator[None]:
        before = time.monotonic()
        yield
        spent = round((time.monotonic() - before) * 1000)
        self.took_ms[name] = self.took_ms.get(name, 0) + spent


def _status(failure: str) -> EngineStatus:
    return EngineStatus.FAILED if failure else EngineStatus.OK
