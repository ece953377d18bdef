"""Bitbucket Cloud (REST, version 2.0)."""

import base64
import re
from urllib.parse import quote

from mergegate.forges.provider import (
    Access,
    ApiClient,
    Gone,
    Proposed,
    ProviderUnreachable,
    Way,
    branch,
    commit,
    text,
)

_CLOUD = "https://bitbucket.org"
_CLOUD_API = "https://api.bitbucket.org"
_API = "/2.0"
_OVER = ("MERGED", "DECLINED", "SUPERSEDED")
_SHORT = re.compile(r"[0-9a-f]{7,64}")
"""Pull requests name commits by their first digits."""


def web(base_url: str) -> str:
    """Where people see it, from that or from the address of its API."""
    address = base_url.rstrip("/").removesuffix(_API)
    return _CLOUD if address == _CLOUD_API else address


def api(base_url: str) -> str:
    """The address of its API."""
    address = web(base_url)
    return f"{_CLOUD_API if address == _CLOUD else address}{_API}"


class Bitbucket:
    """Honours ``provider.Site``."""

    def __init__(self, access: Access, way: Way) -> None:
        self._web = web(access.base_url)
        self._user, _, self._token = access.token.rpartition(":")
        headers = {"Authorization": self._authorization(access.token)}
        self.door = ApiClient(api(access.base_url), headers, way)

    def repository(self, owner: str, repo: str) -> tuple[str, str | None]:
        """Its full name now, and its main branch."""
        found = self.door.get(f"/repositories/{quote(owner)}/{quote(repo)}", gone=())
        return text(found, "full_name"), branch(found, "mainbranch", "name")

    def tip(self, name: str, branch: str) -> str:
        """The last commit of a branch; raises Gone."""
        path = f"/repositories/{quote(name)}/refs/branches/{quote(branch, safe='')}"
        return commit(self.door.get(path), "target", "hash")

    def is_ancestor(self, name: str, commit: str, tip: str) -> bool:
        """Whether the merge base of the two is the commit itself; raises Gone."""
        path = f"/repositories/{quote(name)}/merge-base/{commit}..{tip}"
        return text(self.door.get(path, gone=(400, 404)), "hash") == commit

    def proposed(self, name: str, number: int) -> Proposed:
        """A pull request as it is now; raises Gone."""
        found = self.door.get(f"/repositories/{quote(name)}/pullrequests/{number}")
        short = text(found, "source", "commit", "hash")
        home = text(found, "source", "repository", "full_name")
        if not _SHORT.fullmatch(short):
            raise ProviderUnreachable("the provider names a commit that is none")
        whole = self.door.get(f"/repositories/{quote(home)}/commit/{short}")
        is_open = found.get("state") not in _OVER
        into = text(found, "destination", "branch", "name")
        return Proposed(commit(whole, "hash"), into, is_open)

    def scopes(self) -> frozenset[str] | None:
        """A token of a repository or workspace may not ask who it is, and is alive all the same."""
        try:
            return self.door.get_with_scopes("/user", gone=(403, 404))[1]
        except Gone:
            return None

    def git(self) -> tuple[str, str, str]:
        """An API token is shown under this name instead of the account's address."""
        user = "x-bitbucket-api-token-auth" if self._user else "x-token-auth"
        return self._web, user, self._token

    def _authorization(self, given: str) -> str:
        if self._user:
            return f"Basic {base64.b64encode(given.encode()).decode('ascii')}"
        return f"Bearer {given}"
