"""Azure Pipelines as resources: pipelines, jobs, steps, scripts, images, variables, repositories.

What a condition of a template adds counts as there; what a variable decides is unknown.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from mergegate.repo.checks.infrastructure.dialects.parts import mapping, resource
from mergegate.repo.checks.infrastructure.dialects.steps import (
    decided,
    extended,
    filled,
    script,
    variables,
)
from mergegate.repo.facts.documents import ABSENT, DocumentKind, Documents, Form, Node
from mergegate.repo.facts.resources import Dialect, Resource

_ELSEWHERE = re.compile(r"\$\{\{|\$\(|\$\[")
_CONDITION = "${{"
_PARAMETER = re.compile(r"\$\{\{\s*parameters\.(\w+)\s*\}\}")
_FILLED_IN = re.compile(r"\$\((\w+)\)|\$\{\{\s*(?:parameters|variables)\.(\w+)\s*\}\}")
_SHELLS = {"script": "sh", "bash": "bash", "pwsh": "powershell", "powershell": "powershell"}
_INLINE: Mapping[str, tuple[tuple[str, ...], str]] = {
    "bash": (("script",), "bash"),
    "shellscript": (("script",), "bash"),
    "cmdline": (("script",), "sh"),
    "batchscript": (("script",), "sh"),
    "powershell": (("script",), "powershell"),
    "azurecli": (("inlineScript",), "sh"),
    "azurepowershell": (("Inline", "inlineScript"), "powershell"),
    "ssh": (("inline", "commands"), "bash"),
}
"""Tasks that run what stands in an input."""
_PUBLISHED = {
    "publishbuildartifacts": ("pathToPublish",),
    "publishpipelineartifact": ("targetPath", "path"),
}
"""Tasks that publish what an input names."""


def resources(documents: Documents) -> Iterator[Resource]:
    """Everything in every pipeline and template."""
    for file, root in documents.of(DocumentKind.AZURE_PIPELINES):
        for kind, address, properties in _Pipeline(_flat(root)).parts():
            yield resource(file, Dialect.AZURE_PIPELINES, kind, address, properties)


def _flat(node: Node) -> Node:
    """The node with what stands below conditions and loops in their place."""
    if node.form is Form.LIST:
        items = [each for one in node.children for each in _spread(_flat(one))]
        return replace(node, children=tuple(items))
    pairs: list[tuple[str, Node]] = []
    for key, value in node.entries:
        flat = _flat(value)
        inner = key.startswith(_CONDITION) and flat.form is Form.MAP
        pairs += flat.entries if inner else ((key, flat),)
    if node.form is Form.SCALAR:
        return node
    keys, values = tuple(key for key, _ in pairs), tuple(value for _, value in pairs)
    return replace(node, keys=keys, children=values)


def _spread(item: Node) -> tuple[Node, ...]:
    is_condition = len(item.keys) == 1 and item.keys[0].startswith(_CONDITION)
    return item.children[0].items if is_condition and item.children[0].items else (item,)


_Part = tuple[str, str, Node]


class _Pipeline:
    """One pipeline or template."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._aliases = {one["container"].text for one in root["resources"]["containers"].items}
        self._free = frozenset(_free(root))
        self._given = dict(variables(root["variables"])) | {
            one["name"].text: one["default"] for one in root["parameters"].items
        }
        self._pool, self._pr = root["pool"], root["pr"]

    def parts(self) -> Iterator[_Part]:
        """Everything in it."""
        root = self._root
        yield "pipeline", "the pipeline", decided(root, _ELSEWHERE)
        yield from _variables(root, "the pipeline")
        yield from _defaults(root)
        for one in root["resources"]["repositories"].items:
            yield "repository", one["repository"].text, decided(one, _ELSEWHERE)
        for one in root["resources"]["containers"].items:
            yield from self._image(one, one["container"].text)
        for stage in root["stages"].items:
            name = stage["stage"].text
            yield from _variables(stage, f"stage {name}")
            for job in stage["jobs"].items:
                condition = job["condition"] if job["condition"].present else stage["condition"]
                yield from self._job(extended(job, condition=condition), f"{name}.")
        for job in root["jobs"].items:
            yield from self._job(job)
        if root["steps"].items:
            yield from self._job(root)

    def _job(self, job: Node, before: str = "") -> Iterator[_Part]:
        deploys = job["deployment"].present
        name = before + (job["job"].text or job["deployment"].text or "job")
        if job is not self._root:
            yield from _variables(job, name)
        for image in (job["container"], *(value for _, value in job["services"].entries)):
            if image.present and image.text not in self._aliases:
                yield from self._image(
                    image if image.keys else mapping(image.line, {"image": image}), name
                )
        pool = job["pool"] if job["pool"].present else self._pool
        read = extended(job, pool=pool, pr=self._pr, deploys=str(deploys).lower())
        yield "job", name, decided(read, _ELSEWHERE)
        steps = [one for part in (job, *_hooks(job["strategy"])) for one in part["steps"].items]
        for number, step in enumerate(steps, 1):
            if step.keys:
                title = step["displayName"].text or f"step {number}"
                yield from self._step(step, name, f"{name}, {title}", deploys)

    def _image(self, container: Node, name: str) -> Iterator[_Part]:
        by_default = filled(container["image"], _FILLED_IN, self._given)
        yield "image", name, decided(extended(container, image=by_default), _ELSEWHERE)
        for variable, value in container["env"].entries:
            yield "variable", f"{name}, {variable}", _variable(variable, value)

    def _step(self, step: Node, place: str, name: str, deploys: bool) -> Iterator[_Part]:
        task, _, version = step["task"].text.partition("@")
        read = extended(step, task=task, version=version, deploys=str(deploys).lower())
        yield "step", name, decided(read, _ELSEWHERE)
        text, shell = _code(step, task.lower())
        for variable, value in step["env"].entries:
            given = extended(_variable(variable, value), token=_token(value), pr=self._pr)
            yield "variable", f"{name}, {variable}", extended(given, command=text)
        inputs = (step["inputs"][one] for one in _PUBLISHED.get(task.lower(), ()))
        for path in (step["publish"], *inputs):
            if path.present:
                yield "published", name, mapping(path.line, {"path": path})
        if text.form is Form.SCALAR and text.present:
            written = script([text], shell)
            parameters = [each for one in written["lines"].items for each in self._used(one)]
            listed = Node(text.line, Form.LIST, children=tuple(parameters))
            may_fail = str(step["continueOnError"].is_true).lower()
            where = extended(written, parameters=listed, deploys=str(deploys).lower())
            where = extended(where, tolerated=may_fail)
            yield "script", name, extended(where, place=place, condition=step["condition"])

    def _used(self, line: Node) -> Iterator[Node]:
        """The parameters whose values become part of a line before anything runs it."""
        for name in _PARAMETER.findall(line["text"].text):
            yield mapping(line.line, {"name": name, "free": str(name in self._free).lower()})


def _token(value: Node) -> str:
    """Whether it is the token of the run itself."""
    return str("$(system.accesstoken)" in value.text.lower()).lower()


def _free(root: Node) -> Iterator[str]:
    """The parameters that a person writes freely who starts the pipeline; a template has none."""
    if any(root[key].present for key in ("trigger", "pr", "schedules")):
        for one in root["parameters"].items:
            if one["type"].text in {"", "string"} and not one["values"].present:
                yield one["name"].text


def _hooks(strategy: Node) -> Iterator[Node]:
    """The parts of a deployment that have steps."""
    for _, kind in strategy.entries:
        for name, hook in kind.entries:
            yield hook
            if name == "on":
                yield from (one for _, one in hook.entries)


def _code(step: Node, task: str) -> tuple[Node, str]:
    for key, shell in _SHELLS.items():
        if step[key].present:
            return step[key], shell
    inputs, shell = _INLINE.get(task, ((), ""))
    given = (step["inputs"][name] for name in inputs)
    return next((one for one in given if one.present), ABSENT), shell


def _variables(holder: Node, where: str) -> Iterator[_Part]:
    for name, value in variables(holder["variables"]):
        if value.form is Form.SCALAR and value.present:
            yield "variable", f"{where}, {name}", _variable(name, value)


def _defaults(root: Node) -> Iterator[_Part]:
    """Parameters as the variables that their defaults are."""
    for one in root["parameters"].items:
        if one["default"].form is Form.SCALAR and one["default"].present:
            read = _variable(one["name"].text, one["default"])
            yield "variable", f"parameter {one['name'].text}", read


def _variable(name: str, value: Node) -> Node:
    return decided(mapping(value.line, {"name": name, "value": value}), _ELSEWHERE)
