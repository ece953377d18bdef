"""Settings of PHP, OpenSSH's server and Docker's daemon: each file as one resource."""

from collections.abc import Iterator

from mergegate.repo.checks.infrastructure.dialects.parts import beside, evaluated, resource, says
from mergegate.repo.checks.infrastructure.dialects.web_servers import PLACEHOLDER, blocks, title
from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Documents, Node
from mergegate.repo.facts.resources import Dialect, Resource

_LOCAL = ("tcp://127.", "tcp://localhost", "tcp://[::1]")


def resources(documents: Documents) -> Iterator[Resource]:
    """What each file sets, and what OpenSSH's server sets for some logins."""
    for file, root in documents.of(DocumentKind.PHP):
        yield _whole(file, Dialect.PHP, _flat(evaluated(root, PLACEHOLDER)))
    for file, root in documents.of(DocumentKind.SSHD):
        settings = evaluated(root, PLACEHOLDER)
        yield _whole(file, Dialect.SSHD, settings)
        for name, block in blocks(settings):
            yield resource(file, Dialect.SSHD, name, title(name, block), block)
    for file, root in documents.of(DocumentKind.DOCKER):
        settings = evaluated(root, PLACEHOLDER)
        hosts = [one.text for one in settings["hosts"].items]
        is_open = any(one.startswith("tcp://") and not one.startswith(_LOCAL) for one in hosts)
        more = {"open": says(settings["hosts"].line or settings.line, is_open)}
        yield _whole(file, Dialect.DOCKER, beside(settings, more))


def _whole(file: DocumentFile, dialect: Dialect, settings: Node) -> Resource:
    return resource(file, dialect, "settings", file.path.rpartition("/")[2], settings)


def _flat(root: Node) -> Node:
    """The settings of all sections: PHP looks at none of their names."""
    for _, block in blocks(root):
        root = beside(root, dict(block.entries))
    return root
