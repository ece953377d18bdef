"""Pages that mean harm end as an answer or an error, and nothing of them is left behind."""

import asyncio
import http.client
import os
from collections.abc import Awaitable, Callable
from urllib.parse import quote, urlsplit

import psutil
import pytest
from playwright.async_api import Browser, BrowserContext, Error, Page

from mergegate.errors import EngineFailed
from mergegate.world.browser import LIMITS, chromium
from mergegate.world.browser.attach import hardened
from mergegate.world.process import MEBIBYTE, Limits
from mergegate.world.stage import Stage
from tests.world.browser.stands import Stand, left_of, needs_chromium, stand
from tests.world.test_companion import until_it_ends

pytestmark = needs_chromium
SMALL = Limits(timeout_s=60, memory_bytes=600 * MEBIBYTE, output_bytes=LIMITS.output_bytes)
SHORT_MS = 1500

ALERTS = """<title>end</title><script>
for (let i = 0; i < 50; i++) { alert(i); confirm(i); prompt(i) }
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
  const one = document.createElement('iframe'); one.src = location.pathname + location.search + '?';
  (document.body || document.documentElement).append(one);
}
</script>"""
ASKS = """<title>asks</title><script>
const told = [];
navigator.geolocation.getCurrentPosition(() => told.push('place'), () => told.push('no place'));
Notification.requestPermission().then((answer) => told.push(answer));
</script>"""


async def load(context: BrowserContext, url: str) -> Page:
    page = await context.new_page()
    page.set_default_timeout(SHORT_MS)
    await page.goto(url, timeout=15_000)
    return page


def hurt(here: Stand, work: Callable[[BrowserContext], Awaitable[str]]) -> str:
    """What becomes of ``work`` in a hardened context; an error of Playwright by its first line."""

    async def inside(browser: Browser) -> str:
        context = await hardened(browser)
        try:
            return await work(context)
        except Error as error:
            return error.message.partition("\n")[0]

    return here.run(inside)


async def alive(context: BrowserContext, url: str) -> str:
    page = await load(context, url)
    return await page.title()


def assert_the_next_scan_works() -> None:
    with stand({"/": "<title>next</title>"}) as here:
        assert hurt(here, lambda context: alive(context, here.url)) == "next"


def test_alerts_are_dismissed() -> None:
    with stand({"/": ALERTS}) as here:
        assert hurt(here, lambda context: alive(context, here.url)) == "end"


def test_endless_alerts_and_endless_scripts_are_left_behind() -> None:
    with stand({"/": HANG, "/alerts": ENDLESS_ALERTS, "/calm": "<title>calm</title>"}) as here:
        for path in ("/", "/alerts"):
            told = hurt(here, lambda context, path=path: stuck(context, here.url + path))  # type: ignore[misc]
            assert "Timeout" in told
        assert hurt(here, lambda context: alive(context, f"{here.url}/calm")) == "calm"
    assert_the_next_scan_works()


async def stuck(context: BrowserContext, url: str) -> str:
    page = await context.new_page()
    page.set_default_timeout(SHORT_MS)
    await page.goto(url, timeout=SHORT_MS, wait_until="commit")
    await page.wait_for_function("false")
    return "not stuck"


def test_a_memory_bomb_is_ended() -> None:
    with stand({"/": BOMB}, SMALL) as here:
        told = hurt(here, lambda context: waiting(context, here.url))
        assert not here.browser.alive
        assert here.browser.fault == "it used more than 600 MiB of memory"
        assert told
        assert left_of(here.room) == []
    assert_the_next_scan_works()


async def waiting(context: BrowserContext, url: str) -> str:
    page = await context.new_page()
    await page.goto(url, timeout=30_000)
    await page.wait_for_function("false", timeout=30_000)
    return ""


def test_a_crashed_tab_is_an_error_and_the_browser_lives() -> None:
    with stand({"/": "<title>calm</title>"}) as here:
        told = hurt(here, crashing)
        assert "crash" in told.lower()
        assert here.browser.alive
        assert hurt(here, lambda context: alive(context, here.url)) == "calm"


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
        until_it_ends(here.browser.companion)
        assert not here.browser.alive
        assert here.browser.fault.startswith("it ")
        with pytest.raises(EngineFailed, match="it "):
            here.run(alive_somewhere)
    assert_the_next_scan_works()


async def alive_somewhere(browser: Browser) -> bool:
    return browser.is_connected()


def test_nothing_is_downloaded() -> None:
    async def refused(context: BrowserContext) -> str:
        page = await context.new_page()
        async with page.expect_download() as download:
            await page.goto(here.url)
        return str(await (await download.value).failure())

    with stand({"/": DOWNLOADS}) as here:
        here.there.pages["/file.bin"] = ("application/octet-stream", b"file" * 300)
        assert "accept_downloads" in hurt(here, refused)
        assert downloads(here) == []


def test_nothing_is_downloaded_where_nobody_said_so() -> None:
    async def bare(browser: Browser) -> None:
        session = await browser.new_browser_cdp_session()
        made = await session.send("Target.createBrowserContext")
        await session.send("Target.createTarget", {"url": here.url, **made})
        await settled(here)

    with stand({"/": DOWNLOADS}) as here:
        here.there.pages |= {
            "/file.bin": ("application/octet-stream", b"file" * 300),
            "/attached.bin": ("application/octet-stream", b"attached" * 300),
        }
        open_unattached(here)
        asyncio.run(settled(here))
        assert downloads(here) == []
        here.there.asked.clear()
        here.run(bare)
        assert downloads(here) == []


def open_unattached(here: Stand) -> None:
    """A page in the first context, which nobody controls."""
    parts = urlsplit(here.browser.endpoint)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port)
    connection.request("PUT", f"/json/new?{quote(here.url)}")
    assert connection.getresponse().status == 200
    connection.close()


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


def test_popups_are_closed() -> None:
    with stand({"/": POPUPS, "/popup": "<title>popup</title>"}) as here:
        assert hurt(here, lambda context: clicking(context, here.url)) == "1 page"
    assert_the_next_scan_works()


async def clicking(context: BrowserContext, url: str) -> str:
    page = await load(context, url)
    await page.mouse.click(300, 300)
    await page.get_by_text("link").click()
    for _ in range(100):
        await page.wait_for_timeout(50)
        if len(context.pages) == 1:
            break
    return f"{len(context.pages)} page"


def test_printing_does_nothing() -> None:
    with stand({"/": PRINT}) as here:
        assert hurt(here, lambda context: alive(context, here.url)) == "print"


def test_a_page_may_always_be_left() -> None:
    with stand({"/": TRAP, "/calm": "<title>calm</title>"}) as here:
        assert hurt(here, lambda context: leaving(context, here.url)) == "calm"


async def leaving(context: BrowserContext, url: str) -> str:
    page = await load(context, url)
    await page.mouse.click(5, 5)  # without a gesture the trap does not shut
    await page.goto(f"{url}/calm", timeout=15_000)
    await page.close(run_before_unload=False)
    return "calm"


def test_frames_within_frames_are_held_within_limits() -> None:
    with stand({"/": FRAMES}, SMALL) as here:
        told = hurt(here, lambda context: alive(context, here.url))
        assert told == "frames" or here.browser.fault or "Timeout" in told
    assert_the_next_scan_works()


def test_permissions_are_denied_without_asking() -> None:
    async def asked(context: BrowserContext) -> str:
        page = await load(context, here.url)
        await page.wait_for_function("told.length == 2", timeout=10_000)
        return str(await page.evaluate("told.sort().join()"))

    with stand({"/": ASKS}) as here:
        assert hurt(here, asked) == "denied,no place"


def test_the_driver_holds_none_of_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "canary")

    async def seen(_: Browser) -> list[dict[str, str]]:
        drivers = [
            child
            for child in psutil.Process().children()
            if any("run-driver" in word for word in child.cmdline())
        ]
        return [driver.environ() for driver in drivers]

    with stand({}) as here:
        (told,) = here.run(seen)
    assert "GITHUB_TOKEN" not in told
    assert "PATH" in told


def test_ten_in_a_row_leave_nothing() -> None:
    with Stage() as stage:
        for _ in range(10):
            room = stage.room("browser")
            with chromium("http://127.0.0.1:9", room) as browser:
                assert browser.alive
            assert left_of(room) == []
