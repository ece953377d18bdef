"""How far our ten tests agree with MDN's HTTP Observatory, test by test, on the same answers.

    python bench/observatory.py [PACKAGE]

Needs npm and a package registry, or PACKAGE, its tarball: the Observatory is fetched into a
temporary folder, and is no part of Mergegate. Each case below is a site of its own on loopback that
speaks http and https on one port; our side asks it through our own way out. Prints JSON: for each
test in how many cases both say the same, and every case where they do not. Those that differ on
purpose are said to, with the reason.
"""

import datetime as dt
import ipaddress
import json
import os
import ssl
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.visit import Visit
from mergegate.sandbox.web import Client, client
from mergegate.site.security.checks import observatory
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.gather.gathering import gather

HOST = "127.0.0.1"
PACKAGE = "@mdn/mdn-http-observatory@1.4.8"
_TLS_HELLO = 0x16
_STRANGER_HEADER = "Origin"
CSP, HSTS = "Content-Security-Policy", "Strict-Transport-Security"
COOKIE, FRAME = "Set-Cookie", "X-Frame-Options"
REFERRER, SNIFF = "Referrer-Policy", "X-Content-Type-Options"
RESOURCE, ALLOW = "Cross-Origin-Resource-Policy", "Access-Control-Allow-Origin"
CREDENTIALS = "Access-Control-Allow-Credentials"
NONCE = "'nonce-cmFuZG9tcmFuZG9t'"
HASH = "sha384-" + "A" * 64
YEAR = "max-age=31536000; includeSubDomains"
THEIRS = """
const { scan } = await import(process.argv[1]);
const hosts = JSON.parse(await new Promise((resolve) => {
  let text = "";
  process.stdin.on("data", (part) => (text += part)).on("end", () => resolve(text));
}));
const told = {};
await Promise.all(hosts.map(async (host) => {
  try {
    const { scan: whole, tests } = await scan(host);
    const named = Object.values(tests).map((one) => [
      one.constructor.name, [one.result, one.pass, one.scoreModifier],
    ]);
    told[host] = { score: whole.score, grade: whole.grade, tests: Object.fromEntries(named) };
  } catch (error) {
    told[host] = { error: String(error) };
  }
}));
console.log(JSON.stringify(told));
"""


@dataclass(frozen=True)
class Case:
    """What a site answers; ``differs`` names the tests that are meant to disagree, and why."""

    name: str
    headers: tuple[tuple[str, str], ...] = ()
    head: str = ""
    http: str = "redirect"
    """``redirect``, ``page`` (it answers), ``again`` (to http first) or ``away`` (other host)."""
    echo: bool = False
    mime: str = "text/html; charset=utf-8"
    differs: Mapping[str, str] | None = None


def csp(name: str, *values: str, **more: Any) -> Case:
    return Case(name, tuple((CSP, value) for value in values), **more)


def sent(name: str, header: str, *values: str, **more: Any) -> Case:
    return Case(name, tuple((header, value) for value in values), **more)


def script(name: str, *tags: str, **more: Any) -> Case:
    return Case(name, head="".join(f"<script {tag}></script>" for tag in tags), **more)


ONE_BY_ONE = "two headers are two policies, which the Observatory reads as one with a comma in it"
CASES = (
    Case("nothing at all"),
    Case(
        "all of it",
        (
            (CSP, "default-src 'none'; frame-ancestors 'none'"),
            (HSTS, YEAR),
            (COOKIE, "session=1; Secure; HttpOnly; SameSite=Lax; Path=/"),
            (REFERRER, "no-referrer"),
            (SNIFF, "nosniff"),
            (RESOURCE, "same-origin"),
        ),
    ),
    csp("none by default", "default-src 'none'"),
    csp("self by default", "default-src 'self'"),
    csp("inline", "default-src 'self'; script-src 'self' 'unsafe-inline'"),
    csp("inline beside a nonce", f"default-src 'self'; script-src 'unsafe-inline' {NONCE}"),
    csp("inline beside a hash", f"script-src 'unsafe-inline' '{HASH}'; object-src 'none'"),
    csp("strict", f"script-src {NONCE} 'strict-dynamic' https: 'unsafe-inline'; object-src 'none'"),
    csp("strict without proof", "script-src 'strict-dynamic' 'self'; object-src 'none'"),
    csp("eval", "default-src 'self' 'unsafe-eval'"),
    csp("inline styles", "default-src 'self'; style-src 'self' 'unsafe-inline'"),
    csp("inline styles beside a hash", f"default-src 'self'; style-src 'unsafe-inline' '{HASH}'"),
    csp("data in scripts", "default-src 'self'; script-src 'self' data:"),
    csp("any https", "default-src https:"),
    csp("no word on objects", "script-src 'self'"),
    csp("images over http", "default-src 'self'; img-src http://i.example.net"),
    csp("frames over http", "default-src 'self'; frame-src http://f.example.net"),
    csp("twice the same", "default-src 'self'; script-src 'self'; script-src 'none'"),
    csp("twice a report", "default-src 'self'; report-uri /a; report-uri /b"),
    csp("a word", "x"),
    csp("empty lists", "default-src; script-src 'self'"),
    csp("capitals", "DEFAULT-SRC 'SELF'; Script-Src 'UNSAFE-INLINE'"),
    csp(
        "two headers, one of them strict",
        "default-src 'self' 'unsafe-inline'",
        "script-src 'self'; object-src 'none'",
        differs={"content-security-policy": ONE_BY_ONE},
    ),
    sent("only a report", f"{CSP}-Report-Only", "default-src 'self'"),
    Case("in the page", head=f'<meta http-equiv="{CSP}" content="default-src \'self\'">'),
    Case(
        "in the page, ancestors alone",
        head=f'<meta http-equiv="{CSP}" content="frame-ancestors \'none\'">',
    ),
    Case(
        "in the page, ancestors too",
        head=f"<meta http-equiv=\"{CSP}\" content=\"default-src 'self'; frame-ancestors 'none'\">",
        differs={"x-frame-options": "browsers ignore frame-ancestors in a meta element"},
    ),
    Case(
        "in header and page",
        ((CSP, "default-src 'self'; script-src 'unsafe-inline'"),),
        f'<meta http-equiv="{CSP}" content="script-src \'self\'">',
    ),
    csp("ancestors", "default-src 'self'; frame-ancestors 'self'"),
    sent("deny", FRAME, "DENY"),
    sent("deny twice", FRAME, "DENY", "DENY"),
    sent("allow-from", FRAME, "ALLOW-FROM https://example.org"),
    sent("misspelt frame option", FRAME, "SAME"),
    sent("two years", HSTS, "max-age=63072000"),
    sent("180 days", HSTS, "max-age=15552000"),
    sent("a day", HSTS, "max-age=86400"),
    sent("switched off", HSTS, "max-age=0"),
    sent("twice for a year", HSTS, YEAR, YEAR),
    sent("no age", HSTS, "includeSubDomains"),
    sent(
        "an age in words",
        HSTS,
        "max-age=year",
        differs={"strict-transport-security": "browsers ignore it; the Observatory compares NaN"},
    ),
    sent("nosniff", SNIFF, "NoSniff"),
    sent("nosniff twice", SNIFF, "nosniff", "nosniff"),
    sent("sniff", SNIFF, "sniff"),
    sent("private", REFERRER, "strict-origin"),
    sent("unsafe", REFERRER, "unsafe-url"),
    sent("with a fallback", REFERRER, "no-referrer, origin, newest"),
    sent("unknown referrer", REFERRER, "newest"),
    Case(
        "referrer in the page",
        ((REFERRER, "origin"),),
        '<meta name="referrer" content="no-referrer">',
    ),
    sent("resource for the site", RESOURCE, "same-site"),
    sent("resource for all", RESOURCE, "cross-origin"),
    sent("resource unknown", RESOURCE, "mine"),
    sent("public", ALLOW, "*"),
    sent("restricted", ALLOW, "https://example.org"),
    Case(
        "any origin with credentials",
        ((CREDENTIALS, "true"),),
        echo=True,
        differs={"cross-origin-resource-sharing": "the Observatory loses the origin that it sent"},
    ),
    Case("any origin", echo=True),
    Case("wildcard with credentials", ((ALLOW, "*"), (CREDENTIALS, "true"))),
    sent("good session", COOKIE, "sessionid=1; Secure; HttpOnly"),
    sent("session for scripts", COOKIE, "sessionid=1; Secure"),
    sent("session over http", COOKIE, "sessionid=1; HttpOnly"),
    Case("session over http, HSTS", ((COOKIE, "sessionid=1; HttpOnly"), (HSTS, YEAR))),
    sent("setting over http", COOKIE, "theme=1"),
    Case("setting over http, HSTS", ((COOKIE, "theme=1"), (HSTS, YEAR))),
    sent("login for scripts", COOKIE, "login_x=1; Secure; SameSite=Lax"),
    sent("token without SameSite", COOKIE, "csrftoken=1; Secure"),
    sent("token with SameSite", COOKIE, "csrftoken=1; Secure; SameSite=Strict"),
    sent("none over http", COOKIE, "a=1; SameSite=None"),
    sent("unknown SameSite", COOKIE, "a=1; Secure; SameSite=Maybe"),
    sent("two cookies", COOKIE, "a=1; Secure; SameSite=Lax", "b=1; Secure"),
    sent("a broken prefix", COOKIE, "__Host-a=1; Secure; Path=/x"),
    sent("a load balancer", COOKIE, "heroku-session-affinity=1"),
    Case("http answers", http="page"),
    Case("http to http", http="again"),
    Case("http to another host", http="away"),
    script("own script", 'src="/a.js"'),
    script("inline script", "async"),
    script("own script with a hash", f'src="/a.js" integrity="{HASH}"'),
    script("script of others", 'src="https://cdn.example.net/a.js"'),
    script(
        "script of others with a hash", f'src="https://cdn.example.net/a.js" integrity="{HASH}"'
    ),
    script("script of others over http", 'src="http://cdn.example.net/a.js"'),
    script(
        "script of others over http with a hash",
        f'src="http://cdn.example.net/a.js" integrity="{HASH}"',
    ),
    script("the worst of two", 'src="https://a.example.net/a.js"', 'src="http://b.example.net/"'),
    script(
        "without a scheme",
        'src="//cdn.example.net/a.js"',
        differs={"subresource-integrity": "on an https page // is https"},
    ),
    Case("no page", mime="application/json"),
)


class Handler(BaseHTTPRequestHandler):
    """Answers as its case says; TLS is told from the first byte, as both share a port."""

    protocol_version = "HTTP/1.1"

    def __init__(self, case: Case, tls: ssl.SSLContext, request: Any, *rest: Any) -> None:
        self.case = case
        request.settimeout(20)
        first = request.recv(1, 2)  # MSG_PEEK
        secure = bool(first) and first[0] == _TLS_HELLO
        self.secure = secure
        super().__init__(tls.wrap_socket(request, server_side=True) if secure else request, *rest)

    def do_GET(self) -> None:
        target = self.elsewhere()
        if target:
            self.send_response(301)
            self.send_header("Location", target)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        page = f"<!doctype html><html><head><title>x</title>{self.case.head}</head></html>".encode()
        self.send_response(200)
        for name, value in (("Content-Type", self.case.mime), *self.case.headers):
            self.send_header(name, value)
        if self.case.echo and self.headers.get(_STRANGER_HEADER):
            self.send_header(ALLOW, self.headers[_STRANGER_HEADER])
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def do_OPTIONS(self) -> None:
        self.do_GET()

    def elsewhere(self) -> str:
        """Where a plain request is sent; empty where it is answered."""
        host = self.headers["Host"]
        if self.secure or self.case.http == "page":
            return ""
        if self.case.http == "again" and self.path == "/":
            return f"http://{host}/again"
        if self.case.http == "away":
            return f"https://localhost:{host.rpartition(':')[2]}/"
        return f"https://{host}/"

    def log_message(self, format: str, *args: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients hang up when they know enough."""


@contextmanager
def site(case: Case, tls: ssl.SSLContext) -> Iterator[str]:
    """Its host and port."""
    server = Server((HOST, 0), partial(Handler, case, tls))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"{HOST}:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def certificate(folder: Path) -> Path:
    """One that both sides are told to trust, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "bench")])
    now = dt.datetime.now(dt.UTC)
    names = [x509.IPAddress(ipaddress.ip_address(HOST)), x509.DNSName("localhost")]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=9))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    written = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path = folder / "bench.pem"
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM) + written)
    return path


def gathered(web: Client, host: str, proxy: str) -> SecurityFacts:
    """What a scan sees, as if the site were no preview: with its twin, its certificate believed."""
    visit = Visit(url=f"https://{host}/")
    facts = gather(visit, web, proxy, now=dt.datetime.now(dt.UTC))
    return replace(facts, insecure=web.get(f"http://{host}/"), tls=None)


def ours(hosts: Sequence[str], pem: Path) -> dict[str, Any]:
    told: dict[str, Any] = {}
    trust = ssl.create_default_context(cafile=str(pem))
    for host in hosts:
        port = int(host.rpartition(":")[2])
        allowed = frozenset({(HOST, port), ("localhost", port)})
        with (
            egress(Policy(allowed=allowed)) as way,
            client(way.url, Visit(url=f"https://{host}/"), trust=trust) as web,
        ):
            tests = observatory.tests(gathered(web, host, way.url))
        points = observatory.score(tests)
        told[host] = {
            "score": points,
            "grade": observatory.grade(points),
            "tests": {one.name: [one.result, one.passed, one.modifier] for one in tests},
        }
    return told


def theirs(hosts: Sequence[str], pem: Path, folder: Path, package: str) -> dict[str, Any]:
    """Without the lists of preloaded hosts that its installer fetches: the list is empty here."""
    fetch = ["npm", "install", package, "--no-audit", "--no-fund", "--ignore-scripts"]
    subprocess.run(fetch, cwd=folder, check=True, capture_output=True)
    root = folder / "node_modules/@mdn/mdn-http-observatory"
    (root / "conf/hsts-preload.json").write_text("{}")
    command = ["node", "--input-type=module", "-e", THEIRS, str(root / "src/scanner/index.js")]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "NODE_EXTRA_CA_CERTS": str(pem)},
        input=json.dumps(hosts),
        capture_output=True,
        text=True,
        check=False,
    )
    if not done.stdout:
        raise SystemExit(f"the Observatory failed: {done.stderr[-2000:]}")
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def compared(said: Mapping[str, Any], other: Mapping[str, Any], hosts: Sequence[str]) -> Any:
    """For each test the cases that agree, of all; then each that does not."""
    cases = dict(zip(hosts, CASES, strict=True))
    failed = [[cases[host].name, "", other[host]["error"], ""] for host in failures(other, hosts)]
    heard = [host for host in hosts if "error" not in other[host]]
    rows = [row for host in heard for row in answers(cases[host], said[host], other[host])]
    same = Counter(row[1] for row in rows if row[2] == row[3])
    differ = [row for row in rows if row[2] != row[3]]
    scores = [total(said[host]) == total(other[host]) for host in heard]
    return {
        "cases": len(hosts),
        "agree": {
            name: f"{same[name]} of {of}" for name, of in Counter(r[1] for r in rows).items()
        },
        "score_and_grade": f"{sum(scores)} of {len(scores)}",
        "differ_on_purpose": [row for row in differ if row[4]],
        "differ": [*failed, *(row for row in differ if not row[4])],
    }


def failures(other: Mapping[str, Any], hosts: Sequence[str]) -> list[str]:
    """The hosts that the Observatory could not scan."""
    return [host for host in hosts if "error" in other[host]]


def answers(case: Case, said: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[list[Any]]:
    """Case, test, our result, theirs, and why they differ where that is meant."""
    for name, result in said["tests"].items():
        why = (case.differs or {}).get(name, "")
        yield [case.name, name, result, other["tests"].get(name), why]


def total(one: Mapping[str, Any]) -> tuple[Any, Any]:
    """Score and grade."""
    return one["score"], one["grade"]


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="mergegate-bench-") as name, ExitStack() as stack:
        folder = Path(name)
        pem = certificate(folder)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(pem)
        hosts = [stack.enter_context(site(case, tls)) for case in CASES]
        package = str(Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else PACKAGE
        said, other = ours(hosts, pem), theirs(hosts, pem, folder, package)
        print(json.dumps(compared(said, other, hosts), indent=2))


if __name__ == "__main__":
    main()
