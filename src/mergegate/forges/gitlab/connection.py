"""One project on one GitLab, asked with one token."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import Any, Literal
from urllib.parse import urlsplit

from gitlab import Gitlab
from gitlab.base import RESTObject
from gitlab.v4.objects import Project, ProjectMergeRequest

from mergegate import __version__
from mergegate.core.errors import ForgeError, NotAllowed, UsageError
from mergegate.forges.gitlab.patience import Patience, Session
from mergegate.forges.gitlab.refusals import TOKEN_REMEDY, asking, job_token

TokenKind = Literal["private", "job", "oauth"]

PAGE = 100
"""GitLab's largest page."""
MOST_ITEMS = 10_000
"""Of a list: twice the notes that a merge request may hold, and an end to pages without end."""
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
