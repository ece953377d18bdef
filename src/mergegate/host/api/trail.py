"""What is known of a request while it is answered: for its log line, and nothing that is secret."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.types import Scope as Asked

_NAME = "mergegate.trail"
OTHER = "other"


@dataclass(slots=True)
class Trail:
    """Filled in on the way."""

    request_id: str
    route: str = OTHER
    """The template of the path; ``other`` for paths that are not ours."""
    key_id: str | None = None
    scan_id: str | None = None
    code: str | None = None
    """Of the error that was answered."""
    trouble: str | None = None
    """What the database said, when it was to blame; no statement and no value of it."""


def lay(asked: Asked, trail: Trail) -> None:
    """Keep ``trail`` with the request."""
    asked[_NAME] = trail


def trail_of(request: Request) -> Trail:
    """The request's own."""
    found: Trail = request.scope[_NAME]
    return found
