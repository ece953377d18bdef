"""Which pipelines the gate is in, and how many of them run."""

from collections.abc import Iterator

from mergegate.doctor.predict.gitlab.pipeline import ENTRY, Gate, Pipeline
from mergegate.doctor.predict.gitlab.rules import Start, includes
from mergegate.doctor.predict.prediction import Draft, Edits, Kind, Outcome, predicts
from mergegate.doctor.predict.yaml.edit import Drop, Insert, Put

_PAGE = "https://docs.gitlab.com/ci/pipelines/merge_request_pipelines/"
_REQUEST = '$CI_PIPELINE_SOURCE == "merge_request_event"'
_DEFAULT = "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH"

NEVER = Kind(
    id="gitlab-no-merge-request-pipeline",
    outcome=Outcome.BREAKS,
    title="The gate is in no merge request pipeline",
    why="A job without `rules:` is in branch and tag pipelines alone, unless `workflow:rules` "
    "asks for merge request pipelines; only these know the merge request.",
    advice=f"Add a rule `if: {_REQUEST}`.",
    reference=_PAGE,
)
TWICE = Kind(
    id="gitlab-duplicate-pipelines",
    outcome=Outcome.WARNS,
    title="Each push starts two pipelines",
    why="A push to a branch with an open merge request starts a branch pipeline and a merge "
    "request pipeline; the merge request looks at the second alone.",
    advice="Choose by `workflow:rules` which of the two runs.",
    reference="https://docs.gitlab.com/ci/yaml/workflow/"
    "#switch-between-branch-pipelines-and-merge-request-pipelines",
)
CHANGES = Kind(
    id="gitlab-changes-skip-gate",
    outcome=Outcome.WARNS,
    title="A path filter leaves the gate out, and the pipeline passes",
    why="A job that `changes:` leaves out is not in the pipeline, and a pipeline passes when all "
    "jobs in it pass.",
    advice="Remove `changes:` from the gate; Mergegate looks only at what the change touches.",
    reference="https://docs.gitlab.com/ci/yaml/#ruleschanges",
)


@predicts(NEVER)
def never(pipeline: Pipeline) -> Iterator[Draft]:
    """``rules``, ``only`` and ``workflow`` together keep the gate out."""
    for gate in pipeline.gates:
        if gate.command is None or includes(pipeline, gate.job, Start.MERGE_REQUEST) is not False:
            continue
        yield NEVER.at(
            gate.job.path,
            gate.job.node.key_line("rules") if gate.job.node.own("rules") else _line(gate),
            "No merge request is scanned as one: the change is not measured against its target, "
            "and no comment appears.",
            subject=gate.job.name,
            edits=_admitted(pipeline, gate),
        )


@predicts(TWICE)
def twice(pipeline: Pipeline) -> Iterator[Draft]:
    """The gate is in merge request pipelines, and any job in branch pipelines too."""
    path, workflow = pipeline.top("workflow")
    if workflow["rules"].present:
        return
    asked = [gate for gate in pipeline.gates if includes(pipeline, gate.job, Start.MERGE_REQUEST)]
    doubled = [job for job in pipeline.jobs if includes(pipeline, job, Start.PUSH)]
    if asked and doubled:
        first = doubled[0]
        yield TWICE.at(
            asked[0].job.path,
            _line(asked[0]),
            f"Each push to a merge request starts two pipelines: “{first.name}” runs for the "
            "branch, the gate in a detached pipeline, and the merge request waits for that alone.",
            edits={
                path: (
                    Put(
                        ("workflow",),
                        {
                            "rules": [
                                {"if": _REQUEST},
                                {
                                    "if": "$CI_COMMIT_BRANCH && $CI_OPEN_MERGE_REQUESTS",
                                    "when": "never",
                                },
                                {"if": "$CI_COMMIT_BRANCH"},
                                {"if": "$CI_COMMIT_TAG"},
                            ]
                        },
                        ("include", "stages", "default"),
                    ),
                )
            },
        )


@predicts(CHANGES)
def changes(pipeline: Pipeline) -> Iterator[Draft]:
    """``changes:`` in the rules of a gate."""
    for gate in pipeline.gates:
        rules = gate.job.node["rules"]
        for index, rule in enumerate(rules.items):
            if rule["changes"].present and rule["when"].text != "never":
                place = (*gate.job.place, "rules", index)
                alone = not rule["if"].present
                put = (Put((*place, "if"), _REQUEST),) if alone else ()
                yield CHANGES.at(
                    gate.job.path,
                    rule.key_line("changes"),
                    "A merge request that touches none of these paths is merged unseen: the gate "
                    "is not in its pipeline.",
                    subject=f"{gate.job.name}:{index}",
                    edits={gate.job.path: (*put, Drop((*place, "changes")))}
                    if gate.job.node.own("rules")
                    else {},
                )
        for key in ("only", "except"):
            if gate.job[key]["changes"].present:
                yield CHANGES.at(
                    gate.job.path,
                    gate.job[key].line,
                    "A merge request that touches none of these paths is merged unseen: the gate "
                    "is not in its pipeline.",
                    subject=f"{gate.job.name}:{key}",
                )


PREDICTORS = (never, twice, changes)


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


def _line(gate: Gate) -> int:
    return gate.job.node.line
