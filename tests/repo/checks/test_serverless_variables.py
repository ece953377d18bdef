"""What is known of the variables of a service."""

import pytest

from tests.repo.checks.test_dialects import one, resources, said
from tests.secrets.mint import minted

SERVICE = """
service: a
params:
  default: {level: low}
  dev: {origin: "http://localhost"}
  prod: {origin: "*"}
custom:
  sizes: {prod: 512, dev: 128}
  cors: {allowCredentials: true}
provider:
  name: aws
  tested: %s
"""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"${param:origin}"', "*"),
        ('"${param:level}"', "low"),
        ('"${self:custom.sizes.${sls:stage}}"', "512"),
        ("\"${opt:region, 'eu-west-1'}\"", "eu-west-1"),
        ('"${self:custom.cors}"', {"allowCredentials": "true"}),
        ('"a-${self:service}"', "a-a"),
        ('"${self:custom.missing}"', "!unknown"),
        ('"${env:STAGE}"', "!unknown"),
        ('"${self:provider.tested}"', "!unknown"),
    ],
)
def test_a_variable_is_what_production_has(text: str, value: object) -> None:
    provider = one(resources("serverless.yml", SERVICE % text), "serverless.provider").properties
    tested = provider["tested"]
    assert ("!unknown" if tested.tag else said(tested)) == value


def test_a_secret_is_not_brought_elsewhere() -> None:
    secret = minted("<alnum:16>")
    text = f"service: a\ncustom: {{db_password: {secret}}}\nprovider:\n  name: aws\n"
    text += "  environment: {NAME: '${self:custom.db_password}'}\n"
    assert secret not in str([said(each.properties) for each in resources("serverless.yml", text)])
