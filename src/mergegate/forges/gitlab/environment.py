"""GitLab CI, on gitlab.com or self-managed: variables → the context of the job.

https://docs.gitlab.com/ci/variables/predefined_variables/
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from mergegate.core.change import Change, Provider, Trigger
from mergegate.forges.context import CiContext, Deployment, beside
from mergegate.forges.variables import Variables, is_address

TOKEN_NAMES = ("MERGEGATE_TOKEN", "GITLAB_TOKEN", "CI_JOB_TOKEN")
_PLAIN = (
    "GitLab calls itself by plain http: whoever is on the way can read the token and change what "
    "is fetched and published. Give it a certificate."
)
_TRIGGERS = {"push": Trigger.PUSH, "schedule": Trigger.SCHEDULE}
"""CI_PIPELINE_SOURCE → trigger; every other source is an order of a person."""


def detect(environment: Mapping[str, str]) -> CiContext:
    """The job as GitLab describes it; raises UsageError when it does so wrongly."""
    variables = Variables(environment)
    # A child pipeline of a merge request's has another source, and the same request.
    if variables.text("CI_MERGE_REQUEST_IID"):
        return _merge_request(variables)
    return _branch(variables)


def _merge_request(variables: Variables) -> CiContext:
    # A fork's pipeline may run in the fork: the request lives where it wants into.
    target = variables.repository("CI_MERGE_REQUEST_PROJECT_PATH")
    source = variables.text("CI_MERGE_REQUEST_SOURCE_PROJECT_PATH")
    is_train = variables.text("CI_MERGE_REQUEST_EVENT_TYPE") == "merge_train"
    change = Change(
        provider=Provider.GITLAB,
        repository=target,
        trigger=Trigger.QUEUE if is_train else Trigger.CHANGE,
        # Empty unless the checked-out commit is the merged result.
        head=variables.commit("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA")
        or variables.commit("CI_COMMIT_SHA"),
        base=variables.commit("CI_MERGE_REQUEST_TARGET_BRANCH_SHA")
        or variables.commit("CI_MERGE_REQUEST_DIFF_BASE_SHA"),
        base_branch=variables.branch("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"),
        branch=variables.branch("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME"),
        number=variables.number("CI_MERGE_REQUEST_IID"),
        from_fork=source.lower() != target.lower(),
    )
    return _job(variables, change, variables.commit("CI_COMMIT_SHA"))


def _branch(variables: Variables) -> CiContext:
    branch = variables.branch("CI_COMMIT_BRANCH")
    change = Change(
        provider=Provider.GITLAB,
        repository=variables.repository("CI_PROJECT_PATH"),
        trigger=_TRIGGERS.get(variables.text("CI_PIPELINE_SOURCE"), Trigger.MANUAL),
        head=variables.commit("CI_COMMIT_SHA"),
        base_branch=branch,
        branch=branch,
    )
    if change.trigger is Trigger.PUSH and branch:
        change = _pushed(variables, change)
    return _job(variables, change, None)


def _pushed(variables: Variables, change: Change) -> Change:
    before = variables.commit("CI_COMMIT_BEFORE_SHA")
    return beside(replace(change, before=before), variables.branch("CI_DEFAULT_BRANCH"))


def _job(variables: Variables, change: Change, test_merge: str | None) -> CiContext:
    server = variables.address("CI_SERVER_URL", "https://gitlab.com", plain=True)
    api = variables.address("CI_API_V4_URL", f"{server}/api/v4", plain=True)
    change = replace(
        change,
        # Grows over the whole instance, and stays when a job is run again.
        sequence=variables.number("CI_PIPELINE_ID") or 0,
        run_url=variables.link("CI_JOB_URL", server),
    )
    environment_url = variables.text("CI_ENVIRONMENT_URL")
    return CiContext(
        change=change,
        deployment=Deployment(url=environment_url, ready=True) if environment_url else None,
        api_url=api,
        server_url=server,
        token_names=TOKEN_NAMES,
        clone_url=f"{server}/{change.repository}.git",
        clone_tokens=(
            ("gitlab-ci-token", "CI_JOB_TOKEN"),
            *(("oauth2", name) for name in ("MERGEGATE_TOKEN", "GITLAB_TOKEN")),
        ),
        workspace=variables.path("CI_PROJECT_DIR") or Path.cwd(),
        test_merge=test_merge,
        warnings=(_PLAIN,) if any(not is_address(one) for one in (server, api)) else (),
    )
