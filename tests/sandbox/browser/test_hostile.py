"""Pages that mean harm end as an answer or an error, and nothing of them is left behind."""

import asyncio
import contextlib
import http.client
import json
import os
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

import psutil
import pytest
from playwright.async_api import Browser, BrowserContext, Error, Page

from mergegate.core.errors import EngineFailed
from mergegate.sandbox.browser import LIMITS
from mergegate.sandbox.browser.attach import hardened
from mergegate.sandbox.process.run import MEBIBYTE, Limits
from tests.sandbox.browser.stands import Held, Stand, held, left_of, needs_chromium, stand
from tests.sandbox.process.test_supervised import until_it_ends

pytestmark = needs_chromium
SMALL = Limits(timeout_s=60, memory_bytes=600 * MEBIBYTE, output_bytes=LIMITS.output_bytes)
TIGHT = Limits(timeout_s=60, memory_bytes=300 * MEBIBYTE, output_bytes=LIMITS.output_bytes)
SHORT_MS = 1500
CALM = "<title>calm</title>"

ALERTS = """<title>end</title><script>
for (let i = 0; i < 10; i++) { alert(i); confirm(i); prompt(i) }
</script>"""
ENDLESS_ALERTS = "<script>for (;;) alert('x'.repeat(1e5))</script>"
HANG = "<title>hang</title><script>addEventListener('load', () => { for (;;); })</script>"
BOMB = """<script>const held = [];
setInterval(() => { const one = new Uint8Array(64 << 20); one.fill(7); held.push(one); }, 1);
</script>"""
DOWNLOADS = """<title>downloads</title><a id=link href=/file.bin download>x</a><script>
for (let i = 0; i < 20; i++) document.getElementById('link').click();
const blob = URL.createObjectURL(new Blob([new Uint8Array(1 << 20)]));
for (let i = 0; i < 20; i++) {
  const one = document.createElement('a'); one.href = blob; one.download = `x${i}`; one.click();
}
addEventListener('load', () => setTimeout(() => location.href = '/attached.bin', 50));
</script>"""
POPUPS = """<title>popups</title><body style="height:1000px"><script>
addEventListener('click', () => {
  for (let i = 0; i < 30; i++) { open('/popup', `n${i}`); open('/popup', '_blank', 'noopener'); }
});
</script><a href=/popup target=_blank rel=noopener>link</a>"""
PRINT = "<title>print</title><script>for (let i = 0; i < 5; i++) print()</script>"
TRAP = """<title>trap</title><body>x<script>
addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'x'; });
addEventListener('pagehide', () => { const end = Date.now() + 1000; while (Date.now() < end); });
</script>"""
FRAMES = """<title>frames</title><script>
if (location.search.length < 6) for (let i = 0; i < 6; i++) {
  const one = document.createElement('iframe'); one.src = `${location.search || '?'}x`;
  (document.body || document.documentElement).append(one);
}
</script>"""
ASKS = """<title>asks</title><script>
const told = [];
navigator.geolocation.getCurrentPosition(() => told.push('place'), () => told.push('no place'));
Notification.requestPermission().then((answer) => told.push(answer));
</script>"""


PAGES = {
    "/alerts": ALERTS,
    "/endless": HANG,
    "/endless-alerts": ENDLESS_ALERTS,
    "/calm": CALM,
    "/downloads": DOWNLOADS,
    "/popups": POPUPS,
    "/popup": "<title>popup</title>",
    "/print": PRINT,
    "/trap": TRAP,
    "/asks": ASKS,
}


@dataclass(frozen=True)
class Victim:
    """A browser that hostile pages visit one after the other."""

    here: Stand
    held: Held

    def hurt(self, work: Callable[[BrowserContext], Awaitable[str]]) -> str:
        return hurt(self.held.run, work)

    def title(self, path: str) -> str:
        return self.hurt(lambda context: alive(context, self.here.url + path))


@pytest.fixture(scope="module")
def victim() -> Iterator[Victim]:
    with stand(PAGES) as here, held(here.browser) as hold:
        for name in ("file", "attached"):
            here.there.pages[f"/{name}.bin"] = ("application/octet-stream", name.encode() * 300)
        yield Victim(here, hold)


async def load(context: BrowserContext, url: str) -> Page:
    page = await context.new_page()
    page.set_default_timeout(SHORT_MS)
    await page.goto(url, timeout=15_000)
    return page


def hurt(
    run: Callable[[Callable[[Browser], Awaitable[str]]], str],
    work: Callable[[BrowserContext], Awaitable[str]],
) -> str:
    """What becomes of ``work`` in a hardened context; an error of Playwright by its first line."""

    async def inside(browser: Browser) -> str:
        context = await hardened(browser)
        try:
            return await work(context)
        except Error as error:
            return error.message.partition("\n")[0]
        finally:
            with contextlib.suppress(Error):  # the browser may be gone
                await context.close()

    return run(inside)


async def alive(context: BrowserContext, url: str) -> str:
    page = await load(context, url)
    return await page.title()


def assert_the_next_scan_works() -> None:
    with stand({"/": "<title>next</title>"}) as here:
        assert hurt(here.run, lambda context: alive(context, here.url)) == "next"


def test_alerts_are_dismissed(victim: Victim) -> None:
    assert victim.title("/alerts") == "end"


@pytest.mark.parametrize("path", ["/endless", "/endless-alerts"])
def test_endless_scripts_and_endless_alerts_are_left_behind(victim: Victim, path: str) -> None:
    assert "Timeout" in victim.hurt(lambda context: stuck(context, victim.here.url + path))
    assert victim.title("/calm") == "calm"


async def stuck(context: BrowserContext, url: str) -> str:
    page = await context.new_page()
    page.set_default_timeout(SHORT_MS)
    await page.goto(url, timeout=SHORT_MS, wait_until="commit")
    await page.wait_for_function("false")
    return "not stuck"


def test_a_memory_bomb_is_ended() -> None:
    with stand({"/": BOMB}, SMALL) as here:
        told = hurt(here.run, lambda context: waiting(context, here.url))
        assert not here.browser.alive
        assert here.browser.fault == "it used more than 600 MiB of memory"
        assert told
        assert left_of(here.room, 10) == []


async def waiting(context: BrowserContext, url: str) -> str:
    page = await context.new_page()
    await page.goto(url, timeout=30_000)
    await page.wait_for_function("false", timeout=30_000)
    return ""


def test_a_crashed_tab_is_an_error_and_the_browser_lives(victim: Victim) -> None:
    assert "crash" in victim.hurt(crashing).lower()
    assert victim.here.browser.alive
    assert victim.title("/calm") == "calm"


async def crashing(context: BrowserContext) -> str:
    page = await context.new_page()
    await page.goto("chrome://crash", timeout=10_000)
    return "alive"


def test_a_crashed_browser_is_told_and_the_next_one_works() -> None:
    async def crash(browser: Browser) -> None:
        session = await browser.new_browser_cdp_session()
        await session.send("Browser.crash")

    with stand({}) as here:
        with pytest.raises(Error):
            here.run(crash)
        until_it_ends(here.browser.process)
        assert not here.browser.alive
        assert here.browser.fault.startswith("it ")
        with pytest.raises(EngineFailed, match="it "):
            here.run(alive_somewhere)
    assert_the_next_scan_works()


async def alive_somewhere(browser: Browser) -> bool:
    return browser.is_connected()


def test_nothing_is_downloaded(victim: Victim) -> None:
    async def refused(context: BrowserContext) -> str:
        page = await context.new_page()
        async with page.expect_download() as download:
            await page.goto(f"{victim.here.url}/downloads")
        return str(await (await download.value).failure())

    assert "accept_downloads" in victim.hurt(refused)
    assert downloads(victim.here) == []


def test_nothing_is_downloaded_where_nobody_said_so(victim: Victim) -> None:
    async def bare(browser: Browser) -> None:
        session = await browser.new_browser_cdp_session()
        made = await session.send("Target.createBrowserContext")
        await session.send("Target.createTarget", {"url": f"{here.url}/downloads", **made})
        await settled(here)
        await session.send("Target.disposeBrowserContext", made)

    here = victim.here
    here.there.asked.clear()
    page = opened_unattached(here, "/downloads")
    asyncio.run(settled(here))
    told(here, "GET", f"/json/close/{page}")
    assert downloads(here) == []
    here.there.asked.clear()
    victim.held.run(bare)
    assert downloads(here) == []


def opened_unattached(here: Stand, path: str) -> str:
    """A page in the first context, which nobody controls, by its id."""
    return str(json.loads(told(here, "PUT", f"/json/new?{quote(here.url + path)}"))["id"])


def told(here: Stand, method: str, path: str) -> bytes:
    parts = urlsplit(here.browser.endpoint)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port)
    connection.request(method, path)
    answer = connection.getresponse()
    assert answer.status == 200
    said = answer.read()
    connection.close()
    return said


async def settled(here: Stand) -> None:
    """Return when all that the page offers was fetched, and had time to be written."""
    while not any("/attached.bin" in one.line for one in here.there.asked):
        await asyncio.sleep(0.05)
    await asyncio.sleep(1)


def downloads(here: Stand) -> list[str]:
    """Files below the profile with what the site, or its script, offers."""
    found = []
    for folder, _, names in os.walk(here.room):
        for name in names:
            if name.endswith((".bin", ".crdownload")) or name.startswith("x"):
                found.append(os.path.join(folder, name))
    return found


def test_popups_are_closed(victim: Victim) -> None:
    url = f"{victim.here.url}/popups"
    assert victim.hurt(lambda context: clicking(context, url)) == "1 page"


async def clicking(context: BrowserContext, url: str) -> str:
    page = await load(context, url)
    await page.mouse.click(300, 300)
    await page.get_by_text("link").click()
    for _ in range(100):
        await page.wait_for_timeout(50)
        if len(context.pages) == 1:
            break
    return f"{len(context.pages)} page"


def test_printing_does_nothing(victim: Victim) -> None:
    assert victim.title("/print") == "print"


def test_a_page_may_always_be_left(victim: Victim) -> None:
    assert victim.hurt(lambda context: leaving(context, victim.here.url)) == "calm"


async def leaving(context: BrowserContext, url: str) -> str:
    page = await load(context, f"{url}/trap")
    await page.mouse.click(5, 5)  # without a gesture the trap does not shut
    await page.goto(f"{url}/calm", timeout=15_000)
    await page.close(run_before_unload=False)
    return "calm"


def test_frames_within_frames_are_held_within_limits() -> None:
    with stand({"/": FRAMES}, TIGHT) as here:
        told = hurt(here.run, lambda context: alive(context, here.url))
        assert here.browser.fault == "it used more than 300 MiB of memory" or "Timeout" in told


def test_permissions_are_denied_without_asking(victim: Victim) -> None:
    async def asked(context: BrowserContext) -> str:
        page = await load(context, f"{victim.here.url}/asks")
        await page.wait_for_function("told.length == 2", timeout=10_000)
        return str(await page.evaluate("told.sort().join()"))

    assert victim.hurt(asked) == "denied,no place"


def test_the_driver_holds_none_of_our_environment(
    victim: Victim, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def seen(_: Browser) -> list[dict[str, str]]:
        return [driver.environ() for driver in drivers() - before]

    monkeypatch.setenv("GITHUB_TOKEN", "canary")
    before = drivers()
    (told,) = victim.here.run(seen)
    assert "GITHUB_TOKEN" not in told
    assert "PATH" in told


def drivers() -> set[psutil.Process]:
    children = psutil.Process().children()
    return {child for child in children if any("run-driver" in word for word in child.cmdline())}
