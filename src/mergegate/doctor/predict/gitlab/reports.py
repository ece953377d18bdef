"""What the merge request shows: reports as artifacts."""

from collections.abc import Iterator

from mergegate.doctor.predict.gitlab.pipeline import Gate, Pipeline
from mergegate.doctor.predict.prediction import Draft, Edits, Kind, predicts
from mergegate.doctor.predict.yaml.edit import Put
from mergegate.doctor.predict.yaml.parse import Node
from mergegate.doctor.predict.yaml.render import Value

_FILES = {
    "codequality": "gl-code-quality-report.json",
    "sast": "gl-sast-report.json",
    "secret_detection": "gl-secret-detection-report.json",
    "dependency_scanning": "gl-dependency-scanning-report.json",
}


@predicts("gitlab-reports-missing")
def missing(kind: Kind, pipeline: Pipeline) -> Iterator[Draft]:
    """No report of ours is named."""
    for gate in _reporting(pipeline):
        if not any(name in gate.job["artifacts"]["reports"].keys for name in _FILES):
            yield kind.at(gate, line=gate.job.node.key_line("artifacts"), edits=_named(gate))


@predicts("gitlab-report-lost-on-failure")
def lost(kind: Kind, pipeline: Pipeline) -> Iterator[Draft]:
    """The report folder is kept on success alone."""
    for gate in _reporting(pipeline):
        artifacts = gate.job["artifacts"]
        kept = any(_folder(gate) in path for path in artifacts["paths"].texts)
        if kept and artifacts["when"].text not in {"always", "on_failure"}:
            yield kind.at(
                gate,
                line=gate.job.node.key_line("artifacts"),
                edits=Put((*gate.job.place, "artifacts", "when"), "always")
                if gate.job.node.own("artifacts")
                else (),
            )


def _reporting(pipeline: Pipeline) -> Iterator[Gate]:
    yield from (gate for gate in pipeline.gates if gate.command and gate.verb == "ci")


def _folder(gate: Gate) -> str:
    return gate.told("report", "mergegate-report").rstrip("/")


def _named(gate: Gate) -> Edits:
    job, folder = gate.job, _folder(gate)
    if not job.node.own("artifacts") and job["artifacts"].present:
        return {}
    place = (*job.place, "artifacts")
    reports: dict[str, Value] = {key: f"{folder}/{name}" for key, name in _FILES.items()}
    if not job["artifacts"].pairs:
        whole: Value = {"when": "always", "paths": [f"{folder}/"], "reports": reports}
        return {job.path: (Put(place, whole),)}
    stated: Node = job["artifacts"]["reports"]
    if not stated.pairs:
        return {job.path: (Put((*place, "reports"), reports),)}
    return {job.path: tuple(Put((*place, "reports", key), one) for key, one in reports.items())}
