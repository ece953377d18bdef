"""Which commit a change is measured from, with the history between in the clone."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from mergegate.core.change import Change, Trigger
from mergegate.core.errors import TargetError, UsageError
from mergegate.sandbox.git.fetch import Fetcher, fetching
from mergegate.sandbox.git.origin import Origin
from mergegate.sandbox.git.repository import Repository, is_branch, is_commit

_STEPS = (50, 200, 1000, None)
"""Numbers of commits by which a shallow history is deepened in turn; None: all of it."""
_WHOLE_HISTORY = (
    "Clone with the whole history: `fetch-depth: 0` for actions/checkout, `GIT_DEPTH: 0` on "
    "GitLab, `clone: depth: full` on Bitbucket, `git fetch --unshallow` elsewhere."
)
_BOUND = frozenset({Trigger.CHANGE, Trigger.QUEUE, Trigger.COMMENT})
"""An answer to these stands on a commit that will be merged."""


def measured_from(
    repository: Repository,
    change: Change,
    *,
    origin: Origin | None = None,
    test_merge: str | None = None,
) -> str | None:
    """The full name of the commit that ``change`` is compared with; None where there is none.

    When a merge of the change is checked out, that is its other side; else where HEAD left the
    base. None for a change without a base, and for a push over a history that is gone. What a
    shallow clone lacks is brought from ``origin``. ``test_merge`` is what :func:`holds` takes.
    Raises UsageError when another commit is checked out than the answer would stand on, when the
    base is not to be had, or when the history cannot be completed.
    """
    if change.trigger in _BOUND and not holds(repository, change, test_merge):
        raise _elsewhere(change)
    other = _other_side(repository, change, test_merge)
    if other is None and change.base is None:
        return None
    with _history(repository, change, origin) as history:
        base = history.commit(other) if other else history.base()
        if base is None:
            history.do_without()
            return None
        history.connect(base)
        return history.fork(base)


def holds(repository: Repository, change: Change, test_merge: str | None = None) -> bool:
    """Whether HEAD is the change's last commit, or a merge of it.

    ``test_merge`` is the commit that the platform itself made of the change and its base, where
    that does not show by its parents (GitLab squashes or rebases for it). A change that names no
    commit is held by any.
    """
    head = repository.head()
    if head is None:
        return False
    if change.head in {None, head} or head == test_merge:
        return True
    parents = repository.parents(head)
    return len(parents) == 2 and change.head in parents


@dataclass(frozen=True, slots=True)
class _History:
    """The clone, and what can be brought into it."""

    repository: Repository
    change: Change
    fetcher: Fetcher | None

    def base(self) -> str | None:
        """The commit that the change names as its base, else the tip of the branch it names."""
        name = self.change.base or ""
        found = self._named(name) if self.change.trigger is Trigger.MANUAL else None
        if found is None:
            found = self.commit(name) if is_commit(name) else self._tip(name)
        return found or self._tip(self.change.base_branch)

    def commit(self, name: str) -> str | None:
        """The commit, brought when it is missing; None when it is nowhere."""
        here = self.repository.commit(name)
        if here is None and self.fetcher is not None:
            return self.fetcher.bring(name)
        return here

    def do_without(self) -> None:
        """A push may have replaced its history; a change must have a base."""
        if self.change.trigger is not Trigger.PUSH:
            raise UsageError("the base of this change is not in the clone", remedy=_WHOLE_HISTORY)

    def connect(self, base: str) -> None:
        """Deepen until every commit between ``base`` and HEAD is here."""
        for step in _STEPS:
            cuts = self.repository.cuts(base)
            if not cuts:
                break
            self._deepen(cuts, step)
        if self.repository.cuts(base):
            raise UsageError("the history is too shallow to compare", remedy=_WHOLE_HISTORY)
        if self.repository.lacks_content(base):
            raise UsageError(
                "this is a partial clone, without the files of the base",
                remedy="Check out without a `filter`.",
            )

    def fork(self, base: str) -> str | None:
        """Where HEAD left ``base``; None for a push that shares nothing with it."""
        try:
            return self.repository.merge_base(base)
        except UsageError:
            if self.change.trigger is Trigger.PUSH:
                return None
            raise

    def _named(self, name: str) -> str | None:
        """What a person calls it: any revision, a branch of the clone before one of the origin."""
        try:
            return self.repository.resolve(name)
        except UsageError:
            return None

    def _tip(self, branch: str) -> str | None:
        """The tip of a branch of the repository that the change wants into.

        A local branch is not asked: a change may come from one of the same name. The clone's
        ``origin`` may be the fork, which has that name too.
        """
        if not is_branch(branch):
            return None
        here = self.repository.commit(f"refs/remotes/origin/{branch}")
        if here and not self.change.from_fork:
            return here
        return self.fetcher.bring(f"refs/heads/{branch}") if self.fetcher else None

    def _deepen(self, cuts: tuple[str, ...], step: int | None) -> None:
        if self.fetcher is None:
            raise UsageError("the history is too shallow to compare", remedy=_WHOLE_HISTORY)
        if not self.fetcher.deepen(cuts, step) and (tips := self._branches()):
            # An older server hands out the tips of branches alone.
            self.fetcher.deepen(tips, step)

    def _branches(self) -> list[str]:
        names = {self.change.base_branch, "" if self.change.from_fork else self.change.branch}
        return [f"refs/heads/{name}" for name in sorted(names) if is_branch(name)]


@contextmanager
def _history(repository: Repository, change: Change, origin: Origin | None) -> Iterator[_History]:
    if origin is None:
        yield _History(repository, change, None)
        return
    try:
        with fetching(repository, origin) as fetcher:
            yield _History(repository, change, fetcher)
    except TargetError as error:
        raise UsageError(error.what, remedy=error.remedy or _WHOLE_HISTORY) from error


def _other_side(repository: Repository, change: Change, test_merge: str | None) -> str | None:
    """The side of a checked-out test merge that is not the change."""
    head = repository.head()
    if head is None or change.head in {None, head}:
        return None
    parents = repository.parents(head)
    if len(parents) != 2:
        return None
    if change.head in parents:
        return parents[1 - parents.index(change.head)]
    return parents[0] if head == test_merge else None


def _elsewhere(change: Change) -> UsageError:
    return UsageError(
        f"what is checked out is neither {str(change.head)[:12]}, the last commit of the change, "
        "nor a merge of it",
        remedy="Check out the change itself, or run again: it may have moved on.",
    )
