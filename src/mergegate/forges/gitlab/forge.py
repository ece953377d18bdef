"""Publish on GitLab, its own site or a self-managed one, through python-gitlab."""

import re
from http import HTTPStatus
from typing import Any

from gitlab.exceptions import GitlabGetError

from mergegate.core.change import Change
from mergegate.forges.gitlab.connection import PAGE, Connection, Patience, TokenKind, commit, every
from mergegate.forges.gitlab.discussions import Discussions
from mergegate.forges.gitlab.notes import Answers, Issues, Notes
from mergegate.forges.gitlab.refusals import asking
from mergegate.forges.gitlab.statuses import Statuses
from mergegate.forges.pacing import Clock
from mergegate.forges.ports import Forge, Standing

_NAME = re.compile(r"\w(?:[\w.-]{0,253}\w)?", re.ASCII)
# Reporter, Developer, Maintainer (https://docs.gitlab.com/api/members/, read for 19.5). A Guest
# reads no code, and a Planner or one with a role in between has the rights of the role below.
_LEVELS = ((40, Standing.ADMIN), (30, Standing.WRITE), (20, Standing.READ))


class Members:
    """The members of the project, those of its groups and of invited groups included."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def standing(self, account: str) -> Standing:
        """Of the user called ``account``, asked now; raises ForgeError."""
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
    statuses = Statuses(connection, run_url=change.run_url, pipeline=pipeline)
    people, ledger = Members(connection), Issues(connection)
    if change.number is None:
        return Forge(
            name="GitLab", verdicts=statuses, progress=statuses, people=people, ledger=ledger
        )
    request = connection.request(change.number)
    head = _head(connection, change.number)
    return Forge(
        name="GitLab",
        head=head,
        conversation=Notes(connection, request),
        reviews=Discussions(connection, request, head),
        verdicts=statuses,
        progress=statuses,
        people=people,
        replies=Answers(request),
        ledger=ledger,
    )


def _head(connection: Connection, number: int) -> str | None:
    with asking("show the merge request"):
        return commit(connection.project.mergerequests.get(number).asdict().get("sha"))


__all__ = ["TokenKind", "forge"]
