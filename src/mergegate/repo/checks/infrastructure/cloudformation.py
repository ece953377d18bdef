"""Resources of CloudFormation and SAM templates, and how they protect data and its keys."""

from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.core.finding import Finding
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure import DocumentRule
from mergegate.repo.facts.documents import MASKED, DocumentFile, DocumentKind, Documents, Node

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


_FROM_ELSEWHERE = (
    "DBClusterIdentifier", "SnapshotIdentifier", "DBSnapshotIdentifier",
    "SourceDBInstanceIdentifier", "SourceDBClusterIdentifier",
)  # fmt: skip
_ENCRYPTED = {
    "AWS::RDS::DBInstance": "StorageEncrypted",
    "AWS::RDS::DBCluster": "StorageEncrypted",
    "AWS::DocDB::DBCluster": "StorageEncrypted",
    "AWS::Neptune::DBCluster": "StorageEncrypted",
    "AWS::Redshift::Cluster": "Encrypted",
    "AWS::EFS::FileSystem": "Encrypted",
}


@check("iac-cloudformation-unencrypted-database", Severity.MEDIUM, "CWE-311")
def unencrypted_database(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A database, warehouse or file system stores its data, and all copies, unencrypted.

    Members of a cluster and copies of a snapshot take over its setting and are left alone.

    Title: Database or file system not encrypted

    Remedy: Set it to true before the first deployment: it cannot be turned on in place.

    Reference: https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/Overview.Encryption.html
    """
    for resource in resources(documents, *_ENCRYPTED):
        key = _ENCRYPTED[resource.node["Type"].text]
        inherits = any(resource.properties[source].present for source in _FROM_ELSEWHERE)
        if not inherits and is_off(resource.properties[key]):
            wrong = f"{resource.name} does not set {key}, so its data and copies are in the clear"
            yield resource.told(rule, resource.properties[key], wrong)


@check("iac-cloudformation-unencrypted-volume", Severity.MEDIUM, "CWE-311")
def unencrypted_volume(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A disk is not encrypted.

    One finding a resource.

    Title: Volume not encrypted

    Low: where it is left to the account's default

    Remedy: Set `Encrypted: true`.

    Reference: https://docs.aws.amazon.com/ebs/latest/userguide/ebs-encryption.html
    """
    for volume in resources(documents, "AWS::EC2::Volume"):
        encrypted = volume.properties["Encrypted"]
        if is_off(encrypted) and not volume.properties["SnapshotId"].present:
            yield _volume(rule, volume, encrypted)
    for holder in resources(documents, "AWS::EC2::Instance", "AWS::EC2::LaunchTemplate"):
        properties = holder.properties
        data = properties["LaunchTemplateData"]
        source = data if data.present else properties
        disks = [disk["Ebs"]["Encrypted"] for disk in source["BlockDeviceMappings"].items]
        off = [disk for disk in disks if disk.is_false]
        if off:
            yield _volume(rule, holder, off[0])


def _volume(rule: DocumentRule, resource: Resource, encrypted: Node) -> Finding:
    severity = Severity.MEDIUM if encrypted.is_false else Severity.LOW
    wrong = f"{resource.name} has an unencrypted disk: whoever gets a snapshot reads it"
    return resource.told(rule, encrypted, wrong, severity)


@check("iac-cloudformation-unencrypted-cache", Severity.LOW, "CWE-311")
def unencrypted_cache(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A Redis group or search domain leaves its data or its traffic unencrypted.

    Title: Cache or search domain not encrypted

    Remedy: Turn on encryption at rest and in transit.

    Reference: https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/encryption.html
    """
    for group in resources(documents, "AWS::ElastiCache::ReplicationGroup"):
        off = [
            key
            for key in ("AtRestEncryptionEnabled", "TransitEncryptionEnabled")
            if is_off(group.properties[key])
        ]
        if off:
            wrong = f"{group.name} does not set {' and '.join(off)}"
            yield group.told(rule, group.properties.at(off[0]), wrong)
    types = ("AWS::Elasticsearch::Domain", "AWS::OpenSearchService::Domain")
    for domain in resources(documents, *types):
        enabled = domain.properties.at("EncryptionAtRestOptions", "Enabled")
        if is_off(enabled):
            yield domain.told(rule, enabled, f"{domain.name} stores its data unencrypted")


@check(
    "iac-cloudformation-secret-in-template", Severity.HIGH, "CWE-798", confidence=Confidence.MEDIUM
)
def secret_in_template(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A password stands in a resource, or as the default of a parameter.

    Everyone who reads the template has it.

    Title: Secret written into a template

    Medium: for a parameter's default, which the deployment may override

    Remedy: Revoke it and use `{{resolve:secretsmanager:…}}` or ManageMasterUserPassword.

    Reference: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references.html
    """
    for resource in resources(documents):
        for key, value in resource.properties.entries:
            if value.text == MASKED:
                wrong = f"{key} of {resource.name} is given in plain text"
                yield resource.told(rule, value, wrong)
    for file, root in documents.of(DocumentKind.CLOUDFORMATION):
        for name, parameter in root["Parameters"].entries:
            default = parameter["Default"]
            if parameter["NoEcho"].is_true and default.is_literal and default.text == MASKED:
                wrong = f"The default of the secret parameter {name} is given in plain text"
                yield rule.broken(file, default.line, wrong, Severity.MEDIUM)
