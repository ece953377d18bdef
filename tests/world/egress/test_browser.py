"""Chromium behind the way out reaches its own site and nothing else, whatever a page tries."""

import contextlib
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from mergegate.world.egress import Verdict
from tests.world.egress.sites import Secret, Site, secret, site, way_to

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium: install Debian's package to prove what browsers reach"
)
FLAGS = (
    *("--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-popup-blocking"),
    *("--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests",),
)
GUARD = ("--proxy-bypass-list=<-loopback>", "--webrtc-ip-handling-policy=disable_non_proxied_udp")
WAIT_S = 90

ATTACK = """<!doctype html><title>attack</title>
<link rel=prefetch href="http://HOST/prefetch"><link rel=preconnect href="http://HOST">
<link rel=dns-prefetch href="//HOST"><link rel=stylesheet href="http://HOST/style">
<link rel=preload as=image href="http://HOST/preload"><link rel=icon href="http://HOST/icon">
<img src="http://HOST/img"><img srcset="http://HOST/srcset 1x"><iframe src="http://HOST/frame">
</iframe><iframe src="/inward"></iframe><object data="http://HOST/object"></object>
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
attempt(() => fetch("/inward", {mode: "no-cors"}));
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


def stage(there: Site, hidden: Secret, host: str) -> None:
    """One page an attack, a page that opens them all, and redirects inward."""
    page = ATTACK.replace("HOST", f"{host}:{hidden.port}")
    page = page.replace("UDP", f"127.0.0.1:{hidden.port}")
    there.pages["/"] = ("text/html", page.encode())
    there.moved["/inward"] = f"http://{host}:{hidden.port}/redirect"


@contextlib.contextmanager
def browsing(url: str, home: Path, *flags: str) -> Iterator[None]:
    assert CHROMIUM
    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    command = [CHROMIUM, *FLAGS, *sandbox, f"--user-data-dir={home}", *flags, url]
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)}
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
    ) as browser:
        try:
            yield
        finally:
            browser.kill()


def until_done(there: Site) -> None:
    """The page says when it has tried everything."""
    tick = threading.Event()
    for _ in range(WAIT_S * 10):
        if any("/done" in asked.line for asked in there.asked):
            return
        tick.wait(0.1)
    pytest.fail("the attack page did not come to its end")


@needs_chromium
@pytest.mark.slow
def test_the_attack_page_reaches_the_secret_without_the_way_out(tmp_path: Path) -> None:
    """So that the next test proves the way out, and not a page that does nothing."""
    with site() as there, secret() as hidden:
        stage(there, hidden, "127.0.0.1")
        with browsing(f"http://127.0.0.1:{there.port}/", tmp_path):
            until_done(there)
        paths = {hit.split(b" ")[1] for hit in hidden.hits if hit.count(b" ") > 1}
        assert {b"/img", b"/frame", b"/fetch", b"/redirect", b"/worker", b"/socket"} <= paths
        assert hidden.datagrams


@needs_chromium
@pytest.mark.slow
@pytest.mark.parametrize("host", HOSTS)
def test_nothing_on_the_attack_page_reaches_the_secret(tmp_path: Path, host: str) -> None:
    with site() as there, secret() as hidden, way_to(there.port) as way:
        stage(there, hidden, host)
        with browsing(
            f"http://127.0.0.1:{there.port}/", tmp_path, f"--proxy-server={way.url}", *GUARD
        ):
            until_done(there)
        assert (hidden.hits, hidden.datagrams) == ([], [])
        refused = [one for one in way.contacted if one.verdict is Verdict.REFUSED]
        assert len([one for one in refused if one.port == hidden.port]) >= 10
        passed = {(one.host, one.port) for one in way.contacted if one.verdict is Verdict.PASSED}
        assert passed == {("127.0.0.1", there.port)}
