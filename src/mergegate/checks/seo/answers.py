"""What the answer to an address that a page names says of it."""

from mergegate.model.facts.web import Fetched

_WALLS = frozenset({401, 403, 429, 503})
"""Who turns robots away may let a search engine in: such an address is not called missing."""


def is_gone(fetched: Fetched) -> bool:
    """Whether nobody finds anything there: an error, and none that only turns robots away."""
    status = fetched.status
    return status is not None and status >= 400 and status not in _WALLS
