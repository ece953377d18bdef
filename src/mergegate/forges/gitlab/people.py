"""Who may give orders, by GitLab's own word."""

import re
from http import HTTPStatus
from typing import Any

from gitlab.exceptions import GitlabGetError

from mergegate.forges.gitlab.connection import PAGE, Connection, every
from mergegate.forges.gitlab.refusals import asking
from mergegate.forges.ports import Standing

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
