"""``mergegate serve`` as it is: real scans of sites on this machine, also of such as mean harm."""

import datetime as dt
import gzip
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx
import pytest

from mergegate.core.change import Provider
from mergegate.host.account import Account
from mergegate.host.store import connections
from mergegate.host.store.connections import Connection
from mergegate.host.store.sealing import Sealer
from mergegate.site.security.wire.result import SecurityScanResult
from tests.host.api.conftest import PATIENCE_S, SEAL, Host, running, settled
from tests.sandbox.browser.stands import needs_chromium
from tests.sandbox.egress.sites import Secret, Site, raw_site, secret, site

SEO = "/api/seo-optimizer"
COMMAND = ("-c", "from tests.host.api.named import main; main()")
HARM = """<!doctype html><html lang=en><title>harm</title><a id=link href=/file.bin download>x</a>
<link rel=prefetch href="http://HOST/prefetch"><iframe src="http://HOST/frame"></iframe>
<iframe src="/inward"></iframe><img src="http://HOST/img">
<script>
addEventListener("beforeunload", (event) => { event.preventDefault(); event.returnValue = "x"; });
for (let i = 0; i < 20; i++) { alert(i); confirm(i); prompt(i); }
for (let i = 0; i < 5; i++) { open("/popup", `n${i}`); document.getElementById("link").click(); }
const told = (one) => new Promise((done) => { one.onmessage = one.onopen = one.onerror = done; });
const body = `fetch("http://HOST/worker", {mode: "no-cors"}).finally(() => postMessage(1))`;
const peer = new RTCPeerConnection({iceServers: [{urls: "stun:HOST"}]});
peer.createDataChannel("x");
Promise.allSettled([
  fetch("http://HOST/fetch", {mode: "no-cors"}), fetch("/inward", {mode: "no-cors"}),
  told(new WebSocket("ws://HOST/socket")), told(new Worker(URL.createObjectURL(new Blob([body])))),
  peer.createOffer().then((offer) => peer.setLocalDescription(offer)),
]).then(() => { document.title = "all was tried"; });
</script>"""
PAGE = b"<!doctype html><html lang=en><title>Tea</title><h1>Green tea</h1><p>It is green."
BOMB = gzip.compress(b"#" * (32 << 20), 1)


@dataclass
class World:
    """A host, a site that it may scan, and what it must not reach."""

    host: Host
    client: httpx.Client
    there: Site
    hidden: Secret
    url: str
    """Of the site."""
    hostile: int
    """A port that answers without end."""
    providers: "tuple[Tarpit, Tarpit]"
    names: dict[str, list[list[str]]] = field(default_factory=dict)
    """Name → what it resolves to, each time the next answer, the last one for ever."""
    looked_up: list[str] = field(default_factory=list)

    def answer(self, line: socket.socket) -> None:
        """One question of a child."""
        name = line.makefile().readline().strip()
        self.looked_up.append(name)
        answers = self.names.get(name, [[]])
        line.sendall(json.dumps(answers.pop(0) if len(answers) > 1 else answers[0]).encode())

    def scanned(self, url: str, **more: Any) -> dict[str, Any]:
        """The result of an SEO scan, which takes no browser unless it is told, once it is over."""
        asked = self.client.post(SEO, json={"url": url, **more})
        scan_id = asked.raise_for_status().json()["scanId"]
        return settled(self.client, SEO, scan_id)


def hostile(line: socket.socket) -> None:
    """A page that does not end, whose robots.txt is a small bomb; nothing else is there."""
    asked = line.recv(65536)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    if b" /robots.txt " in asked:
        head += b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(BOMB)
        line.sendall(head + BOMB)
    elif b" /endless " in asked:
        line.sendall(head + b"\r\n" + PAGE + b"<!--")
        while True:
            line.sendall(b"x" * (1 << 18))
    else:
        line.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")


@dataclass
class Tarpit:
    """A provider that keeps who asks it waiting."""

    asked: threading.Event = field(default_factory=threading.Event)
    port: int = 0

    def hold(self, line: socket.socket) -> None:
        self.asked.set()
        while line.recv(65536):
            pass


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("real")
    with ExitStack() as held:
        there, hidden = held.enter_context(site()), held.enter_context(secret())
        there.pages["/"] = ("text/html", PAGE)
        providers = Tarpit(), Tarpit()
        for one in providers:
            one.port = held.enter_context(raw_site(one.hold))
        bad = held.enter_context(raw_site(hostile))
        url = f"http://127.0.0.1:{there.port}/"
        host = Host(folder, f"sqlite:///{folder}/service.db", ())
        made = World(host, httpx.Client(), there, hidden, url, bad, providers)
        host.command = (*COMMAND, str(held.enter_context(raw_site(made.answer))))
        here = (there.port, bad, *(one.port for one in providers))
        allowed = (*(f"127.0.0.1:{port}" for port in here), f"turning.example.org:{there.port}")
        host.environment = {
            "MERGEGATE_ALLOW_HOSTS": ",".join(allowed),
            "MERGEGATE_OFFLINE": "1",
            "MERGEGATE_SLOTS": "repository=1,browser=1,light=1,waited=1",
        }
        for _ in running(host):
            made.client = held.enter_context(host.client())
            made.client.timeout = httpx.Timeout(2 * PATIENCE_S)
            yield made


def test_a_security_scan_of_a_real_site(world: World) -> None:
    answer = world.client.post("/api/security-scan", json={"url": world.url})
    assert answer.status_code == 200, answer.text
    found = SecurityScanResult.model_validate_json(answer.content)
    assert found.url == world.url
    assert found.id.startswith("sec_")


def test_an_seo_scan_of_a_real_site(world: World) -> None:
    done = world.scanned(world.url, keyword="tea")
    assert (done["id"][:4], done["status"]) == ("seo_", "done")
    assert done["pageData"]["title"] == "Tea"


def test_of_a_body_without_end_and_of_a_bomb_the_beginning_is_read(world: World) -> None:
    result = world.scanned(f"http://127.0.0.1:{world.hostile}/endless")
    assert (result["status"], result["pageData"]["title"]) == ("done", "Tea")
    assert "only its beginning was read" in result["skipped"][0]


@needs_chromium
def test_a_page_that_tries_the_doors_reaches_nothing_and_traps_nobody(world: World) -> None:
    """The next test finds the same worker at work."""
    world.there.moved["/inward"] = f"http://127.0.0.1:{world.hidden.port}/redirect"
    page = HARM.replace("HOST", f"127.0.0.1:{world.hidden.port}").encode()
    world.there.pages["/harm"] = ("text/html", page)
    result = world.scanned(f"{world.url}harm", renderJs=True)
    assert result["pageData"]["title"] == "all was tried"
    assert "/inward" in {one.line.split()[1] for one in world.there.asked}
    assert (world.hidden.hits, world.hidden.datagrams) == ([], [])


def test_a_name_that_turns_inward_is_asked_for_once_a_scan_and_refused_the_next_time(
    world: World,
) -> None:
    """One inner address among those that are allowed is enough."""
    world.names["turning.example.org"] = [["127.0.0.1"], ["127.0.0.1", "169.254.169.254"]]
    url = f"http://turning.example.org:{world.there.port}/"
    assert world.scanned(url)["status"] == "done"
    assert world.looked_up.count("turning.example.org") == 1
    assert world.scanned(url)["error"]["code"] == "TARGET_NOT_ALLOWED"


def test_a_redirect_that_leads_inward_is_refused_by_the_scan(world: World) -> None:
    world.there.moved["/metadata"] = "http://169.254.169.254/latest/meta-data/"
    answer = world.client.post("/api/security-scan", json={"url": f"{world.url}metadata"})
    assert (answer.status_code, answer.json()["code"]) == (400, "TARGET_NOT_ALLOWED")


def test_a_name_that_nobody_knows_is_unreachable(world: World) -> None:
    url = "https://nobody.invalid.example.org/"
    answer = world.client.post("/api/security-scan", json={"url": url})
    assert (answer.status_code, answer.json()["code"]) == (422, "TARGET_UNREACHABLE")


def connect(host: Host, account: Account, port: int) -> None:
    """Fetch repositories from there, in place of where they were fetched from."""
    url, now = f"https://127.0.0.1:{port}", dt.datetime.now(dt.UTC)
    one = Connection(f"con_{port}", account.id, Provider.GITLAB, url, now)
    host.change(
        partial(connections.put, connection=one, sealed=Sealer([SEAL]).seal("token", one.place))
    )


def test_a_scan_is_fetched_by_the_connection_that_stands_when_it_begins(world: World) -> None:
    """One is under way, then another waits; what is changed meanwhile counts for the second."""
    host, account = world.host, world.host.account()
    client, (first, second) = host.client(host.key(account)), world.providers
    connect(host, account, first.port)
    one, two = _repository(client, "one"), _repository(client, "two")
    assert first.asked.wait(PATIENCE_S)
    connect(host, account, second.port)
    client.delete("/api/repo/scan", params={"id": one}).raise_for_status()
    assert second.asked.wait(PATIENCE_S)
    three = _repository(client, "three")
    host.change(lambda conn: connections.remove(conn, account.id, Provider.GITLAB))
    client.delete("/api/repo/scan", params={"id": two}).raise_for_status()
    end = settled(client, "/api/repo/result", three)
    assert end["error"]["code"] == "PROVIDER_NOT_CONNECTED"
    assert (end["qualityGate"], end["score"], end["issues"]) == ("failed", 0, [])


def _repository(client: httpx.Client, name: str) -> str:
    asked = client.post("/api/repo/scan", json={"owner": "octo-org", "repo": name})
    return str(asked.raise_for_status().json()["scanId"])
