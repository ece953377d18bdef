"""Compose services and the several spellings of their ports, volumes and environment."""

from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Documents, Node


@dataclass(frozen=True, slots=True)
class Service:
    """One service of one file."""

    file: DocumentFile
    name: str
    spec: Node


@dataclass(frozen=True, slots=True)
class Port:
    """A published port."""

    container: str
    everywhere: bool
    """Whether it is bound on all of the host's addresses."""
    line: int


def services(documents: Documents) -> Iterator[Service]:
    """Every service of every Compose file."""
    for file, root in documents.of(DocumentKind.COMPOSE):
        for name, spec in root["services"].entries:
            yield Service(file, name, spec)


def mounts(spec: Node) -> Iterator[tuple[str, int]]:
    """What is mounted from outside, with its line."""
    for mount in spec["volumes"].items:
        yield mount["source"].text or mount.text.partition(":")[0], mount.line


def ports_of(spec: Node) -> Iterator[Port]:
    """The ports a service publishes, short and long syntax."""
    for port in spec["ports"].items:
        if port["target"].present:
            local = port["host_ip"].text.startswith(("127.", "::1"))
            published = port["published"].present
            yield Port(port["target"].text, published and not local, port.line)
        else:
            yield _short_port(port)


def _short_port(port: Node) -> Port:
    """``[address:][host:]container[/protocol]``; without a host port the engine picks one."""
    address, _, rest = (
        port.text.partition("]:") if port.text.startswith("[") else ("", "", port.text)
    )
    parts = rest.partition("/")[0].split(":")
    if len(parts) > 2:
        address = parts[0]
    local = address.startswith(("127.", "localhost", "[::1")) or "$" in address
    return Port(parts[-1], len(parts) > 1 and not local, port.line)


def environment_of(node: Node) -> Iterator[tuple[str, str, int]]:
    """Name, value and line of each variable, from a list or a map."""
    for item in node.items:
        name, _, value = item.text.partition("=")
        yield name, value, item.line
    for name, item in node.entries:
        yield name, item.text, item.line
