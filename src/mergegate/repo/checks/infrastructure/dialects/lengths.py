"""Texts that are longer than their dialect judges: what they say is not known in full."""

import re
from collections.abc import Iterator

from mergegate.repo.checks.infrastructure.dialects.parts import LONGEST
from mergegate.repo.checks.infrastructure.dialects.programs import LONGEST_ORDER
from mergegate.repo.checks.infrastructure.dialects.steps import LONGEST_LINE
from mergegate.repo.facts.documents import DocumentKind, Documents, Node

_GOES_ON = re.compile(r"[\\`^][ \t]*\r?\n")
_OF_TEXT = frozenset(
    {DocumentKind.ANSIBLE, DocumentKind.SERVERLESS, DocumentKind.NGINX, DocumentKind.APACHE}
)
_OF_LINE = frozenset(
    {
        *(DocumentKind.AZURE_PIPELINES, DocumentKind.BITBUCKET, DocumentKind.CIRCLECI),
        *(DocumentKind.GITHUB_ACTIONS, DocumentKind.GITLAB_CI, DocumentKind.JENKINS),
    }
)
_ORDERS = frozenset({"command", "args"})


def cut(documents: Documents) -> Iterator[str]:
    """The paths of files with such a text."""
    for file in documents.files:
        if any(_is_cut(one.kind, one.root) for one in file.found.documents):
            yield file.path


def _is_cut(kind: DocumentKind, root: Node) -> bool:
    if kind in _OF_TEXT:
        return any(len(one.text) > LONGEST for one in root.walk())
    if kind in _OF_LINE:
        return any(_has_long_line(one.text) for one in root.walk())
    if kind is DocumentKind.KUBERNETES:
        return any(len(one.text) > LONGEST_ORDER for one in _orders(root))
    return False


def _has_long_line(text: str) -> bool:
    if len(text) <= LONGEST_LINE:
        return False
    return any(len(line) > LONGEST_LINE for line in _GOES_ON.sub(" ", text).splitlines())


def _orders(root: Node) -> Iterator[Node]:
    """The words that containers are started with."""
    for node in root.walk():
        given = dict(node.entries)
        for name in _ORDERS & given.keys():
            yield from given[name].each
