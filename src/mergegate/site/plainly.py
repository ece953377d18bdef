"""What an address answers to a plain request, where a browser that found no page does not say.

Chromium tells a redirect to a file, to a script or to another program in three ways, and an answer
that it saves at times like none.
"""

from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.visit import Visit
from mergegate.sandbox.web import client

_LONGEST_S = 15.0
_ENOUGH = 1 << 12
"""Bytes of the body: only that there is one counts."""


def asked(visit: Visit, proxy: str) -> Fetched:
    """What comes of it; nothing that a site does makes it raise."""
    with client(proxy, visit) as web:
        return web.get(visit.url, timeout_s=_LONGEST_S, most_bytes=_ENOUGH)
