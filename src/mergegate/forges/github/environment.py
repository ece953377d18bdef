"""GitHub Actions, on github.com or an Enterprise Server: variables, event file → the job's context.

https://docs.github.com/en/actions/reference/workflows-and-actions/variables
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from mergegate.core.change import Change, Provider, Trigger
from mergegate.core.errors import UsageError
from mergegate.forges import payloads
from mergegate.forges.context import CiContext, Deployment, Finished, beside
from mergegate.forges.variables import Variables
from mergegate.sandbox.git.names import is_branch, is_nothing

TOKEN_NAMES = ("MERGEGATE_TOKEN", "INPUT_TOKEN", "GITHUB_TOKEN", "GH_TOKEN")
_DEPLOYED = "success"
_DEPENDABOT = "dependabot[bot]"
_BRANCH = "refs/heads/"
# gh-readonly-queue/<base>/pr-<number>-<base commit>
_QUEUED = re.compile(r"/pr-([1-9][0-9]{0,9})-[0-9a-f]{40,64}$", re.ASCII)
_TARGET_WARNING = (
    "The job runs on `pull_request_target`, with the secrets of the repository: what it checks "
    "out, it must never build or run. Use `pull_request`, and `workflow_run` for publishing."
)
_DELIVERED = {
    "pull_request": Trigger.CHANGE,
    "pull_request_target": Trigger.CHANGE,
    "pull_request_review": Trigger.CHANGE,
    "pull_request_review_comment": Trigger.CHANGE,
    "merge_group": Trigger.QUEUE,
    "push": Trigger.PUSH,
    "schedule": Trigger.SCHEDULE,
}
"""Every other event is somebody's order."""
_UNEXPOSED = frozenset(_DELIVERED) - {"pull_request_target"} | {"workflow_dispatch"}
"""Events that give a stranger's change no secret, or that no stranger sets off."""


def detect(environment: Mapping[str, str]) -> CiContext:
    """The job as GitHub describes it; raises UsageError when it does so wrongly."""
    job = _Job(Variables(environment))
    reader = _READERS.get(job.event_name, _other)
    found = reader(job, _plain(job))
    return _elsewhere(found) if _is_imitation(environment) else found


@dataclass(frozen=True, slots=True)
class _Job:
    variables: Variables

    @property
    def event_name(self) -> str:
        return self.variables.text("GITHUB_EVENT_NAME")

    @property
    def event_file(self) -> Path | None:
        return self.variables.path("GITHUB_EVENT_PATH")

    @property
    def repository(self) -> str:
        return self.variables.repository("GITHUB_REPOSITORY")

    @property
    def server(self) -> str:
        return self.variables.address("GITHUB_SERVER_URL", "https://github.com")

    @property
    def dependabot(self) -> bool:
        return self.variables.text("GITHUB_ACTOR") == _DEPENDABOT

    def run_url(self, run_id: int | None) -> str:
        return f"{self.server}/{self.repository}/actions/runs/{run_id}" if run_id else ""


def _plain(job: _Job) -> CiContext:
    """What holds for every event."""
    variables = job.variables
    run_id = variables.number("GITHUB_RUN_ID")
    return CiContext(
        change=Change(
            provider=Provider.GITHUB,
            repository=job.repository,
            trigger=_DELIVERED.get(job.event_name, Trigger.MANUAL),
            head=variables.commit("GITHUB_SHA"),
            sequence=_sequence(run_id, variables.number("GITHUB_RUN_ATTEMPT")),
            run_url=job.run_url(run_id),
        ),
        api_url=variables.address("GITHUB_API_URL", "https://api.github.com"),
        server_url=job.server,
        token_names=TOKEN_NAMES,
        clone_url=f"{job.server}/{job.repository}.git",
        clone_tokens=tuple(("x-access-token", name) for name in TOKEN_NAMES),
        summary_file=variables.path("GITHUB_STEP_SUMMARY"),
        output_file=variables.path("GITHUB_OUTPUT"),
        workspace=variables.path("GITHUB_WORKSPACE") or Path.cwd(),
        token_is_read_only=job.dependabot,
        is_exposed=job.event_name not in _UNEXPOSED,
    )


def _pull_request(job: _Job, found: CiContext) -> CiContext:
    event = payloads.read(job.event_file, payloads.PullRequestEvent)
    said = event.pull_request
    _same_repository(job, said.base.repo)
    foreign = _is_foreign(job, said.head.repo)
    change = replace(
        found.change,
        head=said.head.sha,
        base=said.base.sha,
        base_branch=said.base.ref,
        branch=said.head.ref,
        number=said.number,
        from_fork=foreign,
    )
    return replace(
        found,
        change=change,
        token_is_read_only=foreign or job.dependabot,
        is_edited=event.is_edited,
    )


def _pull_request_target(job: _Job, found: CiContext) -> CiContext:
    found = _pull_request(job, found)
    return replace(found, token_is_read_only=job.dependabot, warnings=(_TARGET_WARNING,))


def _merge_group(job: _Job, found: CiContext) -> CiContext:
    said = payloads.read(job.event_file, payloads.MergeGroupEvent).merge_group
    change = replace(
        found.change,
        head=said.head_sha,
        base=said.base_sha,
        base_branch=branch_of(said.base_ref),
        branch=branch_of(said.head_ref),
        number=queued_number(said.head_ref),
    )
    return replace(found, change=change)


def _push(job: _Job, found: CiContext) -> CiContext:
    said = payloads.read(job.event_file, payloads.PushEvent)
    branch = branch_of(said.ref)
    before = None if is_nothing(said.before) or not branch else said.before
    change = replace(found.change, branch=branch, base_branch=branch, before=before)
    return replace(found, change=beside(change, said.repository.default_branch))


def _comment(job: _Job, found: CiContext) -> CiContext:
    said = payloads.read(job.event_file, payloads.IssueCommentEvent)
    # GITHUB_SHA is the default branch here; the API knows the head.
    change = replace(
        found.change,
        trigger=Trigger.COMMENT,
        head=None,
        number=said.issue.number if said.issue.pull_request is not None else None,
    )
    return replace(found, change=change)


def _workflow_run(job: _Job, found: CiContext) -> CiContext:
    run = payloads.read(job.event_file, payloads.WorkflowRunEvent).workflow_run
    numbers = {ref.number for ref in run.pull_requests}
    change = replace(
        found.change,
        trigger=_DELIVERED.get(run.event, Trigger.MANUAL),
        head=run.head_sha,
        branch=run.head_branch or "",
        number=numbers.pop() if len(numbers) == 1 else None,
        from_fork=_is_foreign(job, run.head_repository),
        sequence=_sequence(run.id, run.run_attempt),
        run_url=job.run_url(run.id),
    )
    finished = Finished(
        run_id=run.id,
        head_repository=run.head_repository.full_name if run.head_repository else "",
        event=run.event,
        conclusion=run.conclusion or "",
    )
    return replace(found, change=change, finished=finished, token_is_read_only=False)


def _deployment_status(job: _Job, found: CiContext) -> CiContext:
    """The commit that was deployed; whose pull request it is, the API knows."""
    said = payloads.read(job.event_file, payloads.DeploymentStatusEvent)
    status = said.deployment_status
    deployment = Deployment(url=status.environment_url or "", ready=status.state == _DEPLOYED)
    change = replace(found.change, head=said.deployment.sha)
    return replace(found, change=change, deployment=deployment)


def _other(job: _Job, found: CiContext) -> CiContext:
    """The context of a schedule or an order by hand: the branch that GITHUB_REF names."""
    branch = branch_of(job.variables.text("GITHUB_REF"))
    return replace(found, change=replace(found.change, branch=branch, base_branch=branch))


_READERS: dict[str, Callable[[_Job, CiContext], CiContext]] = {
    "pull_request": _pull_request,
    "pull_request_review": _pull_request,
    "pull_request_review_comment": _pull_request,
    "pull_request_target": _pull_request_target,
    "merge_group": _merge_group,
    "push": _push,
    "issue_comment": _comment,
    "workflow_run": _workflow_run,
    "deployment_status": _deployment_status,
}


def _sequence(run_id: int | None, attempt: int | None) -> int:
    """A second attempt counts more than the first, less than the next run."""
    return (run_id or 0) * 100 + min(attempt or 1, 99)


def queued_number(ref: str) -> int | None:
    """The number of a merge queue branch's last pull request; None for other branches."""
    queued = _QUEUED.search(ref)
    return int(queued[1]) if queued else None


def branch_of(ref: str) -> str:
    """The branch that a full reference names; empty for a tag. Raises UsageError."""
    if not ref.startswith(_BRANCH):
        return ""
    branch = ref.removeprefix(_BRANCH)
    if not is_branch(branch):
        raise UsageError("the event names a branch that Git would not allow")
    return branch


def _is_foreign(job: _Job, repo: payloads.Repo | None) -> bool:
    """A fork, or one that has been deleted."""
    return repo is None or repo.full_name.lower() != job.repository.lower()


def _same_repository(job: _Job, repo: payloads.Repo | None) -> None:
    if _is_foreign(job, repo):
        raise UsageError(
            "the event file tells of another repository than GITHUB_REPOSITORY",
            remedy="Run `mergegate ci` inside the job that the event started.",
        )


def _is_imitation(environment: Mapping[str, str]) -> bool:
    """Gitea and Forgejo run workflows of GitHub's kind, and answer to another API."""
    return any(environment.get(name) == "true" for name in ("GITEA_ACTIONS", "FORGEJO_ACTIONS"))


def _elsewhere(found: CiContext) -> CiContext:
    return replace(
        found,
        change=replace(found.change, provider=None),
        api_url="",
        token_names=(),
        finished=None,
    )
