"""Publish on GitLab, its own site or a self-managed one, through python-gitlab."""

import re
from collections.abc import Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from gitlab.exceptions import GitlabCreateError, GitlabGetError

from mergegate.core.change import Change
from mergegate.core.errors import ForgeError
from mergegate.core.report import Gate
from mergegate.forges.gitlab.branches import ProjectBranches, UpgradeRequests, source
from mergegate.forges.gitlab.connection import (
    PAGE,
    Connection,
    Patience,
    TokenKind,
    asking,
    commit,
    every,
)
from mergegate.forges.gitlab.discussions import Discussions
from mergegate.forges.gitlab.notes import Answers, Issues, Notes
from mergegate.forges.pacing import Clock
from mergegate.forges.ports import Forge, Standing
from mergegate.forges.publication import SCANNING, STOPPED, Publication

NAME = "mergegate"
MOST_CHARACTERS = 255
"""GitLab's limit for a status's description, and for its address."""
_STATES = {Gate.PASSED: "success", Gate.FAILED: "failed", Gate.INCOMPLETE: "failed"}
_NO_PLACE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY})


class Statuses:
    """Annotations have no place in a status: GitLab shows them from the report artifacts."""

    def __init__(
        self, connection: Connection, *, run_url: str, pipeline: int | None, branch: str = ""
    ) -> None:
        self._connection = connection
        self._branch = branch
        self._run_url = run_url
        self._pipeline = pipeline

    def has_passed(self, commit: str) -> bool:
        """See the port; a merge request's pipeline has a ref of its own."""
        with asking("show the statuses of a commit"):
            statuses = self._connection.project.commits.get(commit, lazy=True).statuses
            wanted = {"name": NAME, "ref": self._branch}
            said = every(statuses.list(iterator=True, per_page=PAGE, **wanted))
            ours = {one["status"] for one in said if one["name"] == NAME}
        return ours == {_STATES[Gate.PASSED]}

    def begin(self, head: str) -> None:
        """See the port."""
        self._set(head, "running", SCANNING)

    def stop(self, head: str) -> None:
        """See the port."""
        self._set(head, "canceled", STOPPED)

    def announce(self, publication: Publication) -> Sequence[str]:
        """Set the status of the commit; raises ForgeError."""
        self._set(publication.head, _STATES[publication.gate], publication.headline)
        return ()

    def _set(self, head: str, state: str, line: str) -> None:
        status = self._status(state, line)
        pipeline = {"pipeline_id": self._pipeline} if self._pipeline else {}
        if not (pipeline and self._was_set(head, status | pipeline)):
            self._was_set(head, status, last=True)

    def _status(self, state: str, line: str) -> dict[str, Any]:
        url = self._run_url
        link = url.startswith("https://") and len(url) <= MOST_CHARACTERS
        return {
            "name": NAME,
            "state": state,
            "description": _cut(line),
        } | ({"target_url": url} if link else {})

    def _was_set(self, head: str, status: dict[str, Any], *, last: bool = False) -> bool:
        """False when the pipeline is full or another commit's, as with merged results."""
        with asking("set the status of a commit"):
            try:
                self._connection.project.commits.get(head, lazy=True).statuses.create(status)
            except GitlabCreateError as error:
                if not last and error.response_code in _NO_PLACE:
                    return False
                if not _stands_already(error):
                    raise
        return True


def _stands_already(error: GitlabCreateError) -> bool:
    """``Cannot transition status via :run from :running``: it says what we want it to say."""
    said = str(error.error_message)
    return error.response_code == HTTPStatus.BAD_REQUEST and "Cannot transition status" in said


def _cut(headline: str) -> str:
    whole = len(headline) <= MOST_CHARACTERS
    return headline if whole else f"{headline[: MOST_CHARACTERS - 1]}…"


_NAME = re.compile(r"\w(?:[\w.-]{0,253}\w)?", re.ASCII)
# Reporter, Developer, Maintainer (https://docs.gitlab.com/api/members/, read for 19.5). A Guest
# reads no code, and a Planner or one with a role in between has the rights of the role below.
_LEVELS = ((40, Standing.ADMIN), (30, Standing.WRITE), (20, Standing.READ))


class Members:
    """The members of the project, those of its groups and of invited groups included."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def standing(self, account: str) -> Standing:
        """The standing of the user called ``account``, asked now; raises ForgeError."""
        with asking("tell what a user may do"):
            user = self._user(account)
            return Standing.NONE if user is None else self._level(user)

    def _user(self, account: str) -> int | None:
        if not _NAME.fullmatch(account):
            return None
        found = self._connection.gitlab.users.list(iterator=True, username=account, per_page=PAGE)
        same = (said for said in every(found) if _named(said, account))
        return next((int(said["id"]) for said in same), None)

    def _level(self, user: int) -> Standing:
        try:
            said = self._connection.project.members_all.get(user).asdict()
        except GitlabGetError as error:
            if error.response_code == HTTPStatus.NOT_FOUND:
                return Standing.NONE
            raise
        if int(said["id"]) != user or said.get("state") != "active":
            return Standing.NONE
        level = int(said["access_level"])
        return next((name for least, name in _LEVELS if level >= least), Standing.NONE)


_PUSHED = re.compile(r"added \d+ (?:new )?commits?\b")
_NO_REPLY = re.compile(r"\d+-(?P<name>[\w.-]+)@users\.noreply\.", re.ASCII)
_EMAIL = re.compile(r"[!-~]{1,254}")
_MOST_EMAILS = 50


class RequestAuthors:
    """Who opened the merge request, pushed to it later or is named by a commit.

    Commits bear addresses alone. GitLab tells the account of its own no-reply addresses, and of
    those that accounts make public.
    """

    def __init__(self, connection: Connection, number: int) -> None:
        self._connection = connection
        self._number = number

    def authors(self) -> frozenset[str]:
        """User names; raises ForgeError."""
        with asking("tell who brought the merge request"):
            request = self._connection.project.mergerequests.get(self._number)
            notes = every(request.notes.list(iterator=True, per_page=PAGE))
            pushers = [one["author"] for one in notes if _tells_of_a_push(one)]
            people = [request.asdict().get("author") or {}, *pushers]
            names = {str(one.get("username", "")).casefold() for one in people}
            commits = every(request.commits(per_page=PAGE))
            emails = {str(one.get("author_email", "")).casefold() for one in commits}
            if len(emails) > _MOST_EMAILS:
                raise ForgeError(f"more than {_MOST_EMAILS} people wrote commits of it")
            return frozenset(names.union(*map(self._names, sorted(emails))) - {""})

    def _names(self, email: str) -> set[str]:
        if found := _NO_REPLY.match(email):
            return {found["name"]}
        if not _EMAIL.fullmatch(email):
            return set()
        users = self._connection.gitlab.users.list(search=email, iterator=True, per_page=PAGE)
        return {str(said["username"]).casefold() for said in every(users)}


def _tells_of_a_push(said: dict[str, Any]) -> bool:
    return said.get("system") is True and _PUSHED.match(str(said.get("body", ""))) is not None


def _named(said: dict[str, Any], account: str) -> bool:
    return str(said["username"]).casefold() == account.casefold()


def forge(
    change: Change,
    *,
    token: str,
    api_url: str,
    token_kind: TokenKind,
    pipeline: int | None = None,
    clock: Clock = Clock(),  # noqa: B008
) -> Forge:
    """The change's project on the GitLab at ``api_url`` (``CI_API_V4_URL`` or the server's own).

    ``pipeline`` is ``CI_PIPELINE_ID``: the status then joins that pipeline, which the merge
    request waits for. Reads the merge request, where there is one, for its current head.
    Raises NotAllowed for a job token, a damaged one, and one that sees no such merge request;
    UsageError for an address that is none; ForgeError when GitLab does not answer.
    """
    connection = Connection(api_url, token, token_kind, change.repository, Patience(clock))
    statuses = Statuses(connection, run_url=change.run_url, pipeline=pipeline, branch=change.branch)
    whole = Forge(
        name="GitLab",
        verdicts=statuses,
        progress=statuses,
        people=Members(connection),
        ledger=Issues(connection),
        branches=ProjectBranches(connection),
    )
    if change.number is None:
        return replace(whole, record=statuses, own_changes=UpgradeRequests(connection))
    request = connection.request(change.number)
    said = _said(connection, change.number)
    head = commit(said.get("sha"))
    return replace(
        whole,
        head=head,
        source=source(said),
        conversation=Notes(connection, request),
        reviews=Discussions(connection, request, head),
        replies=Answers(request),
        authorship=RequestAuthors(connection, change.number),
    )


def _said(connection: Connection, number: int) -> dict[str, Any]:
    with asking("show the merge request"):
        return dict(connection.project.mergerequests.get(number).asdict())
