"""Which pipelines the gate is in, and what it finds there: files, history, memory, a token."""

import re
from collections.abc import Iterator

from mergegate.doctor.predict import shell
from mergegate.doctor.predict.bitbucket.pipeline import ENTRY, Gate, Pipelines
from mergegate.doctor.predict.prediction import Draft, Edits, Kind, Outcome, predicts
from mergegate.doctor.predict.yaml.edit import Edit, Insert, Put, plain
from mergegate.doctor.predict.yaml.parse import Form, Node, Refused
from mergegate.doctor.predict.yaml.render import Value

_DOCS = "https://support.atlassian.com/bitbucket-cloud/docs/"
_STEP_MEMORY = {"1x": 4096, "2x": 8192}
_BUILD_NEEDS = 3072
_SERVICE_DEFAULT = 1024
TOKENS = ("MERGEGATE_TOKEN", "BITBUCKET_TOKEN")

NO_PULL_REQUEST = Kind(
    id="bitbucket-no-pull-request-pipeline",
    outcome=Outcome.BREAKS,
    title="The gate is in no pull request pipeline",
    why="Only steps under `pull-requests:` know the pull request and its destination, and run on "
    "the two merged.",
    advice="Run the step under `pull-requests: '**'`.",
    reference=f"{_DOCS}pipeline-start-conditions/",
)
SHALLOW = Kind(
    id="bitbucket-shallow-clone",
    outcome=Outcome.WARNS,
    title="The base may not be in the clone",
    why="Bitbucket clones the last 50 commits.",
    advice="Set `clone: depth: full` for the step.",
    reference=f"{_DOCS}git-clone-behavior/",
)
NO_FILES = Kind(
    id="bitbucket-nothing-cloned",
    outcome=Outcome.BREAKS,
    title="The gate's step does not clone the repository",
    why="With `clone: enabled: false` the step starts without the files.",
    advice="Let the step clone.",
    reference=f"{_DOCS}git-clone-behavior/",
)
MEMORY = Kind(
    id="bitbucket-memory",
    outcome=Outcome.WARNS,
    title="Services leave too little memory for the scan",
    why="A step of size 1x has 4 GB, of which each service takes 1 GB unless it says otherwise; a "
    "full scan takes up to 2 GB beside what the build holds.",
    advice="Set `size: 2x`, or take the services off the step.",
    reference=f"{_DOCS}step-options/",
)
TOKEN = Kind(
    id="bitbucket-token-missing",
    outcome=Outcome.BREAKS,
    title="No token to comment with",
    why="Code Insights takes reports through the proxy of the build without a token; a comment "
    "takes an access token with the scope `pullrequest:write`.",
    advice="Store a repository access token as the secured variable MERGEGATE_TOKEN.",
    reference=f"{_DOCS}repository-access-tokens/",
)
NEEDED = Kind(
    id="bitbucket-token-needed",
    outcome=Outcome.NOTES,
    title="A comment takes a token, and the files cannot tell whether there is one",
    why=TOKEN.why,
    advice=TOKEN.advice,
    reference=TOKEN.reference,
)
PROXY = Kind(
    id="bitbucket-proxy-unreachable",
    outcome=Outcome.WARNS,
    title="Code Insights cannot be reached from a container inside the step",
    why="The proxy that signs requests listens on the step's own localhost, port 29418.",
    advice="Use Mergegate's image as the step's `image:`, and call `mergegate ci` in its script.",
    reference=f"{_DOCS}code-insights/",
)
FORK = Kind(
    id="bitbucket-fork-variables",
    outcome=Outcome.NOTES,
    title="Pull requests from forks get no comment",
    why="Pipelines for a fork's pull request run in the fork, with the fork's variables.",
    advice="Read the result in the fork's pipeline, or bring the branch into the repository.",
    reference=f"{_DOCS}pipeline-start-conditions/",
)
UNPINNED = Kind(
    id="bitbucket-unpinned",
    outcome=Outcome.WARNS,
    title="Mergegate is not pinned",
    why="Tags and `latest` can be moved to other content, which then sees this repository's "
    "variables.",
    advice="Pin the image or pipe to its digest, the package to a version.",
    reference=f"{_DOCS}use-docker-images-as-build-environments/",
)


@predicts(NO_PULL_REQUEST)
def no_pull_request(pipelines: Pipelines) -> Iterator[Draft]:
    """There are gates, and none of them under ``pull-requests``."""
    if any(gate.step.start == "pull-requests" for gate in pipelines.gates):
        return
    for gate in pipelines.gates[:1]:
        yield NO_PULL_REQUEST.at(
            ENTRY,
            gate.line,
            "No pull request is scanned as one: the change is not measured against its "
            "destination, and no comment appears.",
            edits=_asked(pipelines, gate),
        )


@predicts(SHALLOW)
def shallow(pipelines: Pipelines) -> Iterator[Draft]:
    """The clone is not full, and the step compares."""
    for gate in pipelines.gates:
        compares = (
            gate.command is None or gate.command.verb == "ci" or gate.command.options.get("base")
        )
        depth = pipelines.clone(gate.step, "depth").text
        asked = "git fetch" in "".join(line.text for line in gate.step.lines)
        if compares and not asked and depth != "full":
            yield SHALLOW.at(
                ENTRY,
                gate.line,
                f"A branch of more than {depth or '50'} commits cannot be measured against its "
                "destination: the step fails.",
                subject=gate.step.name,
                edits={ENTRY: (Put((*gate.step.path, "clone", "depth"), "full", ("name",)),)},
            )


@predicts(NO_FILES)
def no_files(pipelines: Pipelines) -> Iterator[Draft]:
    """``clone: enabled: false`` on the step or the file."""
    for gate in pipelines.gates:
        if pipelines.clone(gate.step, "enabled").is_false:
            place = (*gate.step.path, "clone", "enabled")
            yield NO_FILES.at(
                ENTRY,
                gate.line,
                "There is nothing to scan, and the step fails.",
                subject=gate.step.name,
                edits={ENTRY: (Put(place, True),)},
            )


@predicts(MEMORY)
def memory(pipelines: Pipelines) -> Iterator[Draft]:
    """The services of the step take what the scan would need."""
    for gate in pipelines.gates:
        size = gate.step.node["size"].text or pipelines.top.at("options", "size").text or "1x"
        services = gate.step.node["services"].texts
        taken = sum(_service(pipelines, name) for name in services)
        left = _STEP_MEMORY.get(size, 1 << 20) - taken
        if services and left < _BUILD_NEEDS:
            yield MEMORY.at(
                ENTRY,
                gate.step.node.key_line("services"),
                f"The services take {taken} MB and leave {left} MB: a large scan is killed with "
                "“container exceeded memory limit”.",
                subject=gate.step.name,
                edits={ENTRY: (Put((*gate.step.path, "size"), "2x", ("name",)),)}
                if size == "1x"
                else {},
            )


@predicts(TOKEN)
def token(pipelines: Pipelines) -> Iterator[Draft]:
    """The variables are known, and none of them holds a token."""
    for gate in _answering(pipelines):
        if pipelines.scene.settings.has_variable(*TOKENS) is False:
            yield TOKEN.at(
                ENTRY,
                gate.line,
                "No comment ever appears on a pull request; the report and its annotations do.",
            )


@predicts(NEEDED)
def needed(pipelines: Pipelines) -> Iterator[Draft]:
    """The variables are not known."""
    for gate in _answering(pipelines):
        if pipelines.scene.settings.variables is None:
            yield NEEDED.at(
                ENTRY,
                gate.line,
                "Unless the variable MERGEGATE_TOKEN is set, no comment appears on a pull "
                "request; the report and its annotations do.",
            )


@predicts(PROXY)
def proxy(pipelines: Pipelines) -> Iterator[Draft]:
    """``docker run`` or a pipe starts Mergegate."""
    for gate in pipelines.gates:
        if gate.contained and (gate.command is None or gate.command.verb == "ci"):
            yield PROXY.at(
                ENTRY,
                gate.line,
                "No report and no annotations appear on the pull request: Mergegate runs in a "
                "container of its own, where the proxy does not listen.",
                subject=gate.step.name,
            )


@predicts(FORK)
def fork(pipelines: Pipelines) -> Iterator[Draft]:
    """The repository is or may be forked."""
    settings = pipelines.scene.settings
    if settings.forks is False or settings.private is True:
        return
    for gate in pipelines.gates[:1]:
        yield FORK.at(
            ENTRY,
            gate.line,
            "On a pull request from a fork no comment appears: the fork's pipeline has none of "
            "this repository's variables.",
        )


@predicts(UNPINNED)
def unpinned(pipelines: Pipelines) -> Iterator[Draft]:
    """An image or pipe by tag, a package without a version."""
    for gate in pipelines.gates:
        reference = gate.pipe or gate.image
        moving = bool(reference) and not re.search(r"@sha256:[0-9a-f]{64}$", reference)
        if moving or any(shell.installs_unpinned(line.text) for line in gate.step.lines):
            yield UNPINNED.at(
                ENTRY,
                gate.line,
                f"Whoever can move “{reference}” runs code in this step tomorrow."
                if moving
                else "Each run takes whatever release is the newest.",
                subject=gate.step.name,
            )


PREDICTORS = (no_pull_request, shallow, no_files, memory, token, needed, proxy, fork, unpinned)


def _answering(pipelines: Pipelines) -> list[Gate]:
    """The first gate that is to comment."""
    return [gate for gate in pipelines.gates if gate.command is None or gate.command.verb == "ci"][
        :1
    ]


def _service(pipelines: Pipelines, name: str) -> int:
    stated = pipelines.top.at("definitions", "services", name, "memory").text
    return int(stated) if stated.isdecimal() and len(stated) < 7 else _SERVICE_DEFAULT


def _asked(pipelines: Pipelines, gate: Gate) -> Edits:
    """The same step for every pull request."""
    try:
        step = _value(gate.step.node)
    except Refused:
        return {}
    place = ("pipelines", "pull-requests")
    every = pipelines.top.at(*place)["**"]
    edit: Edit = Put((*place, "**"), [{"step": step}])
    if every.form is Form.LIST and every.items:
        edit = Insert((*place, "**"), {"step": step})
    return {ENTRY: (edit,)}


def _value(node: Node) -> Value:
    """``node`` as something to write; raises Refused where a tag or merge would be lost."""
    plain(node)
    if node.form is Form.LIST:
        return [_value(item) for item in node.items]
    if node.form is Form.MAP:
        return {key: _value(value) for key, value in node.entries}
    if node.tag:
        raise Refused("a tag cannot be copied")
    if node.is_empty:
        return None
    return _scalar(node)


def _scalar(node: Node) -> Value:
    if node.plain and (node.is_true or node.is_false):
        return node.is_true
    return int(node.text) if node.plain and re.fullmatch(r"[1-9]\d{0,8}", node.text) else node.text
