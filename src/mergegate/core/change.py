"""A change under review, as a CI job or a webhook presents it."""

from dataclasses import dataclass
from enum import StrEnum


class Provider(StrEnum):
    """The service that hosts the repository."""

    GITHUB = "github"
    GITLAB = "gitlab"
    BITBUCKET = "bitbucket"


class Trigger(StrEnum):
    """Why a job runs."""

    CHANGE = "change"
    """A pull or merge request was opened or pushed to."""
    QUEUE = "queue"
    """A merge queue asks about the commit it would merge."""
    PUSH = "push"
    """A branch moved."""
    SCHEDULE = "schedule"
    MANUAL = "manual"
    COMMENT = "comment"
    """A comment on the change asked for it."""


OF_A_BRANCH = frozenset({Trigger.PUSH, Trigger.SCHEDULE, Trigger.MANUAL})
"""These ask about a branch as it is checked out, not about a change that wants into one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is to be scanned, compared and answered. All texts in it are hostile."""

    provider: Provider | None
    """None for plain Git, as on Jenkins."""
    repository: str
    """``owner/name``; on GitLab with subgroups; the folder's name for plain Git."""
    trigger: Trigger
    head: str | None = None
    """The commit that results are posted to: of a pull request its own last commit, not the
    test merge that is checked out. Forty hexadecimal digits; None when the job does not say."""
    base: str | None = None
    """A commit or branch that the change is measured against; None where there is none."""
    before: str | None = None
    """The commit that the branch was at before a push: it need not have passed."""
    base_branch: str = ""
    """The branch the change wants into, or that was pushed to."""
    branch: str = ""
    """The branch the change comes from."""
    number: int | None = None
    """The number of the pull or merge request in that repository."""
    from_fork: bool = False
    """Whether the head lives in another repository: then there is no token worth having."""
    sequence: int = 0
    """Grows from run to run of one repository, so that an older run never overwrites a newer."""
    run_url: str = ""
    """Where the job's log and artifacts are; https, empty when unknown."""
