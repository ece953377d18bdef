"""Names that stay: the same finding, step or fix of a page has the same id in every run."""

from hashlib import sha256

_LENGTH = 16


def stable_id(*parts: str) -> str:
    """16 hex digits of ``parts``, which hold nothing that changes with host, figures or order."""
    return sha256("\0".join(parts).encode()).hexdigest()[:_LENGTH]
