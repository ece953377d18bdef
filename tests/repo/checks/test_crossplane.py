"""What managed resources of Crossplane and the bases of compositions come to."""

from textwrap import indent

import pytest

from tests.repo.infrastructure.reading import told

RULES = "ingress: [{{ipProtocol: tcp, fromPort: 22, toPort: 22, ipRanges: [{}]}}]"


def managed(version: str, kind: str, settings: str) -> str:
    """A managed resource with these settings."""
    head = f"apiVersion: {version}\nkind: {kind}\nmetadata:\n  name: tested\n"
    return f"{head}spec:\n  forProvider:\n{indent(settings, '    ')}\n"


def composition(base: str, patches: str = "") -> str:
    """A composition of one base."""
    head = "apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata:\n  name: a\n"
    listed = f"spec:\n  resources:\n  - name: a\n    base:\n{indent(base, '      ')}"
    return f"{head}{listed}{indent(patches, '    ')}\n"


def rules(text: str) -> list[str]:
    return [one.rule_id for one in told({"claim.yaml": text})]


@pytest.mark.parametrize(
    ("version", "kind", "settings", "rule"),
    [
        (
            "rds.aws.upbound.io/v1beta1",
            "Instance",
            "publiclyAccessible: true",
            "terraform-database-public",
        ),
        (
            "ec2.aws.m.upbound.io/v1beta1",
            "Instance",
            "associatePublicIpAddress: true",
            "terraform-instance-public-ip",
        ),
        (
            "storage.azure.upbound.io/v1beta1",
            "Account",
            "minTlsVersion: TLS1_0",
            "terraform-azure-outdated-tls",
        ),
        (
            "storage.gcp.upbound.io/v1beta1",
            "BucketIAMMember",
            "member: allUsers",
            "terraform-gcp-public-bucket",
        ),
        (
            "database.aws.crossplane.io/v1beta1",
            "RDSInstance",
            "publiclyAccessible: true",
            "iac-cloudformation-public-database",
        ),
        (
            "ec2.aws.crossplane.io/v1beta1",
            "SecurityGroup",
            RULES.format("{cidrIp: 0.0.0.0/0}"),
            "iac-cloudformation-open-security-group",
        ),
        (
            "ecs.aws.crossplane.io/v1alpha1",
            "Cluster",
            "settings: [{name: containerInsights, value: disabled}]",
            "aws-service-without-metrics",
        ),
    ],
)
def test_kind_is_held_to_what_is_known_of_it(
    version: str, kind: str, settings: str, rule: str
) -> None:
    assert rule in rules(managed(version, kind, settings))
    assert rule in rules(composition(managed(version, kind, settings)))


OWN_KEY = "aws-without-own-key"


def test_what_another_object_provides_is_not_missing() -> None:
    def of(settings: str) -> bool:
        return OWN_KEY in rules(
            managed("secretsmanager.aws.upbound.io/v1beta1", "Secret", settings)
        )

    assert of("region: eu-central-1")
    assert not of("kmsKeyIdSelector: {matchLabels: {own: 'true'}}")
    assert not of("kmsKeyIdRef: {name: own}")


def test_what_a_patch_fills_in_is_not_missing() -> None:
    base = managed("secretsmanager.aws.upbound.io/v1beta1", "Secret", "region: eu-central-1")
    patches = "patches:\n- {fromFieldPath: spec.key, toFieldPath: spec.forProvider.kmsKeyId}\n"
    assert OWN_KEY in rules(composition(base))
    assert OWN_KEY not in rules(composition(base, patches))


def test_range_beside_a_closed_one_is_told_alone() -> None:
    settings = RULES.format("{cidrIp: 10.0.0.0/8}, {cidrIp: 0.0.0.0/0}")
    text = managed("ec2.aws.crossplane.io/v1beta1", "SecurityGroup", settings)
    assert rules(text).count("iac-cloudformation-open-security-group") == 1


def test_kind_of_another_provider_is_not_read() -> None:
    assert (
        rules(managed("kubernetes.crossplane.io/v1alpha1", "Object", "publiclyAccessible: true"))
        == []
    )
