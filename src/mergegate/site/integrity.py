"""Hashes of other hosts' files, for subresource integrity."""

import base64
import hashlib
from collections.abc import Mapping, Sequence

from mergegate.core.web_address import root
from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.web import Client, Request

_MOST = 20
_MOST_BYTES = 5 * 1024 * 1024


def hashes(urls: Sequence[str], page: str, web: Client) -> Mapping[str, str]:
    """``sha384-…`` of each file, by its address; those that cannot be pinned are left out.

    A browser checks a file of another origin only when its host allows the page to read it
    (Subresource Integrity, 3.5), so it is asked for as by the page.
    """
    origin = root(page)
    asked = [
        Request(url, headers=(("Origin", origin),), most_bytes=_MOST_BYTES) for url in urls[:_MOST]
    ]
    answers = zip(asked, web.many(asked), strict=True)
    return {one.url: _hash(fetched.body) for one, fetched in answers if _is_open(fetched, origin)}


def _is_open(fetched: Fetched, origin: str) -> bool:
    allowed = fetched.header("access-control-allow-origin").strip()
    return fetched.ok and fetched.whole and bool(fetched.body) and allowed in {"*", origin}


def _hash(body: bytes) -> str:
    return f"sha384-{base64.b64encode(hashlib.sha384(body).digest()).decode('ascii')}"
