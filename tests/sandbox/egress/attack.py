"""A page that tries every door of a browser, and a Chromium that visits it to its end."""

import contextlib
import time
from collections.abc import Iterator
from urllib.parse import quote, urlsplit

import httpx
import pytest

from mergegate.sandbox.browser import Chromium, chromium
from mergegate.sandbox.egress.server import Egress
from mergegate.sandbox.files.stage import Stage
from tests.sandbox.egress.sites import Secret, Site, way_to

REACHED_FIRST = {b"/img", b"/frame", b"/fetch", b"/redirect", b"/worker", b"/socket"}
"""Paths by which the secret is asked at once where nothing stands between."""
WAIT_S = 60
ATTACK = """<!doctype html><title>attack</title>
<link rel=prefetch href="http://HOST/prefetch"><link rel=preconnect href="http://HOST">
<link rel=dns-prefetch href="//HOST"><link rel=stylesheet href="http://HOST/style">
<link rel=preload as=image href="http://HOST/preload"><link rel=icon href="http://HOST/icon">
<img src="http://HOST/img"><img srcset="http://HOST/srcset 1x"><iframe src="http://HOST/frame">
</iframe><iframe src="INWARD"></iframe><object data="http://HOST/object"></object>
<video src="http://HOST/video"></video><audio src="http://HOST/audio"></audio>
<embed src="http://HOST/embed"><script src="http://HOST/script"></script>
<svg><image href="http://HOST/svg"/></svg>
<form id=form method=post target=frame action="http://HOST/form"></form><iframe name=frame></iframe>
<div style="background:url(http://HOST/background)">x</div>
<script>
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const settled = [];
const attempt = (work) => {
  try { settled.push(Promise.resolve(work()).catch(() => 0)); } catch {}
};
attempt(() => fetch("http://HOST/fetch", {mode: "no-cors"}));
attempt(() => fetch("https://HOST/tls", {mode: "no-cors"}));
attempt(() => fetch("INWARD", {mode: "no-cors"}));
attempt(() => fetch("http://HOST/keepalive", {mode: "no-cors", keepalive: true}));
attempt(() => navigator.sendBeacon("http://HOST/beacon", "x"));
attempt(() => document.getElementById("form").submit());
attempt(() => window.open("http://HOST/popup"));
attempt(() => new EventSource("http://HOST/events"));
attempt(() => {
  const one = new XMLHttpRequest();
  one.open("GET", "http://HOST/xhr");
  one.send();
});
for (const kind of ["ws", "wss"])
  attempt(() => new Promise((done) => {
    const one = new WebSocket(`${kind}://HOST/socket`);
    one.onopen = one.onerror = done;
  }));
attempt(() => new Promise((done) => {
  const body = `fetch("http://HOST/worker", {mode: "no-cors"}).finally(() => postMessage(1))`;
  const worker = new Worker(URL.createObjectURL(new Blob([body])));
  worker.onmessage = worker.onerror = done;
}));
attempt(async () => {
  const peer = new RTCPeerConnection({iceServers: [{urls: "stun:UDP"}, {urls: "turn:UDP",
    username: "x", credential: "y"}, {urls: "turn:UDP?transport=tcp", username: "x",
    credential: "y"}]});
  peer.createDataChannel("x");
  await peer.setLocalDescription(await peer.createOffer());
});
addEventListener("load", async () => {
  await Promise.race([Promise.all(settled), wait(8000)]);
  await wait(1500);
  await fetch("/done");
});
</script>"""
HOSTS = ("127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0")


def stage(there: Site, hidden: Secret, host: str, path: str = "/") -> None:
    """A page that names the secret by ``host``, and a redirect that leads to it."""
    inward = f"{path}inward"
    page = ATTACK.replace("HOST", f"{host}:{hidden.port}").replace("INWARD", inward)
    page = page.replace("UDP", f"127.0.0.1:{hidden.port}")
    there.pages[path] = ("text/html", page.encode())
    there.moved[inward] = f"http://{host}:{hidden.port}/redirect"


@contextlib.contextmanager
def before(*open_to: Site) -> Iterator[tuple[Egress, Chromium]]:
    """Chromium as scans get it, and the way that it has."""
    with way_to(*(one.port for one in open_to)) as way, chromium_at(way) as browser:
        yield way, browser


@contextlib.contextmanager
def chromium_at(way: Egress) -> Iterator[Chromium]:
    with Stage() as rooms, chromium(way.url, rooms.room("browser")) as browser:
        yield browser


def visit(browser: Chromium, there: Site, *paths: str, patience_s: float = WAIT_S) -> None:
    """Open the pages as a user would, and stay until each says that it has tried everything.

    Nobody is attached to them: their popups and workers live, and whoever watches costs as much.
    """
    wanted = paths or ("/",)
    before, until = done(there), time.monotonic() + patience_s
    for path in wanted:
        page = quote(f"http://127.0.0.1:{there.port}{path}")
        opened = f"http://{urlsplit(browser.endpoint).netloc}/json/new?{page}"
        httpx.put(opened, trust_env=False).raise_for_status()
    while done(there) < before + len(wanted):
        if time.monotonic() > until:
            pytest.fail("the attack page did not come to its end")
        time.sleep(0.1)


def done(there: Site) -> int:
    """How often a page came to its end."""
    return sum("/done" in asked.line for asked in there.asked)
