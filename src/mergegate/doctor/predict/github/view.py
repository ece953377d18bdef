"""All workflows of a repository, and every place in them where Mergegate runs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from mergegate.doctor.predict.github.workflow import Call, Job, Step, Workflow, read
from mergegate.doctor.predict.prediction import Scene
from mergegate.doctor.predict.settings import Settings
from mergegate.doctor.predict.yaml.parse import ABSENT, Node, Unreadable, root

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
    return read(path, _root(text), _root(action))


def _root(text: str) -> Node:
    try:
        return root(text)
    except Unreadable:
        return ABSENT


def _is_only_called(workflow: Workflow) -> bool:
    return set(workflow.triggers) == {"workflow_call"}


def _runs_in(top: Workflow, caller: Job | None, workflow: Workflow, job: Job) -> Iterator[Run]:
    for step in job.steps:
        for call in step.calls:
            yield Run(top, caller, workflow, job, step, call)
