"""Send one request through the way out, and read no more of the answer than is of use."""

import asyncio
import contextlib
import ssl
import zlib
from functools import cache

import h11
import httpx

from mergegate import __version__
from mergegate.sandbox.visit import Visit
from mergegate.sandbox.web.address import Origin, origin
from mergegate.site.links.answer import Failure, Lack, Reply, is_html
from mergegate.site.links.bounds import Bounds
from mergegate.site.links.wire import Connection, TunnelRefused, Wire

_OPENING = b"Not let through: "
"""How the way out begins what it says. A site that says the same calls but itself unreachable."""
_STATUSES = frozenset({400, 403, 408, 502, 503, 504, 505})
_REASONS = {
    "the host's name could not be resolved": Failure(
        Lack.NO_NAME, "there is no host with this name"
    ),
    "the host does not take connections": Failure(
        Lack.NO_CONNECTION, "the host does not take connections"
    ),
    "the response is larger than a scan may receive": Failure(
        Lack.TOO_LARGE, "it answers with more than is read"
    ),
}
_LACKS = {400: Lack.FORBIDDEN, 403: Lack.FORBIDDEN, 503: Lack.BUSY, 504: Lack.SLOW, 408: Lack.SLOW}


def refusal(reply: Reply) -> Failure | None:
    """The way out's own words, when it is they that came."""
    if reply.status in _STATUSES and reply.body.startswith(_OPENING):
        return refused(reply.status, reply.body)
    return None


def refused(status: int, body: bytes) -> Failure:
    """What the way out means by ``body``."""
    words = body.removeprefix(_OPENING).decode("ascii", "replace")[:200]
    reason = words.strip().removesuffix(".")
    return _REASONS.get(reason) or Failure(_LACKS.get(status, Lack.BROKEN), _plain(reason))


def _plain(reason: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in reason)


_HEADERS = (
    ("User-Agent", f"Mozilla/5.0 (compatible; Mergegate/{__version__}; link check)"),
    ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
    ("Accept-Language", "en-US,en;q=0.9"),
    ("Accept-Encoding", "gzip"),
)
"""As a browser asks, under our own name: servers send others to their wall at once."""
_WORTH_READING = 64 * 1024
"""Bytes of an answer that are read to keep its connection."""
_GZIP_OR_ZLIB = 47
_CERTAIN = frozenset({9, 10, 18, 62, 64})
"""OpenSSL's codes: not yet valid, expired, self-signed, names another host or address. An unknown
issuer is not among them: browsers fetch certificates that a server forgets to send."""


class Asker:
    """Asks on kept connections, each time through the way out."""

    def __init__(self, wire: Wire, own: Visit, bounds: Bounds) -> None:
        self._wire = wire
        self._own = origin(httpx.URL(own.url))
        self._credentials = own.credentials
        self._bounds = bounds
        self._asked = 0

    async def ask(self, method: str, url: httpx.URL, cookies: httpx.Cookies) -> Reply | Failure:
        """What ``url`` answers; ``cookies`` are sent, and take up what a redirect sets.

        The credentials of the visit go to its own origin alone.
        """
        if self._asked >= self._bounds.requests:
            return Failure(Lack.SPENT, "beyond the requests of the check")
        self._asked += 1
        try:
            reply = await self._exchange(method, url, cookies)
        except TunnelRefused as error:
            return refused(error.status, error.words)
        except TimeoutError:
            return Failure(Lack.SLOW, "it does not answer in time")
        except (OSError, ValueError, h11.ProtocolError) as error:
            return _failure(error)
        return refusal(reply) or reply

    def is_own(self, there: Origin) -> bool:
        """Whether it is the origin of the visit."""
        return there == self._own

    async def _exchange(self, method: str, url: httpx.URL, cookies: httpx.Cookies) -> Reply:
        patience_s = self._bounds.head_s if method == "HEAD" else self._bounds.answer_s
        until = asyncio.get_running_loop().time() + patience_s
        async with asyncio.timeout_at(until):
            sent = self._headers(url, cookies)
            response, connection = await self._wire.ask(method, url, sent)
        try:
            headers = httpx.Headers(response.headers.raw_items())
            body, whole = await self._body(headers, connection, until)
        finally:
            self._wire.give_back(url, connection)
        reply = Reply(status=response.status_code, headers=headers, body=body, whole=whole)
        if reply.location and "set-cookie" in headers:
            cookies.extract_cookies(_as_httpx(reply, url))
        return reply

    def _headers(self, url: httpx.URL, cookies: httpx.Cookies) -> list[tuple[str, str]]:
        crumbs = _crumbs(url, cookies)
        if not self.is_own(origin(url)):
            return [*_HEADERS, *crumbs]
        given = self._credentials
        names = {name.lower() for name, _ in given.headers}
        usual = [(name, value) for name, value in _HEADERS if name.lower() not in names]
        jar = [f"{name}={value}" for name, value in given.cookies] + [value for _, value in crumbs]
        return [*usual, *given.headers, *([("Cookie", "; ".join(jar))] if jar else [])]

    async def _body(
        self, headers: httpx.Headers, connection: Connection, until: float
    ) -> tuple[bytes, bool]:
        """As much as is of use, and whether that is all; a body that breaks off is what it is."""
        most = self._bounds.page_bytes if is_html(headers) else _WORTH_READING
        packed, whole = bytearray(), False
        with contextlib.suppress(TimeoutError, OSError, h11.ProtocolError):
            async with asyncio.timeout_at(until):
                async for piece in connection.body():
                    packed += piece
                    if len(packed) > most:
                        break
                else:
                    whole = True
        body, complete = _unpacked(packed, headers.get("content-encoding", ""), most)
        return body, whole and complete


@cache
def trusted() -> ssl.SSLContext:
    """Who vouches for a certificate: those that httpx brings, and those this machine knows.

    Reading them takes as long as checking some thirty links.
    """
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    return context


def _crumbs(url: httpx.URL, cookies: httpx.Cookies) -> list[tuple[str, str]]:
    """What the answers of earlier hops set for ``url``."""
    if not cookies:
        return []
    request = httpx.Request("GET", url)
    cookies.set_cookie_header(request)
    value = request.headers.get("Cookie")
    return [("Cookie", value)] if value else []


def _as_httpx(reply: Reply, url: httpx.URL) -> httpx.Response:
    request = httpx.Request("GET", url)
    return httpx.Response(reply.status, headers=reply.headers, request=request)


def _unpacked(packed: bytes | bytearray, coding: str, most: int) -> tuple[bytes, bool]:
    """No more than ``most`` bytes, however small they were packed; what is unreadable is empty."""
    name = coding.strip().lower()
    if name in {"", "identity"}:
        return bytes(packed[:most]), len(packed) <= most
    if name not in {"gzip", "x-gzip", "deflate"}:
        return b"", False
    unpacking = zlib.decompressobj(_GZIP_OR_ZLIB)
    try:
        return unpacking.decompress(packed, most), unpacking.eof
    except zlib.error:
        return b"", False


def _failure(error: Exception) -> Failure:
    match error:
        case ssl.SSLCertVerificationError():
            return _untrusted(error)
        case ssl.SSLError():
            return Failure(Lack.BROKEN, "no secure connection comes about")
        case OSError() | h11.RemoteProtocolError():
            return Failure(Lack.BROKEN, "it hangs up, or does not answer in HTTP")
    return Failure(Lack.FORBIDDEN, "the address cannot be asked for")


def _untrusted(error: ssl.SSLCertVerificationError) -> Failure:
    if error.verify_code in _CERTAIN:
        return Failure(
            Lack.BAD_CERTIFICATE,
            "its certificate has expired, names another host or vouches for itself",
        )
    return Failure(Lack.UNKNOWN_ISSUER, "nobody known here vouches for its certificate")
