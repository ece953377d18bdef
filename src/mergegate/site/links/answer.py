"""What one request brought: an answer, or the way in which there was none."""

import re
from dataclasses import dataclass, field
from enum import StrEnum

import httpx

_MARKERS: tuple[tuple[str, str, str], ...] = (
    ("cf-mitigated", "challenge", "Cloudflare"),
    ("x-amzn-waf-action", "", "AWS WAF"),
    ("x-datadome", "", "DataDome"),
    ("x-dd-b", "", "DataDome"),
    ("x-px-block", "", "HUMAN"),
    ("x-vercel-mitigated", "", "Vercel"),
)
"""Header, what it holds, whose wall it is. These stand in answers of a wall alone."""
_GATES: tuple[tuple[str, str, str], ...] = (
    ("server", "cloudflare", "Cloudflare"),
    ("server", "akamaighost", "Akamai"),
    ("server", "ddos-guard", "DDoS-Guard"),
    ("server", "sucuri", "Sucuri"),
    ("x-sucuri-id", "", "Sucuri"),
    ("x-iinfo", "", "Imperva"),
    ("x-cdn", "imperva", "Imperva"),
    ("server", "qrator", "Qrator"),
)
"""The same for servers that also pass pages on: they count with a status that turns away."""
_TURNED_AWAY = frozenset({403, 405, 406, 429, 503})
_DATADOME_SCORE = "x-datadome"
_TITLE = re.compile(
    r"just a moment|attention required|access denied|are you (?:a )?(?:human|robot)|robot check"
    r"|verify(?:ing)? (?:that )?you are (?:a )?human|checking your browser|security check"
    r"|pardon our interruption|ddos-guard|un instant|einen moment",
    re.IGNORECASE,
)


def wall(status: int, headers: httpx.Headers) -> str:
    """Whose wall answered; empty when none did."""
    signs = _MARKERS + _GATES if status in _TURNED_AWAY else _MARKERS
    for name, word, owner in signs:
        value = str(headers.get(name, ""))
        if value and word in value.lower() and not _is_pass(name, status):
            return owner
    return ""


def is_wall(title: str) -> bool:
    """Whether a page with this title asks who is there rather than to show something."""
    return bool(_TITLE.search(title))


def _is_pass(name: str, status: int) -> bool:
    """DataDome also marks what it lets through."""
    return name == _DATADOME_SCORE and status not in _TURNED_AWAY


_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_META_CHARSET = re.compile(
    rb"<meta[^>]{0,100}charset\s*=\s*[\"']?\s*([a-zA-Z0-9_:.-]{2,40})", re.IGNORECASE
)
_SNIFFED_BYTES = 2048
_TEXT = re.compile(
    r"utf-?8|utf-16(?:le|be)?|us-ascii|latin-?1|iso-8859-(?:[1-9]|1[0134-6])|windows-125[0-8]"
    r"|cp125[0-8]|koi8-[ru]|gb2312|gbk|gb18030|big5|euc-(?:jp|kr)|shift[_-]jis|iso-2022-jp"
)
"""Encodings of pages. Python knows others, of which some take very long over hostile bytes."""


class Lack(StrEnum):
    """Why there was no answer."""

    NO_NAME = "no name"
    """The host's name could not be looked up."""
    NO_CONNECTION = "no connection"
    """No address of the host takes connections."""
    SLOW = "slow"
    BROKEN = "broken"
    """The connection ended early, or what came was not HTTP."""
    BAD_CERTIFICATE = "bad certificate"
    """No browser accepts it: it has expired, names another host, or signs itself."""
    UNKNOWN_ISSUER = "unknown issuer"
    """Nobody known here vouches for it; a browser may know more."""
    FORBIDDEN = "forbidden"
    """The way out does not lead there."""
    SPENT = "spent"
    """The scan has asked enough."""
    BUSY = "busy"
    """The way out has too much to do."""
    TOO_LARGE = "too large"
    """The site began an answer that the way out does not carry."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A request without an answer."""

    lack: Lack
    reason: str
    """One clause of our own words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer, its body as far as it was read."""

    status: int
    headers: httpx.Headers = field(default_factory=httpx.Headers)
    body: bytes = b""
    """Unpacked; empty when it is of no use."""
    whole: bool = True
    """Whether the body is all there."""

    @property
    def location(self) -> str | None:
        """Where it redirects; None when it does not."""
        return self.headers.get("location") if self.status in _REDIRECTS else None

    @property
    def well(self) -> bool:
        """Whether it answers what was asked, or says where the answer is."""
        return self.status < 300 or self.status == 304 or bool(self.location)

    @property
    def html(self) -> str:
        """The page, when it is one and was read; empty otherwise."""
        return self.body.decode(self._charset(), "replace") if is_html(self.headers) else ""

    def _charset(self) -> str:
        named = _parameter(self.headers.get("content-type", ""), "charset")
        found = _META_CHARSET.search(self.body[:_SNIFFED_BYTES])
        name = named or (found[1].decode("ascii") if found else "")
        return name if _TEXT.fullmatch(name.lower()) else "utf-8"


def is_html(headers: httpx.Headers) -> bool:
    """Whether the answer is a page."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind in {"text/html", "application/xhtml+xml"}


def _parameter(header: str, name: str) -> str:
    for part in header.split(";")[1:]:
        key, _, value = part.partition("=")
        if key.strip().lower() == name:
            return value.strip().strip("\"'")[:40]
    return ""
