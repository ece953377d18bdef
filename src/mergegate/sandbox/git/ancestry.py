"""Which commit a change is measured from, with the history between in the clone."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from mergegate.core.change import Change, Trigger
from mergegate.core.errors import TargetError, UsageError
from mergegate.sandbox.git.entries import incomplete_clone
from mergegate.sandbox.git.fetch import Fetcher, fetching
from mergegate.sandbox.git.names import is_branch, is_commit
from mergegate.sandbox.git.origin import Origin
from mergegate.sandbox.git.repository import Repository
from mergegate.sandbox.git.revision import ANYTHING, BRANCHES, find, unknown

_STEPS = (50, 200, 1000, None)
"""Numbers of commits by which a shallow history is deepened in turn; None: all of it."""
_WHOLE_HISTORY = (
    "Clone with the whole history: `fetch-depth: 0` for actions/checkout, `GIT_DEPTH: 0` on "
    "GitLab, `clone: depth: full` on Bitbucket, `git fetch --unshallow` elsewhere."
)
MOST_EARLIER = 50
"""How many commits of a branch are looked at for one that passed."""
_ROUNDS = 3
"""How often what a partial clone lacks is asked for: a tree shows what it lacks once it came."""
_BOUND = frozenset({Trigger.CHANGE, Trigger.QUEUE, Trigger.COMMENT})
"""An answer to these stands on a commit that will be merged."""


def _unknown(_commit: str) -> bool:
    """Whether a commit passed, where nobody can be asked."""
    return False


def measured_from(
    repository: Repository,
    change: Change,
    *,
    origin: Origin | None = None,
    test_merge: str | None = None,
    has_passed: Callable[[str], bool] = _unknown,
) -> str | None:
    """The full name of the commit that ``change`` is compared with; None where there is none.

    When a merge of the change is checked out, that is its other side; else where HEAD left the
    base. A push is compared with the last commit of its branch that ``has_passed``, else with its
    base. None for a change without a base, and for a push over a history that is gone. What a
    shallow or partial clone lacks is brought from ``origin``. ``test_merge`` is what :func:`holds`
    takes. Raises UsageError when another commit is checked out than the answer would stand on,
    when the base is not to be had, or when the history cannot be completed.
    """
    if change.trigger in _BOUND and not holds(repository, change, test_merge):
        raise _elsewhere(change)
    other = _other_side(repository, change, test_merge)
    if other is None and change.base is None and change.before is None:
        return None
    with _history(repository, change, origin) as history:
        base = history.passed(has_passed) or history.start(other)
        if base is not None:
            history.complete(base)
        return base


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

    def start(self, other: str | None) -> str | None:
        """Where HEAD left ``other``, or without one the base of the change; None without both."""
        if other is None and self.change.base is None:
            return None
        base = self.commit(other) if other else self._base()
        if base is None:
            self._do_without()
            return None
        return self._left(base)

    def passed(self, has_passed: Callable[[str], bool]) -> str | None:
        """The last commit of the branch before HEAD that passed, among those it was pushed to.

        None for anything but a push, and where none of the last 50 is known to have passed.
        """
        before = self.commit(self.change.before) if self.change.before else None
        # Where the branch was set back, what it then held is no part of HEAD.
        shared = self._left(before) if before else None
        known = (one for one in self._line(shared) if has_passed(one))
        return next(known, None)

    def _line(self, commit: str | None) -> Iterator[str]:
        """``commit`` and the first parents before it, newest first."""
        for _ in range(MOST_EARLIER):
            if commit is None or self.commit(commit) is None:
                return
            yield commit
            commit = next(iter(self.repository.parents(commit)), None)

    def _base(self) -> str | None:
        """The commit that the change names as its base, else the tip of the branch it wants into.

        Raises UsageError for a name that a person gave and that stands for nothing.
        """
        name = self.change.base or ""
        if self.change.trigger is Trigger.MANUAL:
            return self._named(name)
        found = self.commit(name) if is_commit(name) else self._tip(name)
        return found or self._tip(self.change.base_branch)

    def commit(self, name: str) -> str | None:
        """The commit, brought when it is missing; None when it is nowhere."""
        here = self.repository.commit(name)
        if here is None and self.fetcher is not None:
            return self.fetcher.bring(name)
        return here

    def _do_without(self) -> None:
        """A push may have replaced its history; a change must have a base."""
        if self.change.trigger is not Trigger.PUSH:
            raise UsageError("the base of this change is not in the clone", remedy=_WHOLE_HISTORY)

    def complete(self, base: str) -> None:
        """Have every commit and file between ``base`` and HEAD here, and those of the change."""
        self._connect(base)
        if not self.repository.is_partial():
            return
        commits = (base, *self._of_the_change(base))
        for _ in range(_ROUNDS):
            missing = self.repository.missing(base, *commits)
            if not missing:
                return
            if self.fetcher is None or not self.fetcher.complete(missing):
                break
        raise incomplete_clone(len(missing))

    def _of_the_change(self, base: str) -> tuple[str, ...]:
        """The commits whose files a forge shows: the change's own, and where it left ``base``."""
        head = self.change.head
        if head is None or self.repository.commit(head) is None:
            return ()
        return (head, self.repository.merge_base(base, head))

    def _connect(self, base: str) -> None:
        """Deepen until every commit between ``base`` and HEAD is here."""
        for step in _STEPS:
            cuts = self.repository.cuts(base)
            if not cuts:
                break
            self._deepen(cuts, step)
        if self.repository.cuts(base):
            raise UsageError("the history is too shallow to compare", remedy=_WHOLE_HISTORY)

    def _left(self, base: str) -> str | None:
        """Where HEAD left ``base``; None for a push that shares nothing with it."""
        self._connect(base)
        try:
            return self.repository.merge_base(base)
        except UsageError:
            if self.change.trigger is Trigger.PUSH:
                return None
            raise

    def _named(self, name: str) -> str:
        """What a person calls it: a branch of the clone, then of the origin, then anything else."""
        try:
            found = find(self.repository, name, BRANCHES)
            found = found or self._tip(name.removeprefix("origin/"))
            found = found or find(self.repository, name, ANYTHING) or self._tag(name)
        except TargetError as error:
            told = unknown(self.repository, name)
            raise UsageError(f"{told.what}, and {error.what}", remedy=told.remedy) from error
        if found is None:
            raise unknown(self.repository, name)
        return found

    def _tag(self, name: str) -> str | None:
        """The commit of a tag of the repository that the change wants into."""
        is_name = is_branch(name)
        return self.fetcher.bring(f"refs/tags/{name}") if self.fetcher and is_name else None

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
