"""The command itself: read the settings, do the job, end with its exit code."""

import os
import sys
from typing import Any

import click

from mergegate.ci.job import run
from mergegate.ci.options import job, settings
from mergegate.sandbox.process.deny_ptrace import deny_ptrace


@click.command(epilog="Exit codes: 0 passed, 1 gate failed, 2 usage or bad input, 3 incomplete.")
@settings()
def ci(**values: Any) -> None:
    """Scan the change that this CI job is about, publish the answer, and gate the merge.

    GitHub Actions, GitLab CI, Bitbucket Pipelines and plain Git (Jenkins) are recognised by
    their environment. Every option may be stated as a variable, such as MERGEGATE_FAIL_ON.

    \b
    Examples:
      mergegate ci
      mergegate ci --fail-on gate --review 0
      MERGEGATE_BASE=origin/main mergegate ci
    """
    deny_ptrace()
    sys.exit(run(job(values), os.environ))
