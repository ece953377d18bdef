"""Which jobs of a workflow hold secrets or a token with write access."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from mergegate.repo.checks.workflows import PRIVILEGED
from mergegate.repo.facts.documents import MASKED, Node, WorkflowFile, WorkflowKind

_SECRET = re.compile(
    r"\bsecrets\s*[.\[)]|\bgithub\s*(\.\s*token\b|\[\s*'token'\s*\]|\))", re.IGNORECASE
)
"""An expression that reads a secret or the token by name, or all secrets."""
_UPLOADS = re.compile(r"^[\w.-]+/[\w./-]*upload[\w-]*artifact[\w.-]*@")
_DOWNLOADS = re.compile(r"^[\w.-]+/[\w./-]*download[\w-]*artifact[\w.-]*@")


class Reach:
    """Which jobs of a workflow could be made to give a secret, to write or to release.

    Without a ``permissions:`` block the token may read, GitHub's default. What runs on a machine
    of one's own, is started with the base's secrets, or by callers that the file does not show,
    always counts.
    """

    def __init__(self, file: WorkflowFile) -> None:
        """The jobs are read at the first call of :meth:`at`."""
        self._file = file

    def at(self, line: int) -> bool:
        """Whether third-party code in the job at ``line`` could use a secret or write."""
        here = [has for start, has in self._jobs if start <= line]
        return here[-1] if here else True

    @cached_property
    def _jobs(self) -> Sequence[tuple[int, bool]]:
        """The first line of each job, and whether it holds a secret, may write or releases."""
        jobs = [job for _, job in self._file.jobs]
        started_with_more = self._file.triggers.keys() & {*PRIVILEGED, "workflow_call"}
        if started_with_more or self._file.found.kind is WorkflowKind.ACTION:
            return [(job.line, True) for job in jobs]
        shared = _has_secret(self._file.found.root["env"])
        holds = [shared or self._holds(job) for job in jobs]
        handed_on = any(
            _DOWNLOADS.match(used)
            for job, has in zip(jobs, holds, strict=True)
            for used in (_used(job) if has else ())
        )
        return [
            (job.line, has or (handed_on and any(map(_UPLOADS.match, _used(job)))))
            for job, has in zip(jobs, holds, strict=True)
        ]

    def _holds(self, job: Node) -> bool:
        stated = job["permissions"]
        token = stated if stated.present else self._file.found.root["permissions"]
        # `id-token: write` reads like a secret and is masked.
        may_write = any(
            "write" in node.text.lower() or node.text == MASKED for node in token.walk()
        )
        own_machine = is_self_hosted(job["runs-on"])
        return may_write or own_machine or job["secrets"].present or _has_secret(job)


def is_self_hosted(runs_on: Node) -> bool:
    """Whether a job's ``runs-on`` names a self-hosted runner."""
    return any(label.text == "self-hosted" for label in (*runs_on.each, *runs_on["labels"].each))


def _has_secret(part: Node) -> bool:
    return any(_SECRET.search(node.text) for node in part.walk())


def _used(job: Node) -> Iterator[str]:
    return (step["uses"].text for step in job["steps"].items)
