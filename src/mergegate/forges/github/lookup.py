"""Which pull request a finished run or a deployment was about: by GitHub's own word."""

from dataclasses import dataclass
from typing import Any

from mergegate.core.errors import UsageError
from mergegate.forges.github.client import Client, Pace, maybe, pick
from mergegate.forges.github.refusals import Purpose

_FIND = Purpose("find the pull request of the run", "pull-requests: read")
_OF_COMMIT = Purpose("find the pull request of the deployed commit", "pull-requests: read")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pull:
    """An open pull request, as GitHub tells of it."""

    number: int
    base: str
    """The commit it wants into."""
    base_branch: str
    branch: str
    from_fork: bool


def pull_request_of(
    repository: str,
    *,
    head: str,
    head_repository: str,
    branch: str,
    token: str,
    api_url: str,
    pace: Pace | None = None,
) -> int | None:
    """The number of the open pull request whose head is ``head`` on ``branch`` of its repository.

    None when there is none any more: it was closed, or its branch has moved on. The event names
    no pull request when it comes from a fork. Raises UsageError for a run whose fork has been
    deleted, ForgeError when GitHub does not answer.
    """
    if not head_repository:
        raise UsageError("the fork that the run was about has been deleted")
    owner = head_repository.partition("/")[0]
    door = Client(token, api_url.rstrip("/"), pace or Pace())
    query = {"state": "open", "head": f"{owner}:{branch}"}
    rows = door.pages(f"/repos/{repository}/pulls", _FIND, query)
    found = (row for row in rows if _is(row, head, head_repository))
    return next((maybe(row, int, "number") for row in found), None)


def pull_request_at(
    repository: str, *, head: str, token: str, api_url: str, pace: Pace | None = None
) -> Pull | None:
    """The open pull request whose last commit is ``head``; None when there is none.

    Raises ForgeError when GitHub does not answer.
    """
    door = Client(token, api_url.rstrip("/"), pace or Pace())
    rows = door.pages(f"/repos/{repository}/commits/{head}/pulls", _OF_COMMIT, {})
    found = (row for row in rows if maybe(row, str, "state") == "open")
    return next(
        (_pull(row, repository) for row in found if maybe(row, str, "head", "sha") == head), None
    )


def _pull(row: Any, repository: str) -> Pull:
    home = maybe(row, str, "head", "repo", "full_name") or ""
    return Pull(
        number=pick(row, int, "number"),
        base=pick(row, str, "base", "sha"),
        base_branch=pick(row, str, "base", "ref"),
        branch=pick(row, str, "head", "ref"),
        from_fork=home.lower() != repository.lower(),
    )


def _is(row: Any, head: str, head_repository: str) -> bool:
    name = maybe(row, str, "head", "repo", "full_name") or ""
    return maybe(row, str, "head", "sha") == head and name.lower() == head_repository.lower()
