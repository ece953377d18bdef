"""A comment, and the orders that it can hold."""

import datetime as dt
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A comment on a change, as its event tells."""

    repository: str
    """``owner/name``; on GitLab with subgroups."""
    number: int
    """Of the pull request."""
    comment_id: str
    body: str
    account: str
    """What the platform is asked for the author's standing by: a login, or Bitbucket's UUID."""
    insider: bool
    """Whether the platform says that the author is one of the project's people."""
    at: str
    """When it was written, ISO 8601."""


@dataclass(frozen=True, slots=True)
class Rescan:
    """Scan the change again, as it stood when the comment was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignore:
    """Set a finding aside for a while."""

    id: str
    """Of the finding, or at least its first ten characters; lower case."""
    until: dt.date
    """The first day on which it counts again."""
    reason: str
    """One line of 1–500 visible characters; hostile all the same."""


@dataclass(frozen=True, slots=True)
class Unignore:
    """Let a finding count again."""

    id: str


@dataclass(frozen=True, slots=True)
class Explain:
    """Tell what a finding is, why it matters and what to do."""

    id: str


@dataclass(frozen=True, slots=True)
class Help:
    """Tell which orders there are."""


Order = Rescan | Ignore | Unignore | Explain | Help


@dataclass(frozen=True, slots=True)
class NotAnOrder:
    """The comment speaks to people."""


@dataclass(frozen=True, slots=True)
class Misread:
    """The comment speaks to us, and cannot be understood."""

    reason: str
    """What is wrong, one sentence; holds nothing of the comment."""
    hint: str
    """How it is written, for a code span."""
