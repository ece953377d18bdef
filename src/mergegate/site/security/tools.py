"""What a security scan works with: one way out, a client, and a Chromium where it is wanted."""

import base64
import datetime as dt
import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from mergegate import __version__
from mergegate.core.progress import Progress, silent
from mergegate.core.report import EngineRun, EngineStatus
from mergegate.core.web_address import root
from mergegate.sandbox.browser import Chromium, chromium
from mergegate.sandbox.egress.destination import Verdict
from mergegate.sandbox.egress.dialer import Lookup, system_lookup
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import Egress, egress
from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.visit import Visit
from mergegate.sandbox.web import Client, Request, client
from mergegate.site.rendering import render
from mergegate.site.security.facts import PolicyTrial, RenderedPage, SecurityFacts
from mergegate.site.security.gather.gathering import gather
from mergegate.site.security.policy_trial import try_policy
from mergegate.site.security.proposed_policy import proposed
from mergegate.site.security.run import SecurityToolbox

_MOST = 20
_MOST_BYTES = 5 * 1024 * 1024


def hashes(urls: Sequence[str], page: str, web: Client) -> Mapping[str, str]:
    """``sha384-…`` of each file, by its address; those that cannot be pinned are left out.

    A browser checks a file of another origin only when its host allows the page to read it
    (Subresource Integrity, 3.5), so it is asked for as by the page.
    """
    origin = root(page)
    asked = [
        Request(url, headers=(("Origin", origin),), most_bytes=_MOST_BYTES) for url in urls[:_MOST]
    ]
    answers = zip(asked, web.many(asked), strict=True)
    return {one.url: _hash(fetched.body) for one, fetched in answers if _is_open(fetched, origin)}


def _is_open(fetched: Fetched, origin: str) -> bool:
    allowed = fetched.header("access-control-allow-origin").strip()
    return fetched.ok and fetched.whole and bool(fetched.body) and allowed in {"*", origin}


def _hash(body: bytes) -> str:
    return f"sha384-{base64.b64encode(hashlib.sha384(body).digest()).decode('ascii')}"


_NO_TRUST = "certificate"
"""Stands in every reason why a TLS connection was not trusted (``sandbox/web``)."""
_NOT_OPENED = (
    "Its certificate is not trusted, so what opens the site was not sent: what is judged is what "
    "strangers get."
)
T = TypeVar("T")


@contextmanager
def security_toolbox(
    policy: Policy,
    visit: Visit,
    *,
    render_js: bool = False,
    progress: Progress = silent,
    lookup: Lookup = system_lookup,
) -> Iterator[SecurityToolbox]:
    """Open the tools for one scan of ``visit``, which may reach what ``policy`` allows.

    Raises EngineMissing, EngineFailed or EngineTimeout when there is no browser and one is wanted.
    """
    with ExitStack() as held:
        way = held.enter_context(egress(policy, lookup=lookup))
        browser = held.enter_context(_browser(way)) if render_js else None
        web = held.enter_context(client(way.url, visit))
        bench = _SecurityTools(way, web, browser, progress)
        yield SecurityToolbox(
            gather=bench.gather,
            propose=lambda facts: proposed(facts.page, facts.document),
            render=partial(bench.render, browser) if browser else None,
            try_policy=partial(bench.try_policy, browser) if browser else None,
            hashes=bench.hashes,
            engines=bench.engines,
            progress=progress,
        )


@contextmanager
def _browser(way: Egress) -> Iterator[Chromium]:
    with Stage() as stage, chromium(way.url, stage.room("browser")) as running:
        yield running


@dataclass(slots=True)
class _SecurityTools:
    """What stands ready for one scan, how long its parts took, and what failed."""

    way: Egress
    web: Client
    browser: Chromium | None
    progress: Progress
    took_ms: dict[str, int] = field(default_factory=dict)
    failure: str = ""
    """Why the browser failed; empty where it did not."""
    step: str = ""
    """What gathering is at."""

    def gather(
        self, visit: Visit, rendered: RenderedPage | None, now: dt.datetime
    ) -> SecurityFacts:
        """A page with an untrusted certificate is looked at all the same, without credentials."""
        facts = self._timed("web", lambda: self._gathered(self.web, visit, rendered, now))
        if _NO_TRUST not in facts.page.failure:
            return facts
        with client(self.way.url, visit, insecure=True) as insecure:
            facts = self._timed("web", lambda: self._gathered(insecure, visit, rendered, now))
        return replace(facts, notes=(_NOT_OPENED, *facts.notes)) if visit.credentials else facts

    def _gathered(
        self, web: Client, visit: Visit, rendered: RenderedPage | None, now: dt.datetime
    ) -> SecurityFacts:
        seen = rendered if rendered and not rendered.failure else None
        facts = gather(visit, web, self.way.url, rendered=seen, now=now, progress=self._begun)
        self.progress(self.step, "done")
        return facts

    def _begun(self, step: str, state: str) -> None:
        """Gathering tells what it begins; what it was at until then is done."""
        if self.step and self.step != step:
            self.progress(self.step, "done")
        self.step = step
        self.progress(step, state)

    def render(self, browser: Chromium, visit: Visit) -> RenderedPage:
        """The page in the browser."""
        page = self._timed("chromium", lambda: render(visit, browser))
        self.failure = page.failure
        return page

    def try_policy(self, browser: Chromium, visit: Visit, facts: SecurityFacts) -> PolicyTrial:
        """A policy that the page was loaded under; from its markup where it did not open."""
        if self.failure:
            return proposed(facts.page, facts.document)
        trial = self._timed("chromium", lambda: try_policy(visit, facts.page, browser))
        if trial.policy:
            return trial
        made = proposed(facts.page, facts.document)
        return replace(made, failure=f"{trial.failure} {made.failure}")

    def hashes(self, urls: Sequence[str], page: str) -> Mapping[str, str]:
        """Hashes of other hosts' files."""
        return self._timed("web", lambda: hashes(urls, page, self.web))

    def engines(self) -> tuple[EngineRun, ...]:
        """The receipt: what took part, and how many hosts were contacted."""
        hosts = {one.host for one in self.way.contacted if one.verdict is not Verdict.REFUSED}
        web = EngineRun(name="web", version=__version__, duration_ms=self.took_ms.get("web", 0))
        out = EngineRun(name="egress", reason=f"hosts contacted: {len(hosts)}")
        return (web, *([self._chromium(self.browser)] if self.browser else []), out)

    def _chromium(self, browser: Chromium) -> EngineRun:
        return EngineRun(
            name="chromium",
            version=browser.version.removeprefix("Chromium "),
            status=EngineStatus.FAILED if self.failure else EngineStatus.OK,
            duration_ms=self.took_ms.get("chromium", 0),
            reason=self.failure,
        )

    def _timed(self, name: str, step: Callable[[], T]) -> T:
        before = time.monotonic()
        try:
            return step()
        finally:
            took = round((time.monotonic() - before) * 1000)
            self.took_ms[name] = self.took_ms.get(name, 0) + took
