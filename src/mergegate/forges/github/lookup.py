"""Which pull request a finished run was about: GitHub's own word, not the artifact's."""

from typing import Any

from mergegate.errors import UsageError
from mergegate.forges.github.door import Door, Pace
from mergegate.forges.github.refusals import Errand
from mergegate.forges.github.shapes import maybe

_FIND = Errand("find the pull request of the run", "pull-requests: read")


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
    door = Door(token, api_url.rstrip("/"), pace or Pace())
    query = {"state": "open", "head": f"{owner}:{branch}"}
    rows = door.pages(f"/repos/{repository}/pulls", _FIND, query)
    found = (row for row in rows if _is(row, head, head_repository))
    return next((maybe(row, int, "number") for row in found), None)


def _is(row: Any, head: str, head_repository: str) -> bool:
    name = maybe(row, str, "head", "repo", "full_name") or ""
    return maybe(row, str, "head", "sha") == head and name.lower() == head_repository.lower()
