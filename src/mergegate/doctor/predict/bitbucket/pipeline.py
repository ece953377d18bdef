"""Bitbucket's pipelines file: its pipelines, their steps, and where Mergegate runs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from mergegate.doctor.predict import shell
from mergegate.doctor.predict.prediction import Scene
from mergegate.doctor.predict.yaml.edit import Path
from mergegate.doctor.predict.yaml.parse import Form, Node, root_or_absent

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
