"""What a server says to those who ask for more than the page, and how it speaks TLS.

A good status does not prove that a path that should not be public is served: many sites answer
every path with their start page. So each has a pattern that its first bytes have to match. Nothing
is sent but small GET requests, no more than two at a time, and nothing of what comes back is kept.
"""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from urllib.parse import urldefrag, urlsplit

import httpx

from mergegate.core.data_table import read_table
from mergegate.core.web_address import origin, root
from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.web import Request
from mergegate.site.address import is_local
from mergegate.site.facts.document import Document
from mergegate.site.links.address import changes_state
from mergegate.site.security.certificates import tls_facts
from mergegate.site.security.facts import CorsAnswer, ProbedFile, TlsFacts
from mergegate.site.security.gather.bounds import Bounds, Web
from mergegate.site.security.gather.cookies import without_values
from mergegate.site.security.origins import host_and_port, is_named, plain_twin

STRANGER = "https://stranger.example"
_BYTES = 1024
"""The head is what counts."""


def cors_answers(url: str, web: Web) -> tuple[CorsAnswer, ...]:
    """One an origin that was answered: a stranger, ``null``, and two that look like our own."""
    origins = _origins(url)
    requests = [
        Request(url, headers=(("Origin", origin),), most_bytes=_BYTES, follow=False)
        for origin in origins.values()
    ]
    answers = zip(origins.items(), web.many(requests), strict=True)
    return tuple(
        _read(kind, origin, fetched) for (kind, origin), fetched in answers if fetched.final
    )


def _origins(url: str) -> dict[str, str]:
    """Kind → origin; look-alikes pass where a server compares the start or the end alone."""
    own = urlsplit(url)
    host = own.hostname or ""
    alike = {
        "suffix": f"{own.scheme}://{host}.stranger.example",
        "prefix": f"{own.scheme}://stranger{host}",
    }
    return {"stranger": STRANGER, "null": "null", **(alike if is_named(host) else {})}


def _read(kind: str, origin: str, fetched: Fetched) -> CorsAnswer:
    vary = {word.strip().lower() for word in fetched.header("vary").split(",")}
    return CorsAnswer(
        origin=origin,
        kind=kind,
        allow_origin=fetched.header("access-control-allow-origin").strip()[:300],
        allow_credentials=fetched.header("access-control-allow-credentials").strip() == "true",
        vary_origin=bool(vary & {"origin", "*"}),
        url=fetched.final_url,
    )


_PLACES = ("/.well-known/security.txt", "/security.txt")


def security_txt(page: str, web: Web, most_bytes: int) -> Fetched:
    """The first that is there; where none is, the answer of the place where it belongs."""
    base = root(page)
    requests = [Request(f"{base}{place}", most_bytes=most_bytes) for place in _PLACES]
    (first,) = web.many(requests[:1])
    if first.ok:
        return without_values(first)
    (second,) = web.many(requests[1:])
    return without_values(second if _is_one(second) else first)


def _is_one(fetched: Fetched) -> bool:
    return fetched.ok and "contact:" in fetched.text.lower()


_HTML = re.compile(
    rb"\s*(?:<!--.{0,200}?-->\s*)?<(?:!doctype|html|head|body)", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class ProbedPath:
    """One path and what proves it."""

    path: str
    what: str
    """The kind of file; see :attr:`ProbedFile.what`."""
    proof: re.Pattern[bytes]
    pages: bool = False
    """Whether what is meant is itself a page of HTML."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """Paths that the same pattern proves, as ``exposed_files.toml`` has them."""

    id: str
    what: str
    paths: tuple[str, ...]
    proof: str
    pages: bool = False


PATHS = tuple(
    ProbedPath(path, kind.what, re.compile(kind.proof.encode("ascii")), kind.pages)
    for kind in read_table(Path(__file__).with_name("exposed_files.toml"), _Kind).values()
    for path in kind.paths
)


def probed_files(page: str, web: Web, most_bytes: int, at_once: int) -> tuple[ProbedFile, ...]:
    """Every path that was there, whether it is what it is called or not; bodies left out."""
    base = root(page)
    span = (("Range", f"bytes=0-{most_bytes - 1}"),)
    requests = [
        Request(f"{base}{one.path}", headers=span, most_bytes=most_bytes, follow=False)
        for one in PATHS
    ]
    answers = zip(PATHS, web.many(requests, at_once=at_once), strict=True)
    return tuple(_probed(path, fetched) for path, fetched in answers if fetched.ok)


def is_proved(path: ProbedPath, body: bytes) -> bool:
    """Whether ``body`` has the marks of what ``path`` would hold."""
    if not path.pages and _HTML.match(body):
        return False
    return path.proof.search(body) is not None


def _probed(path: ProbedPath, fetched: Fetched) -> ProbedFile:
    proved = is_proved(path, fetched.body)
    kept = without_values(replace(fetched, body=b"", text=""))
    return ProbedFile(path=path.path, what=path.what, fetched=kept, proved=proved)


_NOWHERE = "/mergegate-asks-for-what-is-not-there"
"""One address that no site has: the same in every scan, so that its answer can be told apart."""


def error_answers(page: Document, web: Web, bounds: Bounds) -> tuple[Fetched, ...]:
    """What the page's own site answers with an error: for nothing, and for what the page links.

    Only what a visitor would follow is asked for, and nothing that its address says to change
    something.
    """
    wanted = (f"{root(page.url)}{_NOWHERE}", *islice(_own_links(page), bounds.links))
    requests = [Request(one, most_bytes=bounds.error_bytes) for one in wanted]
    answers = web.many(requests, at_once=bounds.at_once)
    return tuple(
        without_values(one)
        for one in answers
        if (one.status or 0) >= _ERROR and origin(one.final_url) == origin(page.url)
    )


def _own_links(page: Document) -> Iterator[str]:
    """Addresses of the page's own origin in their order, each once, the page left out."""
    here = urldefrag(page.url).url
    for link in dict.fromkeys(urldefrag(one.href).url for one in page.anchors):
        if link != here and origin(link) == origin(page.url) and not _is_risky(link):
            yield link


def _is_risky(link: str) -> bool:
    try:
        return changes_state(httpx.URL(link))
    except httpx.InvalidURL:
        return True


_HEAD_IS_ENOUGH = 1024
_HTTPS = 443
_ERROR = 400


def over_http(asked: str, page: Fetched, web: Web) -> Fetched | None:
    """The same address over http; the page itself where that is how it was asked for."""
    if is_local(page.final_url):
        return None
    if asked.startswith("http://"):
        return page
    twin = plain_twin(asked)
    requests = [Request(twin, most_bytes=_HEAD_IS_ENOUGH)] if twin else []
    return next(map(without_values, web.many(requests)), None)


def tls(url: str, proxy: str, now: dt.datetime, seconds: float) -> TlsFacts | None:
    """How a page's host speaks TLS; where the page is http, on the usual port, if at all."""
    secure = url.startswith("https://")
    if not secure and is_local(url):
        return None
    host, port = host_and_port(url)
    facts = tls_facts(host, port if secure else _HTTPS, proxy, now, seconds=seconds)
    return facts if secure or not facts.failure else None
