"""Scripts and jobs of GitLab pipelines as resources; what else they say, other checks judge."""

import re
from collections.abc import Iterator

from mergegate.repo.checks.infrastructure.dialects.parts import mapping, resource
from mergegate.repo.checks.infrastructure.dialects.steps import decided, extended, script, variables
from mergegate.repo.facts.documents import DocumentKind, Documents, Form, Node
from mergegate.repo.facts.resources import Dialect, Resource

SCRIPTS = ("before_script", "script", "after_script")
_KEYWORDS = frozenset(
    {
        *("stages", "include", "variables", "workflow", "image", "services", "cache", "spec"),
        *("before_script", "after_script", "pages:deploy"),
    }
)
_ELSEWHERE = re.compile(r"\$\{?\w")
_EVERY_BRANCH = frozenset({"branches", "pushes"})
_NEEDS_MORE = ("if", "changes", "exists")
_HELD = frozenset({"manual", "never"})


def jobs(root: Node) -> Iterator[tuple[str, Node]]:
    """Name and content of each job, hidden ones included; keywords are left out."""
    for name, job in root.entries:
        if name not in _KEYWORDS and job.keys:
            yield name, job


def resources(documents: Documents) -> Iterator[Resource]:
    """The scripts, jobs and variables of every pipeline."""
    for file, root in documents.of(DocumentKind.GITLAB_CI):
        is_held = root["workflow"].present or root["include"].present or _asks(root)
        for name, job in [("the pipeline", root), *jobs(root)]:
            free = str(not is_held and _is_free(job)).lower()
            texts = [one for key in SCRIPTS for one in job[key].walk() if one.form is Form.SCALAR]
            if any(one.text for one in texts):
                more: dict[str, Node | str] = {"free": free, "environment": job["environment"]}
                more["tolerated"] = str(job["allow_failure"].is_true).lower()
                read = script(texts, more=mapping(job.line, more))
                yield resource(file, Dialect.GITLAB_CI, "script", name, read)
            for one in job["services"].items:
                if one.keys:
                    yield resource(file, Dialect.GITLAB_CI, "service", name, one)
            for variable, given in variables(job["variables"]):
                value = given["value"] if given["value"].present else given
                read = mapping(given.line, {"name": variable, "value": value})
                address = f"{name}, {variable}"
                yield resource(file, Dialect.GITLAB_CI, "variable", address, read)
            if job is not root and not name.startswith("."):
                yield resource(file, Dialect.GITLAB_CI, "job", name, _job(job, free))


def _job(job: Node, free: str) -> Node:
    environment = job["environment"]
    named = environment["name"] if environment.keys else environment
    read = extended(job, environment=named, action=environment["action"], free=free)
    return decided(read, _ELSEWHERE)


def _asks(root: Node) -> bool:
    """Whether a person is asked anywhere in the pipeline."""
    return any(one["when"].text == "manual" for one in root.walk() if one.form is Form.MAP)


def _is_free(job: Node) -> bool:
    """Whether nothing but a push to any branch is needed for it to run."""
    if any(job[key].present for key in ("extends", "except", "trigger", "<<")):
        return False
    if job["rules"].present:
        first = next(iter(job["rules"].items), job["rules"])
        is_open = not any(first[key].present for key in _NEEDS_MORE)
        return bool(first.keys) and is_open and first["when"].text not in _HELD
    only = job["only"]["refs"] if job["only"].keys else job["only"]
    named = {one.text for one in only.each}
    return not job["only"].present or not _EVERY_BRANCH.isdisjoint(named)
