"""The project around the pipeline: tokens, forks, and whether a failed pipeline stops a merge."""

from collections.abc import Iterator

from mergegate.doctor.predict.gitlab.pipeline import ENTRY, Gate, Pipeline
from mergegate.doctor.predict.prediction import Draft, Edits, Kind, Outcome, predicts
from mergegate.doctor.predict.yaml.edit import Drop

TOKENS = ("MERGEGATE_TOKEN", "GITLAB_TOKEN")
_JOB_TOKEN = "https://docs.gitlab.com/ci/jobs/ci_job_token/"

JOB_TOKEN = Kind(
    id="gitlab-job-token-cannot-comment",
    outcome=Outcome.BREAKS,
    title="CI_JOB_TOKEN cannot comment",
    why="GitLab lets CI_JOB_TOKEN read notes, not write them. Writing takes a project, group or "
    "personal token with the scope `api`.",
    advice="Make a project access token with the scope `api` and the role Developer, and store it "
    "as the masked CI/CD variable MERGEGATE_TOKEN.",
    reference=_JOB_TOKEN,
)
NEEDED = Kind(
    id="gitlab-token-needed",
    outcome=Outcome.NOTES,
    title="A comment takes a token, and the files cannot tell whether there is one",
    why=JOB_TOKEN.why,
    advice=JOB_TOKEN.advice,
    reference=_JOB_TOKEN,
)
PROTECTED = Kind(
    id="gitlab-protected-variable",
    outcome=Outcome.BREAKS,
    title="The token is kept from merge requests",
    why="A protected variable is given to pipelines of protected branches and tags alone; a merge "
    "request comes from a branch that is not.",
    advice="Take the protection off MERGEGATE_TOKEN and keep it masked; give it no more than the "
    "scope `api` and the role Developer.",
    reference="https://docs.gitlab.com/ci/variables/#protect-a-cicd-variable",
)
FORK = Kind(
    id="gitlab-fork-merge-request",
    outcome=Outcome.NOTES,
    title="Merge requests from forks get no comment",
    why="Their pipeline runs in the fork's project, with the fork's variables.",
    advice="Start a pipeline in the parent project from the merge request's Pipelines tab once "
    "the change has been looked at.",
    reference="https://docs.gitlab.com/ci/pipelines/merge_request_pipelines/"
    "#use-with-forked-projects",
)
NOT_REQUIRED = Kind(
    id="gitlab-pipeline-not-required",
    outcome=Outcome.WARNS,
    title="A failed pipeline does not stop a merge",
    why="GitLab stops a merge only where “Pipelines must succeed” is set.",
    advice="Set “Pipelines must succeed”, and leave “Skipped pipelines are considered "
    "successful” off.",
    reference="https://docs.gitlab.com/user/project/merge_requests/auto_merge/"
    "#require-a-successful-pipeline-for-merge",
)


@predicts(JOB_TOKEN)
def job_token(pipeline: Pipeline) -> Iterator[Draft]:
    """A comment is expected, and the token is the job's, or known not to be there."""
    known = pipeline.scene.settings.has_variable(*TOKENS)
    for gate in pipeline.gates:
        given = _given(gate)
        poor = [name for name, value in given.items() if "CI_JOB_TOKEN" in value]
        if gate.answers and (poor or (known is False and not given)):
            yield JOB_TOKEN.at(
                gate.job.path,
                gate.job.node.line,
                "No comment ever appears on a merge request: the job's own token may not write "
                "one. Results are in the log and the reports.",
                subject=gate.job.name,
                edits=_taken_away(gate, poor),
            )


@predicts(NEEDED)
def needed(pipeline: Pipeline) -> Iterator[Draft]:
    """A comment is expected, and nothing is known of a token."""
    for gate in pipeline.gates:
        unknown = pipeline.scene.settings.variables is None and not _given(gate)
        if gate.answers and unknown:
            yield NEEDED.at(
                gate.job.path,
                gate.job.node.line,
                "Unless the CI/CD variable MERGEGATE_TOKEN is set, and not protected, no comment "
                "appears on a merge request.",
                subject=gate.job.name,
            )


@predicts(PROTECTED)
def protected(pipeline: Pipeline) -> Iterator[Draft]:
    """The variables are known, and every one that holds the token is protected."""
    held = [one for one in pipeline.scene.settings.variables or () if one.name in TOKENS]
    if not held or not all(one.protected for one in held):
        return
    for gate in pipeline.gates:
        if gate.answers:
            yield PROTECTED.at(
                gate.job.path,
                gate.job.node.line,
                f"No comment appears on a merge request: {held[0].name} is protected, and the "
                "merge request's branch is not.",
                subject=gate.job.name,
            )


@predicts(FORK)
def fork(pipeline: Pipeline) -> Iterator[Draft]:
    """The project is or may be public."""
    settings = pipeline.scene.settings
    if settings.private is True or settings.forks is False:
        return
    for gate in pipeline.gates[:1]:
        if gate.answers:
            yield FORK.at(
                gate.job.path,
                gate.job.node.line,
                "On a merge request from a fork no comment appears; results are in the log and "
                "the reports of the fork's pipeline.",
            )


@predicts(NOT_REQUIRED)
def not_required(pipeline: Pipeline) -> Iterator[Draft]:
    """The project's merge settings let a failed or skipped pipeline through."""
    settings = pipeline.scene.settings
    for gate in pipeline.gates[:1]:
        if settings.pipeline_must_pass is False:
            yield NOT_REQUIRED.at(
                ENTRY,
                gate.job.node.line,
                "A failing gate stops nothing: the merge request can be merged beside it.",
            )
        elif settings.skipped_passes is True:
            yield NOT_REQUIRED.at(
                ENTRY,
                gate.job.node.line,
                "A commit whose message says `[skip ci]` is merged unseen: a skipped pipeline "
                "counts as passed.",
            )


PREDICTORS = (job_token, needed, protected, fork, not_required)


def _given(gate: Gate) -> dict[str, str]:
    """The tokens that the files set."""
    return {name: value for name in TOKENS if (value := gate.variable(name))}


def _taken_away(gate: Gate, names: list[str]) -> Edits:
    """Without the poor token in the file, the variable of the project counts."""
    own = [name for name in names if gate.job.node["variables"].own(name)]
    return (
        {gate.job.path: tuple(Drop((*gate.job.place, "variables", name)) for name in own)}
        if own
        else {}
    )
