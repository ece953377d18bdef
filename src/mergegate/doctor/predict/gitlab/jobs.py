"""Whether the gate starts, fails with its pipeline and is heard: files, reports, tokens, forks."""

import re
from collections.abc import Iterator

from mergegate.doctor.predict import shell
from mergegate.doctor.predict.gitlab.pipeline import ENTRY, Gate, Pipeline, lines
from mergegate.doctor.predict.prediction import Edits, Kind, Place, Prediction, predicts
from mergegate.doctor.predict.yaml.edit import Drop, Edit, Path, Put, without
from mergegate.doctor.predict.yaml.parse import Node
from mergegate.doctor.predict.yaml.render import Value

_DIGEST = re.compile(r"@sha256:(?:[0-9a-f]{64}|DIGEST)$")
"""A digest, or what our recipe leaves to fill in."""


@predicts("gitlab-allow-failure")
def lenient(kind: Kind, pipeline: Pipeline) -> Iterator[Prediction]:
    """``allow_failure`` on the job, on what it extends, or in a rule."""
    for gate in pipeline.gates:
        job = gate.job
        if _forgives(job["allow_failure"]):
            own, place = job.node.own("allow_failure"), (*job.place, "allow_failure")
            edit = Drop(place) if own else Put(place, False)
            yield kind.at(gate, line=job.node.key_line("allow_failure"), edits=edit)
        for index, rule in enumerate(job.node["rules"].items):
            if _forgives(rule["allow_failure"]):
                yield kind.at(
                    gate,
                    line=rule.key_line("allow_failure"),
                    subject=f"{job.name}:{index}",
                    edits=Drop((*job.place, "rules", index, "allow_failure")),
                )


@predicts("gitlab-manual-gate")
def manual(kind: Kind, pipeline: Pipeline) -> Iterator[Prediction]:
    """``when: manual`` on the job or in a rule."""
    for gate in pipeline.gates:
        places: list[tuple[Path, Node]] = [(gate.job.place, gate.job.node)]
        rules = gate.job.node["rules"].items
        places += [((*gate.job.place, "rules", at), rule) for at, rule in enumerate(rules)]
        for place, node in places:
            if node["when"].text == "manual" and node.own("when"):
                yield kind.at(
                    Place(gate.job.path, node.key_line("when"), "/".join(map(str, place))),
                    edits=Drop((*place, "when")),
                )


@predicts("gitlab-exit-code-ignored")
def swallowed(kind: Kind, pipeline: Pipeline) -> Iterator[Prediction]:
    """``|| true`` and the like, or a call in ``after_script``."""
    for job in pipeline.jobs:
        entries = list(lines(job["script"]))
        for index, line in enumerate(entries):
            last = index + 1 == len(entries)
            for call in shell.calls(line.text, pipefail=True, ends_there=last):
                if call.swallowed and call.verb != "publish":
                    yield kind.at(
                        Place(job.path, line.line, job.name),
                        "script",
                        edits=_cleaned(job.place, job.node, line, call.excess)
                        if call.excess and line in job.node["script"].each
                        else (),
                        reason=call.swallowed,
                    )
        for line in lines(job["after_script"]):
            if any(call.verb != "publish" for call in shell.calls(line.text)):
                yield kind.at(Place(job.path, line.line, f"{job.name}:after"), "after")


@predicts("gitlab-image-entrypoint")
def entrypoint(kind: Kind, pipeline: Pipeline) -> Iterator[Prediction]:
    """Mergegate's image, without its entrypoint overridden."""
    for gate in pipeline.gates:
        image = pipeline.image_of(gate.job)
        if not gate.image or gate.command is None or image["entrypoint"].present:
            continue
        own = gate.job.node.own("image")
        edit = Put((*gate.job.place, "image"), {"name": gate.image, "entrypoint": [""]})
        yield kind.at(gate, line=image.line, edits=edit if own else ())


@predicts("gitlab-nothing-cloned")
def no_files(kind: Kind, pipeline: Pipeline) -> Iterator[Prediction]:
    """``GIT_STRATEGY`` keeps the files away."""
    for gate in pipeline.gates:
        if gate.variable("GIT_STRATEGY") in {"none", "empty"}:
            own = gate.job.node["variables"].own("GIT_STRATEGY")
            place = (*gate.job.place, "variables", "GIT_STRATEGY")
            yield kind.at(
                gate,
                line=own[0].line if own else gate.line,
                edits=Drop(place) if own else Put(place, "fetch"),
            )


@predicts("gitlab-history-unreachable")
def shallow(kind: Kind, pipeline: Pipeline) -> Iterator[Prediction]:
    """``scan --base`` in a shallow clone."""
    for gate in pipeline.gates:
        if gate.verb != "scan" or gate.command is None or not gate.command.options.get("base"):
            continue
        fetches = any("git fetch" in line for line in _script(gate))
        if gate.variable("GIT_DEPTH") != "0" and not fetches:
            yield kind.at(gate, edits=Put((*gate.job.place, "variables", "GIT_DEPTH"), "0"))


@predicts("gitlab-unpinned")
def unpinned(kind: Kind, pipeline: Pipeline) -> Iterator[Prediction]:
    """An image by tag, a component by branch, a package without a version."""
    for gate in pipeline.gates:
        installs = any(shell.installs_unpinned(line) for line in _script(gate))
        moving = bool(gate.image) and not _DIGEST.search(gate.image) and "$" not in gate.image
        if moving or installs:
            yield kind.at(
                gate,
                "moving" if moving else "newest",
                line=pipeline.image_of(gate.job).line if moving else gate.line,
                image=gate.image,
            )
    for path, one in pipeline.components:
        version = one["component"].text.rpartition("@")[2]
        if re.fullmatch(r"~latest|main|master|HEAD|\d+(?:\.\d+)?", version):
            yield kind.at(Place(path, one.line, "component"), "component", version=version)


def _script(gate: Gate) -> Iterator[str]:
    for key in ("before_script", "script"):
        yield from (line.text for line in lines(gate.job[key]))


def _forgives(stated: Node) -> bool:
    """``true``, or exit codes among which is the gate's."""
    return stated.is_true or "1" in stated["exit_codes"].texts


def _cleaned(place: Path, job: Node, line: Node, excess: str) -> Edit:
    script = job["script"]
    at: Path = (script.items.index(line),) if script.items else ()
    return without((*place, "script", *at), line.text, excess)


_FILES = {
    "codequality": "gl-code-quality-report.json",
    "sast": "gl-sast-report.json",
    "secret_detection": "gl-secret-detection-report.json",
    "dependency_scanning": "gl-dependency-scanning-report.json",
}


@predicts("gitlab-reports-missing")
def missing(kind: Kind, pipeline: Pipeline) -> Iterator[Prediction]:
    """No report of ours is named."""
    for gate in _reporting(pipeline):
        if not any(name in gate.job["artifacts"]["reports"].keys for name in _FILES):
            yield kind.at(gate, line=gate.job.node.key_line("artifacts"), edits=_named(gate))


@predicts("gitlab-reports-unwritten")
def unwritten(kind: Kind, pipeline: Pipeline) -> Iterator[Prediction]:
    """The job publishes a report of ours that no command writes."""
    for gate in _reporting(pipeline):
        stated = gate.job["artifacts"]["reports"]
        if any(stated[key].text == one for key, one in _reports(gate).items()) and (
            "gitlab" not in _formats(gate)
        ):
            line = gate.job.node.key_line("artifacts")
            yield kind.at(gate, line=line, edits=_asked(gate), formats=",".join(_formats(gate)))


@predicts("gitlab-report-lost-on-failure")
def lost(kind: Kind, pipeline: Pipeline) -> Iterator[Prediction]:
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


def _reports(gate: Gate) -> dict[str, Value]:
    return {key: f"{_folder(gate)}/{name}" for key, name in _FILES.items()}


def _formats(gate: Gate) -> list[str]:
    return [one.strip() for one in gate.told("formats", "json,html,sarif").split(",")]


def _asked(gate: Gate) -> tuple[Edit, ...]:
    """What makes the job write what GitLab reads; nothing where its call says the formats."""
    formats = _formats(gate)
    if "gitlab" in formats or (gate.command and gate.command.options.get("formats")):
        return ()
    place = (*gate.job.place, "variables", "MERGEGATE_FORMATS")
    return (Put(place, ",".join((*formats, "gitlab"))),)


def _named(gate: Gate) -> Edits:
    job, folder = gate.job, _folder(gate)
    if not job.node.own("artifacts") and job["artifacts"].present:
        return {}
    place, reports = (*job.place, "artifacts"), _reports(gate)
    stated: Node = job["artifacts"]["reports"]
    if not job["artifacts"].pairs:
        whole: Value = {"when": "always", "paths": [f"{folder}/"], "reports": reports}
        named: tuple[Edit, ...] = (Put(place, whole),)
    elif not stated.pairs:
        named = (Put((*place, "reports"), reports),)
    else:
        named = tuple(Put((*place, "reports", key), one) for key, one in reports.items())
    return {job.path: (*named, *_asked(gate))}


TOKENS = ("MERGEGATE_TOKEN", "GITLAB_TOKEN")


@predicts("gitlab-job-token-cannot-comment")
def job_token(kind: Kind, pipeline: Pipeline) -> Iterator[Prediction]:
    """A comment is expected, and the token is the job's, or known not to be there."""
    known = pipeline.scene.settings.has_variable(*TOKENS)
    for gate in pipeline.gates:
        given = _given(gate)
        poor = [name for name, value in given.items() if "CI_JOB_TOKEN" in value]
        if gate.answers and (poor or (known is False and not given)):
            yield kind.at(gate, edits=_taken_away(gate, poor))


@predicts("gitlab-token-needed")
def needed(kind: Kind, pipeline: Pipeline) -> Iterator[Prediction]:
    """A comment is expected, and nothing is known of a token."""
    for gate in pipeline.gates:
        unknown = pipeline.scene.settings.variables is None and not _given(gate)
        if gate.answers and unknown:
            yield kind.at(gate)


@predicts("gitlab-protected-variable")
def protected(kind: Kind, pipeline: Pipeline) -> Iterator[Prediction]:
    """The variables are known, and every one that holds the token is protected."""
    held = [one for one in pipeline.scene.settings.variables or () if one.name in TOKENS]
    if not held or not all(one.protected for one in held):
        return
    for gate in pipeline.gates:
        if gate.answers:
            yield kind.at(gate, variable=held[0].name)


@predicts("gitlab-fork-merge-request")
def fork(kind: Kind, pipeline: Pipeline) -> Iterator[Prediction]:
    """The project is or may be public."""
    settings = pipeline.scene.settings
    if settings.private is True or settings.forks is False:
        return
    for gate in pipeline.gates[:1]:
        if gate.answers:
            yield kind.at(Place(gate.job.path, gate.job.node.line))


@predicts("gitlab-pipeline-not-required")
def not_required(kind: Kind, pipeline: Pipeline) -> Iterator[Prediction]:
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
