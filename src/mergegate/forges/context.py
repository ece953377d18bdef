"""What a CI job knows of itself, put the same way for every platform."""

from dataclasses import dataclass, replace
from pathlib import Path

from mergegate.core.change import OF_A_BRANCH, Change
from mergegate.sandbox.git.repository import Repository


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """The unprivileged run whose end started the job; its artifacts are hostile."""

    run_id: int
    head_repository: str
    """Where the scanned commit lives; empty when that fork has been deleted."""
    event: str
    """What started that run, such as ``pull_request``."""
    conclusion: str
    """``success``, ``failure``…; empty while it runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """A deployment whose progress started the job, or that the job belongs to."""

    url: str
    """Where it can be seen; hostile text, empty when the event does not say."""
    ready: bool
    """Whether it has succeeded."""


def beside(change: Change, default: str) -> Change:
    """A push as it is measured where nobody knows which commit of its branch has passed.

    From where the branch left the default one, whatever was pushed to it before; a push to the
    default branch, or of a tag, from nothing.
    """
    is_other = change.branch and default and change.branch != default
    return replace(change, base=default, base_branch=default) if is_other else change


@dataclass(frozen=True, slots=True, kw_only=True)
class CiContext:
    """A job: the change it is about, and where its answers go."""

    change: Change
    api_url: str = ""
    """As ``server_url``."""
    server_url: str = ""
    """Where people read, without a slash at its end; empty for plain Git. https, or what a GitLab
    of one's own calls itself."""
    token_names: tuple[str, ...] = ()
    """Variables that may hold a token for the API, the first that does wins."""
    clone_url: str = ""
    """The clone address of the repository that the change wants into; empty for plain Git."""
    clone_tokens: tuple[tuple[str, str], ...] = ()
    """Git's user name and the variable with its password, in order."""
    proxy: str = ""
    """Adds the job's own credentials to requests; on this machine, empty where there is none."""
    summary_file: Path | None = None
    """Markdown appended to it is shown on the run's page."""
    output_file: Path | None = None
    """``name=value`` lines appended to it are outputs of the step."""
    workspace: Path
    """The folder that the job checked out into."""
    finished: Finished | None = None
    deployment: Deployment | None = None
    test_merge: str | None = None
    """The commit that the platform made to test the merge, where it need not be one by its
    parents; see :func:`mergegate.sandbox.git.ancestry.holds`."""
    last_passed: str | None = None
    """The last commit of the branch that the platform itself says has passed."""
    short_head: str = ""
    """An abbreviated ``change.head``, where the platform gives no other."""
    token_is_read_only: bool = False
    """Whether the platform lets a job of this event write nothing: say so, do not try."""
    is_exposed: bool = False
    """Whether strangers can set the job off while secrets of the repository are at hand, as with
    a comment or ``pull_request_target``: then nothing that it checks out may be run."""
    is_edited: bool = False
    """Whether the event changed words about the change alone: an answer to its head still holds."""
    warnings: tuple[str, ...] = ()
    """What is dangerous about the way the job runs, a sentence each."""

    def completed(self, repository: Repository) -> Change:
        """The change, with what only the clone knows: its last commit.

        A push, a schedule and a person's order are answered on the commit that is checked out,
        as is everything with plain Git, which has no forge to publish the answer.
        """
        if self.finished:
            return self.change  # of another job, whose clone is not here
        if self.change.provider is None or self.change.trigger in OF_A_BRANCH:
            return replace(self.change, head=repository.head())
        if self.change.head is None and self.short_head:
            return replace(self.change, head=repository.commit(self.short_head))
        return self.change
