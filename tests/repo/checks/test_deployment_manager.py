"""What configurations of Google's Deployment Manager come to."""

import pytest

from mergegate.core.tree import Role
from mergegate.repo.checks.infrastructure.dialects import deployment_manager
from mergegate.repo.engines import documents
from mergegate.repo.facts.documents import DocumentKind
from tests.repo.engines.test_terraform import said
from tests.repo.infrastructure.reading import answers, told

CONFIGURATION = """
resources:
- name: tested
  type: {type}
  properties:
    {body}
"""


def written(type: str, body: str) -> dict[str, str]:
    """A configuration of one resource."""
    indented = body.replace("\n", "\n    ")
    return {"deploy/main.yaml": CONFIGURATION.format(type=type, body=indented)}


def read(type: str, body: str) -> dict[str, object]:
    """The settings of each kind that a resource comes to."""
    fact = documents.fact(answers(documents.DocumentEngine(), written(type, body)))
    return {one.kind: said(one.properties) for one in deployment_manager.resources(fact)}


@pytest.mark.parametrize(
    ("type", "kind"),
    [
        ("compute.v1.instance", "google_compute_instance"),
        ("compute.beta.firewall", "google_compute_firewall"),
        ("gcp-types/compute-v1:firewalls", "google_compute_firewall"),
        ("gcp-types/container-v1beta1:projects.locations.clusters", "google_container_cluster"),
        ("sqladmin.v1beta4.instance", "google_sql_database_instance"),
        ("compute.sslPolicies", None),
        ("compute.v1.router", None),
        ("template.jinja", None),
    ],
)
def test_kind_of_a_type(type: str, kind: str | None) -> None:
    assert [*read(type, "a: b")] == ([kind] if kind else [])


@pytest.mark.parametrize(
    ("type", "body", "expected"),
    [
        (
            "compute.v1.instance",
            "canIpForward: true\nmetadata: {items: [{key: enable-oslogin, value: 'FALSE'}]}",
            {"can_ip_forward": "true", "metadata": {"enable-oslogin": "FALSE"}},
        ),
        (
            "compute.v1.firewall",
            "sourceRanges: [a]\nallowed: [{IPProtocol: tcp, ports: ['22']}]",
            {"source_ranges": ["a"], "allow": [{"protocol": "tcp", "ports": ["22"]}]},
        ),
        (
            "container.v1.cluster",
            "zone: a\ncluster: {legacyAbac: {enabled: true}}",
            {"legacyAbac": {"enabled": "true"}, "enable_legacy_abac": "true"},
        ),
        (
            "compute.v1.subnetwork",
            "purpose: PRIVATE\nlogConfig: {enable: false}",
            {"purpose": "PRIVATE"},
        ),
        ("dns.v1.managedZone", "visibility: $(ref.other.selfLink)", {"visibility": "<other>"}),
        ("dns.v1.managedZone", "visibility: a-$(ref.other.name)", {"visibility": None}),
    ],
)
def test_settings_have_the_names_of_terraform(type: str, body: str, expected: object) -> None:
    [stated] = read(type, body).values()
    assert stated == expected


def test_each_right_is_a_resource_of_its_own() -> None:
    bucket = read("storage.v1.bucket", "acl: [{entity: allUsers, role: READER}]")
    assert bucket["google_storage_bucket_access_control"] == {
        "entity": "allUsers",
        "role": "READER",
    }


@pytest.mark.parametrize(
    ("type", "body", "rule"),
    [
        (
            "compute.v1.firewall",
            "sourceRanges: [0.0.0.0/0]\nallowed: [{IPProtocol: TCP, ports: [22]}]",
            "terraform-gcp-open-firewall",
        ),
        (
            "gcp-types/container-v1:projects.zones.clusters",
            "cluster: {legacyAbac: {enabled: true}}",
            "terraform-gcp-gke-legacy-authorization",
        ),
        (
            "storage.v1.bucket",
            "acl: [{entity: allUsers, role: READER}]",
            "terraform-gcp-public-bucket",
        ),
        (
            "sqladmin.v1beta4.instance",
            "settings: {ipConfiguration: {authorizedNetworks: [{value: 0.0.0.0/0}]}}",
            "terraform-gcp-database-open-network",
        ),
        (
            "sqladmin.v1beta4.instance",
            "settings: {databaseFlags: [{name: local_infile, value: on}]}",
            "gcp-database-dangerous-flag",
        ),
        (
            "bigquery.v2.dataset",
            "access: [{role: READER, specialGroup: allAuthenticatedUsers}]",
            "gcp-resource-for-everyone",
        ),
    ],
)
def test_what_is_unsafe_is_told(type: str, body: str, rule: str) -> None:
    assert rule in {one.rule_id for one in told(written(type, body))}


def test_policy_beside_the_settings_is_told() -> None:
    files = {
        "main.yaml": """
resources:
- name: shared
  type: pubsub.v1.topic
  accessControl:
    gcpIamPolicy:
      bindings:
      - role: roles/pubsub.publisher
        members: [allUsers]
"""
    }
    assert "gcp-resource-for-everyone" in {one.rule_id for one in told(files)}


@pytest.mark.parametrize(
    "text",
    [
        "resources: [a.yaml, b.yaml]\n",
        "resources:\n- name: a\n  type: page\n",
        "resources:\n  a:\n    type: gcp:storage:Bucket\n",
    ],
)
def test_others_are_none(text: str) -> None:
    fact = documents.fact(answers(documents.DocumentEngine(), {"a.yaml": text}, Role.SOURCE))
    assert [*fact.of(DocumentKind.DEPLOYMENT_MANAGER)] == []
