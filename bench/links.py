"""How fast and how right links are checked, beside linkinator on the same site.

    python bench/links.py [ROUNDS]

Needs npm and a package registry: linkinator is fetched into a temporary folder, and is no part of
Mergegate. Prints JSON: seconds of both, interleaved, each as a process of its own; what each calls
dead that is alive, and what dead links each does not see. The site stands on two loopback hosts.

As we do, linkinator reads the pages of the site only with ``--recurse``, looks for anchors only
with ``--check-fragments`` and comes back to a busy server only with ``--retry``: the last figure
compares like with like. One second in it is what the busy server asks both to wait.
"""

import json
import multiprocessing
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from mergegate.sandbox.process.node import node
from mergegate.site.browser_test.facts import LinkState

OWN, OTHER = "127.0.0.1", "127.0.0.2"
GOOD, SLOW, GONE, MOVED, FOREIGN = 120, 30, 20, 40, 80
SLOW_S = 0.4
BUSY_S = 1
"""What a server with too many requests asks for."""
PARAGRAPH = "<p>" + "Text that a page of some length holds, as most do. " * 60
SCRIPT = """<script>
  const link = document.createElement("a");
  link.href = ["", "gone", "by-script"].join("/");
  document.body.append(link);
</script>"""
LINKINATOR = "linkinator@8"
OURS = """
import json, sys
from mergegate.site.links import check_links
from mergegate.sandbox.visit import Visit
from mergegate.sandbox.egress import Policy, egress

own, hosts, links = json.load(sys.stdin)
with egress(Policy(allowed=frozenset(map(tuple, hosts)))) as way:
    answers = check_links(links, proxy=way.url, own=Visit(url=own)).answers
json.dump([[answer.url, answer.state.value] for answer in answers], sys.stdout)
"""
"""Checks the links that the journey saw."""
AGAIN = (
    "import sys, urllib.request as u; u.urlopen(f'http://127.0.0.1:{sys.argv[1]}/again'); print(1)"
)
"""Told before each measurement, so that each meets the busy server anew."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    calm_at = 0.0
    page = ""

    def _answer(self) -> None:
        path, _, number = self.path.strip("/").partition("/")
        handle = getattr(self, f"_{path.replace('-', '_')}", None)
        if handle:
            handle(number)
        else:
            self._say(404, "<h1>Not found</h1>")

    def _(self, _number: str) -> None:
        self._say(200, self.page)

    def _good(self, number: str) -> None:
        self._say(200, f"<title>Page {number}</title><h1 id=top-of-it>Page</h1>{PARAGRAPH}")

    def _slow(self, number: str) -> None:
        time.sleep(SLOW_S)
        self._good(number)

    def _moved(self, number: str) -> None:
        self._say(301, "", ("Location", f"/good/{number}"))

    def _no_head(self, number: str) -> None:
        self._say(405, "") if self.command == "HEAD" else self._good(number)

    def _robots(self, _number: str) -> None:
        self._say(403, "<h1>Access denied</h1>", ("Server", "AkamaiGHost"))

    def _busy(self, number: str) -> None:
        kind = type(self)
        kind.calm_at = kind.calm_at or time.monotonic() + BUSY_S
        if time.monotonic() < kind.calm_at:
            self._say(429, "", ("Retry-After", str(BUSY_S)))
        else:
            self._good(number)

    def _again(self, _number: str) -> None:
        """The next checker meets the busy server anew."""
        type(self).calm_at = 0.0
        self._say(204, "")

    def _made(self, _number: str) -> None:
        self._say(200, f"{PARAGRAPH}<script>document.body.id = 'by-script'</script>")

    def _say(self, status: int, body: str, *headers: tuple[str, str]) -> None:
        data = body.encode()
        self.send_response(status)
        for header in (("Content-Type", "text/html; charset=utf-8"), *headers):
            self.send_header(*header)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    do_GET = do_HEAD = _answer  # noqa: N815 - http.server calls them so

    def log_message(self, format: str, *args: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 512
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Checkers hang up when they know enough."""


def serve(said: Connection) -> None:
    """In a process of its own: both checkers then pay the same for it."""
    server = Server(("0.0.0.0", 0), Handler)
    anchors = "".join(f'<a href="{link}">link</a>\n' for link in links(server.server_port))
    Handler.page = f"<title>Start</title><h1>Links</h1>{PARAGRAPH}{anchors}{SCRIPT}"
    said.send(server.server_port)
    server.serve_forever()


def links(port: int) -> dict[str, bool]:
    """The links of the page as the server sends it, and whether each is dead."""
    own, other = f"http://{OWN}:{port}", f"http://{OTHER}:{port}"
    found = {f"{own}/good/{n}": False for n in range(GOOD)}
    found |= {f"{own}/slow/{n}": False for n in range(SLOW)}
    found |= {f"{own}/gone/{n}": True for n in range(GONE)}
    found |= {f"{own}/moved/{n}": False for n in range(MOVED)}
    found |= {f"{other}/good/{n}": False for n in range(FOREIGN)}
    found |= {f"{other}/no-head/{n}": False for n in range(10)}
    found |= {f"{other}/robots/{n}": False for n in range(10)}
    found |= {f"{other}/busy/{n}": False for n in range(5)}
    return found | {f"{own}/made#by-script": False, f"{own}/good/1#top-of-it": False}


def inserted(port: int) -> str:
    """The dead link that a script writes into the page."""
    return f"http://{OWN}:{port}/gone/by-script"


def asked_of_us(port: int) -> str:
    seen = [*links(port), inserted(port)]
    return json.dumps([f"http://{OWN}:{port}/", [(OWN, port), (OTHER, port)], seen])


def ours(stdout: str) -> dict[str, Any]:
    told = json.loads(stdout)
    states = Counter(state for _, state in told)
    return {"dead": [url for url, state in told if state == LinkState.DEAD], "states": states}


def theirs(stdout: str) -> dict[str, Any]:
    told = json.loads(stdout)["links"]
    states = Counter(f"{one['state']} {one.get('status')}" for one in told)
    return {"dead": [one["url"] for one in told if one["state"] == "BROKEN"], "states": states}


def timed(argv: list[str], cwd: str, stdin: str = "") -> tuple[float, str]:
    started = time.monotonic()
    done = subprocess.run(argv, cwd=cwd, input=stdin, capture_output=True, text=True, check=False)
    if not done.stdout:
        raise SystemExit(f"{argv[1]} failed: {done.stderr[-2000:]}")
    return time.monotonic() - started, done.stdout


def judged(told: dict[str, Any], port: int) -> dict[str, Any]:
    """Where a checker is wrong."""
    dead = {link for link, gone in links(port).items() if gone} | {inserted(port)}
    said = set(told["dead"])
    return {
        "links": len(links(port)) + 1,
        "false_dead": sorted(Counter(link.split("/")[3] for link in said - dead).items()),
        "missed_dead": len(dead - said),
        "states": told["states"],
    }


def measure(port: int, rounds: int, folder: str) -> dict[str, Any]:
    program = [
        str(node()),
        str(next(Path(folder).glob("node_modules/linkinator/build/src/cli.js"))),
    ]
    plain = [*program, f"http://{OWN}:{port}/", "--format", "json"]
    full = [*plain, "--recurse", "--check-fragments"]
    mine = [sys.executable, "-c", OURS]
    lines = {
        "ours": mine,
        "linkinator": plain,
        "linkinator, pages read": full,
        "linkinator, pages read, --retry": [*full, "--retry"],
    }
    seconds: dict[str, list[float]] = {name: [] for name in lines}
    told: dict[str, dict[str, Any]] = {}
    for _ in range(rounds):
        for name, argv in lines.items():
            timed([sys.executable, "-c", AGAIN, str(port)], folder)
            taken, stdout = timed(argv, folder, asked_of_us(port))
            seconds[name].append(taken)
            told[name] = ours(stdout) if name == "ours" else theirs(stdout)
    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    return {
        "linkinator": json.loads(Path(program[1]).parents[2].joinpath("package.json").read_text())[
            "version"
        ],
        "seconds": {name: [round(one, 2) for one in taken] for name, taken in seconds.items()},
        "median_s": {name: round(one, 2) for name, one in medians.items()},
        "ratios": {
            name: round(medians["ours"] / one, 2) for name, one in medians.items() if name != "ours"
        },
        "right": {name: judged(one, port) for name, one in told.items()},
    }


def main() -> None:
    here, there = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(there,), daemon=True)
    server.start()
    try:
        with tempfile.TemporaryDirectory(prefix="mergegate-bench-") as folder:
            fetch = ["npm", "install", LINKINATOR, "--no-audit", "--no-fund", "--ignore-scripts"]
            subprocess.run(fetch, cwd=folder, check=True, capture_output=True)
            rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
            print(json.dumps(measure(here.recv(), rounds, folder), indent=2))
    finally:
        server.terminate()


if __name__ == "__main__":
    main()
