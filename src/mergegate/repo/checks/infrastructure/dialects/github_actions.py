"""GitHub's workflows and actions as resources: scripts, steps, images, variables.

What their triggers and permissions mean, checks of their own judge (``checks/workflows``).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.repo.checks.infrastructure.dialects.parts import listed, mapping, resource
from mergegate.repo.checks.infrastructure.dialects.steps import decided, extended, script, variables
from mergegate.repo.facts.documents import DocumentKind, Documents, Form, Node
from mergegate.repo.facts.resources import Dialect, Resource

_ELSEWHERE = re.compile(r"\$\{\{")
_RUN = re.compile(r"(?:\.github/workflows/[^/]+\.ya?ml|(?:.*/)?action\.ya?ml)")
"""Where GitHub looks for them."""
_SHELLS = {"pwsh": "powershell", "powershell": "powershell", "cmd": "cmd"}
_DOWNLOADS = re.compile(r"[\w.-]+/[\w./-]*download[\w-]*artifact[\w.-]*@")
_DOWNLOADED = re.compile(r"\bgh run download\b")
_STARTED = re.compile(
    r"(?:^|[;&|]\s*)(?:sudo\s+)?"
    r"(?:(?:(?:ba|z)?sh|python[\d.]*|node|ruby|perl|source|\.)\s+(?!-)(?:\./)?|\./)([\w.][\w./-]*)"
)
"""A file of the working copy that a command runs."""

_BY_STRANGERS = frozenset(
    {
        *("issues", "issue_comment", "pull_request_target", "pull_request_review"),
        *("pull_request_review_comment", "discussion", "discussion_comment", "workflow_run"),
    }
)
"""Events that a stranger can cause, and whose run holds secrets or may."""
_FOREIGN_TEXT = re.compile(
    r"github\.(?:head_ref\b|event\.(?:issue|pull_request|discussion|comment|review)\.(?:title|body)\b"
    r"|event\.pull_request\.head\.(?:ref|label)\b"
    r"|event\.workflow_run\.(?:head_branch|display_title|head_commit\.message)\b)"
)
_Part = tuple[str, str, Node]


def resources(documents: Documents) -> Iterator[Resource]:
    """Everything in every workflow and action that GitHub would run."""
    for file, root in documents.of(DocumentKind.GITHUB_ACTIONS):
        if _RUN.fullmatch(file.path):
            for kind, address, properties in _parts(root):
                yield resource(file, Dialect.GITHUB_ACTIONS, kind, address, properties)


def _parts(root: Node) -> Iterator[_Part]:
    yield from _variables(root, "the workflow")
    on = {*root["on"].keys, *(one.text for one in root["on"].each)}
    foreign, by_strangers = "workflow_run" in on, not on.isdisjoint(_BY_STRANGERS)
    for name, job in (*root["jobs"].entries, *_action(root)):
        yield from _variables(job, name)
        yield from _variables(job["container"], name)  # those of services protect nothing
        for image in (job["container"], *job["services"].children):
            if image.present:
                read = image if image.keys else mapping(image.line, {"image": image})
                yield "image", name, decided(read, _ELSEWHERE)
        yield from _steps(job["steps"], name, _Artifacts(foreign), by_strangers)


def _action(root: Node) -> Iterator[tuple[str, Node]]:
    if root["runs"]["steps"].items:
        yield "the action", root["runs"]


@dataclass(slots=True)
class _Artifacts:
    """Where what another run uploaded lies, after the steps so far."""

    are_foreign: bool
    """Whether that run may have been of anybody's change."""
    folders: tuple[str, ...] = ()
    """An empty one is the working copy itself."""

    def note(self, step: Node) -> None:
        """Take in what the step downloads."""
        by_action = _DOWNLOADS.match(step["uses"].text) is not None
        if by_action or _DOWNLOADED.search(step["run"].text):
            said = step["with"]["path"].text if by_action else ""
            folder = said.removeprefix("./").rstrip("/")
            self.folders = (*self.folders, "" if folder == "." else folder)

    def are_run(self, line: str) -> bool:
        """Whether a command runs a file that may come from there."""
        run = [match[1] for match in _STARTED.finditer(line)] if self.are_foreign else []
        return any(
            not folder or one.startswith(f"{folder}/") for one in run for folder in self.folders
        )


def _steps(steps: Node, job: str, artifacts: _Artifacts, by_strangers: bool) -> Iterator[_Part]:
    for number, step in enumerate(steps.items, 1):
        name = f"{job}, {step['name'].text or step['id'].text or f'step {number}'}"
        yield from _variables(step, name)
        used, _, version = step["uses"].text.partition("@")
        given = listed(step.line, step["with"].keys)
        told = _foreign_texts(step["with"]) if by_strangers else ()
        read = extended(
            step, action=used, version=version, given=given, foreign=listed(step.line, told)
        )
        yield "step", name, decided(read, _ELSEWHERE)
        if step["run"].form is Form.SCALAR and step["run"].present:
            yield "script", name, _script(step, artifacts)
        artifacts.note(step)


def _foreign_texts(given: Node) -> list[str]:
    """The texts of strangers that an action is given."""
    texts = (one.text for one in given.walk() if one.form is Form.SCALAR)
    return sorted({match[0] for text in texts for match in _FOREIGN_TEXT.finditer(text)})


def _script(step: Node, artifacts: _Artifacts) -> Node:
    said = step["shell"].text
    written = script([step["run"]], _SHELLS.get(said, said or "bash"))
    lines = tuple(
        extended(one, artifact=str(artifacts.are_run(one["text"].text)).lower())
        for one in written["lines"].items
    )
    may_fail = str(step["continue-on-error"].is_true).lower()
    listed = Node(written.line, Form.LIST, children=lines)
    return extended(written, lines=listed, tolerated=may_fail)


def _variables(holder: Node, where: str) -> Iterator[_Part]:
    for name, value in variables(holder["env"]):
        if value.form is Form.SCALAR and value.present:
            read = mapping(value.line, {"name": name, "value": value})
            yield "variable", f"{where}, {name}", decided(read, _ELSEWHERE)
