"""Statements of policies as resources of their own."""

from mergegate.repo.checks.infrastructure.dialects.statements import statements
from tests.repo.infrastructure.reading import resources

DATA = """
data "aws_iam_policy_document" "a" {
  statement {
    actions   = ["sqs:SendMessage"]
    resources = ["*"]
    principals {
      type        = "Service"
      identifiers = ["events.amazonaws.com"]
    }
    condition {
      test     = "ArnEquals"
      variable = "aws:SourceArn"
      values   = ["arn:aws:events:eu-west-1:123456789012:rule/a"]
    }
  }
  statement {
    actions   = ["s3:GetObject"]
    resources = ["*"]
  }
}
"""
QUEUE = """
resource "aws_sqs_queue_policy" "a" {
  policy = data.aws_iam_policy_document.a.json
}
"""


def uses(text: str) -> list[tuple[str, str, int]]:
    return [(one.kind, one.properties["of"].text, one.line) for one in statements(resources(text))]


def test_rights_of_a_data_block_stand_there_and_what_is_of_a_resource_at_that() -> None:
    assert uses(DATA + QUEUE) == [
        ("policy.rights", "data.aws_iam_policy_document", 16),
        ("policy.resource", "aws_sqs_queue_policy", 23),
        ("policy.document", "aws_sqs_queue_policy", 23),
    ]


def policy(statement: str, kind: str = "aws_sqs_queue_policy", setting: str = "policy") -> str:
    said = f"jsonencode({{ Statement = {{ {statement} }} }})"
    return f'resource "{kind}" "a" {{\n{setting} = {said}\n}}\n'


def test_keys_of_conditions_are_the_same_however_they_are_written() -> None:
    condition = '{ ArnLike = { "aws:SourceArn" = ["a"] } }'
    written = policy(f'Effect = "Allow", Principal = "*", Condition = {condition}')
    for text in (DATA + QUEUE, written):
        asked = [one.properties["asked"] for one in statements(resources(text))]
        assert ("aws:sourcearn",) in [one.keys for one in asked]


def test_conditions_that_are_not_known_leave_the_keys_open() -> None:
    text = policy('Effect = "Allow", Principal = "*", Condition = var.a')
    assert [one.properties["asked"].is_open for one in statements(resources(text))] == [True, True]


def test_what_limits_rights_grants_none() -> None:
    said = 'Effect = "Allow", Action = "*", Resource = "*"'
    assert uses(policy(said, "aws_organizations_policy", "content")) == []
