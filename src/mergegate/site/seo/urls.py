"""How the addresses of pages are compared; one that cannot be read equals nothing but itself."""

import re
from urllib.parse import SplitResult, urlsplit, urlunsplit

from mergegate.core.web_address import DEFAULT_PORTS

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
