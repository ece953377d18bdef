"""Whether the team's own tests may be run here, and with what: ordered by the operator alone."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mergegate.ci.forging import ci_context
from mergegate.core.change import Change, Trigger
from mergegate.core.errors import UsageError
from mergegate.sandbox.process.deny_ptrace import deny_ptrace

if TYPE_CHECKING:
    from mergegate.forges.context import CiContext
    from mergegate.repo.fixes.own_tests import OwnTests


_WITHHELD = re.compile(r"(MERGEGATE|INPUT|ACTIONS|GITHUB|GH|GITLAB|CI|BITBUCKET)_", re.ASCII)
"""Variables of ours and of the platforms, with keys and tokens among them: the tests get none."""
LONGEST_S = 24 * 3600
"""The longest that one run of tests may be given."""


@dataclass(frozen=True, slots=True)
class TestOrder:
    """What the operator says of the tests."""

    command: str
    variables: tuple[str, ...]
    """The names of those that the tests get."""
    network: bool
    timeout_s: int


def own_tests(
    order: TestOrder,
    root: Path,
    environment: Mapping[str, str],
) -> "OwnTests":
    """The tests of ``root`` as a gate of fixes; raises UsageError where they may not be run."""
    from mergegate.repo.fixes.own_tests import OwnTests, suite  # noqa: PLC0415 - most scans do not

    around = ci_context(environment)
    if why := distrust(around, around.change):
        raise UsageError(
            f"the team's own tests are not run: {why}",
            remedy="They are run for changes of the repository's own branches, in jobs that no"
            " stranger sets off.",
        )
    deny_ptrace()  # the job's tokens are in our environment
    return OwnTests(
        suite(
            root,
            order.command,
            order.variables,
            environment,
            network=order.network,
            timeout_s=order.timeout_s,
            withheld=_WITHHELD,
        )
    )


def distrust(around: "CiContext", change: Change) -> str:
    """Why nothing of the change may be run in the job; empty where it may.

    ``change`` is what is known of it by now, which may be more than its event told.
    """
    known = (change, around.change)
    if any(one.from_fork for one in known):
        return "the change comes from a fork"
    ordered = any(one.trigger is Trigger.COMMENT for one in known)
    if around.is_exposed or around.finished or ordered:
        return "strangers can set off this job, and its secrets are at hand"
    return ""
