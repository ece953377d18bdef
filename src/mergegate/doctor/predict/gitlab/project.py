"""The project around the pipeline: tokens, forks, and whether a failed pipeline stops a merge."""

from collections.abc import Iterator

from mergegate.doctor.predict.gitlab.pipeline import ENTRY, Gate, Pipeline
from mergegate.doctor.predict.prediction import Draft, Edits, Kind, Place, predicts
from mergegate.doctor.predict.yaml.edit import Drop

TOKENS = ("MERGEGATE_TOKEN", "GITLAB_TOKEN")


@predicts("gitlab-job-token-cannot-comment")
def job_token(kind: Kind, pipeline: Pipeline) -> Iterator[Draft]:
    """A comment is expected, and the token is the job's, or known not to be there."""
    known = pipeline.scene.settings.has_variable(*TOKENS)
    for gate in pipeline.gates:
        given = _given(gate)
        poor = [name for name, value in given.items() if "CI_JOB_TOKEN" in value]
        if gate.answers and (poor or (known is False and not given)):
            yield kind.at(gate, edits=_taken_away(gate, poor))


@predicts("gitlab-token-needed")
def needed(kind: Kind, pipeline: Pipeline) -> Iterator[Draft]:
    """A comment is expected, and nothing is known of a token."""
    for gate in pipeline.gates:
        unknown = pipeline.scene.settings.variables is None and not _given(gate)
        if gate.answers and unknown:
            yield kind.at(gate)


@predicts("gitlab-protected-variable")
def protected(kind: Kind, pipeline: Pipeline) -> Iterator[Draft]:
    """The variables are known, and every one that holds the token is protected."""
    held = [one for one in pipeline.scene.settings.variables or () if one.name in TOKENS]
    if not held or not all(one.protected for one in held):
        return
    for gate in pipeline.gates:
        if gate.answers:
            yield kind.at(gate, variable=held[0].name)


@predicts("gitlab-fork-merge-request")
def fork(kind: Kind, pipeline: Pipeline) -> Iterator[Draft]:
    """The project is or may be public."""
    settings = pipeline.scene.settings
    if settings.private is True or settings.forks is False:
        return
    for gate in pipeline.gates[:1]:
        if gate.answers:
            yield kind.at(Place(gate.job.path, gate.job.node.line))


@predicts("gitlab-pipeline-not-required")
def not_required(kind: Kind, pipeline: Pipeline) -> Iterator[Draft]:
    """The project's merge settings let a failed or skipped pipeline through."""
    settings = pipeline.scene.settings
    for gate in pipeline.gates[:1]:
        if settings.pipeline_must_pass is False:
            yield kind.at(Place(ENTRY, gate.job.node.line), "failed")
        elif settings.skipped_passes is True:
            yield kind.at(Place(ENTRY, gate.job.node.line), "skipped")


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
