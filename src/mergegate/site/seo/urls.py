"""How the addresses of pages are compared, and which a page names as its canonical one.

An address that cannot be read equals nothing but itself.
"""

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit, urlunsplit

from mergegate.core.web_address import DEFAULT_PORTS
from mergegate.sandbox.fetched import Fetched
from mergegate.site.facts.document import Document
from mergegate.site.link_header import header_links

_INDEX = re.compile(r"/(?:index|default)\.(?:html?|php|aspx?|jsp)$", re.IGNORECASE)
"""The file that servers show for a folder."""
_PREVIEWS = (
    ".vercel.app",
    ".netlify.app",
    ".pages.dev",
    ".workers.dev",
    ".onrender.com",
    ".fly.dev",
    ".herokuapp.com",
    ".amplifyapp.com",
    ".azurestaticapps.net",
    ".web.app",
    ".surge.sh",
    ".up.railway.app",
    ".ngrok-free.app",
    ".trycloudflare.com",
)
WEB = DEFAULT_PORTS.keys()


def parts(url: str) -> SplitResult:
    """The parts of ``url``; all empty when it cannot be read."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", "", "", "")


def plain(url: str) -> str:
    """``url`` with host in small letters, without a usual port and without its fragment."""
    split = parts(url)
    if not split.netloc:
        return url
    return urlunsplit((split.scheme, _host(split), split.path or "/", split.query, ""))


def same(one: str, other: str) -> bool:
    """Whether both name the same document."""
    return plain(one) == plain(other)


def alike(one: str, other: str) -> bool:
    """Whether they differ in nothing but scheme, ``www``, last slash, index file and query."""
    return _loose(one) == _loose(other)


def host(url: str) -> str:
    """The host and port in small letters; empty when there is none."""
    return _host(parts(url))


def site(url: str) -> str:
    """The host without ``www``."""
    return host(url).removeprefix("www.")


def is_web(url: str) -> bool:
    """Whether it is an absolute address of the web."""
    split = parts(url.strip())
    return split.scheme.lower() in WEB and bool(split.netloc)


def is_secure(url: str) -> bool:
    """Whether it is an https address."""
    return parts(url).scheme == "https"


def is_preview(url: str) -> bool:
    """Whether it stands where hosters show what is not public yet."""
    return host(url).endswith(_PREVIEWS)


def _host(split: SplitResult) -> str:
    return split.netloc.lower().removesuffix(f":{DEFAULT_PORTS.get(split.scheme)}")


def _loose(url: str) -> tuple[str, str]:
    return site(url), _INDEX.sub("/", parts(url).path).rstrip("/")


@dataclass(frozen=True, slots=True)
class Named:
    """A canonical address."""

    url: str
    """Absolute; empty when it cannot be read."""
    written: str
    selector: str = ""
    """Empty for one of a header."""


def named_by(document: Document, fetched: Fetched | None) -> tuple[Named, ...]:
    """Every canonical address of a page's head and of its ``Link`` headers, in that order."""
    links = tuple(
        Named(one.href, one.raw_href or one.href, one.selector)
        for one in document.linked("canonical")
        if one.in_head
    )
    headers = (one for one in header_links(fetched) if "canonical" in one.rels)
    return links + tuple(Named(one.url, one.written) for one in headers)


def canonical_address(document: Document, fetched: Fetched | None) -> str:
    """The one canonical address of a page; empty when there is none, or several that differ."""
    urls = {plain(one.url) for one in named_by(document, fetched) if one.url}
    return urls.pop() if len(urls) == 1 else ""
