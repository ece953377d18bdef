"""One request to one host: its bytes are capped, its time is, and nothing is done twice.

httpcore is what httpx stands on. It knows no redirects, retries, cookies or variables of the
environment, so that none has to be turned off.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlsplit

import httpcore

from mergegate.model.dialect import Dialect
from mergegate.model.protocol import Fault, NoAnswer
from mergegate.model.refusal import failure
from mergegate.model.reply import Reply
from mergegate.sandbox.egress.destination import REFUSAL_HEADER

READY_S = 4.0
"""A model that is not there costs a scan no more."""
_CONNECT_S = 4.0
_REFUSAL = REFUSAL_HEADER.lower().encode()
_MOST_BYTES = 1 << 20
"""A streamed token takes some 300 bytes, and an answer has a thousand."""
_FAILED = (
    *(httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError),
    *(httpcore.ProxyError, httpcore.UnsupportedProtocol, httpcore.ConnectionNotAvailable),
    *(OSError, ValueError),
)


class Wire(Protocol):
    """Carries requests to a model."""

    def post(self, body: bytes, within_s: float) -> Reply:
        """What a question is answered with; raises NoAnswer."""
        ...

    def look(self) -> Reply:
        """What the list of models is answered with, within READY_S; raises NoAnswer."""
        ...


@dataclass(frozen=True, slots=True)
class Address:
    """Where a model is spoken to."""

    base: str
    """``https://api.example.org/v1``."""
    dialect: Dialect

    @property
    def host(self) -> str:
        """Its name alone."""
        return urlsplit(self.base).hostname or ""

    @property
    def port(self) -> int:
        """As it is, or as it is usual."""
        parts = urlsplit(self.base)
        return parts.port or (443 if parts.scheme == "https" else 80)


Pool = httpcore.AsyncConnectionPool


@dataclass(frozen=True, slots=True)
class Direct:
    """A wire of this process's own."""

    address: Address
    pool: Callable[[], Pool]
    """Opens the way to the host: by :func:`plainly`, :func:`by_socket` or :func:`through`."""
    key: str = field(default="", repr=False)
    most_bytes: int = _MOST_BYTES

    def post(self, body: bytes, within_s: float) -> Reply:
        """What a question is answered with; raises NoAnswer."""
        return self._asked("POST", self.address.dialect.path, body, within_s)

    def look(self) -> Reply:
        """What the list of models is answered with; raises NoAnswer."""
        return self._asked("GET", self.address.dialect.models, b"", READY_S)

    def _asked(self, method: str, path: str, body: bytes, within_s: float) -> Reply:
        try:
            return asyncio.run(self._exchanged(method, path, body, within_s))
        except TimeoutError as error:
            what = f"the model did not answer within {within_s:.0f} s"
            raise NoAnswer(Fault.TOO_SLOW, what) from error
        except _FAILED as error:
            raise failure(Fault.UNREACHABLE, _said(error)) from error

    async def _exchanged(self, method: str, path: str, body: bytes, within_s: float) -> Reply:
        headers: list[tuple[bytes | str, bytes | str]] = [*self._headers(body).items()]
        url = self.address.base.rstrip("/") + path
        within = {"timeout": {"connect": min(_CONNECT_S, within_s)}}
        async with (
            asyncio.timeout(within_s),
            self.pool() as pool,
            pool.stream(method, url, headers=headers, content=body, extensions=within) as response,
        ):
            self._must_be_the_hosts(response.headers)
            return Reply(response.status, await self._read(response.aiter_stream()))

    def _headers(self, body: bytes) -> Mapping[str, str]:
        return {
            "User-Agent": "mergegate",
            "Accept": "text/event-stream, application/json",
            "Accept-Encoding": "identity",
            **({"Content-Type": "application/json"} if body else {}),
            **({"Content-Length": str(len(body))} if body else {}),
            **self.address.dialect.headers(self.key),
        }

    @staticmethod
    def _must_be_the_hosts(headers: list[tuple[bytes, bytes]]) -> None:
        """Raises ValueError for the proxy's own, and for a packed one, which nobody asked for."""
        for name, value in headers:
            if name.lower() == _REFUSAL:
                raise ValueError("the proxy refuses it")
            if name.lower() == b"content-encoding" and value.strip().lower() != b"identity":
                raise ValueError("it is packed")

    async def _read(self, pieces: AsyncIterator[bytes]) -> bytes:
        content, last = bytearray(), self.address.dialect.last
        async for piece in pieces:
            searched = max(0, len(content) - len(last) - 1)
            content += piece
            if len(content) > self.most_bytes:
                raise NoAnswer(
                    Fault.TOO_LARGE, f"the model sent more than {self.most_bytes:,} bytes"
                )
            if b"\n" + last in content[searched:]:
                break
        return bytes(content)


def plainly(trust: ssl.SSLContext | None = None) -> Callable[[], Pool]:
    """The host itself."""
    return lambda: httpcore.AsyncConnectionPool(ssl_context=trust)


def by_socket(path: str) -> Callable[[], Pool]:
    """A server of this machine that listens at a Unix socket."""
    return lambda: httpcore.AsyncConnectionPool(uds=path)


def through(path: str, trust: ssl.SSLContext | None = None) -> Callable[[], Pool]:
    """The host through a proxy that listens at a Unix socket, where there is no network at all."""
    return lambda: httpcore.AsyncHTTPProxy(
        "http://proxy.invalid", ssl_context=trust, network_backend=_BySocket(path)
    )


class _BySocket(httpcore.AsyncNetworkBackend):
    """Connects to one Unix socket, whatever is to be reached: the proxy is behind it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._backend = httpcore.AnyIOBackend()

    async def connect_tcp(self, *_: object, **__: object) -> httpcore.AsyncNetworkStream:
        return await self._backend.connect_unix_socket(self._path, _CONNECT_S)

    async def sleep(self, seconds: float) -> None:
        await self._backend.sleep(seconds)


def _said(error: Exception) -> str:
    """What failed in a word: the library's texts may hold a stranger's."""
    return type(error).__name__
