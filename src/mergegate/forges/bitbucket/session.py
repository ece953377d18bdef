"""Requests to Bitbucket Cloud: bounded, to one host, errors without secrets."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.request import getproxies, proxy_bypass

import httpx
from pydantic import BaseModel, ValidationError

from mergegate import __version__
from mergegate.core.errors import ForgeError, NotAllowed
from mergegate.forges.pacing import IDEMPOTENT, SYSTEM, Clock, Paced

API_URL = "https://api.bitbucket.org/2.0"
_PER_PAGE = 100
_MOST_PAGES = 50
_MOST_BYTES = 16 * 1024 * 1024
_MOST_WORDS = 200
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_TIMEOUT = httpx.Timeout(30.0)


@dataclass(frozen=True, slots=True)
class Credentials:
    """How to be somebody; both None: as the proxy of Pipelines says."""

    token: str | None = None
    user: str | None = None
    """With it ``user:token`` (an API token with its account's e-mail address); without it the
    token is an access token of a repository, project or workspace."""

    def auth(self) -> httpx.Auth:
        """Never None: httpx would look into ``.netrc`` instead."""
        if self.token is None:
            return httpx.Auth()
        if self.user is None:
            return _Bearer(self.token)
        return httpx.BasicAuth(self.user, self.token)

    def hidden(self, text: str) -> str:
        """``text`` without the token."""
        return text.replace(self.token, "***") if self.token else text


class _Bearer(httpx.Auth):
    def __init__(self, token: str) -> None:
        self._value = f"Bearer {token}"

    def auth_flow(self, request: httpx.Request) -> Iterator[httpx.Request]:  # type: ignore[override]
        request.headers["Authorization"] = self._value
        yield request


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer that is not a success, fit to be shown."""

    status: int
    said: str
    """The platform's own words, one line, cut; empty when it has none."""

    @property
    def gone(self) -> bool:
        """Whether there is no such thing, or none that this token may see."""
        return self.status in {httpx.codes.NOT_FOUND, httpx.codes.GONE}


@dataclass(frozen=True, slots=True)
class Form:
    """A body as it is sent."""

    kind: str
    """Its content type."""
    content: bytes


class _Page(BaseModel):
    values: list[dict[str, Any]] = []
    next: str | None = None


class Session:
    """One host, one identity."""

    def __init__(
        self,
        api_url: str,
        credentials: Credentials,
        *,
        proxy: str | None = None,
        clock: Clock = SYSTEM,
    ) -> None:
        self._base = _address(api_url, proxied=proxy is not None)
        self._credentials = credentials
        transport = httpx.HTTPTransport(proxy=proxy or surroundings(self._base))
        self._client = httpx.Client(
            auth=credentials.auth(),
            headers={"User-Agent": f"mergegate/{__version__}", "Accept": "application/json"},
            timeout=_TIMEOUT,
            transport=Paced(transport, clock=clock),
            trust_env=False,
        )

    def get(self, path: str, what: str, query: Mapping[str, str] = {}) -> dict[str, Any]:
        """The object at ``path``; ``what`` names it in errors. Raises ForgeError."""
        return self.object(self.send("GET", path, what, query=query), what)

    def pages(
        self, path: str, what: str, query: Mapping[str, str] = {}
    ) -> Iterator[dict[str, Any]]:
        """Every object of a list, page by page; raises ForgeError."""
        url: httpx.URL | str = path
        asked: Mapping[str, str] = {"pagelen": str(_PER_PAGE), **query}
        for _ in range(_MOST_PAGES):
            page = self._page(self.send("GET", url, what, query=asked), what)
            yield from page.values
            if page.next is None:
                return
            url, asked = self._same_host(page.next, what), {}
        raise ForgeError(f"{what} fill more than {_MOST_PAGES} pages on Bitbucket")

    def write(
        self, method: str, path: str, what: str, body: Any = None, *, harmless: bool = False
    ) -> dict[str, Any]:
        """Send ``body`` as JSON; the object that came back, empty when none did.

        ``harmless``: doing it twice changes nothing. Raises ForgeError.
        """
        answer = self.send(method, path, what, body=body, harmless=harmless)
        return self.object(answer, what) if isinstance(answer, Refusal) or answer else {}

    def send(
        self,
        method: str,
        url: httpx.URL | str,
        what: str,
        *,
        query: Mapping[str, str] = {},
        body: Any = None,
        form: Form | None = None,
        harmless: bool = False,
    ) -> bytes | Refusal:
        """The bytes of a success, or the refusal; raises ForgeError when nothing came back.

        ``body`` is sent as JSON; ``form`` is sent in its place.
        """
        sent = form or (
            None if body is None else Form("application/json", json.dumps(body).encode())
        )
        extensions = {IDEMPOTENT: True} if harmless else {}
        where = url if isinstance(url, httpx.URL) else f"{self._base}{url}"
        try:
            with self._client.stream(
                method,
                where,
                params=dict(query) or None,
                content=sent.content if sent else None,
                headers={"Content-Type": sent.kind} if sent else {},
                extensions=extensions,
            ) as response:
                content = _capped(response, what)
        except httpx.HTTPError as error:
            # Its text may hold the header with the token; the name of its kind does not.
            kind = type(error).__name__
            remedy = "Check the network, and the proxy of the job if it has one."
            raise ForgeError(
                f"Bitbucket did not answer ({kind}) for {what}", remedy=remedy
            ) from None
        if response.is_success:
            return content
        return Refusal(response.status_code, self._credentials.hidden(_words(content)))

    def object(self, answer: bytes | Refusal, what: str) -> dict[str, Any]:
        """The object in a success; raises ForgeError for a refusal and for anything else."""
        value = _json(_granted(answer, what), what)
        if not isinstance(value, dict):
            raise ForgeError(f"Bitbucket's answer for {what} is not an object")
        return value

    def _page(self, answer: bytes | Refusal, what: str) -> _Page:
        try:
            return _Page.model_validate(self.object(answer, what))
        except ValidationError as error:
            raise ForgeError(f"Bitbucket's answer for {what} is not a page of a list") from error

    def _same_host(self, address: str, what: str) -> httpx.URL:
        """The next page's address: the token goes nowhere but where it was meant to go."""
        try:
            url = httpx.URL(address)
        except httpx.InvalidURL:
            url = httpx.URL()
        if (url.scheme, url.netloc) != (self._base.scheme, self._base.netloc) or url.userinfo:
            raise ForgeError(f"Bitbucket's list of {what} continues on another host")
        return url


def granted(answer: bytes | Refusal, what: str) -> None:
    """Nothing for a success; raises ForgeError for a refusal."""
    _granted(answer, what)


def _granted(answer: bytes | Refusal, what: str) -> bytes:
    if isinstance(answer, bytes):
        return answer
    said = f": {answer.said}" if answer.said else ""
    raise _error(answer, what, said)


def _error(refusal: Refusal, what: str, said: str) -> ForgeError:
    match refusal.status:
        case 401:
            return NotAllowed(
                f"Bitbucket does not accept the token for {what}{said}",
                remedy="Check that it has not expired, and that an API token comes with its "
                "account's e-mail address while an access token comes alone.",
            )
        case 403:
            return NotAllowed(
                f"the token may not do this on Bitbucket: {what}{said}",
                remedy="Give an access token the scopes `pullrequest:write` and `repository`; an "
                "API token `write:pullrequest:bitbucket`, `read:pullrequest:bitbucket`, "
                "`read:repository:bitbucket` and `read:user:bitbucket`.",
            )
        case 404:
            return ForgeError(
                f"Bitbucket knows nothing of {what}, or hides it from this token{said}",
                remedy="Check the repository's name and that the token belongs to it.",
            )
        case 429:
            return ForgeError(
                f"Bitbucket takes no more requests from this token for now: {what}{said}",
                remedy="The limit counts over an hour; run the job again later.",
            )
        case status:
            return ForgeError(f"Bitbucket answered {status} for {what}{said}")


def _address(api_url: str, *, proxied: bool) -> httpx.URL:
    """Https, but for this machine itself and for the proxy of Pipelines, which wants http."""
    try:
        url = httpx.URL(api_url.rstrip("/"))
    except httpx.InvalidURL:
        url = httpx.URL()
    local = url.scheme == "http" and url.host in _LOOPBACK
    if not url.host or url.userinfo or not (url.scheme == "https" or local):
        raise ForgeError("the address of Bitbucket's API is not a plain https address")
    return url.copy_with(scheme="http", port=url.port) if proxied else url


def surroundings(url: httpx.URL) -> str | None:
    """The proxy that the environment names for this host."""
    if url.host in _LOOPBACK or proxy_bypass(url.host):
        return None
    return getproxies().get(url.scheme)


def _capped(response: httpx.Response, what: str) -> bytes:
    content = bytearray()
    for chunk in response.iter_bytes():
        content += chunk
        if len(content) > _MOST_BYTES:
            raise ForgeError(f"Bitbucket's answer for {what} is larger than 16 MiB")
    return bytes(content)


def _json(content: bytes, what: str) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ForgeError(f"Bitbucket's answer for {what} is not JSON") from error


def _words(content: bytes) -> str:
    """The message of an error, on one line of printable characters."""
    try:
        said = json.loads(content[:100_000])["error"]["message"]
    except (ValueError, RecursionError, TypeError, KeyError):
        return ""
    plain = "".join(one if one.isprintable() else " " for one in str(said))
    return " ".join(plain.split())[:_MOST_WORDS]
