"""Bitbucket Pipelines as resources: steps with what starts them, scripts, pipes, images, caches."""

import re
from collections.abc import Iterator

from mergegate.repo.checks.infrastructure.dialects.parts import listed, mapping, resource
from mergegate.repo.checks.infrastructure.dialects.steps import (
    decided,
    extended,
    script,
)
from mergegate.repo.facts.documents import DocumentKind, Documents, Form, Node
from mergegate.repo.facts.resources import Dialect, Resource

_ELSEWHERE = re.compile(r"\$")
_BY_NAME = ("branches", "tags", "bookmarks", "custom", "pull-requests")
_EVERY_BRANCH = frozenset({"**", "*"})
"""Patterns of branches that hold for all, as `default` does."""

_Part = tuple[str, str, Node]


def resources(documents: Documents) -> Iterator[Resource]:
    """Everything in every file."""
    for file, root in documents.of(DocumentKind.BITBUCKET):
        for kind, address, properties in _parts(root):
            yield resource(file, Dialect.BITBUCKET, kind, address, properties)


def _parts(root: Node) -> Iterator[_Part]:
    yield "pipelines", "the pipelines", decided(root, _ELSEWHERE)
    yield from _image(root["image"], "the pipelines")
    definitions = root["definitions"]
    for name, service in definitions["services"].entries:
        yield from _image(service["image"], f"service {name}")
        yield from _variables(service, f"service {name}")
    for name, cache in definitions["caches"].entries:
        path = cache["path"] if cache.keys else cache
        yield "cache", name, mapping(cache.line, {"path": path})
    pipelines = root["pipelines"]
    yield from _started("default", "default", pipelines["default"])
    for start in _BY_NAME:
        for name, pipeline in pipelines[start].entries:
            meant = "default" if start == "branches" and name in _EVERY_BRANCH else start
            yield from _started(meant, f"{start} {name}", pipeline)


def _started(start: str, name: str, pipeline: Node) -> Iterator[_Part]:
    if pipeline["import"].present:
        source, _, rest = pipeline["import"].text.partition(":")
        ref = rest.partition(":")[0]
        yield "import", name, mapping(pipeline.line, {"source": source, "ref": ref})
    for asked in (one for item in pipeline.items for one in item["variables"].items):
        if asked["default"].text:
            said = mapping(asked.line, {"name": asked["name"], "value": asked["default"]})
            yield "variable", f"{name}, {asked['name'].text}", decided(said, _ELSEWHERE)
    held = False
    for number, (step, stage) in enumerate(_steps(pipeline, pipeline), 1):
        title = step["name"].text or f"step {number}"
        held = held or "manual" in {step["trigger"].text, stage["trigger"].text}
        yield from _step(step, stage, start, f"{name}, {title}", held)


def _steps(pipeline: Node, around: Node) -> Iterator[tuple[Node, Node]]:
    """Each step with the stage that it is in."""
    for item in pipeline.items:
        if item["step"].keys:
            yield item["step"], around
        for key in ("parallel", "stage"):
            group = item[key]
            inner = group["steps"] if group.keys else group
            yield from _steps(inner, group if key == "stage" else around)


def _step(step: Node, stage: Node, start: str, name: str, held: bool) -> Iterator[_Part]:
    """A step; ``held`` says that it waits for a person, or for a step that does."""
    deployment = step["deployment"] if step["deployment"].present else stage["deployment"]
    read = extended(step, deployment=deployment, start=start, held=str(held).lower())
    yield "step", name, decided(read, _ELSEWHERE)
    yield from _image(step["image"], name)
    commands: list[Node] = []
    for item in (*step["script"].items, *step["after-script"].items):
        if item["pipe"].present:
            yield from _pipe(item, name, deployment)
        elif item.form is Form.SCALAR:
            commands.append(item)
    if commands:
        yield "script", name, script(commands, "bash", mapping(step.line, {"start": start}))


def _pipe(item: Node, name: str, deployment: Node) -> Iterator[_Part]:
    text = item["pipe"].text
    source, _, version = text.removeprefix("docker://").partition(":")
    given = listed(item.line, item["variables"].keys)
    read = extended(item, name=source, version=version, deployment=deployment, given=given)
    yield "pipe", f"{name}, {source}", decided(read, _ELSEWHERE)
    yield from _variables(item, f"{name}, {source}")


def _image(image: Node, where: str) -> Iterator[_Part]:
    if image.present:
        name = image["name"] if image.keys else image
        yield "image", where, decided(extended(image, image.line, image=name), _ELSEWHERE)
        for key in ("password", "secret-key"):
            if image[key].present:
                read = mapping(image[key].line, {"name": key, "value": image[key]})
                yield "variable", f"{where}, {key}", decided(read, _ELSEWHERE)


def _variables(holder: Node, where: str) -> Iterator[_Part]:
    for name, value in holder["variables"].entries:
        if value.form is Form.SCALAR and value.present:
            read = mapping(value.line, {"name": name, "value": value})
            yield "variable", f"{where}, {name}", decided(read, _ELSEWHERE)
