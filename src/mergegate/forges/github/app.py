"""A GitHub App: a token for one installation, one repository, one hour."""

from typing import Any

from github import Auth, GithubException, GithubIntegration
from jwt import PyJWTError
from requests import RequestException

from mergegate import __version__
from mergegate.core.errors import ForgeError, NotAllowed, UsageError

_TIMEOUT_S = 30
_PERMISSIONS = {
    "checks": "write",
    "contents": "read",
    "metadata": "read",
    "pull_requests": "write",
}
"""What an answer takes; what the installation does not grant GitHub refuses as a whole."""
_COMMITTING = {**_PERMISSIONS, "contents": "write"}
_NOT_GRANTED = 422


def installation_token(
    *,
    app_id: int,
    private_key: str,
    installation: int,
    repository: str,
    api_url: str,
    authorities: str = "",
    may_commit: bool = False,
) -> str:
    """A token for ``repository`` (``owner/name``) alone; it ends by itself within the hour.

    ``may_commit``: one that may write contents, where the installation grants that.
    ``authorities`` is a file of certificates that vouch for the server, in place of those this
    machine trusts. Raises UsageError for a key that is none, NotAllowed when GitHub does not know
    the app or the installation, ForgeError when it does not answer.
    """
    integration = _integration(app_id, private_key, api_url, authorities)
    wanted = (_COMMITTING, _PERMISSIONS) if may_commit else (_PERMISSIONS,)
    path = f"/app/installations/{installation}/access_tokens"
    for permissions in wanted:
        body = {"repositories": [repository.partition("/")[2]], "permissions": permissions}
        try:
            _, said = integration.requester.requestJsonAndCheck("POST", path, input=body)
        except GithubException as error:
            if error.status == _NOT_GRANTED and permissions is not wanted[-1]:
                continue
            raise _refused(error) from None
        except RequestException:
            raise ForgeError("GitHub did not answer the request for a token") from None
        break
    return _token(said)


def check_key(app_id: int, private_key: str) -> Auth.AppAuth:
    """The app's way to prove who it is; raises UsageError for a key that cannot sign."""
    try:
        # PyGithub asserts that there is some, and assertions can be off.
        auth = Auth.AppAuth(app_id, private_key or " ")
        auth.create_jwt()
    except (ValueError, TypeError, PyJWTError) as error:
        raise UsageError(
            "the private key of the GitHub App cannot be read",
            remedy="Generate another one in the app's settings and add the hook again.",
        ) from error
    return auth


def _integration(
    app_id: int, private_key: str, api_url: str, authorities: str
) -> GithubIntegration:
    return GithubIntegration(
        auth=check_key(app_id, private_key),
        base_url=api_url,
        timeout=_TIMEOUT_S,
        verify=authorities or True,
        retry=None,
        user_agent=f"mergegate/{__version__}",
    )


def _refused(error: GithubException) -> ForgeError:
    if error.status in {401, 403, 404, 422}:
        return NotAllowed(
            f"GitHub gives the app no token for the repository ({error.status})",
            remedy="Is the app installed there, with write access to checks and pull requests?",
        )
    return ForgeError(f"GitHub answered the request for a token with {error.status}")


def _token(said: Any) -> str:
    token = said.get("token") if isinstance(said, dict) else None
    if not isinstance(token, str) or not token:
        raise ForgeError("GitHub answered the request for a token with none")
    return token
