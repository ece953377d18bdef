"""What the providers have in common: four questions, their answers, and the one way to ask."""

import json
import re
import ssl
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import httpx

from mergegate import __version__
from mergegate.core.change import Provider
from mergegate.core.errors import ForgeError, UsageError
from mergegate.forges.pacing import SYSTEM, Clock, Paced
from mergegate.forges.variables import is_address
from mergegate.sandbox.egress.destination import Verdict
from mergegate.sandbox.egress.traffic import Contact
from mergegate.sandbox.git.names import is_branch, is_commit


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How an account comes to its repositories."""

    provider: Provider
    base_url: str
    """Where people see the provider, such as ``https://github.com``; that of its API will do."""
    token: str = field(repr=False)
    """The API token; for Bitbucket also ``user:token``, with the account's e-mail address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How requests get there."""

    proxy: str
    """The way out (``Egress.url``)."""
    authorities: str = ""
    """A file of certificates that vouch for the host, in place of those this machine trusts."""
    clock: Clock = SYSTEM
    contacted: Callable[[], Sequence[Contact]] = tuple
    """What went out so far (``Egress.contacted``): it alone knows why the way is closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """A repository, and what of it; names are a stranger's."""

    owner: str
    """The owner; on GitLab with subgroups, after slashes."""
    repo: str
    branch: str | None = None
    """None: the default branch."""
    commit: str | None = None
    """A full commit on that branch; None: its tip."""
    base: str | None = None
    """A branch, or a full commit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """Where it lies now, and which commits it is about."""

    owner: str
    repo: str
    """Both as the provider spells them; a repository that was renamed has its new name."""
    branch: str
    commit: str
    base: str | None
    """A full commit."""
    url: str
    """The clone address: https, without credentials."""
    user: str
    """Whom Git says that it is, beside :attr:`word`."""
    word: str = field(repr=False)
    """What of the token Git needs."""


class TokenRevoked(ForgeError):
    """The provider does not know the token, or knows it no more."""

    code = "PROVIDER_TOKEN_REVOKED"


class AccessDenied(ForgeError):
    """The token is alive and may not read the repository; or there is none of that name.

    Providers answer 404 for what a token may not see, so the two cases look alike.
    """

    code = "PROVIDER_ACCESS_DENIED"


class BranchNotFound(ForgeError):
    """The repository has no branch of that name."""

    code = "BRANCH_NOT_FOUND"


class CommitNotFound(ForgeError):
    """The repository has no such commit, or not on that branch."""

    code = "COMMIT_NOT_FOUND"


class ChangeClosed(ForgeError):
    """The change is merged or closed, so an answer is no longer needed."""

    code = "CHANGE_CLOSED"


class ProviderUnreachable(ForgeError):
    """The provider does not answer, or answers nonsense, or asks to be left alone for longer."""

    code = "PROVIDER_UNREACHABLE"


def denied() -> AccessDenied:
    """What 403 and 404 of a repository come to."""
    return AccessDenied(
        "the connection's token may not read this repository, or there is none of this name",
        remedy="Give the token access to the repository's contents.",
    )


@dataclass(frozen=True, slots=True)
class Proposed:
    """A pull request, as far as it is fetched."""

    head: str
    """Its last commit."""
    into: str
    """The branch that it wants into."""
    is_open: bool
    """False once it is merged or closed."""


class Site(Protocol):
    """How one provider is asked about a repository."""

    def repository(self, owner: str, repo: str) -> tuple[str, str | None]:
        """Its full name now, and its default branch (None while it is empty)."""

    def tip(self, name: str, branch: str) -> str:
        """The last commit of a branch; raises Gone."""

    def is_ancestor(self, name: str, commit: str, tip: str) -> bool:
        """Whether ``commit`` is ``tip`` or was before it; raises Gone for an unknown commit."""

    def proposed(self, name: str, number: int) -> Proposed:
        """A pull request as it is now; raises Gone."""

    def scopes(self) -> frozenset[str] | None:
        """What the token may do; None where the provider does not tell.

        Raises TokenRevoked for a token that is none.
        """

    def git(self) -> tuple[str, str, str]:
        """The address below which Git finds repositories, and the user and word it shows there."""


def text(value: Any, *path: str) -> str:
    """The text at ``path``; raises ProviderUnreachable where there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    if not isinstance(value, str):
        raise ProviderUnreachable("the provider answered something unexpected")
    return value


def commit(value: Any, *path: str) -> str:
    """The full commit at ``path``; raises ProviderUnreachable where there is none."""
    found = text(value, *path)
    if not is_commit(found):
        raise ProviderUnreachable("the provider names a commit that is none")
    return found


def branch(value: Any, *path: str) -> str | None:
    """The branch at ``path``; None where there is none that can be named to Git."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) and is_branch(value) else None


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
        self._contacted = way.contacted
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
        return self.get_with_scopes(path, query, gone=gone)[0]

    def get_with_scopes(
        self, path: str, query: Sequence[tuple[str, str]] = (), *, gone: tuple[int, ...] = (404,)
    ) -> tuple[dict[str, Any], frozenset[str] | None]:
        """:meth:`get`, and the token's scopes; None where the answer does not tell them."""
        url = httpx.URL(f"{self._base}{path}", params=query or None)
        for _ in range(_MOST_HOPS):
            status, headers, content = self._asked(url)
            if not 300 <= status < 400:
                return _read(status, headers, content, gone), _scopes(headers)
            url = self._next(url, headers.get("location", ""))
        raise ProviderUnreachable("the provider redirects without an end")

    def _asked(self, url: httpx.URL) -> tuple[int, httpx.Headers, bytes]:
        try:
            with self._client.stream("GET", url) as response:
                return response.status_code, response.headers, _capped(response)
        except (httpx.HTTPError, httpx.InvalidURL, ssl.SSLError) as error:
            raise self._unreachable(error) from None

    def _unreachable(self, error: Exception) -> ProviderUnreachable:
        """Nothing of the text of ``error``, which may hold the header with the token."""
        if (untrusted := _untrusted(error)) is not None:
            return untrusted
        last = next(reversed(self._contacted()), None)
        if isinstance(error, httpx.ProxyError) and last is not None and last.reason:
            return _no_way(last)
        return ProviderUnreachable(f"the provider did not answer ({type(error).__name__})")

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


def _no_way(last: Contact) -> ProviderUnreachable:
    """The way out did not let it through, or found nobody there."""
    where = f"{last.host}:{last.port}"
    if last.verdict is not Verdict.REFUSED:
        return ProviderUnreachable(f"the provider at {where} did not answer: {last.reason}")
    return ProviderUnreachable(
        f"this host may not reach the provider at {where}: {last.reason}",
        remedy=f"Add {where} to MERGEGATE_ALLOW_HOSTS of every process, and start it anew; a name "
        "without a port means 80 and 443.",
    )


_EXPIRED, _OTHER_HOST = 10, 62
"""Codes of OpenSSL (x509_vfy.h) for what no further authority would mend."""
_WORTHLESS: Mapping[int, str] = {_EXPIRED: "it has expired", _OTHER_HOST: "it is another host's"}


def _untrusted(error: BaseException | None) -> ProviderUnreachable | None:
    """What is wrong with the certificate; None where that is not why it failed."""
    while error is not None and not isinstance(error, ssl.SSLCertVerificationError):
        error = error.__cause__ or error.__context__
    if error is None:
        return None
    if (why := _WORTHLESS.get(error.verify_code)) is not None:
        return ProviderUnreachable(
            f"the provider's certificate is not valid: {why}", remedy="Renew it at the provider."
        )
    return ProviderUnreachable(
        "the provider's certificate is of an authority that this host does not trust",
        remedy="Name a file with its certificate in MERGEGATE_PROVIDER_CA_FILE of every process, "
        "and start it anew.",
    )


def _scopes(headers: httpx.Headers) -> frozenset[str] | None:
    """As GitHub and Bitbucket tell them; fine-grained tokens have none."""
    told = headers.get("x-oauth-scopes")
    return None if told is None else frozenset(filter(None, re.split(r"[\s,]+", told)))


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
