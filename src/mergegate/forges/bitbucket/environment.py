"""Bitbucket Cloud's Pipelines: variables → the context of the job.

https://support.atlassian.com/bitbucket-cloud/docs/variables-and-secrets/
"""

import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from mergegate.core.change import Change, Provider, Trigger
from mergegate.forges.context import CiContext
from mergegate.forges.variables import Variables
from mergegate.sandbox.git.names import is_commit

TOKEN_NAMES = ("MERGEGATE_TOKEN", "BITBUCKET_TOKEN")
PROXY = "http://localhost:29418"
"""Beside every step; adds its credentials to plain http requests, to Git and to the reports."""
SCHEDULED = "MERGEGATE_SCHEDULED"
"""Says `true` in a pipeline that runs on a schedule alone."""
_SERVER = "https://bitbucket.org"
_STEP = re.compile(r"\{[0-9a-f-]{36}\}", re.ASCII)


def detect(environment: Mapping[str, str]) -> CiContext:
    """The step as Bitbucket describes it; raises UsageError when it does so wrongly."""
    variables = Variables(environment)
    repository = variables.repository("BITBUCKET_REPO_FULL_NAME")
    # Twelve digits in a pull request's pipeline, forty elsewhere.
    head = variables.short_commit("BITBUCKET_COMMIT")
    is_full = is_commit(head)
    return CiContext(
        change=_change(variables, repository, head if is_full else None),
        api_url="https://api.bitbucket.org/2.0",
        server_url=_SERVER,
        token_names=TOKEN_NAMES,
        clone_url=f"http://bitbucket.org/{repository}",
        proxy=PROXY,
        workspace=variables.path("BITBUCKET_CLONE_DIR") or Path.cwd(),
        short_head="" if is_full else head,
    )


def _change(variables: Variables, repository: str, head: str | None) -> Change:
    number = variables.number("BITBUCKET_PR_ID")
    branch = variables.branch("BITBUCKET_BRANCH")
    target = variables.branch("BITBUCKET_PR_DESTINATION_BRANCH")
    tip = variables.short_commit("BITBUCKET_PR_DESTINATION_COMMIT")
    return Change(
        provider=Provider.BITBUCKET,
        repository=repository,
        trigger=_trigger(variables, number),
        head=head,
        # No server looks up an abbreviated commit.
        base=(tip if is_commit(tip) else target) or None,
        base_branch=target or branch,
        branch=branch,
        number=number,
        sequence=variables.number("BITBUCKET_BUILD_NUMBER") or 0,
        run_url=_run_url(variables, repository),
    )


def _trigger(variables: Variables, number: int | None) -> Trigger:
    """A schedule does not tell itself from a push to its branch: its pipeline has to."""
    if number is not None:
        return Trigger.CHANGE
    if variables.text(SCHEDULED).lower() == "true":
        return Trigger.SCHEDULE
    pushed = variables.text("BITBUCKET_BRANCH") or variables.text("BITBUCKET_TAG")
    return Trigger.PUSH if pushed else Trigger.MANUAL


def _run_url(variables: Variables, repository: str) -> str:
    build = variables.number("BITBUCKET_BUILD_NUMBER")
    step = _STEP.fullmatch(variables.text("BITBUCKET_STEP_UUID"))
    page = f"{_SERVER}/{repository}/pipelines/results/{build}"
    return f"{page}/steps/{quote(step[0], safe='')}" if step else page
