"""Tasks of Ansible's cloud modules, held to what is known of the resources that they make."""

import pytest

from mergegate.repo.checks.infrastructure.dialects import ansible_clouds
from mergegate.repo.infrastructure import entries, steps, subjects
from tests.repo.infrastructure.reading import told

_PUBLIC = (
    '{"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:PutObject",'
    ' "Resource": "arn:aws:s3:::a/*"}]}'
)

_FOR_SOMEONE = _PUBLIC.replace('"*"', '"{{ who }}"', 1)


def _rules(task: str, path: str = "roles/a/tasks/main.yml") -> set[str]:
    lines = task.strip("\n").splitlines()
    text = "\n".join(["- name: tested", *(f"  {line}" for line in lines)])
    return {one.rule_id for one in told({path: f"{text}\n"})}


@pytest.mark.parametrize(
    ("task", "rule", "is_told"),
    [
        (f"amazon.aws.s3_bucket:\n  policy: '{_PUBLIC}'", "terraform-public-resource-policy", True),
        (
            f"amazon.aws.s3_bucket:\n  policy: '{_FOR_SOMEONE}'",
            "terraform-public-resource-policy",
            False,
        ),
        (
            "amazon.aws.s3_bucket:\n  policy: \"{{ lookup('file', 'a.json') }}\"",
            "terraform-public-resource-policy",
            False,
        ),
        (
            (
                "amazon.aws.s3_bucket:\n  policy:\n    Statement: {Effect: Allow, Principal: '*',"
                " Action: 's3:*', Resource: '*'}"
            ),
            "terraform-public-resource-policy",
            True,
        ),
        ("kms_key: {alias: a, enable_key_rotation: no}", "terraform-kms-key-not-rotated", True),
        ("kms_key: {alias: a}", "terraform-kms-key-not-rotated", True),
        ("aws_kms: {alias: a}", "terraform-kms-key-not-rotated", True),
        ("redshift: {identifier: a, encrypted: no}", "terraform-database-unencrypted", True),
        (
            "redshift: {command: facts, identifier: a, encrypted: no}",
            "terraform-database-unencrypted",
            False,
        ),
        ("kms_key: {alias: a, enable_key_rotation: yes}", "terraform-kms-key-not-rotated", False),
        ("kms_key: {alias: a, state: absent}", "terraform-kms-key-not-rotated", False),
        ("kms_key: {alias: a, state: '{{ s }}'}", "terraform-kms-key-not-rotated", False),
        ("kms_key: {key_id: a}", "terraform-kms-key-not-rotated", False),
        (
            "elb_application_lb:\n  listeners: {Protocol: HTTP, DefaultActions: {Type: forward}}",
            "terraform-load-balancer-plain-http",
            True,
        ),
        (
            "elb_application_lb:\n  listeners: {Protocol: HTTP, DefaultActions: {Type: redirect}}",
            "terraform-load-balancer-plain-http",
            False,
        ),
        ("azure_rm_aks: {name: a}", "terraform-azure-aks-rbac-disabled", True),
        ("azure_rm_aks: {name: a, enable_rbac: yes}", "terraform-azure-aks-rbac-disabled", False),
        (
            "azure_rm_securitygroup:\n  rules:\n  - {name: a, destination_port_range: 22}",
            "terraform-azure-open-admin-port",
            True,
        ),
        (
            (
                "azure_rm_securitygroup:\n  rules:\n"
                "  - {name: a, destination_port_range: 22, source_address_prefix: 10.0.0.0/8}"
            ),
            "terraform-azure-open-admin-port",
            False,
        ),
        ("azure_rm_securitygroup:\n  rules: '{{ a }}'", "terraform-azure-open-admin-port", False),
        (
            (
                "azure_rm_sqlfirewallrule:\n  start_ip_address: 0.0.0.0\n"
                "  end_ip_address: 255.255.255.255"
            ),
            "terraform-azure-database-open-firewall",
            True,
        ),
        (
            "azure_rm_storageaccount:\n  network_acls:\n    ip_rules: [{value: 0.0.0.0/0}]",
            "azure-firewall-allows-every-address",
            True,
        ),
        (
            "azure_rm_virtualmachine: {admin_password: '{{ a }}', ssh_password_enabled: no}",
            "terraform-azure-vm-password-login",
            False,
        ),
        (
            "azure_rm_virtualmachine: {admin_password: '{{ a }}'}",
            "terraform-azure-vm-password-login",
            True,
        ),
        (
            (
                "google.cloud.gcp_compute_firewall:\n  source_ranges: [0.0.0.0/0]\n"
                "  allowed: [{ip_protocol: tcp, ports: ['22']}]"
            ),
            "terraform-gcp-open-firewall",
            True,
        ),
        (
            (
                "google.cloud.gcp_compute_firewall:\n  source_tags: [a]\n"
                "  allowed: [{ip_protocol: tcp, ports: ['22']}]"
            ),
            "terraform-gcp-open-firewall",
            False,
        ),
        (
            (
                "gcp_container_cluster:\n  master_authorized_networks_config:\n"
                "    cidr_blocks: [{cidr_block: 10.0.0.0/8}]"
            ),
            "gcp-cluster-open-api",
            True,
        ),
        (
            (
                "gcp_container_cluster:\n  master_authorized_networks_config:\n    enabled: yes\n"
                "    cidr_blocks: [{cidr_block: 10.0.0.0/8}]"
            ),
            "gcp-cluster-open-api",
            False,
        ),
        (
            "gcp_storage_bucket:\n  acl: [{entity: allUsers, role: READER}]",
            "terraform-gcp-public-bucket",
            True,
        ),
        (
            "iam_policy: {iam_type: user, iam_name: a, policy_json: {}}",
            "aws-rights-of-single-people",
            True,
        ),
        (
            "iam_policy: {iam_type: role, iam_name: a, policy_json: {}}",
            "aws-rights-of-single-people",
            False,
        ),
    ],
)
def test_a_task_is_judged_as_what_it_makes(task: str, rule: str, is_told: bool) -> None:
    assert (rule in _rules(task)) is is_told


def test_every_parameter_becomes_a_setting_of_which_something_is_known() -> None:
    """Others would say nothing, and a mistyped name would not be noticed."""
    of_policies = {"aws_ses_identity_policy", "aws_vpc_endpoint"}
    for module, kinds in ansible_clouds.modules().items():
        for kind, how in kinds.items():
            known = {
                steps(way)[0] for _, one in subjects().get(kind, ()) for way in one.ways if way
            }
            named = {to[0] for _, to in how.ways} | set(how.lacks)
            assert kind in of_policies or named <= known, (module, kind, named - known)


def test_no_parameter_is_told_under_two_rules() -> None:
    """What an entry of Ansible's own judges is left to it."""
    for module, kinds in ansible_clouds.modules().items():
        own = {
            steps(one.each or way)[0]
            for _, one in subjects().get(f"ansible.{module}", ())
            for way in one.settings
        }
        given = {way[0] for how in kinds.values() if not how.each for way, _ in how.ways}
        assert not own & given, (module, own & given)
    assert "iac-ansible-public-database" in entries()


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("- name: a\n  amazon.aws.kms_key: {alias: a}\n", True),
        ("- name: a\n  kms_key: {alias: a}\n- debug: {msg: a}\n", True),
        ("- name: a\n  block:\n  - kms_key: {alias: a}\n", True),
        ("- name: a\n  kms_key: {alias: a}\n- name: b\n  image: c\n", False),
        ("- name: a\n  kms_key: b\n", False),
    ],
)
def test_a_list_of_tasks_is_told_by_its_modules(text: str, is_told: bool) -> None:
    found = {one.rule_id for one in told({"deploy/keys.yml": text})}
    assert ("terraform-kms-key-not-rotated" in found) is is_told


@pytest.mark.parametrize(
    ("group", "is_told"),
    [("group/aws", True), ("group/amazon.aws.aws", True), ("group/azure", False)],
)
def test_what_a_play_gives_all_modules_of_a_cloud_is_put_in(group: str, is_told: bool) -> None:
    play = f"""
- hosts: localhost
  module_defaults:
    {group}: {{alias: a, enable_key_rotation: no}}
  tasks:
  - amazon.aws.kms_key: {{description: tested}}
"""
    found = {one.rule_id for one in told({"site.yml": play})}
    assert ("terraform-kms-key-not-rotated" in found) is is_told
