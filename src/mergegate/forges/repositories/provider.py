"""What the providers have in common: four questions, and where their answers are found."""

from dataclasses import dataclass
from typing import Any, Protocol

from mergegate.forges.repositories.refusals import ProviderUnreachable
from mergegate.sandbox.git.refs import is_branch, is_commit


@dataclass(frozen=True, slots=True)
class Proposed:
    """A pull request, as far as it is fetched."""

    head: str
    """Its last commit."""
    into: str
    """The branch that it wants into."""
    is_open: bool
    """False once it is merged or closed."""


class Site(Protocol):
    """One provider's own way to say it."""

    def repository(self, owner: str, repo: str) -> tuple[str, str | None]:
        """Its full name now, and its default branch (None while it is empty)."""

    def tip(self, name: str, branch: str) -> str:
        """The last commit of a branch; raises Gone."""

    def is_ancestor(self, name: str, commit: str, tip: str) -> bool:
        """Whether ``commit`` is ``tip`` or was before it; raises Gone for an unknown commit."""

    def proposed(self, name: str, number: int) -> Proposed:
        """A pull request as it is now; raises Gone."""

    def git(self) -> tuple[str, str, str]:
        """The address below which Git finds repositories, and the user and word it shows there."""


def text(value: Any, *path: str) -> str:
    """The text at ``path``; raises ProviderUnreachable where there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    if not isinstance(value, str):
        raise ProviderUnreachable("the provider answered something unexpected")
    return value


def commit(value: Any, *path: str) -> str:
    """The full commit at ``path``; raises ProviderUnreachable where there is none."""
    found = text(value, *path)
    if not is_commit(found):
        raise ProviderUnreachable("the provider names a commit that is none")
    return found


def branch(value: Any, *path: str) -> str | None:
    """The branch at ``path``; None where there is none that can be named to Git."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) and is_branch(value) else None
