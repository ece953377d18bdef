"""One project on one GitLab, asked with one token; and its refusals, told in words."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from http import HTTPStatus
from itertools import islice
from typing import Any, Literal
from urllib.parse import urlsplit

import requests
from gitlab import Gitlab
from gitlab.base import RESTObject
from gitlab.exceptions import GitlabAuthenticationError, GitlabError, GitlabParsingError
from gitlab.v4.objects import Project, ProjectMergeRequest
from requests import RequestException
from requests.adapters import HTTPAdapter
from requests.exceptions import RetryError
from urllib3 import BaseHTTPResponse
from urllib3.util import Retry

from mergegate import __version__
from mergegate.core.errors import ForgeError, NotAllowed, UsageError
from mergegate.forges.pacing import (
    FIRST_WAIT_S,
    MOST_WAIT_S,
    READS,
    SAFE_TWICE,
    TIRED,
    Clock,
    Writes,
    retry_after,
)

TOKEN_REMEDY = (
    "Set MERGEGATE_TOKEN or GITLAB_TOKEN to a project, group or personal access token with the "
    "scope api and at least the role Developer."
)
_HIDDEN_REMEDY = f"{TOKEN_REMEDY} GitLab says 404 as well of a project that a token may not see."
_MOST_SHOWN = 200
_NOT_PLAIN = re.compile(r"[^ -~]|:(?=:)|#(?=#)")


def job_token() -> NotAllowed:
    """What to say to a job token: it may read notes and nothing more.

    Source: https://docs.gitlab.com/ci/jobs/ci_job_token/ (read for 18).
    """
    return NotAllowed("A CI_JOB_TOKEN cannot write to a merge request", remedy=TOKEN_REMEDY)


@contextmanager
def asking(what: str) -> Iterator[None]:
    """Say ``GitLab … to {what}`` when GitLab refuses, does not answer or answers nonsense.

    Raises NotAllowed where another token would help, ForgeError otherwise.
    """
    try:
        yield
    except (GitlabParsingError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise _nonsense(what) from error
    except GitlabError as error:
        raise _refused(what, error) from error
    except RetryError as error:
        raise ForgeError(
            f"GitLab was asked to {what} and kept refusing", remedy="Run the job again later."
        ) from error
    except RequestException as error:
        raise _silent(what) from error


def _nonsense(what: str) -> ForgeError:
    return ForgeError(
        f"GitLab was asked to {what} and answered something unexpected",
        remedy="Check that the address is GitLab's API and not a proxy's page.",
    )


def _silent(what: str) -> ForgeError:
    return ForgeError(
        f"GitLab was asked to {what} and did not answer",
        remedy="Check that the runner reaches GitLab and trusts its certificate.",
    )


def _refused(what: str, error: GitlabError) -> ForgeError:
    code = error.response_code or 0
    text = f"GitLab was asked to {what} and refused with {code}{_reason(error)}"
    if isinstance(error, GitlabAuthenticationError) or code in _FORBIDDEN:
        return NotAllowed(text, remedy=TOKEN_REMEDY)
    if code == HTTPStatus.NOT_FOUND:
        return NotAllowed(text, remedy=_HIDDEN_REMEDY)
    if HTTPStatus.MULTIPLE_CHOICES <= code < HTTPStatus.BAD_REQUEST:
        return ForgeError(text, remedy="Name GitLab's own address: redirects are not followed.")
    return ForgeError(text)


_FORBIDDEN = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)


def _reason(error: GitlabError) -> str:
    """GitLab's own words: cut, on one line, and no command to a runner that reads the log."""
    said = str(error.error_message)
    plain = _NOT_PLAIN.sub(" ", said[: 2 * _MOST_SHOWN])
    words = " ".join(plain.split())[:_MOST_SHOWN]
    return f" ({words})" if words and "<" not in words else ""


# 429: too many requests; 409: another change to the same thing is under way. Nothing was done.
_NOT_NOW = frozenset({409, 429})
# 1 + 2 + … + 32 seconds: longer than the minute within which GitLab counts notes.
_MOST_TRIES = 6


class Patience:
    """How long all waits together may take, and where the waiting is done."""

    def __init__(self, clock: Clock, most_wait_s: float = MOST_WAIT_S) -> None:
        self.clock = clock
        self._left_s = most_wait_s

    def wait(self, seconds: float) -> None:
        """Wait, or raise ForgeError when it would take longer than is left."""
        if seconds > self._left_s:
            raise ForgeError(
                f"GitLab asks to be left alone for {seconds:.0f} s, which is longer than a job "
                "should hang",
                remedy="Run the job again later, or raise GitLab's limit for this user.",
            )
        self._left_s -= seconds
        self.clock.sleep(seconds)


class Retrying(Retry):
    """urllib3's rules of repetition, with a limit to all waits of a run together.

    Repeated are: 429 and 409, whatever was sent; 500, 502, 503, 504 and broken connections where
    sending twice does no harm; connections that never came about.
    """

    def __init__(self, *, patience: Patience, **options: Any) -> None:
        super().__init__(**options)
        self._patience = patience

    @classmethod
    def within(cls, patience: Patience) -> "Retrying":
        """The rules for a run that may wait no longer than ``patience``."""
        return cls(
            patience=patience,
            total=_MOST_TRIES,
            connect=2,
            read=1,
            other=0,
            redirect=0,
            allowed_methods=SAFE_TWICE,
            status_forcelist=TIRED,
            backoff_factor=FIRST_WAIT_S,
        )

    def new(self, **changes: Any) -> "Retrying":
        """The rules after one more try."""
        return super().new(**{"patience": self._patience} | changes)

    def is_retry(self, method: str, status_code: int, has_retry_after: bool = False) -> bool:
        """Whether to send it again; a ``Retry-After`` alone is no reason."""
        del has_retry_after
        tired = status_code in TIRED and method.upper() in SAFE_TWICE
        return status_code in _NOT_NOW or tired

    def sleep(self, response: BaseHTTPResponse | None = None) -> None:
        """Wait as long as GitLab asks; where it does not say, a little longer each time."""
        asked = self._asked(response) if response is not None else None
        self._patience.wait(max(self.get_backoff_time(), FIRST_WAIT_S) if asked is None else asked)

    def _asked(self, response: BaseHTTPResponse) -> float | None:
        """``Retry-After``, else ``RateLimit-Reset``, the Unix time at which the count starts anew.

        Source: https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/ (read
        for 18).
        """
        now = self._patience.clock.today()
        seconds = retry_after(response.headers.get("Retry-After"), now)
        reset = response.headers.get("RateLimit-Reset", "")
        if seconds is None and reset.isascii() and reset.isdigit():
            return max(FIRST_WAIT_S, int(reset[:12]) - now.timestamp())
        return seconds


class Pacing(HTTPAdapter):
    """Spread writes: at most so many within any minute."""

    def __init__(self, patience: Patience) -> None:
        super().__init__(max_retries=Retrying.within(patience))
        self._writes = Writes(patience.clock)

    def send(
        self, request: requests.PreparedRequest, *args: Any, **options: Any
    ) -> requests.Response:
        """Wait for a place and send."""
        if request.method not in READS:
            self._writes.wait()
        return super().send(request, *args, **options)


class Session(requests.Session):
    """Requests below one address alone, so that the token goes nowhere else."""

    def __init__(self, root: str, patience: Patience) -> None:
        super().__init__()
        self.adapters.clear()
        self.mount(f"{root}/", Pacing(patience))

    def get_redirect_target(self, resp: requests.Response) -> None:
        """None: a redirect is an answer, not an order."""


TokenKind = Literal["private", "job", "oauth"]

PAGE = 100
"""GitLab's largest page."""
MOST_ITEMS = 10_000
"""The most entries read of a list: twice the notes that a merge request may hold."""
_TIMEOUT_S = 20.0
_API = re.compile(r"/api/v4$")
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Connection:
    """The project and the merge request, without a request until something is asked."""

    def __init__(
        self, api_url: str, token: str, kind: TokenKind, repository: str, patience: Patience
    ) -> None:
        root, secret = _root(api_url), _secret(kind, token)
        self.gitlab = Gitlab(
            root,
            private_token=None if kind == "oauth" else secret,
            oauth_token=secret if kind == "oauth" else None,
            timeout=_TIMEOUT_S,
            user_agent=f"mergegate/{__version__}",
            # GitLab names its next pages by the address that it believes to have.
            keep_base_url=True,
            session=Session(f"{root}/api/v4", patience),
        )
        self.project: Project = self.gitlab.projects.get(repository, lazy=True)

    @cached_property
    def own_id(self) -> int:
        """The user that the token acts as; a project access token has a bot user of its own."""
        with asking("tell whose token this is"):
            answer = self.gitlab.http_get("/user")
            if not isinstance(answer, dict):
                raise TypeError("no user")
            return int(answer["id"])

    def request(self, number: int) -> ProjectMergeRequest:
        """The merge request, not yet read."""
        return self.project.mergerequests.get(number, lazy=True)

    def wrote(self, said: dict[str, Any]) -> bool:
        """Whether we are the author: by the id, since a name may be anybody's."""
        return (said.get("author") or {}).get("id") == self.own_id


def every(found: Iterable[RESTObject]) -> Iterator[dict[str, Any]]:
    """What GitLab says of each of the things that a list holds."""
    return (one.asdict() for one in islice(found, MOST_ITEMS))


def number(id: str) -> int:
    """An id as GitLab counts; raises ForgeError when it is none of GitLab's."""
    if not (id.isascii() and id.isdigit()):
        raise ForgeError("That is no id of a GitLab note")
    return int(id)


def commit(said: Any) -> str | None:
    """A commit's full name; None when that is none."""
    return said if isinstance(said, str) and _COMMIT.fullmatch(said) else None


def _root(api_url: str) -> str:
    """The server's address from that of its API or its own; a folder in it is kept.

    Plain http is what some sites inside a company speak, and what GitLab then calls itself.
    """
    parts = urlsplit(api_url.strip())
    if parts.scheme not in {"https", "http"} or not parts.hostname or parts.username is not None:
        raise UsageError(
            "GitLab's address is not usable",
            remedy="Give it as `https://gitlab.example.org/api/v4`.",
        )
    path = _API.sub("", parts.path.rstrip("/")).rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}"


def _secret(kind: TokenKind, token: str) -> str:
    """``token``, fit for a header: an error about a damaged one would show it."""
    if kind == "job":
        raise job_token()
    secret = token.strip()
    if not secret or not secret.isascii() or not secret.isprintable() or " " in secret:
        raise NotAllowed("The token for GitLab is empty or damaged", remedy=TOKEN_REMEDY)
    return secret
