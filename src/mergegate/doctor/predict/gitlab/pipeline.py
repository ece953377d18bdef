"""GitLab's pipeline file and its local includes: jobs, what they inherit, where Mergegate runs."""

import fnmatch
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from mergegate.doctor.predict import shell
from mergegate.doctor.predict.prediction import Scene
from mergegate.doctor.predict.yaml.edit import Path
from mergegate.doctor.predict.yaml.parse import ABSENT, Form, Node, root_or_absent

ENTRY = ".gitlab-ci.yml"
_COMPONENT = re.compile(r"/mergegate(?:/[\w.-]+)?@[^/@]+$")
_IMAGE = re.compile(r"(?:^|/)mergegate(?:[:@]\S*)?$")
_MOST_PARENTS = 10
_NOT_JOBS = frozenset(
    {
        "default", "include", "stages", "variables", "workflow", "image", "services", "cache",
        "before_script", "after_script", "pages", "spec",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Job:
    """One job. Looking up a key goes on to what the job extends."""

    name: str
    path: str
    node: Node
    parents: tuple[Node, ...] = ()
    """What it extends, the nearest first."""

    def __getitem__(self, key: str) -> Node:
        """The value that counts; maps are not merged, the nearest one wins."""
        for holder in (self.node, *self.parents):
            if holder[key].present:
                return holder[key]
        return ABSENT

    @property
    def place(self) -> Path:
        """Where the job stands in its file."""
        return (self.name,)

    def variable(self, name: str) -> str:
        """A variable as the job or what it extends sets it."""
        for holder in (self.node, *self.parents):
            value = holder.at("variables", name)
            if value.present:
                return value["value"].text if value.pairs else value.text
        return ""


@dataclass(frozen=True, slots=True)
class Gate:
    """A job that runs Mergegate."""

    job: Job
    command: shell.ShellCall | None
    """None where an included component runs it."""
    image: str
    """The image, where it is Mergegate's own; else empty."""
    globals: Mapping[str, str]
    """The variables of the whole pipeline."""

    @property
    def path(self) -> str:
        """The file that the job stands in."""
        return self.job.path

    @property
    def line(self) -> int:
        """Where the job stands."""
        return self.job.node.line

    @property
    def subject(self) -> str:
        """The job's name."""
        return self.job.name

    @property
    def verb(self) -> str:
        """``ci`` or ``scan``."""
        return self.command.verb if self.command else "ci"

    def told(self, name: str, default: str = "") -> str:
        """A setting of Mergegate: from the call, else from the variables."""
        variable = f"MERGEGATE_{name.upper().replace('-', '_')}"
        asked = self.command.options.get(name) if self.command else ""
        return asked or self.variable(variable) or default

    def variable(self, name: str) -> str:
        """A variable of the job, else of the pipeline."""
        return self.job.variable(name) or self.globals.get(name, "")

    @property
    def answers(self) -> bool:
        """Whether a comment is expected of it."""
        return self.verb == "ci" and self.told("comment", "true").lower() != "false"


class Pipeline:
    """All jobs of the entry file and what it includes from the repository."""

    def __init__(self, scene: Scene, roots: Mapping[str, Node]) -> None:
        self.scene = scene
        self.roots = roots
        """Path → root node of the file, the entry file first."""

    def top(self, key: str) -> tuple[str, Node]:
        """A key of the pipeline and the file it stands in; the entry file wins."""
        for path, node in self.roots.items():
            if node[key].present:
                return path, node[key]
        return ENTRY, ABSENT

    @cached_property
    def variables(self) -> Mapping[str, str]:
        """The variables of the whole pipeline."""
        merged: dict[str, str] = {}
        for node in reversed(tuple(self.roots.values())):
            for name, value in node["variables"].entries:
                merged[name] = value["value"].text if value.pairs else value.text
        return merged

    @cached_property
    def _named(self) -> Mapping[str, tuple[str, Node]]:
        found: dict[str, tuple[str, Node]] = {}
        for path, node in self.roots.items():
            for name, job in node.entries:
                if name not in _NOT_JOBS and job.form is Form.MAP:
                    found.setdefault(name, (path, job))
        return found

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        """The jobs that run, hidden ones aside."""
        return tuple(
            Job(name, path, node, tuple(self._parents(node)))
            for name, (path, node) in self._named.items()
            if not name.startswith(".")
        )

    def _parents(self, node: Node) -> Iterator[Node]:
        """What ``node`` extends, the nearest first; later names win over earlier ones."""
        pending, seen = list(reversed(node["extends"].texts)), 0
        while pending and seen < _MOST_PARENTS:
            seen += 1
            _, parent = self._named.get(pending.pop(0), ("", ABSENT))
            if parent.present:
                yield parent
                pending = [*reversed(parent["extends"].texts), *pending]

    @cached_property
    def gates(self) -> tuple[Gate, ...]:
        """Every job that runs Mergegate."""
        return tuple(gate for job in self.jobs if (gate := self._gate(job)) is not None)

    @property
    def components(self) -> Iterator[tuple[str, Node]]:
        """Each include of Mergegate's own component, with its file."""
        for path, node in self.roots.items():
            for one in node["include"].each:
                if _COMPONENT.search(one["component"].text):
                    yield path, one

    def image_of(self, job: Job) -> Node:
        """The image a job runs in: its own, the default's, the pipeline's."""
        if job["image"].present:
            return job["image"]
        default = self.top("default")[1]["image"]
        return default if default.present else self.top("image")[1]

    def _gate(self, job: Job) -> Gate | None:
        image = self.image_of(job)
        name = image["name"].text if image.pairs else image.text
        own = name if _IMAGE.search(name) else ""
        for line in lines(job["script"]):
            for call in shell.calls(line.text, pipefail=True):
                if call.verb != "publish":
                    return Gate(job, call, own, self.variables)
        if job.name == "mergegate" and any(True for _ in self.components):
            return Gate(job, None, own, self.variables)
        return None


def pipeline(scene: Scene) -> Pipeline:
    """The pipeline of the entry file; files that cannot be read count as empty."""
    roots: dict[str, Node] = {}
    pending = [ENTRY]
    while pending:
        path = pending.pop(0)
        if path in roots or path not in scene.files:
            continue
        roots[path] = root_or_absent(scene.files[path])
        pending += [
            found for pattern in local_includes(roots[path]) for found in _matching(scene, pattern)
        ]
    return Pipeline(scene, roots)


def local_includes(node: Node) -> tuple[str, ...]:
    """The paths or patterns that a file includes from its own repository."""
    found = []
    for one in node["include"].each:
        told = one.text if one.form is Form.SCALAR else one["local"].text
        if told and "://" not in told and "$" not in told:
            found.append(told.lstrip("/"))
    return tuple(found)


def lines(script: Node) -> Iterator[Node]:
    """The entries of a script; GitLab flattens lists in lists."""
    for one in script.each:
        yield from lines(one) if one.form is Form.LIST else (one,)


def _matching(scene: Scene, pattern: str) -> list[str]:
    if "*" not in pattern:
        return [pattern]
    return [path for path in sorted(scene.files) if fnmatch.fnmatchcase(path, pattern)]
