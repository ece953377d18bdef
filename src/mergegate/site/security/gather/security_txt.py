"""Fetch security.txt (RFC 9116) from where it belongs, else from where it used to."""

from urllib.parse import urlsplit

from mergegate.sandbox.web import Request
from mergegate.sandbox.web.fetched import Fetched
from mergegate.site.security.gather.cookies import without_values
from mergegate.site.security.gather.patience import Web

_PLACES = ("/.well-known/security.txt", "/security.txt")


def security_txt(page: str, web: Web, most_bytes: int) -> Fetched:
    """The first that is there; where none is, the answer of the place where it belongs."""
    parts = urlsplit(page)
    base = f"{parts.scheme}://{parts.netloc}"
    requests = [Request(f"{base}{place}", most_bytes=most_bytes) for place in _PLACES]
    (first,) = web.many(requests[:1])
    if first.ok:
        return without_values(first)
    (second,) = web.many(requests[1:])
    return without_values(second if _is_one(second) else first)


def _is_one(fetched: Fetched) -> bool:
    return fetched.ok and "contact:" in fetched.text.lower()
