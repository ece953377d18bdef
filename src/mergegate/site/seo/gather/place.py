"""Addresses as far as gathering needs to know: one spelling, whose they are, which stand beside."""

import hashlib
import re
from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import SplitResult, quote, unquote_to_bytes, urlsplit

from mergegate.core.web_address import DEFAULT_PORTS, root
from mergegate.site.address import registered

_SAFE = "/*$-._~!'()+,;:=@&?"
"""What stays as it is when addresses are brought into one spelling."""
_PLAIN_ADDRESS = re.compile(
    r"https?://(?P<host>[a-z0-9-]+(?:\.[a-z0-9-]+)*)(?P<path>/[A-Za-z0-9/._~-]*)?"
)
"""One that is in its one spelling already, as most are."""
_PLAIN = re.compile(r"[A-Za-z0-9/._~-]*")
_RUN_OF_ESCAPES = re.compile(r"((?:%[0-9a-fA-F]{2})+)")
_FILE = re.compile(r"\.[a-z0-9]{1,5}$", re.IGNORECASE)


def spelt(text: str, escape: str = "") -> str:
    """A path in its one spelling: escapes only where they have to be, and those of ``escape``."""
    if _PLAIN.fullmatch(text):
        return text
    kept = "".join(letter for letter in _SAFE if letter not in escape)
    pieces = _RUN_OF_ESCAPES.split(text)
    return "".join(
        quote(unquote_to_bytes(piece), safe="-._~")
        if number % 2
        else quote(piece, safe=f"{kept}%", errors="replace")
        for number, piece in enumerate(pieces)
    )


def same_as(url: str) -> str:
    """What two spellings of one address have in common; empty when it cannot be read.

    A last slash, the order of a query and ``www`` make another address of it.
    """
    plain = _PLAIN_ADDRESS.fullmatch(url)
    if plain:
        return url if plain["path"] else f"{url}/"
    parts = _parts(url)
    if parts is None:
        return ""
    query = f"?{spelt(parts.query)}" if parts.query else ""
    return f"{parts.scheme}://{_host(parts)}{spelt(parts.path or '/')}{query}"


def host(url: str) -> str:
    """The host with a port that is not the usual one; empty when it cannot be read."""
    plain = _PLAIN_ADDRESS.fullmatch(url)
    if plain:
        return plain["host"]
    parts = _parts(url)
    return _host(parts) if parts else ""


def at_root(url: str, path: str) -> str:
    """The address of ``path`` on the origin of ``url``, which was fetched."""
    return f"{root(url)}{path}"


def nonsense(url: str) -> str:
    """An address beside ``url`` that should not exist, the same one in each scan."""
    folder = urlsplit(url).path.rpartition("/")[0]
    mark = hashlib.sha256(folder.encode()).hexdigest()[:12]
    return at_root(url, f"{folder}/no-such-page-{mark}")


def variants(url: str) -> Iterator[str]:
    """Other addresses under which visitors may look for the same page, each once.

    Over the other scheme where ports are the usual ones, with and without ``www`` where the host
    is a registered name, with and without the last slash where the path has no file's name.
    """
    parts = urlsplit(url)._replace(fragment="")
    if parts.port is None:
        yield _with(parts, scheme="http" if parts.scheme == "https" else "https")
    twin = _www_twin(parts.hostname or "")
    if twin:
        netloc = f"{twin}:{parts.port}" if parts.port else twin
        yield _with(parts, netloc=netloc)
        if parts.port is None and parts.scheme == "https":
            yield _with(parts, netloc=netloc, scheme="http")
    if parts.path not in {"", "/"} and not _FILE.search(parts.path):
        path = parts.path[:-1] if parts.path.endswith("/") else f"{parts.path}/"
        yield _with(parts, path=path)


def _with(parts: SplitResult, **changed: str) -> str:
    return parts._replace(**changed).geturl()


def _www_twin(name: str) -> str:
    """``name`` with ``www`` where it had none, or without; empty for an address or a subdomain."""
    if name.startswith("www."):
        return name.removeprefix("www.")
    has_twin = "." in name and registered(name) == name and not _is_address(name)
    return f"www.{name}" if has_twin else ""


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _parts(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url.strip())
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.scheme in DEFAULT_PORTS and parts.hostname else None


def _host(parts: SplitResult) -> str:
    name = _looked_up((parts.hostname or "").removesuffix("."))
    port = parts.port
    return f"{name}:{port}" if port and port != DEFAULT_PORTS[parts.scheme] else name


def _looked_up(name: str) -> str:
    """A name beyond ASCII as it is looked up, where it can be."""
    try:
        return name if name.isascii() else name.encode("idna").decode("ascii")
    except UnicodeError:
        return name
