"""What the change of a job is measured from, and how that is told."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from mergegate.ci.checkout import Checkout
from mergegate.ci.forging import forge_for
from mergegate.ci.options import Job
from mergegate.core.change import OF_A_BRANCH, Trigger
from mergegate.core.errors import ForgeError, UsageError
from mergegate.forges.environment import origin
from mergegate.forges.ports import Record
from mergegate.sandbox.git.ancestry import MOST_EARLIER, measured_from

_ADVICE = "give the job a token that may read and write its check, or name a `base`"


@dataclass(frozen=True, slots=True)
class Base:
    """A commit that the change is measured from, and what it is to the change."""

    commit: str | None
    """None: the whole branch is judged."""
    what: str = ""
    """A remark for the log; empty where nothing needs one."""


def base_of(job: Job, here: Checkout, environment: Mapping[str, str]) -> Base:
    """The base of the change; a push whose history is not to be had has none.

    Raises UsageError where that of another change is not to be had.
    """
    if job.base:
        return _named(job.base, here, environment)
    history = _History(here, environment)
    try:
        commit = _measured(here, environment, history)
    except UsageError as error:
        if here.change.trigger is not Trigger.PUSH:
            raise
        return Base(None, f"the whole branch is judged, for {error}")
    if here.change.trigger is not Trigger.PUSH or not here.change.branch:
        return Base(commit)
    return Base(commit, history.remark(commit))


def _named(name: str, here: Checkout, environment: Mapping[str, str]) -> Base:
    """What the team names; a branch that is compared with itself would always pass."""
    change = replace(here.change, trigger=Trigger.MANUAL, base=name, before=None)
    commit = _measured(replace(here, change=change), environment, _History(here, environment))
    own = {here.change.branch, f"origin/{here.change.branch}"}
    if here.change.trigger in OF_A_BRANCH and name in own and commit == here.repository.head():
        return Base(None, f"the whole branch is judged, for the base {name} is this branch itself")
    return Base(commit)


def _measured(here: Checkout, environment: Mapping[str, str], history: "_History") -> str | None:
    return measured_from(
        here.repository,
        here.change,
        origin=origin(here.around, environment, here.repository),
        test_merge=here.around.test_merge,
        has_passed=history.has_passed,
    )


@dataclass(slots=True)
class _History:
    """What is known of the commits that the branch was at before."""

    here: Checkout
    environment: Mapping[str, str]
    trouble: str = ""
    """Why the forge cannot tell; then nobody can."""
    _record: Record | None = field(default=None, init=False)
    _passed: set[str] = field(default_factory=set, init=False)

    def has_passed(self, commit: str) -> bool:
        """Whether ``commit`` is known to have passed; asks the forge until it refuses."""
        known = commit == self.here.around.last_passed or self._says_so(commit)
        self._passed |= {commit} if known else set()
        return known

    def _says_so(self, commit: str) -> bool:
        if self.trouble:
            return False
        try:
            self._record = self._record or self._asked()
            return self._record.has_passed(commit) if self._record else False
        except (ForgeError, UsageError) as error:
            self.trouble = str(error)
            return False

    def _asked(self) -> Record | None:
        forge = forge_for(self.here.around, self.here.change, self.environment)
        if forge is None or forge.record is None:
            self.trouble = "nobody can be asked which of its commits has passed"
            return None
        return forge.record

    def remark(self, commit: str | None) -> str:
        """What ``commit`` is to the branch, or why there is none."""
        branch = self.here.change.branch
        if commit in self._passed:
            return f"measured from {commit[:12]}, the last commit of {branch} that passed"
        if commit is not None:
            return f"measured from {commit[:12]}, where {branch} left {self.here.change.base}"
        why = self.trouble or f"none of its last {MOST_EARLIER} commits is known to have passed"
        return f"all of {branch} is judged, for {why}; {_ADVICE}"
