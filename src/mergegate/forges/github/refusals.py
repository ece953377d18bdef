"""GitHub's refusals in words: what happened, to what, and which permission would help."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from github import GithubException
from github.Requester import Requester
from requests import RequestException

from mergegate.core.errors import ForgeError, NotAllowed, OffDiff

Refusal = GithubException | RequestException
"""What a request may raise: an answer of GitHub, or none."""

_MOST = 300
_FORK = "a pull request from a fork or from Dependabot always gets a read-only token: there, let"
_PUBLISH = "a `workflow_run` job publish the report (`mergegate publish`)"
# https://docs.github.com/en/graphql/reference: errors carry a type instead of a status.
_GRAPHQL = {
    "FORBIDDEN": 403,
    "INSUFFICIENT_SCOPES": 403,
    "NOT_FOUND": 404,
    "RATE_LIMITED": 429,
    "RATE_LIMIT": 429,
    "UNPROCESSABLE": 422,
}
_DIFF = re.compile(r"\bdiff\b|\bhunk\b|pull_request_review_thread", re.IGNORECASE)


class Unseen(NotAllowed):
    """Not there, or hidden from this token: GitHub does not tell which. Stays in this room."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """Why a request is made, for the case that it is refused."""

    aim: str
    """Completes "GitHub refused to …"."""
    needs: str = ""
    """The permission of the token that it takes, as a workflow writes it."""


def explained(refusal: Refusal, purpose: Purpose, now: float) -> ForgeError:
    """The error to raise; ``now`` in seconds since 1970."""
    if not isinstance(refusal, GithubException):
        return ForgeError(
            f"GitHub did not answer the request to {purpose.aim} ({type(refusal).__name__})",
            remedy="Check the API address, the proxy and the network, then run the job again.",
        )
    if is_limit(refusal):
        return _limited(refusal, purpose, now)
    if refusal.status >= 500:
        return ForgeError(
            f"GitHub failed to {purpose.aim} (status {refusal.status})",
            remedy="Run the job again in a while.",
        )
    return _refused(refusal, purpose)


def is_limit(refusal: Refusal) -> bool:
    """Whether GitHub asks us to slow down; nothing was done then."""
    if not isinstance(refusal, GithubException):
        return False
    if refusal.status == 429:
        return True
    return refusal.status == 403 and (
        "retry-after" in _headers(refusal)
        or Requester.isRateLimitError(_message(refusal))
        or _headers(refusal).get("x-ratelimit-remaining") == "0"
    )


def limit_wait(refusal: Refusal, now: float) -> float:
    """Seconds that GitHub's limit still holds, by its own words; a minute when it says nothing.

    https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
    """
    headers = _headers(refusal)
    if headers.get("retry-after", "").isdecimal():
        return float(headers["retry-after"])
    reset = headers.get("x-ratelimit-reset", "")
    if headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal():
        # In which part of that second is not said.
        return max(0.0, float(reset) - now) + 1
    return 60.0


def from_graphql(errors: list[Any], headers: dict[str, Any]) -> GithubException:
    """GraphQL's errors, which come with status 200, as the exception REST would have caused."""
    kinds = [error.get("type", "") for error in errors if isinstance(error, dict)]
    texts = [str(error.get("message", "")) for error in errors if isinstance(error, dict)]
    # Without a type it is a failure within GitHub: "Something went wrong while executing…".
    status = next((_GRAPHQL[kind] for kind in kinds if kind in _GRAPHQL), 500)
    return GithubException(status, {"message": "; ".join(texts)}, headers)


def said(refusal: GithubException) -> str:
    """GitHub's own words on one printable line, and no longer than a line should be."""
    details = refusal.data.get("errors") if isinstance(refusal.data, dict) else None
    words = [_message(refusal), *(_detail(one) for one in _rows(details))]
    line = "; ".join(word for word in words if word)
    # Errors repeat field values: they are as hostile as what was sent.
    return "".join(c if c.isprintable() else "?" for c in line)[:_MOST]


def _refused(refusal: GithubException, purpose: Purpose) -> ForgeError:
    what = f"GitHub refused to {purpose.aim}: {said(refusal) or 'no reason given'}"
    match refusal.status:
        case 401:
            return NotAllowed(what, remedy="Give a token that is valid and has not expired.")
        case 403:
            return NotAllowed(what, remedy=_grant(purpose))
        case 404:
            return Unseen(what, remedy=_unseen(purpose))
        case 422 if _DIFF.search(said(refusal)):
            return OffDiff(what)
    return ForgeError(f"{what} (status {refusal.status})")


def _grant(purpose: Purpose) -> str:
    if not purpose.needs:
        return f"The token may not do this; {_FORK} {_PUBLISH}."
    return f"Grant the job `{purpose.needs}`; {_FORK} {_PUBLISH}."


def _unseen(purpose: Purpose) -> str:
    grant = f", and grant it `{purpose.needs}`" if purpose.needs else ""
    return f"GitHub hides what a token may not see: check that it is for this repository{grant}."


def _limited(refusal: GithubException, purpose: Purpose, now: float) -> ForgeError:
    free = datetime.fromtimestamp(now + limit_wait(refusal, now), UTC)
    return ForgeError(
        f"GitHub's rate limit stopped the request to {purpose.aim}",
        remedy=f"It holds until about {free:%H:%M:%S} UTC; run the job again then.",
    )


def _headers(refusal: Refusal) -> Mapping[str, str]:
    """With names in lower case."""
    return (refusal.headers or {}) if isinstance(refusal, GithubException) else {}


def _message(refusal: GithubException) -> str:
    data = refusal.data
    return str(data.get("message") or "") if isinstance(data, dict) else ""


def _detail(error: Any) -> str:
    if not isinstance(error, dict):
        return str(error)
    named = " ".join(str(error[key]) for key in ("field", "code") if error.get(key))
    return str(error.get("message") or named)


def _rows(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
