"""GitLab, on gitlab.com or a server of one's own (REST, version 4)."""

from urllib.parse import quote

from mergegate.forges.provider import Access, ApiClient, Gone, Proposed, Way, branch, commit, text

_API = "/api/v4"
_OVER = ("closed", "merged")


def api(base_url: str) -> str:
    """The address of its API."""
    return f"{base_url.rstrip('/').removesuffix(_API)}{_API}"


class GitLab:
    """Honours ``provider.Site``."""

    def __init__(self, access: Access, way: Way) -> None:
        self._web = access.base_url.rstrip("/").removesuffix(_API)
        self._token = access.token
        # Personal, group and project access tokens are taken as those of OAuth are.
        headers = {"Authorization": f"Bearer {access.token}"}
        self.door = ApiClient(api(access.base_url), headers, way)

    def repository(self, owner: str, repo: str) -> tuple[str, str | None]:
        """Its full name now, and its default branch."""
        found = self.door.get(f"/projects/{_quoted(f'{owner}/{repo}')}", gone=())
        return text(found, "path_with_namespace"), branch(found, "default_branch")

    def tip(self, name: str, branch: str) -> str:
        """The last commit of a branch; raises Gone."""
        path = f"/projects/{_quoted(name)}/repository/branches/{_quoted(branch)}"
        return commit(self.door.get(path), "commit", "id")

    def is_ancestor(self, name: str, commit: str, tip: str) -> bool:
        """Whether the merge base of the two is the commit itself; raises Gone."""
        path = f"/projects/{_quoted(name)}/repository/merge_base"
        refs = [("refs[]", commit), ("refs[]", tip)]
        return text(self.door.get(path, refs, gone=(400, 404)), "id") == commit

    def proposed(self, name: str, number: int) -> Proposed:
        """A merge request as it is now; raises Gone."""
        found = self.door.get(f"/projects/{_quoted(name)}/merge_requests/{number}")
        is_open = found.get("state") not in _OVER
        return Proposed(commit(found, "sha"), text(found, "target_branch"), is_open)

    def scopes(self) -> frozenset[str] | None:
        """The scopes of an access token; None for one of OAuth, which does not tell."""
        try:
            told = self.door.get("/personal_access_tokens/self", gone=(403, 404)).get("scopes")
        except Gone:
            self.door.get("/user", gone=())
            return None
        return frozenset(map(str, told)) if isinstance(told, list) else None

    def git(self) -> tuple[str, str, str]:
        """Any user will do beside an access token; OAuth's want this one."""
        return self._web, "oauth2", self._token


def _quoted(name: str) -> str:
    return quote(name, safe="")
