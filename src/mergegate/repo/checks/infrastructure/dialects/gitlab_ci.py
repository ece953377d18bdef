"""Scripts of GitLab pipelines as resources; what else they say, checks of their own judge."""

from collections.abc import Iterator

from mergegate.repo.checks.infrastructure.dialects.parts import resource
from mergegate.repo.checks.infrastructure.dialects.steps import (
    script,
)
from mergegate.repo.facts.documents import DocumentKind, Documents, Form, Node
from mergegate.repo.facts.resources import Dialect, Resource

SCRIPTS = ("before_script", "script", "after_script")
_KEYWORDS = frozenset(
    {
        *("stages", "include", "variables", "workflow", "image", "services", "cache", "spec"),
        *("before_script", "after_script", "pages:deploy"),
    }
)


def jobs(root: Node) -> Iterator[tuple[str, Node]]:
    """Name and content of each job, hidden ones included; keywords are left out."""
    for name, job in root.entries:
        if name not in _KEYWORDS and job.keys:
            yield name, job


def resources(documents: Documents) -> Iterator[Resource]:
    """The scripts of every pipeline."""
    for file, root in documents.of(DocumentKind.GITLAB_CI):
        for name, job in [("the pipeline", root), *jobs(root)]:
            texts = [one for key in SCRIPTS for one in job[key].walk() if one.form is Form.SCALAR]
            if any(one.text for one in texts):
                yield resource(file, Dialect.GITLAB_CI, "script", name, script(texts))
