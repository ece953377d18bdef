"""CircleCI's configuration as resources: orbs, jobs, their uses in workflows, steps, scripts."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from mergegate.repo.checks.infrastructure.dialects.parts import mapping, resource
from mergegate.repo.checks.infrastructure.dialects.steps import (
    decided,
    extended,
    filled,
    script,
)
from mergegate.repo.facts.documents import ABSENT, DocumentKind, Documents, Form, Node
from mergegate.repo.facts.resources import Dialect, Resource
from mergegate.repo.infrastructure import listed_values

_ELSEWHERE = re.compile(r"<<|^\$")
_ASKS = re.compile(r"\bCIRCLE_(?:BRANCH|TAG|PULL_REQUEST)|pipeline\.git\.|circleci-agent step halt")
"""How a job finds out itself what it was started for."""
_PARAMETER = re.compile(r"<<\s*pipeline\.parameters\.([\w-]+)\s*>>")
_FROM_PARAMETER = re.compile(r"<<\s*((?:pipeline\.)?parameters\.[\w-]+)\s*>>")
_RELEASES = re.compile("|".join(listed_values("deploying")), re.IGNORECASE)

_Part = tuple[str, str, Node]


def resources(documents: Documents) -> Iterator[Resource]:
    """Everything in every configuration."""
    for file, root in documents.of(DocumentKind.CIRCLECI):
        for kind, address, properties in _parts(root):
            yield resource(file, Dialect.CIRCLECI, kind, address, properties)


def _parts(root: Node) -> Iterator[_Part]:
    for alias, orb in root["orbs"].entries:
        if orb.form is Form.MAP:  # one that is written here
            yield from _parts(orb)
        elif not _ELSEWHERE.search(orb.text):
            name, _, version = orb.text.partition("@")
            yield "orb", alias, mapping(orb.line, {"name": name, "version": version})
    for name, executor in root["executors"].entries:
        yield from _machines(root, executor, name)
    yield from _defaults(root, "the pipeline")
    for name, command in root["commands"].entries:
        yield from _defaults(command, f"command {name}")
        yield from _steps(command["steps"], f"command {name}")
    for name, job in root["jobs"].entries:
        yield "job", name, decided(job, _ELSEWHERE)
        yield from _job(root, name, job)
    for name, workflow in root["workflows"].entries:
        yield from _uses(root, name, workflow)


def _job(root: Node, name: str, job: Node) -> Iterator[_Part]:
    yield from _machines(root, job, name)
    yield from _defaults(job, name)
    releases = _releases(job)
    for kind, address, read in _steps(job["steps"], name):
        yield kind, address, extended(read, parameters=_used(root, read), releases=releases)


def _machines(root: Node, holder: Node, name: str) -> Iterator[_Part]:
    defaults = {
        f"{owner}parameters.{parameter}": said["default"]
        for owner, one in (("pipeline.", root), ("", holder))
        for parameter, said in one["parameters"].entries
    }
    for image in holder["docker"].items:
        by_default = filled(image["image"], _FROM_PARAMETER, defaults)
        yield "image", name, decided(extended(image, image=by_default), _ELSEWHERE)
        yield from _variables(image, name)
        if (password := image["auth"]["password"]).present:
            read = mapping(password.line, {"name": "password", "value": password})
            yield "variable", f"{name}, password", decided(read, _ELSEWHERE)
    machine = holder["machine"]
    if machine.present:
        read = machine if machine.keys else mapping(machine.line, {"enabled": machine})
        yield "machine", name, decided(read, _ELSEWHERE)
    yield from _variables(holder, name)


def _steps(steps: Node, where: str) -> Iterator[_Part]:
    for number, step in enumerate(steps.items, 1):
        kind, given = step.text, ABSENT
        if step.form is Form.MAP and step.keys:
            kind, given = step.keys[0], step.children[0]
        name = f"{where}, {given['name'].text or f'step {number}'}"
        if kind in {"when", "unless"}:
            yield from _steps(given["steps"], where)
        elif kind == "run":
            run = given if given.keys else mapping(given.line, {"command": given})
            yield from _variables(run, name)
            yield "run", name, decided(run, _ELSEWHERE)
            yield "script", name, script([run["command"]], "", decided(run, _ELSEWHERE))
        else:
            yield "step", name, decided(extended(given, step.line, step=kind), _ELSEWHERE)


def _variables(holder: Node, where: str) -> Iterator[_Part]:
    for name, value in holder["environment"].entries:
        if value.form is Form.SCALAR:
            read = mapping(value.line, {"name": name, "value": value})
            yield "variable", f"{where}, {name}", decided(read, _ELSEWHERE)


def _defaults(holder: Node, where: str) -> Iterator[_Part]:
    """Parameters as the variables that their defaults are."""
    for name, one in holder["parameters"].entries:
        if one["type"].text == "string" and one["default"].text:
            read = mapping(one["default"].line, {"name": name, "value": one["default"]})
            yield "variable", f"{where}, {name}", decided(read, _ELSEWHERE)


def _used(root: Node, script: Node) -> Node:
    """The pipeline's own parameters that become part of a script before anything runs it."""
    found: list[Node] = []
    for one in script["lines"].items:
        for name in _PARAMETER.findall(one["text"].text):
            said = root["parameters"][name]
            free = said["type"].text == "string"
            read = {"name": name, "free": str(free).lower()}
            found.append(mapping(one.line, read))
    return Node(script.line, Form.LIST, children=tuple(found)) if found else ABSENT


def _releases(job: Node) -> str:
    """Whether a command of the job gives its result to others."""
    return str(any(_RELEASES.search(one.text) for one in _commands(job))).lower()


def _commands(job: Node) -> tuple[Node, ...]:
    steps = job["steps"].walk()
    runs = (one["run"] for one in steps if one["run"].present)
    return tuple(run["command"] if run.keys else run for run in runs)


def _uses(root: Node, workflow: str, node: Node) -> Iterator[_Part]:
    """Each job of a workflow; ``free`` says that nothing but a push is needed for it to run."""
    named = dict(map(_use, node["jobs"].items))
    held = _held(named)
    is_free = not any(node[key].present for key in ("when", "unless", "triggers"))
    for name, use in named.items():
        job = root["jobs"][use["job"].text]
        free = is_free and name not in held and not _asks(job)
        runner = job["resource_class"]
        if not runner.present:
            runner = root["executors"][job["executor"].text]["resource_class"]
        read = extended(use, name=name, free=str(free).lower(), resource_class=runner)
        commands = Node(use.line, Form.LIST, children=_commands(job))
        yield "use", f"{workflow}, {name}", extended(read, commands=commands)
        for key in ("pre-steps", "post-steps"):
            yield from _steps(use[key], f"{workflow}, {name}")


def _use(item: Node) -> tuple[str, Node]:
    if item.form is not Form.MAP or not item.keys:
        return item.text, mapping(item.line, {"job": item.text})
    job, given = item.keys[0], decided(item.children[0], _ELSEWHERE)
    return given["name"].text or job, extended(given, item.line, job=job)


def _held(named: Mapping[str, Node]) -> set[str]:
    """The jobs that wait for a person or a branch, or for a job that does."""
    waiting: dict[str, list[str]] = defaultdict(list)
    for name, use in named.items():
        for one in use["requires"].each:
            waiting[one.text].append(name)
    reached = [name for name, use in named.items() if _is_held(use)]
    reached += waiting.keys() - named.keys()  # what is not known here may be held
    held: set[str] = set()
    while reached:
        name = reached.pop()
        if name not in held:
            held.add(name)
            reached += waiting[name]
    return held


def _is_held(use: Node) -> bool:
    is_filtered = use["filters"]["branches"].present or use["when"].present
    return is_filtered or use["type"].text == "approval"


def _asks(job: Node) -> bool:
    return any(_ASKS.search(one.text) for one in job.walk())
