"""GitHub, on github.com or an Enterprise Server: comment, threads, check, alerts, issue."""

import re
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from mergegate.core.change import OF_A_BRANCH, Change, Trigger
from mergegate.core.errors import UsageError
from mergegate.forges.github.branches import GitBranches, UpgradePulls, source
from mergegate.forges.github.client import Client, Pace, Purpose, maybe, pick
from mergegate.forges.github.conversation import (
    Collaborators,
    Identity,
    Issue,
    IssueComments,
    PullAuthors,
)
from mergegate.forges.github.reviews import ReviewThreads
from mergegate.forges.github.verdicts import Checks, CodeScanning
from mergegate.forges.ports import Forge

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
) -> Pull | None:
    """The open pull request whose head is ``head`` on ``branch`` of its repository.

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
    return next((_pull(row, repository) for row in found), None)


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


DEFAULT_API = "https://api.github.com"
_REPOSITORY = re.compile(r"(?!\.{1,2}/)[\w.-]+/(?!\.{1,2}$)[\w.-]+", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_TOKEN = re.compile(r"[!-~]{1,1000}")
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_PULL = Purpose("show the pull request", "pull-requests: read")


def forge(
    change: Change, *, token: str, api_url: str = DEFAULT_API, pace: Pace | None = None
) -> Forge:
    """What this token can do for ``change``; of a pull request its head is asked at once.

    Build it when there is something to publish: a head that was read before the scan says
    nothing about what was pushed since. Raises UsageError for an address, a repository or a
    token that cannot be, ForgeError when GitHub does not show the pull request.
    """
    _check(change, token, api_url)
    door = Client(token, api_url.rstrip("/"), pace or Pace())
    identity = Identity(door)
    repository, number = change.repository, change.number
    ref = _ref(change)
    checks = Checks(door, repository, change.run_url, _about(change))
    whole = Forge(
        name="GitHub",
        verdicts=checks,
        progress=checks,
        record=checks,
        uploads=CodeScanning(door, repository, ref) if ref else None,
        people=Collaborators(door, repository),
        ledger=Issue(door, repository, identity),
        branches=GitBranches(door, repository),
        own_changes=UpgradePulls(door, repository, identity),
    )
    if number is None:
        return whole
    pull = door.send("GET", f"/repos/{repository}/pulls/{number}", _PULL)
    head = pick(pull, str, "head", "sha")
    comments = IssueComments(door, repository, number, identity)
    return replace(
        whole,
        head=head,
        base=maybe(pull, str, "base", "sha"),
        source=source(pull, repository),
        conversation=comments,
        reviews=ReviewThreads(door, repository, number, head, identity),
        replies=comments,
        authorship=PullAuthors(door, repository, number, maybe(pull, str, "user", "login")),
    )


def _about(change: Change) -> str:
    """The branch that is judged as it is; of a change, behind a colon, the one it wants into."""
    if change.trigger in OF_A_BRANCH:
        return change.branch
    return f":{change.base_branch}" if change.base_branch else ""


def _ref(change: Change) -> str:
    """The ref whose alerts these are; a queue's branch is gone before anybody looks."""
    if change.number is not None:
        return f"refs/pull/{change.number}/head"
    branch = change.branch or change.base_branch
    return f"refs/heads/{branch}" if branch and change.trigger is not Trigger.QUEUE else ""


def _check(change: Change, token: str, api_url: str) -> None:
    """What goes into addresses and headers: an error of the HTTP library would quote it."""
    if not _REPOSITORY.fullmatch(change.repository):
        raise UsageError("The repository's name is not of the form owner/name")
    if change.head is not None and not _COMMIT.fullmatch(change.head):
        raise UsageError("The head is no commit of forty hexadecimal digits")
    if not _TOKEN.fullmatch(token):
        raise UsageError(
            "The GitHub token is empty or holds blanks or line ends",
            remedy="Pass it as it was issued, in the variable GITHUB_TOKEN.",
        )
    address = urlsplit(api_url)
    is_safe = address.scheme == "https" or (
        address.scheme == "http" and address.hostname in _LOOPBACK
    )
    if not is_safe or not address.hostname or address.username or address.query:
        raise UsageError(
            "The GitHub API address is not an https address",
            remedy=f"Use {DEFAULT_API} or https://<server>/api/v3.",
        )
