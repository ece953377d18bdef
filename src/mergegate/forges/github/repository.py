"""GitHub and GitHub Enterprise Server (REST, version 2022-11-28)."""

from urllib.parse import quote

from mergegate.forges.provider import Access, ApiClient, Proposed, Way, branch, commit, text

_CLOUD = "https://github.com"
_CLOUD_API = "https://api.github.com"
_API = "/api/v3"
_BEHIND = frozenset({"identical", "ahead"})
"""What a branch is, compared with a commit that it holds."""


def web(base_url: str) -> str:
    """Where people see it, from that or from the address of its API."""
    address = base_url.rstrip("/").removesuffix(_API)
    return _CLOUD if address == _CLOUD_API else address


def api(base_url: str) -> str:
    """The address of its API."""
    address = web(base_url)
    return _CLOUD_API if address == _CLOUD else f"{address}{_API}"


class GitHub:
    """Honours ``provider.Site``."""

    def __init__(self, access: Access, way: Way) -> None:
        self._web = web(access.base_url)
        self._token = access.token
        headers = {
            "Authorization": f"Bearer {access.token}",
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        self.door = ApiClient(api(access.base_url), headers, way)

    def repository(self, owner: str, repo: str) -> tuple[str, str | None]:
        """Its full name now, and its default branch."""
        found = self.door.get(f"/repos/{quote(owner)}/{quote(repo)}", gone=())
        return text(found, "full_name"), branch(found, "default_branch")

    def tip(self, name: str, branch: str) -> str:
        """The last commit of a branch; raises Gone."""
        found = self.door.get(f"/repos/{quote(name)}/branches/{quote(branch, safe='')}")
        return commit(found, "commit", "sha")

    def is_ancestor(self, name: str, commit: str, tip: str) -> bool:
        """A commit of a fork is found here too, but on no branch; raises Gone."""
        one_page = [("per_page", "1")]
        found = self.door.get(
            f"/repos/{quote(name)}/compare/{commit}...{tip}", one_page, gone=(404, 422)
        )
        return text(found, "status") in _BEHIND

    def proposed(self, name: str, number: int) -> Proposed:
        """A pull request as it is now; raises Gone."""
        found = self.door.get(f"/repos/{quote(name)}/pulls/{number}")
        is_open = found.get("state") != "closed"
        return Proposed(commit(found, "head", "sha"), text(found, "base", "ref"), is_open)

    def scopes(self) -> frozenset[str] | None:
        """The scopes of a classic token; None for others: repositories know their rights."""
        return self.door.get_with_scopes("/", gone=())[1]

    def git(self) -> tuple[str, str, str]:
        """Any user will do beside a token."""
        return self._web, "x-access-token", self._token
