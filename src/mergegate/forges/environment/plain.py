"""Plain Git, as on Jenkins or on somebody's own machine: there is nobody to answer.

https://plugins.jenkins.io/workflow-multibranch/ and https://plugins.jenkins.io/git/
"""

from collections.abc import Mapping
from pathlib import Path

from mergegate.core.change import Change, Trigger
from mergegate.forges.environment.context import CiContext
from mergegate.forges.environment.variables import Variables, is_address, number_in


def detect(environment: Mapping[str, str]) -> CiContext:
    """What Jenkins tells of a change, or nothing at all; raises UsageError when it is odd."""
    variables = Variables(environment)
    workspace = variables.path("WORKSPACE") if variables.text("JENKINS_URL") else None
    workspace = workspace or Path.cwd()
    return CiContext(
        change=_change(variables, workspace.resolve().name),
        clone_tokens=(("x-access-token", "MERGEGATE_TOKEN"),),
        workspace=workspace,
    )


def _change(variables: Variables, name: str) -> Change:
    if not variables.text("JENKINS_URL"):
        return Change(provider=None, repository=name, trigger=Trigger.MANUAL)
    target = variables.branch("CHANGE_TARGET")
    branch = _branch(variables)
    url = variables.text("BUILD_URL")
    return Change(
        provider=None,
        repository=name,
        trigger=Trigger.CHANGE if target else Trigger.PUSH if branch else Trigger.MANUAL,
        # Jenkins merges for itself: what it built is what is checked out.
        head=variables.commit("GIT_COMMIT"),
        base=target or _before(variables),
        base_branch=target or branch,
        branch=branch,
        # Gerrit and others give changes names.
        number=number_in(variables.text("CHANGE_ID")),
        from_fork=bool(variables.text("CHANGE_FORK")),
        sequence=variables.number("BUILD_NUMBER") or 0,
        run_url=url if is_address(url) else "",
    )


def _branch(variables: Variables) -> str:
    """CHANGE_BRANCH is the change's own; BRANCH_NAME is then ``PR-7``."""
    own = variables.branch("CHANGE_BRANCH")
    return own or variables.branch("BRANCH_NAME")


def _before(variables: Variables) -> str | None:
    """The last commit of this branch that passed, else the last that was built."""
    passed = variables.commit("GIT_PREVIOUS_SUCCESSFUL_COMMIT")
    return passed or variables.commit("GIT_PREVIOUS_COMMIT")
