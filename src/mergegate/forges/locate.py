"""Find a repository where it is hosted: which commit a branch is at, and where Git gets it."""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace

from mergegate.core.change import Change, Provider, Trigger
from mergegate.core.errors import UsageError
from mergegate.forges.bitbucket import repository as bitbucket
from mergegate.forges.bitbucket.repository import Bitbucket
from mergegate.forges.github import repository
from mergegate.forges.github.repository import GitHub
from mergegate.forges.gitlab import repository as gitlab
from mergegate.forges.gitlab.repository import GitLab
from mergegate.forges.provider import (
    Access,
    AccessDenied,
    BranchNotFound,
    ChangeClosed,
    CommitNotFound,
    Gone,
    Located,
    ProviderUnreachable,
    Site,
    Sought,
    TokenRevoked,
    Way,
)
from mergegate.forges.variables import is_repository
from mergegate.sandbox.git.names import is_branch, is_commit

_SITES: Mapping[Provider, Callable[[Access, Way], GitHub | GitLab | Bitbucket]] = {
    Provider.GITHUB: GitHub,
    Provider.GITLAB: GitLab,
    Provider.BITBUCKET: Bitbucket,
}

_APIS: Mapping[Provider, Callable[[str], str]] = {
    Provider.GITHUB: repository.api,
    Provider.GITLAB: gitlab.api,
    Provider.BITBUCKET: bitbucket.api,
}


def locate(sought: Sought, access: Access, way: Way) -> Located:
    """Ask the provider.

    Raises TokenRevoked, AccessDenied, BranchNotFound, CommitNotFound, ProviderUnreachable;
    UsageError for names that no request should have brought this far.
    """
    _check(sought, access)
    site = _SITES[access.provider](access, way)
    with closing(site.door):
        return _located(sought, site)


def locate_change(change: Change, access: Access, way: Way) -> Located:
    """Where a change is now: its last commit, and as its base the tip of the branch it wants into.

    A merge queue's group is what it was when it was told of. Raises as :func:`locate` does, and
    ChangeClosed for one that is over, unless somebody asks for it in a comment.
    """
    _check(_sought(change), access)
    site = _SITES[access.provider](access, way)
    with closing(site.door):
        head, base_branch = _proposed(site, change)
        branch = change.base_branch if change.head else base_branch
        found = _located(replace(_sought(change), branch=branch, commit=None), site)
        base = change.base if change.head else found.commit
        return replace(found, branch=change.branch or branch, commit=head, base=base)


_READING: Mapping[Provider, tuple[frozenset[str], ...]] = {
    Provider.GITLAB: (frozenset({"api"}), frozenset({"read_api", "read_repository"})),
    Provider.BITBUCKET: (
        frozenset({"repository"}),
        frozenset({"read:repository:bitbucket"}),
        # Who may write may read, and is not always told so.
        *map(frozenset, ({"repository:write"}, {"repository:admin"})),
        frozenset({"write:repository:bitbucket"}),
    ),
}
"""The scopes with any of which repositories can be read; GitHub's public ones need none."""


def check_token(access: Access, way: Way) -> frozenset[str] | None:
    """The scopes of the token; None where the provider does not tell.

    Raises TokenRevoked for a token that is none, AccessDenied for one that can read no repository,
    and ProviderUnreachable.
    """
    check_shape(access.token)
    site = _SITES[access.provider](access, way)
    with closing(site.door):
        granted = site.scopes()
    wanted = _READING.get(access.provider, (frozenset(),))
    if granted is not None and not any(one <= granted for one in wanted):
        ways = " or ".join(" and ".join(f"`{name}`" for name in sorted(one)) for one in wanted[:2])
        raise AccessDenied(
            "the token can read no repository", remedy=f"Make one with the scope {ways}."
        )
    return granted


def api_address(provider: Provider, base_url: str) -> str:
    """The address of the provider's API, in the form that the adapters of ``forges`` take."""
    return _APIS[provider](base_url)


def _sought(change: Change) -> Sought:
    owner, _, repo = change.repository.rpartition("/")
    return Sought(owner=owner, repo=repo, branch=change.base_branch or None, commit=change.head)


def _proposed(site: Site, change: Change) -> tuple[str, str]:
    """The last commit, and the branch it wants into."""
    if change.head is not None:
        return change.head, change.base_branch
    if change.number is None:
        raise CommitNotFound("the change has no number to ask for it by")
    try:
        found = site.proposed(change.repository, change.number)
    except Gone:
        raise CommitNotFound("the provider does not know the pull request") from None
    if not (found.is_open or change.trigger is Trigger.COMMENT):
        raise ChangeClosed("the change is merged or closed")
    if not is_branch(found.into):
        raise ProviderUnreachable("the provider names a branch that is none")
    return found.head, found.into


def check_shape(token: str) -> None:
    """Raises TokenRevoked for what no provider gives out."""
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise TokenRevoked(
            "the connection's token is empty or damaged", remedy="Connect the account again."
        )


def _check(sought: Sought, access: Access) -> None:
    check_shape(access.token)
    commits = sought.commit is None or is_commit(sought.commit)
    branches = sought.branch is None or is_branch(sought.branch)
    bases = sought.base is None or is_commit(sought.base) or is_branch(sought.base)
    if not (is_repository(f"{sought.owner}/{sought.repo}") and commits and branches and bases):
        raise UsageError("this is no repository, branch or commit that can be asked for")


def _located(sought: Sought, site: Site) -> Located:
    name, default = site.repository(sought.owner, sought.repo)
    branch = sought.branch or default
    if not is_repository(name):
        raise ProviderUnreachable("the provider names a repository that is none")
    if branch is None:
        raise BranchNotFound("the repository has no branch yet")
    tip = _tip(site, name, branch)
    owner, _, repo = name.rpartition("/")
    address, user, word = site.git()
    return Located(
        owner=owner,
        repo=repo,
        branch=branch,
        commit=_pinned(site, name, sought.commit, tip),
        base=_base(site, name, sought.base),
        url=f"{address}/{name}.git",
        user=user,
        word=word,
    )


def _tip(site: Site, name: str, branch: str) -> str:
    try:
        return site.tip(name, branch)
    except Gone:
        raise BranchNotFound(f"the repository has no branch {branch!r}") from None


def _pinned(site: Site, name: str, commit: str | None, tip: str) -> str:
    if commit is None or commit == tip:
        return tip
    try:
        if site.is_ancestor(name, commit, tip):
            return commit
    except Gone:
        raise CommitNotFound("the repository has no such commit") from None
    raise CommitNotFound("the commit is not on the branch")


def _base(site: Site, name: str, base: str | None) -> str | None:
    """The base's commit; one that is named is not looked up, for fetching it will tell."""
    return base if base is None or is_commit(base) else _tip(site, name, base)
