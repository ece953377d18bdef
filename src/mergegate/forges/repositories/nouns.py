"""What is asked of a provider about a repository, and what it answers."""

from dataclasses import dataclass, field

from mergegate.core.change import Provider
from mergegate.forges.pacing import SYSTEM, Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How an account comes to its repositories."""

    provider: Provider
    base_url: str
    """Where people see the provider, such as ``https://github.com``; that of its API will do."""
    token: str = field(repr=False)
    """Of Bitbucket also ``user:token``: an API token with its account's e-mail address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How requests get there."""

    proxy: str
    """The way out (``Egress.url``)."""
    authorities: str = ""
    """A file of certificates that vouch for the host, in place of those this machine trusts."""
    clock: Clock = SYSTEM


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """A repository, and what of it; names are a stranger's."""

    owner: str
    """With GitLab's subgroups, after slashes."""
    repo: str
    branch: str | None = None
    """None: the default branch."""
    commit: str | None = None
    """A full commit on that branch; None: its tip."""
    base: str | None = None
    """A branch, or a full commit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """Where it lies now, and which commits it is about."""

    owner: str
    repo: str
    """Both as the provider spells them; a repository that was renamed has its new name."""
    branch: str
    commit: str
    base: str | None
    """A full commit."""
    url: str
    """For Git: https, without credentials."""
    user: str
    """Whom Git says that it is, beside :attr:`word`."""
    word: str = field(repr=False)
    """What of the token Git needs."""
