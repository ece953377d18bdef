"""The client for GitHub: paced, patient within a budget, strict; and its refusals in words.

PyGithub's requester carries the requests: token, proxies, certificates, and no redirect to another
host. Its pace stays out: it waits before every write, and before every query of GraphQL, be it the
first of a minute. Its objects stay out: they take a redirected write for a done one and complete
themselves by requests of their own. Its ``GithubRetry`` stays out too: it waits as long as a
``Retry-After`` says, be it an hour, and repeats a POST after a 502, which posts a comment twice.
"""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from github import Auth, Github, GithubException
from github.Requester import Requester
from requests import ConnectTimeout, RequestException

from mergegate import __version__
from mergegate.core.errors import ForgeError, NotAllowed, OffDiff
from mergegate.forges.pacing import READS, WRITES_PER_MINUTE, Clock, Writes

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


T = TypeVar("T")


def pick(said: Any, kind: type[T], *path: str) -> T:
    """The value under the keys of ``path``; raises ForgeError unless it is a ``kind``."""
    found = maybe(said, kind, *path)
    if found is None:
        raise ForgeError(
            f"GitHub's answer has no {'.'.join(path) or kind.__name__}",
            remedy="Is the API address that of a GitHub server?",
        )
    return found


def maybe(said: Any, kind: type[T], *path: str) -> T | None:
    """The value under the keys of ``path``; None where it is missing, null or no ``kind``."""
    for key in path:
        said = said.get(key) if isinstance(said, dict) else None
    return said if isinstance(said, kind) else None


_CUT = "…"


def cut(text: str, most: int) -> str:
    """``text`` in at most ``most`` bytes of UTF-8; what cannot be encoded becomes ``?``."""
    raw = text.encode(errors="replace")
    if len(raw) <= most:
        return raw.decode()
    kept = raw[: most - len(_CUT.encode())].decode(errors="ignore")
    return kept + _CUT


def encodable(text: str) -> bool:
    """Whether GitHub could take it as it is: a file name of arbitrary bytes has no UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


_PAGE = 100
_MOST_PAGES = 100
_MOST_ATTEMPTS = 4
_TIMEOUT_S = 30
# From which version on our fields mean what we think they mean; older servers ignore it.
_API_VERSION = "2022-11-28"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast we write and how long we wait; tests bring a clock of their own."""

    writes_per_minute: int = WRITES_PER_MINUTE
    """GitHub takes 80 requests a minute that make content."""
    most_wait_s: float = 120
    """The limit for all waits of one job together: a verdict is worth no hour of a runner."""
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.time
    """Seconds since 1970."""
    monotonic: Callable[[], float] = time.monotonic
    """Seconds since some moment, whatever is done to the clock of the machine."""


class Client:
    """Sends requests; every failure is a :class:`ForgeError` without the token in its text."""

    def __init__(self, token: str, api_url: str, pace: Pace) -> None:
        self._token = token
        self._pace = pace
        self._waited_s = 0.0
        self._writes = Writes(Clock(pace.monotonic, pace.sleep), pace.writes_per_minute)
        self._requester: Requester = Github(
            auth=Auth.Token(token),
            base_url=api_url,
            timeout=_TIMEOUT_S,
            user_agent=f"mergegate/{__version__}",
            retry=None,
            seconds_between_requests=None,
            seconds_between_writes=None,
            api_version=_API_VERSION,
        ).requester

    def send(
        self,
        verb: str,
        path: str,
        purpose: Purpose,
        *,
        query: Mapping[str, str] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Any:
        """The JSON of the answer; raises ForgeError, NotAllowed or OffDiff.

        A POST whose fate is unknown is not repeated: it may have been done.
        """

        def once() -> Any:
            if verb not in READS:
                self._writes.wait()
            return self._once(verb, path, purpose, query, body)[1]

        return self._patiently(once, purpose, repeatable=verb != "POST")

    def pages(self, path: str, purpose: Purpose, query: Mapping[str, str] | None = None) -> Any:
        """All rows of a list, page by page."""
        rows: list[Any] = []
        for page in range(1, _MOST_PAGES + 1):
            asked = {**(query or {}), "per_page": str(_PAGE), "page": str(page)}
            found = pick(self.send("GET", path, purpose, query=asked), list)
            rows += found
            if len(found) < _PAGE:
                return rows
        raise ForgeError(
            f"GitHub has more than {len(rows):,} rows for the request to {purpose.aim}"
        )

    def ask(self, document: str, variables: Mapping[str, Any], purpose: Purpose) -> Any:
        """The data of a GraphQL query or mutation; ours may all be repeated without harm."""

        def once() -> Any:
            body = {"query": document, "variables": variables}
            if document.startswith("mutation"):
                self._writes.wait()
            headers, said = self._once("POST", self._requester.graphql_url, purpose, None, body)
            if isinstance(said, dict) and said.get("errors"):
                raise from_graphql(pick(said, list, "errors"), headers)
            return pick(said, dict, "data")

        return self._patiently(once, purpose, repeatable=True)

    def graph_pages(
        self, document: str, variables: Mapping[str, Any], path: tuple[str, ...], purpose: Purpose
    ) -> Iterator[Any]:
        """The nodes of the connection at ``path``, for a document that takes ``$after``."""
        after: str | None = None
        for _ in range(_MOST_PAGES):
            said = self.ask(document, {**variables, "after": after}, purpose)
            yield from pick(said, list, *path, "nodes")
            if not pick(said, bool, *path, "pageInfo", "hasNextPage"):
                return
            after = pick(said, str, *path, "pageInfo", "endCursor")
        raise ForgeError(f"GitHub has no end of pages for the request to {purpose.aim}")

    def _once(
        self,
        verb: str,
        path: str,
        purpose: Purpose,
        query: Mapping[str, str] | None,
        body: Mapping[str, Any] | None,
    ) -> tuple[dict[str, Any], Any]:
        try:
            status, headers, text = self._requester.requestJson(
                verb, path, dict(query or {}), None, body
            )
        except RuntimeError as error:
            # So PyGithub refuses to carry the token to another host.
            if "redirected" not in str(error):
                raise
            raise _moved(purpose) from None
        said = _parsed(text)
        if status >= 400:
            raise Requester.createException(status, headers, said)
        if status >= 300:
            # GitHub answers writes to a renamed repository so, and does nothing.
            raise _moved(purpose)
        return headers, said

    def _patiently(self, once: Callable[[], Any], purpose: Purpose, *, repeatable: bool) -> Any:
        attempt = 0
        while True:
            attempt += 1
            began = self._pace.now()
            try:
                return once()
            except (GithubException, RequestException) as refusal:
                # A server that lets us wait spends the budget as well.
                self._waited_s += max(0.0, self._pace.now() - began)
                wait = self._wait(refusal, attempt, repeatable)
                if wait is None:
                    raise self._told(refusal, purpose) from None
                self._waited_s += wait
                self._pace.sleep(wait)

    def _wait(self, refusal: Refusal, attempt: int, repeatable: bool) -> float | None:
        """Seconds to wait after the ``attempt``-th failure; None to give up."""
        if is_limit(refusal):
            wait = limit_wait(refusal, self._pace.now())
        elif _passing(refusal, repeatable):
            wait = 2.0 ** (attempt - 1)
        else:
            return None
        is_late = self._waited_s + wait > self._pace.most_wait_s
        return None if attempt == _MOST_ATTEMPTS or is_late else wait

    def _told(self, refusal: Refusal, purpose: Purpose) -> ForgeError:
        error = explained(refusal, purpose, self._pace.now())
        # No server repeats a token, but a proxy between might.
        what = error.what.replace(self._token, "***")
        return type(error)(what, remedy=error.remedy)


def _passing(refusal: Refusal, repeatable: bool) -> bool:
    """Whether the trouble may be over in a moment, and a second request does no harm."""
    if isinstance(refusal, ConnectTimeout):
        return True
    if isinstance(refusal, GithubException):
        return repeatable and refusal.status >= 500
    return repeatable


def _parsed(text: str) -> Any:
    """JSON, or None: a proxy's error page is no answer."""
    try:
        return json.loads(text) if text else None
    except ValueError:
        return None


def _moved(purpose: Purpose) -> ForgeError:
    return ForgeError(
        f"GitHub redirected the request to {purpose.aim}",
        remedy="Was the repository renamed, or is the API address not the server's own?",
    )
