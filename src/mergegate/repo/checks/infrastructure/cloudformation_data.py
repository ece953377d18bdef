"""How CloudFormation templates protect data and the keys to it."""

from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure.cloudformation_resources import (
    Resource,
    is_off,
    resources,
)
from mergegate.repo.checks.infrastructure.reading import ELSEWHERE, DocumentRule
from mergegate.repo.facts.documents import MASKED, DocumentKind, Documents, Node

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

_UNENCRYPTED = DocumentRule(
    id="iac-cloudformation-unencrypted-database",
    title="Database or file system not encrypted",
    severity=Severity.MEDIUM,
    remedy="Set it to true before the first deployment: it cannot be turned on in place.",
    cwe=("CWE-311",),
    references=("https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/Overview.Encryption.html",),
)


@check(_UNENCRYPTED)
def unencrypted_database(documents: Documents) -> Iterator[Finding]:
    """A database, warehouse or file system stores its data, and all copies, unencrypted.

    Members of a cluster and copies of a snapshot take over its setting and are left alone.
    """
    for resource in resources(documents, *_ENCRYPTED):
        key = _ENCRYPTED[resource.node["Type"].text]
        inherits = any(resource.properties[source].present for source in _FROM_ELSEWHERE)
        if not inherits and is_off(resource.properties[key]):
            yield _UNENCRYPTED.broken(
                resource.file,
                resource.line_of(key),
                f"{resource.name} does not set {key}, so its data and copies are in the clear",
            )


_VOLUME = DocumentRule(
    id="iac-cloudformation-unencrypted-volume",
    title="Volume not encrypted",
    severity=Severity.MEDIUM,
    milder={**ELSEWHERE, Severity.LOW: "where it is left to the account's default"},
    remedy="Set `Encrypted: true`.",
    cwe=("CWE-311",),
    references=("https://docs.aws.amazon.com/ebs/latest/userguide/ebs-encryption.html",),
)


@check(_VOLUME)
def unencrypted_volume(documents: Documents) -> Iterator[Finding]:
    """A disk is not encrypted.

    One finding a resource.
    """
    for volume in resources(documents, "AWS::EC2::Volume"):
        encrypted = volume.properties["Encrypted"]
        if is_off(encrypted) and not volume.properties["SnapshotId"].present:
            yield _volume(volume, encrypted)
    for holder in resources(documents, "AWS::EC2::Instance", "AWS::EC2::LaunchTemplate"):
        properties = holder.properties
        data = properties["LaunchTemplateData"]
        source = data if data.present else properties
        disks = [disk["Ebs"]["Encrypted"] for disk in source["BlockDeviceMappings"].items]
        off = [disk for disk in disks if disk.is_false]
        if off:
            yield _volume(holder, off[0])


def _volume(resource: Resource, encrypted: Node) -> Finding:
    return _VOLUME.broken(
        resource.file,
        encrypted.line or resource.line,
        f"{resource.name} has an unencrypted disk: whoever gets a snapshot reads it",
        Severity.MEDIUM if encrypted.is_false else Severity.LOW,
    )


_CACHE = DocumentRule(
    id="iac-cloudformation-unencrypted-cache",
    title="Cache or search domain not encrypted",
    severity=Severity.LOW,
    remedy="Turn on encryption at rest and in transit.",
    cwe=("CWE-311",),
    references=("https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/encryption.html",),
)


@check(_CACHE)
def unencrypted_cache(documents: Documents) -> Iterator[Finding]:
    """A Redis group or search domain leaves its data or its traffic unencrypted."""
    for group in resources(documents, "AWS::ElastiCache::ReplicationGroup"):
        off = [
            key
            for key in ("AtRestEncryptionEnabled", "TransitEncryptionEnabled")
            if is_off(group.properties[key])
        ]
        if off:
            wrong = f"{group.name} does not set {' and '.join(off)}"
            yield _CACHE.broken(group.file, group.line_of(off[0]), wrong)
    types = ("AWS::Elasticsearch::Domain", "AWS::OpenSearchService::Domain")
    for domain in resources(documents, *types):
        if is_off(domain.properties.at("EncryptionAtRestOptions", "Enabled")):
            line = domain.line_of("EncryptionAtRestOptions", "Enabled")
            yield _CACHE.broken(domain.file, line, f"{domain.name} stores its data unencrypted")


_ROTATION = DocumentRule(
    id="iac-cloudformation-key-rotation",
    title="Encryption key is never rotated",
    severity=Severity.LOW,
    remedy="Set `EnableKeyRotation: true`.",
    cwe=("CWE-324",),
    references=("https://docs.aws.amazon.com/kms/latest/developerguide/rotate-keys.html",),
)


@check(_ROTATION)
def key_rotation(documents: Documents) -> Iterator[Finding]:
    """A symmetric key of KMS is used for ever.

    Asymmetric keys and imported material cannot be rotated and are left alone.
    """
    for key in resources(documents, "AWS::KMS::Key"):
        properties = key.properties
        symmetric = properties["KeySpec"].text in {"", "SYMMETRIC_DEFAULT"}
        own = properties["Origin"].text in {"", "AWS_KMS"}
        if symmetric and own and is_off(properties["EnableKeyRotation"]):
            line = key.line_of("EnableKeyRotation")
            yield _ROTATION.broken(key.file, line, f"{key.name} is not rotated")


_SECRET = DocumentRule(
    id="iac-cloudformation-secret-in-template",
    title="Secret written into a template",
    severity=Severity.HIGH,
    milder={
        **ELSEWHERE,
        Severity.MEDIUM: "for a parameter's default, which the deployment may override",
    },
    remedy="Revoke it and use `{{resolve:secretsmanager:…}}` or ManageMasterUserPassword.",
    cwe=("CWE-798",),
    references=(
        "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references.html",
    ),
    confidence=Confidence.MEDIUM,
)


@check(_SECRET)
def secret_in_template(documents: Documents) -> Iterator[Finding]:
    """A password stands in a resource, or as the default of a parameter.

    Everyone who reads the template has it.
    """
    for resource in resources(documents):
        for key, value in resource.properties.entries:
            if value.text == MASKED:
                wrong = f"{key} of {resource.name} is given in plain text"
                yield _SECRET.broken(resource.file, value.line, wrong)
    for file, root in documents.of(DocumentKind.CLOUDFORMATION):
        for name, parameter in root["Parameters"].entries:
            default = parameter["Default"]
            if parameter["NoEcho"].is_true and default.is_literal and default.text == MASKED:
                wrong = f"The default of the secret parameter {name} is given in plain text"
                yield _SECRET.broken(file, default.line, wrong, Severity.MEDIUM)


_REGISTRY = DocumentRule(
    id="iac-cloudformation-mutable-images",
    title="Image tags can be overwritten",
    severity=Severity.INFO,
    remedy="Set `ImageTagMutability: IMMUTABLE`.",
    cwe=("CWE-1357",),
    references=(
        "https://docs.aws.amazon.com/AmazonECR/latest/userguide/image-tag-mutability.html",
    ),
)


@check(_REGISTRY)
def mutable_images(documents: Documents) -> Iterator[Finding]:
    """A registry lets a tag be pushed again with other content. For information."""
    for registry in resources(documents, "AWS::ECR::Repository"):
        mutability = registry.properties["ImageTagMutability"]
        if not mutability.present or mutability.text == "MUTABLE":
            wrong = f"Tags in {registry.name} can be moved to other images"
            yield _REGISTRY.broken(registry.file, registry.line_of("ImageTagMutability"), wrong)
