"""Bitbucket Cloud: reports, statuses, comments and threads through its REST API."""

import re
from dataclasses import replace

import httpx

from mergegate.core.change import Change
from mergegate.core.errors import ForgeError
from mergegate.forges.bitbucket.branches import RepositoryBranches, UpgradeRequests, source
from mergegate.forges.bitbucket.conversation import (
    Discussion,
    PullRequestReviews,
    Seal,
)
from mergegate.forges.bitbucket.insights import CommitVerdicts
from mergegate.forges.bitbucket.session import API_URL, Credentials, Refusal, Session
from mergegate.forges.bitbucket.shapes import Authored, Permission, PullRequest, read
from mergegate.forges.pacing import SYSTEM, Clock
from mergegate.forges.ports import Forge, Standing

_ACCOUNT = re.compile(r"\{[0-9a-fA-F-]{36}\}|[0-9A-Za-z:_-]{1,128}")
_UNKNOWN = frozenset({httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN, httpx.codes.NOT_FOUND})
_STANDINGS = {
    "read": Standing.READ,
    "write": Standing.WRITE,
    "admin": Standing.ADMIN,
}


class RepositoryPeople:
    """The port :class:`~mergegate.forges.ports.People`.

    Bitbucket tells effective permissions, those by groups included, to administrators of the
    repository alone. With any other token every standing is NONE: doubt allows no order.
    """

    def __init__(self, session: Session, workspace: str, repository: str) -> None:
        self._session = session
        self._path = f"/workspaces/{workspace}/permissions/repositories/{repository}"

    def standing(self, account: str) -> Standing:
        """The standing of a UUID in braces or an Atlassian account id; raises ForgeError."""
        if not _ACCOUNT.fullmatch(account):
            return Standing.NONE
        field = "uuid" if account.startswith("{") else "account_id"
        query = {"q": f'user.{field}="{account}"', "pagelen": "10"}
        answer = self._session.send("GET", self._path, "permissions", query=query)
        if isinstance(answer, Refusal) and answer.status in _UNKNOWN:
            return Standing.NONE
        return _standing(self._session.object(answer, "permissions"), account)


def _standing(said: dict[str, object], account: str) -> Standing:
    """The standing of this account alone: the filter may have been ignored by the server."""
    rows = said.get("values")
    for row in rows if isinstance(rows, list) else []:
        known = read(Permission, row, "permissions")
        if known.user is not None and account in {known.user.uuid, known.user.account_id}:
            return _STANDINGS.get(known.permission, Standing.NONE)
    return Standing.NONE


class PullRequestAuthors:
    """Who opened the pull request, and the authors of its commits."""

    def __init__(self, session: Session, path: str) -> None:
        self._session = session
        self._path = path

    def authors(self) -> frozenset[str]:
        """UUIDs and Atlassian account ids; raises ForgeError."""
        what = "the pull request's authors"
        opener = read(PullRequest, self._session.get(self._path, what), what).author
        rows = self._session.pages(f"{self._path}/commits", what)
        people = [opener, *(read(Authored, row, what).author.user for row in rows)]
        names = (name for one in people if one for name in (one.uuid, one.account_id))
        return frozenset(name.casefold() for name in names if name)


_REPOSITORY = re.compile(r"(?!\.)[\w.-]+/(?!\.)[\w.-]+", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{7,40}")
_COMMIT = re.compile(r"[0-9a-f]{40}")


def forge(
    change: Change,
    *,
    token: str | None = None,
    user: str | None = None,
    api_url: str = API_URL,
    proxy: str | None = None,
    clock: Clock = SYSTEM,
) -> Forge:
    """What this token allows on the change's repository; asks for its head, and nothing else.

    ``user`` goes with an API token (the account's e-mail address) or an app password; the access
    token of a repository, project or workspace comes alone. ``proxy`` runs beside every step of
    Pipelines (``http://localhost:29418``) and signs what is sent to Code Insights; None elsewhere.
    The report goes through it, with or without a token. Without a token there is nothing else.
    Bitbucket has no list of alerts and, for access tokens, no issues. Raises ForgeError for names
    and tokens that cannot be.
    """
    workspace, repository = _names(change.repository)
    credentials = Credentials(_secret(token), user)
    session = Session(api_url, credentials, clock=clock) if credentials.token else None
    insights = Session(api_url, Credentials(), proxy=proxy, clock=clock) if proxy else session
    run_url = change.run_url
    verdicts = CommitVerdicts(insights, session, change.repository, run_url) if insights else None
    if session is None:
        return Forge(name="Bitbucket", verdicts=verdicts)
    whole = Forge(
        name="Bitbucket",
        verdicts=verdicts,
        progress=verdicts,
        people=RepositoryPeople(session, workspace, repository),
        branches=RepositoryBranches(session, change.repository),
    )
    if change.number is None:
        token = credentials.token or ""
        return replace(whole, own_changes=UpgradeRequests(session, change.repository, token))
    path = f"/repositories/{change.repository}/pullrequests/{change.number}"
    seal = Seal(credentials.token or "", f"{change.repository}#{change.number}")
    discussion = Discussion(session, path, seal)
    said = _said(session, change, path)
    return replace(
        whole,
        head=_head(session, change, said),
        source=source(said, change.repository) if said else None,
        conversation=discussion,
        reviews=PullRequestReviews(discussion),
        replies=discussion,
        authorship=PullRequestAuthors(session, path),
    )


def _names(full: str) -> tuple[str, str]:
    if not _REPOSITORY.fullmatch(full):
        raise ForgeError("the repository's name is not `workspace/repository`")
    workspace, _, repository = full.partition("/")
    return workspace, repository


def _secret(token: str | None) -> str | None:
    """None for an empty variable; a line end copied along would break the header."""
    stripped = (token or "").strip()
    if not stripped.isascii() or not stripped.isprintable():
        raise ForgeError("the token for Bitbucket holds characters that no token has")
    return stripped or None


def _said(session: Session, change: Change, path: str) -> PullRequest | None:
    """The pull request; None for a token that may not read it.

    It may not comment either, which the ports will say; the report needs no head but its own.
    """
    try:
        said = session.get(path, f"pull request {change.number}")
        return read(PullRequest, said, "the pull request")
    except ForgeError:
        return None


def _head(session: Session, change: Change, said: PullRequest | None) -> str | None:
    """The whole hash of the pull request's last commit; None when nothing says so."""
    short = said.head if said else ""
    if not _HASH.fullmatch(short):
        return None
    if change.head and change.head.startswith(short):
        return change.head
    commit = f"/repositories/{change.repository}/commit/{short}"
    try:
        full = str(session.get(commit, "its last commit").get("hash", ""))
    except ForgeError:
        return None
    return full if _COMMIT.fullmatch(full) and full.startswith(short) else None
