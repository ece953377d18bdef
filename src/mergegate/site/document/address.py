"""Make the addresses of a document absolute, as browsers do (URL Standard, "URL parsing").

Other than there, an empty fragment is left out.
"""

import re
from urllib.parse import quote

import httpx

_SPACE = "".join(map(chr, range(0x21)))
_BREAKS = str.maketrans("", "", "\t\n\r")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_WEB = frozenset({"http:", "https:"})
_HOST = re.compile(r"(?:[A-Za-z0-9_.~!$&()*+,;='-]+|\[[0-9a-fA-F:.]+\])(?::\d{0,5})?")
_ROOT = re.compile(r"https?://[^/]+")
_REST = r"[A-Za-z0-9_~!$&()*+,;=:@/.%-]*(?:\?[A-Za-z0-9_~!$&()*+,;=:@/?.%-]*)?"
_PLAIN = re.compile(rf"https?://(?:[a-z0-9-]+\.)+[a-z]+/{_REST}")
_PLAIN_PATH = re.compile(rf"/(?!/){_REST}")
"""What is not taken apart; most links are such."""
_IN_PATH = "!$%&'()*+,/:;=@[\\]^|"
_IN_QUERY = _IN_PATH + "?`{}"
_IN_FRAGMENT = _IN_PATH + "?#{}"
"""What stays as it is, beside letters, digits and ``_.-~`` ("percent-encoded bytes")."""
_LONGEST = 65_536


class Addresses:
    """Resolves against one base; what repeats is resolved once."""

    def __init__(self, base: str) -> None:
        self.base = base
        self._root = self._folder = self._file = self._page = ""
        """Empty when the base is no web address: nothing is relative to it."""
        self._known: dict[str, str] = {}
        self._roots: dict[str, str] = {}
        self._stand(self._resolved(base))

    def absolute(self, written: str) -> str:
        """What ``written`` leads to; empty when that cannot be read."""
        known = self._known.get(written)
        if known is None:
            known = self._known[written] = self._resolved(written)
        return known

    def _stand(self, own: str) -> None:
        root = _ROOT.match(own)
        if root:
            self._root = root[0]
            self._page = own.partition("#")[0]
            self._file = self._page.partition("?")[0]
            self._folder = self._file.rpartition("/")[0].removeprefix(self._root) + "/"

    def _resolved(self, written: str) -> str:
        address = written.strip(_SPACE)
        return self._quickly(address) or self._thoroughly(address.translate(_BREAKS))

    def _quickly(self, address: str) -> str:
        """A plain address; empty for any other, and where dots may climb or punycode be none."""
        if "/." in address or "/%2" in address or "xn--" in address:
            return ""
        if self._root and _PLAIN_PATH.fullmatch(address):
            return self._root + address
        return address if _PLAIN.fullmatch(address) else ""

    def _thoroughly(self, address: str) -> str:
        found = _SCHEME.match(address)
        scheme = found[0].lower() if found else ""
        rest = address[len(scheme) :]
        if scheme and scheme not in _WEB:
            return scheme + rest
        rest, _, fragment = rest.partition("#")
        place = self._place(scheme, rest) if len(address) <= _LONGEST else ""
        return f"{place}#{_quoted(fragment, _IN_FRAGMENT)}" if place and fragment else place

    def _place(self, scheme: str, rest: str) -> str:
        """Everything but the fragment."""
        path, mark, query = rest.partition("?")
        asked = mark + _quoted(query, _IN_QUERY)
        path = path.replace("\\", "/")
        own = self._root.partition("/")[0]
        if path.startswith("//") or scheme not in {"", own}:
            host, _, path = path.lstrip("/").partition("/")
            return _joined(self._rooted(scheme or own, host), f"/{path}", asked)
        if path:
            folder = "" if path.startswith("/") else self._folder
            return _joined(self._root, folder + path, asked)
        return self._file + asked if mark and self._root else self._page

    def _rooted(self, scheme: str, host: str) -> str:
        """Both, and a port, as browsers spell them; empty when there is no such host."""
        written = f"{scheme}//{host}" if scheme else ""
        root = self._roots.get(written)
        if root is None:
            root = self._roots[written] = _root(written)
        return root


def based(url: str, written: str) -> str:
    """The base of a document at ``url`` whose ``base`` says ``written``."""
    if not written.strip(_SPACE):
        return url
    base = Addresses(url).absolute(written)
    return base if base.startswith(("http://", "https://")) else url


def _root(written: str) -> str:
    try:
        url = httpx.URL(f"{written}/")
    except (httpx.InvalidURL, ValueError):
        return ""
    readable = _HOST.fullmatch(url.netloc.decode("ascii")) and (url.port or 0) < 65_536
    return str(url).removesuffix("/") if readable else ""


def _joined(root: str, path: str, asked: str) -> str:
    return f"{root}{_quoted(_climbed(path), _IN_PATH)}{asked}" if root else ""


def _climbed(path: str) -> str:
    """``path``, which begins with a slash, without the steps that are dots."""
    if "/." not in path and "/%2" not in path:
        return path
    kept: list[str] = []
    dots = ""
    for step in path.split("/")[1:]:
        dots = step.lower().replace("%2e", ".")
        if dots == "..":
            del kept[-1:]
        elif dots != ".":
            kept.append(step)
    return "/".join(["", *kept, ""] if dots in {".", ".."} else ["", *kept])


def _quoted(part: str, safe: str) -> str:
    return quote(part, safe, errors="replace")
