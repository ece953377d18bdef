"""Pages and redirects that try every spelling of an address that a scan must not reach."""

import html
import itertools
import json
from collections.abc import Mapping, Sequence
from ipaddress import IPv4Address

from mergegate.sandbox.egress.destination import Verdict
from mergegate.sandbox.egress.policy import Caps
from mergegate.sandbox.egress.server import Egress
from tests.sandbox.egress.sites import Secret, Site
from tests.sandbox.egress.spellings import ALL


def read_by_browsers(host: str) -> IPv4Address | None:
    """The IPv4 address that ``host`` spells (URL Standard, "IPv4 parser"); None when it is none."""
    *first, last = (_number(part) for part in host.removesuffix(".").split("."))
    if last is None or last >= 256 ** (4 - len(first)) or any(one is None for one in first):
        return None
    value = last
    for place, one in enumerate(first):
        value += (one or 0) << 8 * (3 - place)
    return IPv4Address(value) if value < 1 << 32 else None


def _number(part: str) -> int | None:
    base, digits = 10, part
    if part[:2].lower() == "0x":
        base, digits = 16, part[2:] or "0"
    elif part.startswith("0"):
        base = 8
    try:
        return int(digits, base) if part.isascii() and part.isalnum() else None
    except ValueError:
        return None


def _is_misread(host: str) -> bool:
    address = read_by_browsers(host)
    return address is not None and address.is_global and host != str(address)


AT_HOME = tuple({host.lower(): host for host in ALL if not _is_misread(host)}.values())
"""For browsers, which fold case, and to which ``0127.0.0.1`` is 87.0.0.1: somebody else's."""
LAVISH = Caps(connections=100_000, requests=100_000)
"""No cap may be what saves the secret."""
KINDS = ("fetch", "frame", "img", "inward", "preload", "script")
"""How a page asks, and the path by which the secret would know it."""
Ways = Mapping[str, tuple[str, ...]]
"""Host → the kinds by which it is asked."""
TITLE = "every spelling"

ATTEMPTS = """<!doctype html><title>TITLE</title><main id=room></main><script>
const left = [LEFT], SECRET = PORT, AT_ONCE = 24, PATIENCE_MS = 4000;
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const element = (tag, url, given = {}) => new Promise((done) => {
  const one = Object.assign(document.createElement(tag), given);
  one.onload = one.onerror = () => { one.remove(); done() };
  one[tag === "link" ? "href" : "src"] = url;
  room.append(one);
  if (!URL.canParse(url)) one.onerror();  // some elements never say so
});
const TRIES = {
  fetch: (url) => fetch(url, {mode: "no-cors"}),
  frame: (url) => element("iframe", url),
  img: (url) => element("img", url),
  inward: (_, place) => fetch(`/inward/${place}`, {mode: "no-cors"}),
  preload: (url) => element("link", url, {rel: "preload", as: "image"}),
  script: (url) => element("script", url),
};
const asker = async () => {
  for (let next; (next = left.pop());) {
    const [kind, host, place] = next;
    const attempt = async () => TRIES[kind](`http://${host}:${SECRET}/${kind}`, place);
    await Promise.race([attempt().catch(() => 0), wait(PATIENCE_MS)]);
  }
};
Promise.all(Array.from({length: AT_ONCE}, asker)).then(() => fetch("/done"));
</script>"""


def by_all(hosts: Sequence[str] = AT_HOME) -> Ways:
    return dict.fromkeys(hosts, KINDS)


def by_turns(hosts: Sequence[str] = AT_HOME) -> Ways:
    """Each as a script and a redirect spell it, and by one of the other kinds.

    Fewest by a frame: each of another host costs a process.
    """
    others = itertools.cycle(("frame", *("img", "preload", "script") * 4))
    return {host: ("fetch", "inward", other) for host, other in zip(hosts, others, strict=False)}


def spread(there: Site, hidden: Secret, ways: Ways) -> None:
    """``/`` tries them all from scripts, ``/links`` links them; ``/inward/N`` leads to the Nth."""
    hosts = tuple(ways)
    left = [(kind, host, place) for place, host in enumerate(hosts) for kind in ways[host]]
    page = ATTEMPTS.replace("TITLE", TITLE).replace("[LEFT]", json.dumps(left))
    there.pages["/"] = ("text/html", page.replace("PORT", str(hidden.port)).encode())
    there.pages["/links"] = ("text/html", links(hidden, hosts).encode())
    for place, host in enumerate(hosts):
        there.moved[f"/inward/{place}"] = location(f"http://{host}:{hidden.port}/inward")


def links(hidden: Secret, hosts: Sequence[str]) -> str:
    """Each spelling over http and https, and behind a redirect of the site's own."""
    ways = ("http://{host}:{port}/link", "https://{host}:{port}/link", "/inward/{place}")
    addresses = (
        way.format(host=host, port=hidden.port, place=place)
        for place, host in enumerate(hosts)
        for way in ways
    )
    body = "".join(f'<a href="{html.escape(one)}">one</a> ' for one in addresses)
    return f"<!doctype html><title>{TITLE}</title><meta charset=utf-8>{body}"


def location(address: str) -> str:
    """As a header of ``http.server`` takes it: bytes as Latin-1, none of which end a line."""
    return "".join(one for one in address if one.isprintable()).encode().decode("latin-1")


def refusals(way: Egress) -> int:
    """How often somebody was told no."""
    return sum(one.verdict is Verdict.REFUSED for one in way.contacted)


def dialled(way: Egress) -> set[tuple[str, int]]:
    """All that was connected to."""
    return {(one.address, one.port) for one in way.contacted if one.address}
