"""Which pipelines the gate is in, and how many of them run."""

from collections.abc import Iterator, Mapping
from enum import Enum

from mergegate.doctor.predict.gitlab.pipeline import ENTRY, Gate, Job, Pipeline
from mergegate.doctor.predict.logic import UNKNOWN, Known, Language, Look, Value, holds
from mergegate.doctor.predict.prediction import Edits, Kind, Place, Prediction, predicts
from mergegate.doctor.predict.yaml.edit import Drop, Insert, Put
from mergegate.doctor.predict.yaml.parse import Node

_FEATURE, _RULES_DEFAULT = "\0feature", "\0default"
_REQUEST_WORDS = {"merge_requests", "external_pull_requests"}


class Start(Enum):
    """Why a pipeline is made, with the variables that tell."""

    MERGE_REQUEST = 1
    """A merge request was opened or pushed to."""
    PUSH = 2
    """The same push, seen as a push to its branch, while the merge request is open."""


_COMMON: dict[str, Known] = {
    "CI_DEFAULT_BRANCH": _RULES_DEFAULT,
    "CI_COMMIT_TAG": None,
    "CI_OPEN_MERGE_REQUESTS": "open",
    "CI": "true",
    "GITLAB_CI": "true",
}
_KNOWN: dict[Start, Mapping[str, Known]] = {
    Start.MERGE_REQUEST: _COMMON
    | {
        "CI_PIPELINE_SOURCE": "merge_request_event",
        "CI_MERGE_REQUEST_IID": "1",
        "CI_MERGE_REQUEST_ID": "1",
        "CI_COMMIT_BRANCH": None,
    },
    Start.PUSH: _COMMON
    | {
        "CI_PIPELINE_SOURCE": "push",
        "CI_MERGE_REQUEST_IID": None,
        "CI_MERGE_REQUEST_ID": None,
        "CI_COMMIT_BRANCH": _FEATURE,
        "CI_COMMIT_REF_NAME": _FEATURE,
    },
}


def includes(pipeline: Pipeline, job: Job, start: Start) -> bool | None:
    """Whether ``job`` is in a pipeline that starts so; None where only the run can tell."""
    made = _made(pipeline, start)
    inside = _asked(pipeline, job, start)
    if made is False or inside is False:
        return False
    return None if None in {made, inside} else True


def _made(pipeline: Pipeline, start: Start) -> bool | None:
    """Whether such a pipeline is made at all."""
    rules = pipeline.top("workflow")[1]["rules"]
    return _matched(rules, start) if rules.present else True


def _asked(pipeline: Pipeline, job: Job, start: Start) -> bool | None:
    if job["rules"].present:
        return _matched(job["rules"], start)
    if job["only"].present or job["except"].present:
        return _policy(job, start)
    # Without rules of its own a job is in branch and tag pipelines, unless `workflow:rules`
    # has taken over: https://docs.gitlab.com/ci/yaml/workflow/
    ruled = pipeline.top("workflow")[1]["rules"].present
    return ruled or start is Start.PUSH


def _matched(rules: Node, start: Start) -> bool | None:
    """What the first rule that applies says; rules that cannot be told make it unknown."""
    doubtful = False
    for rule in rules.items:
        answer = _applies(rule, start)
        if answer is False:
            continue
        chosen = rule["when"].text != "never"
        if answer is True:
            return None if doubtful else chosen
        doubtful = True
    return None if doubtful else False


def _applies(rule: Node, start: Start) -> bool | None:
    if not rule.pairs:
        # `!reference` and strings stand for rules written elsewhere.
        return None
    answer = holds(rule["if"].text, Language(_looking(start))) if rule["if"].present else True
    narrowed = rule["changes"].present or rule["exists"].present
    return None if answer is True and narrowed else answer


def _looking(start: Start) -> Look:
    known: Mapping[str, Value] = _KNOWN[start]

    def look(name: str) -> Value:
        return known.get(name.removeprefix("$"), UNKNOWN)

    return look


def _policy(job: Job, start: Start) -> bool | None:
    only, left_out = _refs(job["only"]), _refs(job["except"])
    if start is Start.MERGE_REQUEST:
        return bool(only & _REQUEST_WORDS) and not left_out & _REQUEST_WORDS
    if "branches" in left_out:
        return False
    if not job["only"].present or "branches" in only or "pushes" in only:
        return True
    return (
        False if only <= _REQUEST_WORDS | {"tags", "main", "master", "schedules", "web"} else None
    )


def _refs(policy: Node) -> set[str]:
    refs = policy["refs"] if policy.pairs else policy
    return set(refs.texts)


_REQUEST = '$CI_PIPELINE_SOURCE == "merge_request_event"'
_DEFAULT = "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH"
_ONE_OF_TWO = (
    {"if": _REQUEST},
    {"if": "$CI_COMMIT_BRANCH && $CI_OPEN_MERGE_REQUESTS", "when": "never"},
    {"if": "$CI_COMMIT_BRANCH"},
    {"if": "$CI_COMMIT_TAG"},
)
_BEFORE = ("include", "stages", "default")


@predicts("gitlab-no-merge-request-pipeline")
def never(kind: Kind, pipeline: Pipeline) -> Iterator[Prediction]:
    """``rules``, ``only`` and ``workflow`` together keep the gate out."""
    for gate in pipeline.gates:
        if gate.command is None or includes(pipeline, gate.job, Start.MERGE_REQUEST) is not False:
            continue
        yield kind.at(
            gate,
            line=gate.job.node.key_line("rules") if gate.job.node.own("rules") else gate.line,
            edits=_admitted(pipeline, gate),
        )


@predicts("gitlab-duplicate-pipelines")
def twice(kind: Kind, pipeline: Pipeline) -> Iterator[Prediction]:
    """The gate is in merge request pipelines, and any job in branch pipelines too."""
    path, workflow = pipeline.top("workflow")
    if workflow["rules"].present:
        return
    asked = [gate for gate in pipeline.gates if includes(pipeline, gate.job, Start.MERGE_REQUEST)]
    doubled = [job for job in pipeline.jobs if includes(pipeline, job, Start.PUSH)]
    if asked and doubled:
        yield kind.at(
            Place(asked[0].path, asked[0].line),
            edits={path: (Put(("workflow",), {"rules": _ONE_OF_TWO}, _BEFORE),)},
            job=doubled[0].name,
        )


@predicts("gitlab-changes-skip-gate")
def changes(kind: Kind, pipeline: Pipeline) -> Iterator[Prediction]:
    """``changes:`` in the rules of a gate."""
    for gate in pipeline.gates:
        rules = gate.job.node["rules"]
        for index, rule in enumerate(rules.items):
            if rule["changes"].present and rule["when"].text != "never":
                place = (*gate.job.place, "rules", index)
                alone = not rule["if"].present
                put = (Put((*place, "if"), _REQUEST),) if alone else ()
                yield kind.at(
                    Place(gate.job.path, rule.key_line("changes"), f"{gate.job.name}:{index}"),
                    edits=(*put, Drop((*place, "changes"))) if gate.job.node.own("rules") else (),
                )
        for key in ("only", "except"):
            if gate.job[key]["changes"].present:
                yield kind.at(gate, line=gate.job[key].line, subject=f"{gate.job.name}:{key}")


def _admitted(pipeline: Pipeline, gate: Gate) -> Edits:
    """A rule for merge requests, at the job or, where that is what keeps it out, above."""
    path, workflow = pipeline.top("workflow")
    if workflow["rules"].items and _blocked(gate):
        return {path: (Insert(("workflow", "rules"), {"if": _REQUEST}, 0),)}
    job, place = gate.job, gate.job.place
    if job.node["rules"].items:
        return {job.path: (Insert((*place, "rules"), {"if": _REQUEST}, 0),)}
    if job["rules"].present or job["except"].present or path != ENTRY:
        return {}
    rules = Put((*place, "rules"), [{"if": _REQUEST}, {"if": _DEFAULT}])
    if job.node.own("only"):
        return {job.path: (Drop((*place, "only")), rules)}
    return {} if job["only"].present else {job.path: (rules,)}


def _blocked(gate: Gate) -> bool:
    """Whether `workflow:rules` is what keeps the gate out: it alone would be let in."""
    return not gate.job["rules"].present or any(
        "merge_request" in rule["if"].text.lower() for rule in gate.job["rules"].items
    )
