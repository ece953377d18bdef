"""Why a provider does not give a repository, told apart by codes of the API."""

from mergegate.core.errors import ForgeError


class TokenRevoked(ForgeError):
    """The provider does not know the token, or knows it no more."""

    code = "PROVIDER_TOKEN_REVOKED"


class AccessDenied(ForgeError):
    """The token is alive and may not read the repository; or there is none of that name.

    Providers hide what a token may not see behind 404, so that nobody can tell these two apart.
    """

    code = "PROVIDER_ACCESS_DENIED"


class BranchNotFound(ForgeError):
    """The repository has no branch of that name."""

    code = "BRANCH_NOT_FOUND"


class CommitNotFound(ForgeError):
    """The repository has no such commit, or not on that branch."""

    code = "COMMIT_NOT_FOUND"


class ChangeClosed(ForgeError):
    """The change is merged or closed: nobody waits for an answer any more."""

    code = "CHANGE_CLOSED"


class ProviderUnreachable(ForgeError):
    """The provider does not answer, or answers nonsense, or asks to be left alone for longer."""

    code = "PROVIDER_UNREACHABLE"


def denied() -> AccessDenied:
    """What 403 and 404 of a repository come to."""
    return AccessDenied(
        "the connection's token may not read this repository, or there is none of this name",
        remedy="Give the token access to the repository's contents.",
    )
