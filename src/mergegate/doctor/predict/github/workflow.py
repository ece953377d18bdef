"""A workflow file as GitHub reads it: triggers, jobs, steps, and where Mergegate runs."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from mergegate.doctor.predict import shell
from mergegate.doctor.predict.yaml.edit import Path
from mergegate.doctor.predict.yaml.parse import ABSENT, Node

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
