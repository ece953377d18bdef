"""Addresses in settings: over what a host is reached, and who can reach it."""

import ipaddress
import re

_ADDRESS = re.compile(
    r"([a-z][a-z\d+.-]*)://(?:[^/\s?#@]*@)?(\[[\da-f:.]+\]|[^/\s?#:]*)", re.IGNORECASE
)
_LOCAL = re.compile(
    r"(?:.*\.)?(?:localhost|localdomain|test|invalid)|host\.docker\.internal|",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(r"(?:.*\.)?example(?:\.(?:com|org|net))?", re.IGNORECASE)
"""Names that stand for a host of the reader's own."""
_WITHIN = re.compile(r"[\w-]+|.*\.(?:internal|local|lan|corp|intranet|private|svc)", re.IGNORECASE)


def scheme(text: str) -> str:
    """Over what an address is reached, in small letters; empty where the text is none."""
    match = _ADDRESS.match(text)
    return match[1].lower() if match else ""


def reach(text: str) -> str:
    """Who reaches the host: `local`, `private`, `public`, or `example`; empty if not known."""
    match = _ADDRESS.match(text)
    if match is None or re.search(r"[{}$<>*%]|\\", match[2]):
        return ""
    host = match[2].strip("[]")
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        is_local, is_within = _LOCAL.fullmatch(host), _WITHIN.fullmatch(host)
        if _EXAMPLE.fullmatch(host):
            return "example"
        return "local" if is_local else "private" if is_within else "public"
    if number.is_loopback or number.is_unspecified:
        return "local"
    return "public" if number.is_global else "private"
