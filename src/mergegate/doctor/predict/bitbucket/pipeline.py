"""Bitbucket's pipelines file: its steps, where Mergegate runs, and what will go wrong there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from mergegate.doctor.predict import shell
from mergegate.doctor.predict.prediction import Edits, Kind, Place, Prediction, Scene, predicts
from mergegate.doctor.predict.yaml.edit import Drop, Edit, Insert, Path, Put, plain, without
from mergegate.doctor.predict.yaml.parse import Form, Node, root_or_absent
from mergegate.doctor.predict.yaml.render import Refused, Value

ENTRY = "bitbucket-pipelines.yml"
_PIPE = re.compile(r"(?:^|/)mergegate(?:-pipe)?(?:[:@]\S*)?$")


@dataclass(frozen=True, slots=True)
class Step:
    """One step, and the groups around it."""

    path: Path
    node: Node
    start: str
    """``default``, ``branches``, ``pull-requests``, ``tags`` or ``custom``."""
    around: tuple[tuple[Path, Node], ...] = ()
    """The ``parallel`` or ``stage`` that it stands in."""

    @property
    def lines(self) -> tuple[Node, ...]:
        """The commands of its script, pipes aside."""
        return tuple(one for one in self.node["script"].each if one.form is Form.SCALAR)

    @property
    def name(self) -> str:
        """The same before and after an edit elsewhere."""
        return "/".join(map(str, self.path))


@dataclass(frozen=True, slots=True)
class Gate:
    """A step that runs Mergegate."""

    step: Step
    command: shell.ShellCall | None
    """None where a pipe runs it."""
    pipe: str = ""
    image: str = ""
    """The step's image, where it is Mergegate's own."""

    @property
    def path(self) -> str:
        """The pipelines file."""
        return ENTRY

    @property
    def line(self) -> int:
        """Where the step stands."""
        return self.step.node.line

    @property
    def subject(self) -> str:
        """Where the step stands among the pipelines."""
        return self.step.name

    @property
    def contained(self) -> bool:
        """Whether it runs in a container inside the step's."""
        return self.command is None or self.command.contained


class Pipelines:
    """What Bitbucket sees of a repository."""

    def __init__(self, scene: Scene, top: Node) -> None:
        self.scene = scene
        self.top = top

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Every step of every pipeline."""
        return tuple(
            step
            for start, node in self.top["pipelines"].entries
            for path, items in _lists(("pipelines", start), node)
            for step in _steps(path, items, start, ())
        )

    @cached_property
    def gates(self) -> tuple[Gate, ...]:
        """Every step that runs Mergegate, one entry a step."""
        return tuple(gate for step in self.steps if (gate := self._gate(step)) is not None)

    def clone(self, step: Step, key: str) -> Node:
        """A setting of the clone: the step's, else the file's."""
        own = step.node["clone"][key]
        return own if own.present else self.top["clone"][key]

    def _gate(self, step: Step) -> Gate | None:
        image = step.node["image"] if step.node["image"].present else self.top["image"]
        named = image["name"].text if image.pairs else image.text
        own = named if _PIPE.search(named) else ""
        for line in step.lines:
            for call in shell.calls(line.text):
                if call.verb != "publish":
                    return Gate(step, call, image=own)
        for one in step.node["script"].each:
            if _PIPE.search(one["pipe"].text.removeprefix("docker://")):
                return Gate(step, None, one["pipe"].text)
        return None


def pipelines(scene: Scene) -> Pipelines:
    """The pipelines; a file that cannot be read counts as empty."""
    return Pipelines(scene, root_or_absent(scene.files.get(ENTRY, "")))


def _lists(path: Path, node: Node) -> Iterator[tuple[Path, Node]]:
    """``default`` is a list; the others are maps of patterns to lists."""
    if node.form is Form.LIST:
        yield path, node
    for pattern, items in node.entries:
        yield (*path, pattern), items


def _steps(
    path: Path, items: Node, start: str, around: tuple[tuple[Path, Node], ...]
) -> Iterator[Step]:
    for index, item in enumerate(items.items):
        if item["step"].present:
            yield Step((*path, index, "step"), item["step"], start, around)
        for group in ("parallel", "stage"):
            inner, place = item[group], (*path, index, group)
            if inner.form is Form.LIST:
                yield from _steps(place, inner, start, (*around, (place, inner)))
            elif inner["steps"].present:
                held = (*around, (place, inner))
                yield from _steps((*place, "steps"), inner["steps"], start, held)


_STEP_MEMORY = {"1x": 4096, "2x": 8192}
_BUILD_NEEDS = 3072
_SERVICE_DEFAULT = 1024
TOKENS = ("MERGEGATE_TOKEN", "BITBUCKET_TOKEN")


@predicts("bitbucket-no-pull-request-pipeline")
def no_pull_request(kind: Kind, pipelines: Pipelines) -> Iterator[Prediction]:
    """There are gates, and none of them under ``pull-requests``."""
    if any(gate.step.start == "pull-requests" for gate in pipelines.gates):
        return
    for gate in pipelines.gates[:1]:
        yield kind.at(Place(ENTRY, gate.line), edits=_asked(pipelines, gate))


@predicts("bitbucket-shallow-clone")
def shallow(kind: Kind, pipelines: Pipelines) -> Iterator[Prediction]:
    """The clone is not full, and the step compares."""
    for gate in pipelines.gates:
        compares = (
            gate.command is None or gate.command.verb == "ci" or gate.command.options.get("base")
        )
        depth = pipelines.clone(gate.step, "depth").text
        asked = "git fetch" in "".join(line.text for line in gate.step.lines)
        if compares and not asked and depth != "full":
            yield kind.at(
                gate,
                edits=Put((*gate.step.path, "clone", "depth"), "full", ("name",)),
                depth=depth or "50",
            )


@predicts("bitbucket-nothing-cloned")
def no_files(kind: Kind, pipelines: Pipelines) -> Iterator[Prediction]:
    """``clone: enabled: false`` on the step or the file."""
    for gate in pipelines.gates:
        if pipelines.clone(gate.step, "enabled").is_false:
            place = (*gate.step.path, "clone", "enabled")
            yield kind.at(gate, edits=Put(place, True))


@predicts("bitbucket-memory")
def memory(kind: Kind, pipelines: Pipelines) -> Iterator[Prediction]:
    """The services of the step take what the scan would need."""
    for gate in pipelines.gates:
        size = gate.step.node["size"].text or pipelines.top.at("options", "size").text or "1x"
        services = gate.step.node["services"].texts
        taken = sum(_service(pipelines, name) for name in services)
        left = _STEP_MEMORY.get(size, 1 << 20) - taken
        if services and left < _BUILD_NEEDS:
            yield kind.at(
                gate,
                line=gate.step.node.key_line("services"),
                edits=Put((*gate.step.path, "size"), "2x", ("name",)) if size == "1x" else (),
                taken=taken,
                left=left,
            )


@predicts("bitbucket-token-missing")
def token(kind: Kind, pipelines: Pipelines) -> Iterator[Prediction]:
    """The variables are known, and none of them holds a token."""
    for gate in _answering(pipelines):
        if pipelines.scene.settings.has_variable(*TOKENS) is False:
            yield kind.at(Place(ENTRY, gate.line))


@predicts("bitbucket-token-needed")
def needed(kind: Kind, pipelines: Pipelines) -> Iterator[Prediction]:
    """The variables are not known."""
    for gate in _answering(pipelines):
        if pipelines.scene.settings.variables is None:
            yield kind.at(Place(ENTRY, gate.line))


@predicts("bitbucket-proxy-unreachable")
def proxy(kind: Kind, pipelines: Pipelines) -> Iterator[Prediction]:
    """``docker run`` or a pipe starts Mergegate."""
    for gate in pipelines.gates:
        if gate.contained and (gate.command is None or gate.command.verb == "ci"):
            yield kind.at(gate)


@predicts("bitbucket-fork-variables")
def fork(kind: Kind, pipelines: Pipelines) -> Iterator[Prediction]:
    """The repository is or may be forked."""
    settings = pipelines.scene.settings
    if settings.forks is False or settings.private is True:
        return
    for gate in pipelines.gates[:1]:
        yield kind.at(Place(ENTRY, gate.line))


@predicts("bitbucket-unpinned")
def unpinned(kind: Kind, pipelines: Pipelines) -> Iterator[Prediction]:
    """An image or pipe by tag, a package without a version."""
    for gate in pipelines.gates:
        reference = gate.pipe or gate.image
        moving = bool(reference) and not re.search(r"@sha256:(?:[0-9a-f]{64}|DIGEST)$", reference)
        if moving or any(shell.installs_unpinned(line.text) for line in gate.step.lines):
            yield kind.at(gate, "moving" if moving else "newest", reference=reference)


def _answering(pipelines: Pipelines) -> list[Gate]:
    """The first gate that is to comment."""
    gates = [gate for gate in pipelines.gates if gate.command is None or gate.command.verb == "ci"]
    return gates[:1]


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


REPORT = "mergegate-report"


@predicts("bitbucket-exit-code-ignored")
def swallowed(kind: Kind, pipelines: Pipelines) -> Iterator[Prediction]:
    """``|| true``, a pipe, ``&&`` and the like, or a call in ``after-script``."""
    for gate in pipelines.gates:
        piped = False
        for line in gate.step.lines:
            for call in shell.calls(line.text, pipefail=piped, ends_there=False):
                if call.swallowed and call.verb != "publish":
                    yield kind.at(
                        gate,
                        "script",
                        line=line.line,
                        edits=_repaired(gate, line, call),
                        reason=call.swallowed,
                    )
            piped = piped or "pipefail" in line.text
    for step in pipelines.steps:
        for line in step.node["after-script"].each:
            if any(call.verb != "publish" for call in shell.calls(line.text)):
                yield kind.at(Place(ENTRY, line.line, f"{step.name}:after"), "after")


@predicts("bitbucket-manual-gate")
def manual(kind: Kind, pipelines: Pipelines) -> Iterator[Prediction]:
    """``trigger: manual`` on the step or its stage."""
    for gate, place, path, stated in _stated(pipelines, "trigger"):
        if stated.text == "manual" and gate.step.start != "custom":
            yield kind.at(place, edits=Drop(path))


@predicts("bitbucket-condition-skips-gate")
def condition(kind: Kind, pipelines: Pipelines) -> Iterator[Prediction]:
    """``condition:`` on the step or its stage."""
    for _, place, path, _ in _stated(pipelines, "condition"):
        yield kind.at(place, edits=Drop(path))


@predicts("bitbucket-fail-fast-stops-gate")
def fail_fast(kind: Kind, pipelines: Pipelines) -> Iterator[Prediction]:
    """``fail-fast: true`` on the parallel group around the gate."""
    for gate, place, path, stated in _stated(pipelines, "fail-fast"):
        if stated.is_true and path[:-1] != gate.step.path:
            yield kind.at(place, edits=Put(path, False))


def _stated(pipelines: Pipelines, key: str) -> Iterator[tuple[Gate, Place, Path, Node]]:
    """Each ``key`` on a gate's step or on a group around it: gate, place, path and value."""
    for gate in pipelines.gates:
        for path, node in ((gate.step.path, gate.step.node), *gate.step.around):
            if node[key].present:
                place = Place(ENTRY, node.key_line(key), "/".join(map(str, path)))
                yield gate, place, (*path, key), node[key]


@predicts("bitbucket-report-lost")
def report_lost(kind: Kind, pipelines: Pipelines) -> Iterator[Prediction]:
    """The report's folder is not among the artifacts."""
    for gate in pipelines.gates:
        if gate.command is None or gate.command.verb != "ci":
            continue
        folder = gate.command.options.get("report", REPORT).rstrip("/")
        artifacts = gate.step.node["artifacts"]
        if any(folder in text for text in _paths(artifacts)):
            continue
        whole = {
            "upload": [{"name": "mergegate", "paths": [f"{folder}/**"], "capture-on": "always"}]
        }
        place = (*gate.step.path, "artifacts")
        edit: Edit | None = None if artifacts.present else Put(place, whole)
        if artifacts.form is Form.LIST and artifacts.items:
            edit = Insert(place, f"{folder}/**")
        yield kind.at(gate, edits=edit or ())


def _repaired(gate: Gate, line: Node, call: shell.ShellCall) -> Edit | tuple[()]:
    index = gate.step.node["script"].items.index(line)
    place = (*gate.step.path, "script")
    if call.excess:
        return without((*place, index), line.text, call.excess)
    if call.swallowed is shell.Swallowed.PIPE:
        return Insert(place, "set -o pipefail", index)
    return ()


def _paths(artifacts: Node) -> Iterator[str]:
    yield from artifacts.texts
    yield from artifacts["paths"].texts
    for one in artifacts["upload"].each:
        yield from one.texts
        yield from one["paths"].texts
