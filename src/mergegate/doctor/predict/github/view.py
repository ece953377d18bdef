"""All workflows of a repository, and every place in them where Mergegate runs."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from mergegate.doctor.predict import shell
from mergegate.doctor.predict.prediction import Scene
from mergegate.doctor.predict.settings import Settings
from mergegate.doctor.predict.yaml.edit import Path
from mergegate.doctor.predict.yaml.parse import ABSENT, Node, root_or_absent

_ACTION = re.compile(r"^(?:[\w.-]+/)+?mergegate(?:-action)?(?P<part>/[\w./-]+)?@", re.IGNORECASE)
_IMAGE = re.compile(r"^docker://\S*mergegate(?:[:@]\S*)?$", re.IGNORECASE)
_SECOND_HALF = "/publish"
"""The folder of the action that publishes what another run found."""
_VERB = re.compile(r"^\s*(ci|scan|publish)\b")


@dataclass(frozen=True, slots=True)
class Call:
    """A step's call of Mergegate."""

    verb: str
    options: Mapping[str, str]
    """What the call itself says: an action's inputs, a command's options."""
    reference: str = ""
    """The action or image with its version; empty for a command."""
    command: shell.ShellCall | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a job."""

    path: Path
    node: Node
    calls: tuple[Call, ...] = ()

    @property
    def action(self) -> str:
        """``owner/name`` of the action, without its version."""
        return self.node["uses"].text.partition("@")[0]

    @property
    def script(self) -> str:
        """What it runs in a shell."""
        return self.node["run"].text


@dataclass(frozen=True, slots=True)
class Job:
    """One job; its steps are another file's where it calls a workflow."""

    id: str
    node: Node
    steps: tuple[Step, ...]

    @property
    def path(self) -> Path:
        """Where it stands in its file."""
        return ("jobs", self.id)

    @property
    def name(self) -> str:
        """What GitHub calls it, expressions unresolved."""
        return self.node["name"].text or self.id

    @property
    def calls_workflow(self) -> str:
        """The workflow it calls; empty for a job with steps."""
        return self.node["uses"].text

    @property
    def is_plain(self) -> bool:
        """Whether it does nothing but check out, run Mergegate and hand on the report."""
        known = ("actions/checkout", "actions/upload-artifact", "actions/download-artifact")
        return all(step.calls or step.action in known for step in self.steps)


@dataclass(frozen=True, slots=True)
class Workflow:
    """One file of ``.github/workflows``."""

    path: str
    root: Node
    triggers: Mapping[str, Node] = field(default_factory=dict)
    """Event → its filters; ABSENT where it has none."""
    jobs: tuple[Job, ...] = ()

    @property
    def name(self) -> str:
        """What ``workflow_run`` calls it: its path where it has no name."""
        return self.root["name"].text or self.path

    def line_of(self, event: str) -> int:
        """Where ``event`` is named."""
        declared = self.root["on"]
        named = next((item.line for item in declared.each if item.text == event), 0)
        return named or declared.key_line(event) or self.root.key_line("on")


def read(path: str, root: Node, action: Node = ABSENT) -> Workflow:
    """The workflow in ``root``; ``action`` is the repository's own ``action.yml``, if any."""
    own = "mergegate" in action["name"].text.lower()
    jobs = tuple(_job(name, node, own=own) for name, node in root["jobs"].entries)
    return Workflow(path, root, triggers(root["on"]), jobs)


def triggers(declared: Node) -> Mapping[str, Node]:
    """``on:`` in all its forms: an event, a list of events, a map."""
    if declared.pairs:
        return dict(declared.entries)
    return dict.fromkeys(declared.texts, ABSENT)


def _job(name: str, node: Node, *, own: bool) -> Job:
    steps = tuple(
        Step(("jobs", name, "steps", index), step, tuple(_calls(step, own=own)))
        for index, step in enumerate(node["steps"].items)
    )
    return Job(name, node, steps)


def _calls(step: Node, *, own: bool) -> Iterator[Call]:
    uses = step["uses"].text
    inputs = {name: value.text for name, value in step["with"].entries}
    if action := _ACTION.match(uses):
        yield Call("publish" if action["part"] == _SECOND_HALF else "ci", inputs, uses)
    elif own and uses.rstrip("/") in {".", f".{_SECOND_HALF}"}:
        yield Call("publish" if uses.rstrip("/") != "." else "ci", inputs, uses)
    elif _IMAGE.match(uses):
        asked = _VERB.match(inputs.get("args", ""))
        yield Call(asked[1] if asked else "ci", inputs, uses)
    for command in shell.calls(step["run"].text):
        yield Call(command.verb, command.options, "", command)


FOLDER = ".github/workflows/"
REPORT = "mergegate-report"
"""The artifact and folder in which the first half hands the report to the second."""
PULL = ("pull_request", "pull_request_target")


@dataclass(frozen=True, slots=True)
class Run:
    """Mergegate, run by a step of a job of a workflow, perhaps called by another."""

    top: Workflow
    """The workflow whose triggers count."""
    caller: Job | None
    """The job of ``top`` that calls ``workflow``; None where both are one."""
    workflow: Workflow
    job: Job
    step: Step
    call: Call

    @property
    def events(self) -> Mapping[str, Node]:
        """What starts it."""
        return self.top.triggers

    @property
    def path(self) -> str:
        """The file in which the step stands."""
        return self.workflow.path

    @property
    def line(self) -> int:
        """Where the step stands."""
        return self.step.node.line

    @property
    def subject(self) -> str:
        """The same before and after an edit elsewhere in the file."""
        caller = f"{self.top.path}:{self.caller.id}:" if self.caller else ""
        return f"{caller}{self.job.id}"

    def told(self, name: str, default: str = "") -> str:
        """A setting of Mergegate: from the call, else from the environment."""
        variable = f"MERGEGATE_{name.upper().replace('-', '_')}"
        return self.call.options.get(name) or self.variable(variable) or default

    def variable(self, name: str) -> str:
        """An environment variable as the step, the job or the workflow sets it."""
        holders = (self.step.node, self.job.node, self.workflow.root)
        return next((text for one in holders if (text := one.at("env", name).text)), "")

    @property
    def answers(self) -> bool:
        """Whether a comment is expected of it."""
        return self.call.verb == "publish" or (
            self.call.verb == "ci" and self.told("comment", "true").lower() != "false"
        )

    @property
    def token(self) -> str:
        """The token it is given; a container action is given the job's own."""
        given = self.told("token") or self.variable("GITHUB_TOKEN") or self.variable("GH_TOKEN")
        is_action = bool(self.call.reference) and not self.call.reference.startswith("docker://")
        return given or ("${{ github.token }}" if is_action else "")

    @property
    def has_own_token(self) -> bool:
        """Whether that is the job's token, whose powers ``permissions:`` tells."""
        return "github.token" in self.token or "secrets.GITHUB_TOKEN" in self.token

    @property
    def holders(self) -> tuple[tuple[Workflow, Job], ...]:
        """The jobs whose ``permissions:`` count, the called one first."""
        called = ((self.workflow, self.job),)
        return (*called, (self.top, self.caller)) if self.caller else called


class View:
    """What GitHub sees of a repository."""

    def __init__(self, scene: Scene, workflows: tuple[Workflow, ...]) -> None:
        self.scene = scene
        self.workflows = workflows

    @property
    def settings(self) -> Settings:
        """What is set outside the files."""
        return self.scene.settings

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """Every place where Mergegate runs."""
        return tuple(
            run for one in self.workflows if not _is_only_called(one) for run in self._of(one)
        )

    @cached_property
    def gates(self) -> tuple[Run, ...]:
        """Those that scan, one a job: their exit code is the verdict."""
        scans = (run for run in self.runs if run.call.verb != "publish")
        return tuple({(run.top.path, run.path, run.subject): run for run in scans}.values())

    @cached_property
    def pulled(self) -> tuple[Run, ...]:
        """The gates that pull requests start."""
        return tuple(run for run in self.gates if any(event in run.events for event in PULL))

    @cached_property
    def publishers(self) -> tuple[Run, ...]:
        """The second halves: what ``workflow_run`` starts to publish a report."""
        return tuple(
            run for run in self.runs if run.call.verb == "publish" and "workflow_run" in run.events
        )

    def heard_by(self, publisher: Run) -> tuple[str, ...]:
        """The names of the workflows that a second half listens to."""
        return publisher.events["workflow_run"]["workflows"].texts

    def is_relayed(self, gate: Run) -> bool:
        """Whether a second half publishes what ``gate`` found."""
        return any(gate.top.name in self.heard_by(one) for one in self.publishers)

    def called(self, job: Job) -> Workflow | None:
        """The workflow of this repository that ``job`` calls."""
        path = job.calls_workflow.removeprefix("./")
        return next((one for one in self.workflows if one.path == path), None)

    def _of(self, top: Workflow) -> Iterator[Run]:
        for job in top.jobs:
            yield from _runs_in(top, None, top, job)
            called = self.called(job)
            if called is not None and "workflow_call" in called.triggers:
                for inner in called.jobs:
                    yield from _runs_in(top, job, called, inner)


def view(scene: Scene) -> View:
    """The repository's workflows; files that cannot be read are another prediction's business."""
    action = scene.files.get("action.yml") or scene.files.get("action.yaml") or ""
    workflows = tuple(
        _workflow(path, text, action)
        for path, text in sorted(scene.files.items())
        if path.startswith(FOLDER) and path.endswith((".yml", ".yaml"))
    )
    return View(scene, workflows)


@lru_cache(maxsize=512)
def _workflow(path: str, text: str, action: str) -> Workflow:
    return read(path, root_or_absent(text), root_or_absent(action))


def _is_only_called(workflow: Workflow) -> bool:
    return set(workflow.triggers) == {"workflow_call"}


def _runs_in(top: Workflow, caller: Job | None, workflow: Workflow, job: Job) -> Iterator[Run]:
    for step in job.steps:
        for call in step.calls:
            yield Run(top, caller, workflow, job, step, call)
