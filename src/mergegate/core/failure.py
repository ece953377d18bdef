"""Why a scan has no result."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Failed:
    """Why there is no result."""

    code: str
    """Upper snake case, stable (decisions)."""
    detail: str
    """One sentence for people; no secret, no path of the host."""
    result: str | None = None
    """A failed repository scan still has one: what could be seen, as the API's JSON."""
