"""Questions to one provider's API: bounded, patient for a moment; the token goes nowhere else."""

import json
import ssl
from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from mergegate import __version__
from mergegate.core.errors import UsageError
from mergegate.forges.environment.variables import is_address
from mergegate.forges.pacing import Paced
from mergegate.forges.repositories.provider import ProviderUnreachable, TokenRevoked, Way, denied

_TIMEOUT = httpx.Timeout(15.0)
_MOST_WAIT_S = 8.0
_MOST_BYTES = 4 * 1024 * 1024
_MOST_HOPS = 3
_LIMITED = frozenset({403, 429})


class Gone(Exception):
    """The provider says that there is no such thing; never leaves these rooms."""


class ApiClient:
    """One API, one token."""

    def __init__(self, api_url: str, headers: Mapping[str, str], way: Way) -> None:
        """Raises UsageError for an address that is no plain https one."""
        if not is_address(api_url) or not api_url.startswith("https://"):
            raise UsageError("the provider's address is no plain https address")
        self._base = httpx.URL(api_url.rstrip("/"))
        trust = ssl.create_default_context(cafile=way.authorities or None)
        transport = httpx.HTTPTransport(proxy=way.proxy, verify=trust)
        self._client = httpx.Client(
            headers={"User-Agent": f"mergegate/{__version__}", **headers},
            timeout=_TIMEOUT,
            transport=Paced(transport, clock=way.clock, most_wait_s=_MOST_WAIT_S),
            trust_env=False,
        )

    def close(self) -> None:
        """Hang up."""
        self._client.close()

    def get(
        self, path: str, query: Sequence[tuple[str, str]] = (), *, gone: tuple[int, ...] = (404,)
    ) -> dict[str, Any]:
        """The object at ``path``; raises Gone for the statuses in ``gone``.

        Raises TokenRevoked, AccessDenied or ProviderUnreachable for the others that are no success.
        """
        url = httpx.URL(f"{self._base}{path}", params=query or None)
        for _ in range(_MOST_HOPS):
            status, headers, content = self._asked(url)
            if not 300 <= status < 400:
                return _read(status, headers, content, gone)
            url = self._next(url, headers.get("location", ""))
        raise ProviderUnreachable("the provider redirects without an end")

    def _asked(self, url: httpx.URL) -> tuple[int, httpx.Headers, bytes]:
        try:
            with self._client.stream("GET", url) as response:
                return response.status_code, response.headers, _capped(response)
        except (httpx.HTTPError, httpx.InvalidURL, ssl.SSLError) as error:
            # Its text may hold the header with the token; the name of its kind does not.
            kind = type(error).__name__
            raise ProviderUnreachable(f"the provider did not answer ({kind})") from None

    def _next(self, url: httpx.URL, location: str) -> httpx.URL:
        """Where a renamed repository is now; the token goes to no other host."""
        try:
            to = url.join(location)
        except httpx.InvalidURL:
            to = httpx.URL()
        same = (to.scheme, to.host, to.port) == (url.scheme, url.host, url.port)
        if not same or to.userinfo:
            raise ProviderUnreachable("the provider redirects to another host")
        return to


def _capped(response: httpx.Response) -> bytes:
    content = bytearray()
    for chunk in response.iter_bytes():
        content += chunk
        if len(content) > _MOST_BYTES:
            raise ProviderUnreachable("the provider answered more than 4 MiB")
    return bytes(content)


def _read(
    status: int, headers: httpx.Headers, content: bytes, gone: tuple[int, ...]
) -> dict[str, Any]:
    if status == httpx.codes.OK:
        return _object(content)
    if status == httpx.codes.UNAUTHORIZED:
        raise TokenRevoked(
            "the provider does not accept the connection's token any more",
            remedy="Connect the account again.",
        )
    if status in _LIMITED and _asks_for_patience(status, headers):
        raise ProviderUnreachable("the provider takes no more requests from this token for now")
    if status in gone:
        raise Gone
    if status in {httpx.codes.FORBIDDEN, httpx.codes.NOT_FOUND}:
        raise denied()
    raise ProviderUnreachable(f"the provider answered {status}")


def _asks_for_patience(status: int, headers: httpx.Headers) -> bool:
    """GitHub says 403 for its limits too."""
    limited = status == httpx.codes.TOO_MANY_REQUESTS
    return limited or "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0"


def _object(content: bytes) -> dict[str, Any]:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ProviderUnreachable("the provider answered no JSON") from error
    if not isinstance(value, dict):
        raise ProviderUnreachable("the provider answered something unexpected")
    return value
