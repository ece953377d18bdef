"""Fetch security.txt (RFC 9116) from where it belongs, else from where it used to."""

from urllib.parse import urlsplit

from mergegate.gather.security_scan.cookies import without_values
from mergegate.model.facts.web import Fetched
from mergegate.world.web import Client

_PLACES = ("/.well-known/security.txt", "/security.txt")


def security_txt(page: str, web: Client, most_bytes: int) -> Fetched:
    """The first that is there; where none is, the answer of the place where it belongs."""
    parts = urlsplit(page)
    base = f"{parts.scheme}://{parts.netloc}"
    first = web.get(f"{base}{_PLACES[0]}", most_bytes=most_bytes)
    if first.ok:
        return without_values(first)
    second = web.get(f"{base}{_PLACES[1]}", most_bytes=most_bytes)
    return without_values(second if _is_one(second) else first)


def _is_one(fetched: Fetched) -> bool:
    return fetched.ok and "contact:" in fetched.text.lower()
