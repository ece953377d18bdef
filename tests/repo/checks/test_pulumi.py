"""What Pulumi's YAML and exported stacks come to."""

import json

import pytest

from mergegate.repo.checks.infrastructure.dialects import pulumi
from mergegate.repo.engines import documents
from tests.repo.engines.test_terraform import said
from tests.repo.infrastructure.reading import answers, told

PROGRAM = """
name: shop
runtime: yaml
config:
  size: {type: integer, default: 3}
  open: {type: string}
variables:
  name: shop
  loop: ${loop}
resources:
  logs:
    type: aws:s3:Bucket
  tested:
    type: aws:s3:Bucket
    properties:
      acl: VALUE
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("private", "private"),
        ("${name}", "shop"),
        ("a-${name}", "a-shop"),
        ("${size}", "3"),
        ("${open}", None),
        ("a-${open}", None),
        ("${nowhere}", None),
        ("${loop}", None),
        ("$${name}", "${name}"),
        ("${logs}", "<logs>"),
        ("${logs.arn}", "<logs>"),
        ("{'fn::toJSON': {a: '${name}'}}", {"a": "shop"}),
        ("{'fn::secret': '${name}'}", "shop"),
        ("{'fn::invoke': {function: a}}", None),
    ],
)
def test_value_of_a_program(text: str, expected: object) -> None:
    files = {"Pulumi.yaml": PROGRAM.replace("VALUE", text)}
    read = documents.fact(answers(documents.DocumentEngine(), files))
    [one] = [one for one in pulumi.resources(read) if one.address == "tested"]
    assert (one.kind, said(one.properties["acl"])) == ("aws_s3_bucket", expected)


@pytest.mark.parametrize(
    ("type", "properties", "rule"),
    [
        ("aws:s3:Bucket", "acl: public-read", "terraform-s3-bucket-public-acl"),
        ("aws:s3/bucketV2:BucketV2", "acl: public-read", "terraform-s3-bucket-public-acl"),
        ("aws:rds:Instance", "publiclyAccessible: true", "terraform-database-public"),
        (
            "aws:ec2:SecurityGroup",
            "ingress: [{protocol: tcp, fromPort: 22, toPort: 22, cidrBlocks: [0.0.0.0/0]}]",
            "terraform-security-group-open-admin-port",
        ),
        (
            "aws:s3:Bucket",
            "corsRules: [{allowedMethods: [PUT], allowedOrigins: ['*']}]",
            "aws-bucket-changed-from-any-page",
        ),
        ("azure:storage:Account", "minTlsVersion: TLS1_0", "terraform-azure-outdated-tls"),
        ("azure:appservice:LinuxWebApp", "httpsOnly: false", "azure-web-app-plain-http"),
        (
            "aws-native:rds:DbInstance",
            "publiclyAccessible: true",
            "iac-cloudformation-public-database",
        ),
    ],
)
def test_type_is_held_to_what_is_known_of_its_kind(type: str, properties: str, rule: str) -> None:
    body = f"    type: {type}\n    properties:\n      {properties}\n"
    found = told({"Pulumi.yaml": f"name: a\nruntime: yaml\nresources:\n  tested:\n{body}"})
    assert rule in [one.rule_id for one in found]


def test_exported_stack_is_read() -> None:
    resource = {
        "urn": "urn:pulumi:prod::shop::aws:rds/instance:Instance::main",
        "type": "aws:rds/instance:Instance",
        "inputs": {"publiclyAccessible": True, "__defaults": []},
    }
    text = json.dumps({"version": 3, "deployment": {"resources": [resource]}})
    found = [one for one in told({"stack.json": text}) if one.severity.label == "high"]
    assert [one.rule_id for one in found] == ["terraform-database-public"]
    assert "(main)" in found[0].message


@pytest.mark.parametrize("twice", ["['${vN}', '${vN}']", "'${vN}${vN}'"])
def test_value_that_is_doubled_again_and_again_is_not_known(twice: str) -> None:
    doubled = "".join(f"  v{n + 1}: {twice.replace('N', str(n))}\n" for n in range(25))
    text = PROGRAM.replace("VALUE", "${v25}").replace(
        "variables:\n", f"variables:\n  v0: a\n{doubled}"
    )
    read = documents.fact(answers(documents.DocumentEngine(), {"Pulumi.yaml": text}))
    [one] = [one for one in pulumi.resources(read) if one.address == "tested"]
    assert sum(1 for _ in one.properties.walk()) < 500_000


def test_types_of_others_are_not_known() -> None:
    text = "resources:\n  a:\n    type: random:index:RandomPassword\n    properties: {length: 4}\n"
    assert told({"Pulumi.yaml": text}) == []
