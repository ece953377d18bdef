"""Ask Google's Search Console about a page: how it is found, and whether it is indexed."""

import base64
import contextlib
import datetime as dt
import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TypeAlias
from urllib.parse import urlsplit

import httpx
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from mergegate import __version__
from mergegate.core.errors import EngineFailed, UsageError
from mergegate.sandbox.web import trusted
from mergegate.site.seo.facts import QueryRow, SearchConsole
from mergegate.site.seo.gather.console_api import (
    Asker,
    Google,
    Refused,
    Row,
    Site,
    Token,
    Unanswered,
)
from mergegate.site.seo.google import GOOGLE, TOKENS

SCOPE = "https://www.googleapis.com/auth/webmasters.readonly"
_LONGEST = 64 * 1024
_LIFE = dt.timedelta(hours=1)
"""The longest that Google lets an assertion live."""
_TOKEN_LETTERS = r"[!-~]{8,4096}"


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A ready token; it holds for an hour."""

    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """What ``gcloud auth application-default login`` writes."""

    client_id: str
    client_secret: str = field(repr=False)
    refresh_token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ServiceAccount:
    """A key file of Google Cloud."""

    email: str
    key: RSAPrivateKey = field(repr=False)


Access: TypeAlias = AccessToken | RefreshToken | ServiceAccount


class _ServiceAccountFile(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    client_email: str = Field(max_length=320)
    private_key: str


_KEY_FILE: TypeAdapter[_ServiceAccountFile | RefreshToken] = TypeAdapter(
    _ServiceAccountFile | RefreshToken, config=ConfigDict(hide_input_in_errors=True)
)


def read_access(text: str) -> Access:
    """An access token, or a key file's JSON: of a service account, or with a refresh token.

    Raises UsageError, which repeats nothing of ``text``. The address that a key file names for
    getting tokens is not read: a key goes to Google alone.
    """
    given = text.strip()
    if not given.startswith("{"):
        return _token(given)
    if len(given) > _LONGEST:
        raise _wrong("the key file is too large")
    try:
        file = _KEY_FILE.validate_json(given)
    except ValidationError:
        # What pydantic says may quote the key, and so may whatever shows the cause.
        raise _wrong(
            "the key file is none of a service account, and holds no refresh token"
        ) from None
    if isinstance(file, RefreshToken):
        return file
    return ServiceAccount(file.client_email, _key(file.private_key))


def key_identity(text: str) -> str:
    """As whom a key file asks; raises UsageError for what is none, or lasts an hour alone."""
    match read_access(text):
        case ServiceAccount(email=email):
            return email
        case RefreshToken(client_id=client):
            return client
    raise UsageError(
        "an access token lasts an hour, and a host asks for longer",
        remedy="Give the JSON key file of a service account that may read the property.",
    )


def token_request(
    access: RefreshToken | ServiceAccount, token_url: str, now: dt.datetime
) -> dict[str, str]:
    """The form that is sent to ``token_url`` for an access token (RFC 6749, 6; RFC 7523, 2.1)."""
    if isinstance(access, RefreshToken):
        return {"grant_type": "refresh_token", **asdict(access)}
    return {
        "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
        "assertion": _assertion(access, token_url, now),
    }


def _assertion(account: ServiceAccount, audience: str, now: dt.datetime) -> str:
    """A JSON Web Token, signed with RS256 (RFC 7515)."""
    claims: dict[str, str | int] = {
        "iss": account.email,
        "scope": SCOPE,
        "aud": audience,
        "iat": int(now.timestamp()),
        "exp": int((now + _LIFE).timestamp()),
    }
    signed = f"{_packed({'alg': 'RS256', 'typ': 'JWT'})}.{_packed(claims)}"
    signature = account.key.sign(signed.encode("ascii"), PKCS1v15(), hashes.SHA256())
    return f"{signed}.{_base64(signature)}"


def _packed(part: Mapping[str, str | int]) -> str:
    return _base64(json.dumps(part, separators=(",", ":")).encode())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _token(given: str) -> AccessToken:
    if not re.fullmatch(_TOKEN_LETTERS, given):
        raise _wrong("it is neither an access token nor the JSON of a key file")
    return AccessToken(given)


def _key(pem: str) -> RSAPrivateKey:
    try:
        key = load_pem_private_key(pem.encode(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise _wrong("the private key in the key file cannot be read") from None
    if not isinstance(key, RSAPrivateKey):
        raise _wrong("the private key in the key file is not RSA")
    return key


def _wrong(why: str) -> UsageError:
    return UsageError(
        f"this does not open Search Console: {why}",
        remedy="Give the JSON key file of a service account that may read the property.",
    )


_DAYS = 90
_LATE = 3
"""Days until figures are final."""
_LONGEST_QUERY = 200
_LONGEST_ADDRESS = 2_048


class Told:
    """What Search Console said before the page was read, for who must not have the key."""

    def __init__(self, url: str, facts: SearchConsole) -> None:
        """``url`` is what it was asked about."""
        self._url = url
        self._facts = facts

    def look(self, url: str, _: dt.datetime) -> SearchConsole:
        """The same, with a note where the page is found at another address by now."""
        if url == self._url or self._facts.failure:
            return self._facts
        note = "Search Console was asked about the address that was given, which redirects."
        return replace(self._facts, notes=(*self._facts.notes, note))


class Console:
    """Search Console as one account sees it, through the way out."""

    def __init__(
        self,
        access: Access,
        proxy: str,
        *,
        google: str = GOOGLE,
        tokens: str = TOKENS,
        most_s: float = 30.0,
    ) -> None:
        """``google`` and ``tokens`` are other addresses in tests; ``most_s`` is for one page."""
        self._access = access
        self._proxy = proxy
        self._google = google.rstrip("/")
        self._tokens = tokens
        self._most_s = most_s

    def look(self, url: str, now: dt.datetime) -> SearchConsole:
        """What it knows of the page at ``url`` in the last 90 days that are final.

        ``failure`` says why there is nothing; nothing that Google does makes it raise.
        """
        until = time.monotonic() + self._most_s
        try:
            with self._client() as client:
                ask = Asker(client, until)
                return _looked(Google(ask, self._google, self._token(ask, now)), url, now)
        except Unanswered as error:
            return SearchConsole(property="", failure=error.reason)

    def properties(self, now: dt.datetime) -> tuple[str, ...]:
        """The properties that may be read; raises EngineFailed that says why there are none."""
        try:
            with self._client() as client:
                ask = Asker(client, time.monotonic() + self._most_s)
                sites = Google(ask, self._google, self._token(ask, now)).sites()
        except Unanswered as error:
            raise EngineFailed(error.reason) from error
        return tuple(one.site_url for one in sites if not _is_unverified(one))

    @contextlib.contextmanager
    def _client(self) -> Iterator[httpx.Client]:
        """Redirects are not followed: what opens the account goes to Google alone."""
        headers = {"User-Agent": f"Mergegate/{__version__}", "Accept": "application/json"}
        with httpx.Client(
            proxy=self._proxy, trust_env=False, verify=trusted(), headers=headers
        ) as client:
            yield client

    def _token(self, ask: Asker, now: dt.datetime) -> str:
        if isinstance(self._access, AccessToken):
            return self._access.token
        form = token_request(self._access, self._tokens, now)
        try:
            return ask("POST", self._tokens, Token, form=form).access_token
        except Refused as error:
            reason = "Google gives no access token for this key: it was revoked, or is another's"
            raise Unanswered(reason) from error


def _looked(google: Google, url: str, now: dt.datetime) -> SearchConsole:
    site = _property(google.sites(), url)
    if not site:
        raise Unanswered("the account has no property that this page belongs to")
    found = SearchConsole(property=site, start=_days(now)[0], end=_days(now)[1])
    reasons: list[str] = []
    for step in (_with_index_status, _with_figures):
        try:
            found = step(found, google, url)
        except Unanswered as error:
            reasons.append(error.reason)
    if len(reasons) == 2:
        return replace(found, failure=reasons[0])
    return replace(
        found, notes=tuple(f"Part of Search Console is missing: {why}." for why in reasons)
    )


def _with_index_status(found: SearchConsole, google: Google, url: str) -> SearchConsole:
    status = google.index_status(found.property, url)
    return replace(
        found,
        verdict=status.verdict[:40],
        coverage=status.coverage_state[:_LONGEST_QUERY],
        indexing_state=status.indexing_state[:40],
        robots_state=status.robots_txt_state[:40],
        fetch_state=status.page_fetch_state[:40],
        google_canonical=status.google_canonical[:_LONGEST_ADDRESS],
        user_canonical=status.user_canonical[:_LONGEST_ADDRESS],
        last_crawl=status.last_crawl_time[:40],
    )


def _with_figures(found: SearchConsole, google: Google, url: str) -> SearchConsole:
    """Figures are kept under the address that Google chose; most searched for comes first.

    What few people searched for is in the sum, and in no row.
    """
    page, days = found.google_canonical or url, (found.start, found.end)
    rows = google.figures(found.property, page, days, by_query=True)
    total = next(iter(google.figures(found.property, page, days, by_query=False)), Row())
    return replace(
        found,
        rows=tuple(
            QueryRow(query=row.keys[0][:_LONGEST_QUERY], **row.model_dump(exclude={"keys"}))
            for row in rows
            if row.keys
        ),
        clicks=total.clicks,
        impressions=total.impressions,
    )


def _days(now: dt.datetime) -> tuple[str, str]:
    """The first and the last day."""
    last = now.astimezone(dt.UTC).date() - dt.timedelta(days=_LATE)
    return (last - dt.timedelta(days=_DAYS - 1)).isoformat(), last.isoformat()


def _property(sites: tuple[Site, ...], url: str) -> str:
    """The longest beginning of the page's address, else the longest domain that it is of."""
    readable = [site.site_url for site in sites if not _is_unverified(site)]
    prefixes = [site for site in readable if "://" in site and url.startswith(site)]
    domains = [site for site in readable if _holds(site, urlsplit(url).hostname or "")]
    return max(prefixes, key=len, default="") or max(domains, key=len, default="")


def _is_unverified(site: Site) -> bool:
    """The description writes ``SITE_UNVERIFIED_USER``, answers have ``siteUnverifiedUser``."""
    return site.permission_level.replace("_", "").lower() == "siteunverifieduser"


def _holds(site: str, host: str) -> bool:
    prefix, _, domain = site.partition(":")
    return prefix == "sc-domain" and (host == domain or host.endswith(f".{domain}"))
