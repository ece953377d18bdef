"""Which host carries out a scan, the key that opens it, and the patience with it."""

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from mergegate.core.errors import UsageError
from mergegate.core.plans import Tool
from mergegate.sandbox.git.origin import LOOPBACK


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where one tool is asked, and how it answers."""

    submit: str
    """Where a scan is started, and called off under ``?id=``."""
    result: str
    """Where the result lies, under ``?id=``."""
    waits: bool
    """Whether the answer to the POST is the result itself (service specification)."""
    id: str
    """What the result calls the scan's identifier."""


ENDPOINTS: Mapping[Tool, Endpoint] = {
    Tool.REPOSITORY: Endpoint("/api/repo/scan", "/api/repo/result", waits=False, id="id"),
    Tool.SEO: Endpoint("/api/seo-optimizer", "/api/seo-optimizer", waits=False, id="id"),
    Tool.AUDIT: Endpoint("/api/audit", "/api/audit", waits=True, id="reportId"),
    Tool.BROWSER_TEST: Endpoint("/api/browser-test", "/api/browser-test", waits=True, id="testId"),
    Tool.SECURITY_SCAN: Endpoint(
        "/api/security-scan", "/api/security-scan", waits=True, id="scanId"
    ),
}


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for."""

    tool: Tool
    body: Mapping[str, object]
    """The request, field for field."""
    query: Mapping[str, str] = field(default_factory=dict)
    idempotency_key: str = field(default_factory=lambda: secrets.token_hex(16))

    @property
    def endpoint(self) -> Endpoint:
        """Where it is asked for."""
        return ENDPOINTS[self.tool]


@dataclass(slots=True)
class ScanProgress:
    """How far it is; what a caller who is interrupted can still tell."""

    tell: Callable[[str], None]
    """Takes a line for people, hostile text in it."""
    scan_id: str = ""
    """Empty until the host names it; a synchronous host may never do."""
    sent: bool = False
    """Whether the host may have taken the order."""


TIMEOUT_S = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PollPolicy:
    """The patience of one scan; seconds."""

    timeout_s: float = TIMEOUT_S
    """The limit for everything together."""
    answer_s: float = 900.0
    """The limit for one answer: a synchronous scan holds the line as long as it takes."""
    introduction_s: float = 60.0
    """The limit for a host that has never answered: its address may be wrong."""
    outage_s: float = 900.0
    """The limit for a host that has answered before."""
    first_poll_s: float = 1.0
    longest_poll_s: float = 15.0
    longest_hint_s: float = 60.0
    """How long a host may ask to be left alone while a scan runs: it may be over at once."""
    growth: float = 1.5
    """The factor by which the time between two polls or two tries grows."""
    cooldown: bool = False
    """Whether the cooldown between two audits of a site is waited for."""


KEY_VARIABLE = "MERGEGATE_API_KEY"
_MOST_LETTERS = 2048
_NAME = re.compile(r"[A-Za-z0-9.-]+|[0-9A-Fa-f:]+", re.ASCII)
_PATH = re.compile(r"[A-Za-z0-9._~/-]*", re.ASCII)
_KEY = re.compile(r"[\x21-\x7e]{1,512}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Host:
    """A service with Mergegate's API."""

    url: str
    """Its base address, without a slash at the end; ``/api/audit`` follows."""
    key: str = field(repr=False)

    @property
    def name(self) -> str:
        """Host and port, for people."""
        return urlsplit(self.url).netloc

    @property
    def is_secure(self) -> bool:
        """Whether the connection is encrypted, so that the key cannot be read on the way."""
        return self.url.startswith("https:")


def host(url: str, environment: Mapping[str, str], *, plain_http: bool = False) -> Host:
    """The host at ``url`` with the key of the environment; raises UsageError, which names no key.

    An http address is taken for this machine alone, unless ``plain_http``.
    """
    address = _address(url.strip(), plain_http=plain_http)
    key = environment.get(KEY_VARIABLE, "").strip()
    if not key:
        raise UsageError(
            "a scan on a host needs a key",
            remedy=f"Set {KEY_VARIABLE}; `mergegate keys create` makes one at the host.",
        )
    if not _KEY.fullmatch(key):
        raise UsageError(
            f"{KEY_VARIABLE} holds no key: there are letters in it that no key has",
            remedy="Copy it anew; a key is one word that begins with `mg_`.",
        )
    return Host(address, key)


def _address(url: str, *, plain_http: bool) -> str:
    parts = _split(url)
    if parts.scheme == "http" and not plain_http and parts.hostname not in LOOPBACK:
        raise UsageError(
            "over http everybody on the way could read the key",
            remedy="Use the host's https address, or add --allow-http where the way is safe.",
        )
    if parts.scheme not in {"http", "https"}:
        raise _wrong("it begins with neither https:// nor http://")
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}"


def _split(url: str) -> SplitResult:
    if len(url) > _MOST_LETTERS or not url.isascii() or not url.isprintable() or " " in url:
        raise _wrong("it holds letters that no address has")
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise _wrong("host or port cannot be read") from error
    if "@" in parts.netloc:
        raise UsageError(
            "the host's address holds credentials", remedy=f"The key stands in {KEY_VARIABLE}."
        )
    if parts.query or parts.fragment or not _PATH.fullmatch(parts.path):
        raise _wrong("it is more than a host and a folder")
    if not _NAME.fullmatch(parts.hostname or ""):
        raise _wrong("it names no host")
    return parts


def _wrong(why: str) -> UsageError:
    return UsageError(
        f"the host's address cannot be used: {why}",
        remedy="Write it as https://mergegate.example.org.",
    )
