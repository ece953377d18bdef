"""Which tool a document belongs to, told by its content."""

import re
from collections.abc import Iterator

from mergegate.repo.facts.documents import Document, DocumentKind, Form, Node

_KUBERNETES = (
    re.compile(rb"\bapiVersion[\"']?[ \t]*:"),
    re.compile(rb"\bkind[\"']?[ \t]*:"),
)
_CLOUDFORMATION = (
    re.compile(rb"\bResources[\"']?[ \t]*:"),
    re.compile(rb"AWS::|AWSTemplateFormatVersion"),
)
_COMPOSE = (
    re.compile(rb"\bservices[\"']?[ \t]*:"),
    re.compile(rb"\b(?:image|build)[\"']?[ \t]*:"),
)
_GITLAB_CI = (
    re.compile(rb"(?m)^[ \t]+(?:before_|after_)?script[ \t]*:|^include[ \t]*:"),
    re.compile(rb"(?m)^[ \t]+(?:stage|extends|image|script)[ \t]*:|^include[ \t]*:"),
)
_SIGNS = (_KUBERNETES, _CLOUDFORMATION, _COMPOSE, _GITLAB_CI)

_PRUNED = {
    # Schemas and payloads: large, of no use to a check, and where secrets would be.
    "CustomResourceDefinition": frozenset({"spec", "status"}),
    "ConfigMap": frozenset({"data", "binaryData"}),
    "Secret": frozenset({"data", "stringData"}),
}


def looks_like_infrastructure(content: bytes) -> bool:
    """A cheap test on the bytes: whether it is worth parsing."""
    return any(first.search(content) and second.search(content) for first, second in _SIGNS)


def documents(root: Node) -> Iterator[Document]:
    """The documents ``root`` stands for: none when it is no infrastructure."""
    if root.form is not Form.MAP:
        return
    if root["apiVersion"].text and root["kind"].text:
        yield from _kubernetes(root)
    elif _is_cloudformation(root):
        yield Document(DocumentKind.CLOUDFORMATION, root)
    elif _is_compose(root):
        yield Document(DocumentKind.COMPOSE, root)
    elif _is_gitlab_ci(root):
        yield Document(DocumentKind.GITLAB_CI, root)


def _kubernetes(root: Node) -> Iterator[Document]:
    if root["kind"].text == "List":
        for item in root["items"].items:
            yield Document(DocumentKind.KUBERNETES, _pruned(item))
    else:
        yield Document(DocumentKind.KUBERNETES, _pruned(root))


def _pruned(root: Node) -> Node:
    dropped = _PRUNED.get(root["kind"].text)
    if not dropped:
        return root
    kept = [(key, value) for key, value in root.entries if key not in dropped]
    keys, values = tuple(key for key, _ in kept), tuple(value for _, value in kept)
    return Node(root.line, Form.MAP, keys=keys, children=values)


def _is_cloudformation(root: Node) -> bool:
    if root["AWSTemplateFormatVersion"].present:
        return True
    return any(child["Type"].text.startswith("AWS::") for _, child in root["Resources"].entries)


def _is_compose(root: Node) -> bool:
    return any(
        service["image"].present or service["build"].present
        for _, service in root["services"].entries
    )


def _is_gitlab_ci(root: Node) -> bool:
    """A job's script stands one level down; at the top it is another service's format."""
    if root["script"].present or root["language"].present:
        return False
    jobs = [job for _, job in root.entries if job.form is Form.MAP]
    has_job = any(
        job[key].present
        for job in jobs
        for key in ("script", "before_script", "extends", "trigger")
    )
    return has_job or _includes(root["include"])


def _includes(include: Node) -> bool:
    kinds = ("local", "project", "remote", "template", "component")
    return any(entry[kind].present for entry in include.each for kind in kinds)
