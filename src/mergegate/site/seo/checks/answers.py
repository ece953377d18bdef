"""What the answer to an address that a page names says of it."""

import re
from urllib.parse import urlsplit

from mergegate.sandbox.web.fetched import Fetched

_WALLS = frozenset({401, 403, 429, 503})
"""Who turns robots away may let a search engine in: such an address is not called missing."""
_ENTRANCE = re.compile(
    r"/(?:log-?in|sign-?in|signin|sso|oauth2?|auth|account|consent)\b", re.IGNORECASE
)


def leads_in(url: str) -> bool:
    """Whether visitors have to prove there who they are, or what they agree to."""
    return bool(_ENTRANCE.search(urlsplit(url).path))


def is_entrance(fetched: Fetched) -> bool:
    """Whether redirects end where visitors have to log in: what is behind is not known."""
    return len(fetched.answers) > 1 and leads_in(fetched.final_url)


def is_gone(fetched: Fetched) -> bool:
    """Whether nobody finds anything there: an error, and none that only turns robots away."""
    status = fetched.status
    return status is not None and status >= 400 and status not in _WALLS
