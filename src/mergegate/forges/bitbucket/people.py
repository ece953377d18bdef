"""Who may give orders: what Bitbucket says somebody may do in the repository."""

import re

import httpx

from mergegate.forges.bitbucket.session import Refusal, Session
from mergegate.forges.bitbucket.shapes import Permission, read
from mergegate.forges.ports import Standing

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
    repository alone. To any other token everybody's standing is NONE: nobody is allowed on doubt.
    """

    def __init__(self, session: Session, workspace: str, repository: str) -> None:
        self._session = session
        self._path = f"/workspaces/{workspace}/permissions/repositories/{repository}"

    def standing(self, account: str) -> Standing:
        """Of a UUID in braces or an Atlassian account id; raises ForgeError."""
        if not _ACCOUNT.fullmatch(account):
            return Standing.NONE
        field = "uuid" if account.startswith("{") else "account_id"
        query = {"q": f'user.{field}="{account}"', "pagelen": "10"}
        answer = self._session.send("GET", self._path, "permissions", query=query)
        if isinstance(answer, Refusal) and answer.status in _UNKNOWN:
            return Standing.NONE
        return _standing(self._session.object(answer, "permissions"), account)


def _standing(said: dict[str, object], account: str) -> Standing:
    """Of exactly this account: a filter that was not understood must not speak for somebody."""
    rows = said.get("values")
    for row in rows if isinstance(rows, list) else []:
        known = read(Permission, row, "permissions")
        if known.user is not None and account in {known.user.uuid, known.user.account_id}:
            return _STANDINGS.get(known.permission, Standing.NONE)
    return Standing.NONE
