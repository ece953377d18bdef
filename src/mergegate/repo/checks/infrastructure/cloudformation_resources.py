"""Resources of CloudFormation and SAM templates, and the policies in them."""

from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.core.finding import Finding
from mergegate.core.severity import Severity
from mergegate.repo.checks.infrastructure import DocumentRule
from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Documents, Node

ADMIN_PORTS = {
    22: "SSH", 23: "Telnet", 135: "RPC", 445: "SMB", 2375: "Docker", 3389: "RDP", 5900: "VNC",
    5985: "WinRM", 6443: "Kubernetes", 10250: "kubelet",
}  # fmt: skip
DATA_PORTS = {
    1433: "SQL Server", 1521: "Oracle", 2379: "etcd", 3306: "MySQL", 5432: "PostgreSQL",
    5439: "Redshift", 6379: "Redis", 9042: "Cassandra", 9200: "Elasticsearch",
    11211: "memcached", 27017: "MongoDB",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Resource:
    """One resource of one template."""

    file: DocumentFile
    name: str
    node: Node

    @property
    def properties(self) -> Node:
        """Its ``Properties``."""
        return self.node["Properties"]

    def told(
        self, rule: DocumentRule, at: Node, wrong: str, severity: Severity | None = None
    ) -> Finding:
        """A finding at a property, or at the resource where the property is missing."""
        return rule.broken(self.file, at.line or self.node.line, wrong, severity)


def resources(documents: Documents, *types: str) -> Iterator[Resource]:
    """Every resource of these types, of every type when none is given."""
    for file, root in documents.of(DocumentKind.CLOUDFORMATION):
        for name, node in root["Resources"].entries:
            if not types or node["Type"].text in types:
                yield Resource(file, name, node)


def is_off(value: Node) -> bool:
    """Absent or a literal false; what a parameter decides is not known."""
    return not value.present or value.is_false


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of an access policy."""

    node: Node

    @property
    def allows(self) -> bool:
        """Whether it grants, without a condition."""
        return self.node["Effect"].text == "Allow" and not self.node["Condition"].present

    @property
    def actions(self) -> frozenset[str]:
        """What it is about, lower case."""
        return frozenset(item.text.lower() for item in self.node["Action"].each)

    @property
    def is_for_anyone(self) -> bool:
        """Whether its principal is the whole world."""
        principal = self.node["Principal"]
        named = (principal, *principal["AWS"].each)
        return any(item.is_literal and item.text == "*" for item in named)

    @property
    def is_on_everything(self) -> bool:
        """Whether it names no resource but ``*``."""
        return any(item.is_literal and item.text == "*" for item in self.node["Resource"].each)


def statements(policy: Node) -> Iterator[Statement]:
    """The statements of a policy document."""
    for node in policy["Statement"].each:
        yield Statement(node)


def open_services(low: int, high: int) -> list[str]:
    """Names of the administration and database services in a range of ports."""
    known = {**ADMIN_PORTS, **DATA_PORTS}
    return [known[port] for port in sorted(known) if low <= port <= high]
