"""Jobs of a GitLab pipeline."""

from collections.abc import Iterator

from mergegate.repo.facts.documents import Node

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
