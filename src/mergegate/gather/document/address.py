"""Make the addresses of a document absolute, as browsers do."""

import re

import httpx

_SPACE = " \t\n\r\f"
_BREAKS = str.maketrans("", "", "\t\n\r")
_REST = r"[A-Za-z0-9_~!$&()*+,;=:@/.-]*(?:\?[A-Za-z0-9_~!$&()*+,;=:@/?.-]*)?"
_PLAIN = re.compile(rf"https?://[a-z0-9][a-z0-9.-]*/{_REST}")
_PLAIN_PATH = re.compile(rf"/(?!/){_REST}")
_PLAIN_NAME = re.compile(r"(?![a-z.]*:)[a-z0-9][A-Za-z0-9_-]*(?:[./][A-Za-z0-9_-]+)*/?")
_PLAIN_QUERY = re.compile(r"\?[A-Za-z0-9_~!$&()*+,;=:@/?.-]+")
"""What is resolved by putting strings together; most links are such."""
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_WEB = frozenset({"http:", "https:"})
_HOST = re.compile(r"(?:[A-Za-z0-9_.~!$&()*+,;='-]+|\[[0-9a-fA-F:.]+\])(?::\d{0,5})?")
_ROOTLESS = re.compile(r"^(https?://[^/?#]+)(?=[?#]|\Z)")
_ODD = ("/.", "xn--")
"""Parts that are worth a second look: dots that climb, names in punycode."""


class Addresses:
    """Resolves against one base; what repeats is resolved once."""

    def __init__(self, base: str) -> None:
        self.base = base
        self._base = _url(base)
        self._root = _root(self._base)
        self._page = self._root and f"{self._root}{self._base.raw_path.decode().partition('?')[0]}"
        self._folder = self._root and str(self._base.join(".")).partition("?")[0]
        self._known: dict[str, str] = {}

    def absolute(self, written: str) -> str:
        """What ``written`` leads to; empty when that cannot be read."""
        known = self._known.get(written)
        if known is None:
            known = self._known[written] = self._resolved(written.strip(_SPACE))
        return known

    def _resolved(self, address: str) -> str:
        quickly = self._quickly(address)
        if quickly:
            return quickly
        scheme = _SCHEME.match(address)
        if scheme and scheme[0].lower() not in _WEB:
            return scheme[0].lower() + address[scheme.end() :]
        return self._joined(address.translate(_BREAKS))

    def _quickly(self, address: str) -> str:
        """A plain address without parsing it; empty for any other."""
        if any(part in address for part in _ODD):
            return ""
        if _PLAIN.fullmatch(address):
            return address
        if self._root and _PLAIN_PATH.fullmatch(address):
            return self._root + address
        if self._folder and _PLAIN_NAME.fullmatch(address):
            return self._folder + address
        if self._page and _PLAIN_QUERY.fullmatch(address):
            return self._page + address
        return ""

    def _joined(self, address: str) -> str:
        path, mark, rest = _split(address)
        try:
            target = self._base.join(path.replace("\\", "/") + mark + rest)
        except (httpx.InvalidURL, ValueError):
            return ""
        if target.scheme not in {"http", "https"}:
            return str(target)
        readable = _HOST.fullmatch(target.netloc.decode("ascii")) and (target.port or 0) < 65536
        return _ROOTLESS.sub(r"\1/", str(target)) if readable else ""


def based(url: str, written: str) -> str:
    """The base of a document at ``url`` whose ``base`` says ``written``."""
    if not written.strip(_SPACE):
        return url
    base = Addresses(url).absolute(written)
    return base if base.startswith(("http://", "https://")) else url


def _split(address: str) -> tuple[str, str, str]:
    """Before and after the first of ``?`` and ``#``, and which it is."""
    found = re.search(r"[?#]", address)
    if not found:
        return address, "", ""
    return address[: found.start()], found[0], address[found.end() :]


def _url(address: str) -> httpx.URL:
    try:
        return httpx.URL(address)
    except (httpx.InvalidURL, ValueError):
        return httpx.URL("")


def _root(url: httpx.URL) -> str:
    if url.scheme not in {"http", "https"} or not url.host:
        return ""
    return f"{url.scheme}://{url.netloc.decode('ascii')}"
