"""Recipes change attributes and blocks of Terraform as ``terraform fmt`` would write them."""

from typing import Any

import pytest

from mergegate.repo.fixes import blocks, terraform
from tests.repo.fixes.infrastructure import made
from tests.repo.fixes.mending import mended as mended_file


def mended(text: str, marked: str, **said: Any) -> str | None:
    return made(blocks.steps, "terraform", text, marked, ".tf", **said)


@pytest.mark.parametrize(
    ("text", "wanted", "expected"),
    [
        (
            'resource "a" "b" {\n  on = false # why\n}\n',
            {"on": "true"},
            'resource "a" "b" {\n  on = true # why\n}\n',
        ),
        (
            'resource "a" "b" {\n  n = "c"\n\n  d {\n  }\n}\n',
            {"encrypted": "true"},
            'resource "a" "b" {\n  n         = "c"\n  encrypted = true\n\n  d {\n  }\n}\n',
        ),
        (
            'resource "a" "b" {\n  long_name = "c" # é\n}\n',
            {"on": "true"},
            'resource "a" "b" {\n  long_name = "c" # é\n  on        = true\n}\n',
        ),
        ('resource "a" "b" {}\n', {"on": "true"}, 'resource "a" "b" {\n  on = true\n}\n'),
        (
            'resource "a" "b" {\n  d {\n    e = 1\n  }\n}\n',
            {"on": "true"},
            'resource "a" "b" {\n  on = true\n\n  d {\n    e = 1\n  }\n}\n',
        ),
        (
            'resource "a" "b" {\n  c = 1\n  tags = {\n    d = 1\n  }\n}\n',
            {"on": "true"},
            'resource "a" "b" {\n  c  = 1\n  on = true\n  tags = {\n    d = 1\n  }\n}\n',
        ),
        (
            'resource "a" "b" {\n  tags = {\n    c = 1\n  }\n}\n',
            {"on": "true"},
            'resource "a" "b" {\n  tags = {\n    c = 1\n  }\n  on = true\n}\n',
        ),
        (
            'resource "a" "b" {\n  d {\n    e = 1\n  }\n}\n',
            {"d.e": "2", "d.f": "3"},
            'resource "a" "b" {\n  d {\n    e = 2\n    f = 3\n  }\n}\n',
        ),
        (
            'resource "a" "b" {\n  c = 1\n}\n',
            {"d.e": "2"},
            'resource "a" "b" {\n  c = 1\n\n  d {\n    e = 2\n  }\n}\n',
        ),
        ('resource "a" "b" {\n  on = var.on\n}\n', {"on": "true"}, None),
        ('resource "a" "b" {\n  on = "${var.on}"\n}\n', {"on": '"x"'}, None),
        ('resource "a" "b" { c = 1 }\n', {"d.e": "2"}, None),
        ('resource "a" "b" {\n  d {\n  }\n  d {\n  }\n}\n', {"d.e": "2"}, None),
        ('resource "a" "b" {\n  dynamic "d" {\n    for_each = x\n  }\n}\n', {"d.e": "2"}, None),
        ('resource "a" "b" {\n  on = false\n', {"on": "true"}, None),
    ],
)
def test_attributes_are_set(text: str, wanted: dict[str, str], expected: str | None) -> None:
    assert mended(text, '"b"', set=wanted) == expected


def test_the_innermost_block_is_meant() -> None:
    text = 'resource "a" "b" {\n  d {\n    on = false\n  }\n  on = false\n}\n'
    expected = text.replace("    on = false", "    on = true")
    assert mended(text, "on = false", set={"on": "true"}) == expected
    assert mended(text, "on = false", replace={"false": "true"}) == expected
    assert mended(text, "on = false", replace={"null": "true"}) is None


def test_what_goes_takes_its_lines_along() -> None:
    text = 'resource "a" "b" {\n  c = 1\n  d {\n    e = "x"\n  }\n}\n'
    assert mended(text, 'e = "x"', remove="d") == 'resource "a" "b" {\n  c = 1\n}\n'
    assert mended(text, "c = 1", drop=("c",)) == text.replace("  c = 1\n", "")
    assert mended(text, "c = 1", remove="z") is None


_RULE = "ingress {\n    from_port = %s\n    to_port = %s\n    cidr_blocks = %s\n  }\n"


@pytest.mark.parametrize(
    ("ports", "addresses", "expected"),
    [
        (("22", "22"), '["0.0.0.0/0"]', '["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"]'),
        (("22", "22"), '["0.0.0.0/0", var.office]', "[var.office]"),
        (("22", "22"), '[var.office, "0.0.0.0/0"]', "[var.office]"),
        (("0", "65535"), '[var.office, "0.0.0.0/0"]', "[var.office]"),
        (("0", "65535"), '["0.0.0.0/0"]', None),
        (("20", "25"), '["0.0.0.0/0"]', None),
        (("22", "22"), "var.addresses", None),
    ],
)
def test_only_ports_that_serve_no_public_are_closed(
    ports: tuple[str, str], addresses: str, expected: str | None
) -> None:
    text = _RULE % (*ports, addresses)
    new = made(terraform.private_addresses, "terraform", text, f"from_port = {ports[0]}", ".tf")
    assert new == (None if expected is None else _RULE % (*ports, expected))


def test_a_principal_is_named_only_where_the_file_knows_the_account() -> None:
    text = 'resource "a" "b" {\n  p = jsonencode({ Principal = "*" })\n}\n'
    known = f'data "aws_caller_identity" "me" {{}}\n\n{text}'
    named = "{ AWS = data.aws_caller_identity.me.account_id }"
    marked = '{ Principal = "*" }'
    assert made(terraform.own_account, "terraform", text, marked, ".tf") is None
    assert made(terraform.own_account, "terraform", known, marked, ".tf") == known.replace(
        '"*"', named
    )


def test_the_account_may_be_asked_for_in_another_file_of_the_module() -> None:
    statement = '«{ Effect = "Allow", Principal = "*" }»'
    marked = (
        'resource "aws_s3_bucket_policy" "a" {\n'
        f"  policy = jsonencode({{ Statement = [{statement}] }})\n}}\n"
    )
    text = marked.replace("«", "").replace("»", "")
    asked = {"shop/data.tf": 'data "aws_caller_identity" "this" {}\n'}
    rule = "terraform-public-resource-policy"
    assert mended_file(rule, "terraform", marked, asked) == text.replace(
        'Principal = "*"', "Principal = { AWS = data.aws_caller_identity.this.account_id }"
    )


_SAME = 'Condition = { StringEquals = { "aws:PrincipalAccount" = "$${aws:ResourceAccount}" } }'


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (
            '{ Effect = "Allow", Principal = "*" }',
            f'{{ Effect = "Allow", Principal = "*", {_SAME} }}',
        ),
        ('{\n Principal = "*"\n A = 1\n}', f'{{\n Principal = "*"\n {_SAME}\n A = 1\n}}'),
        ('{\n Principal = "*",\n A = 1\n}', f'{{\n Principal = "*",\n {_SAME},\n A = 1\n}}'),
        (
            '{\n Principal = {\n  AWS = "*"\n }\n}',
            f'{{\n Principal = {{\n  AWS = "*"\n }}\n {_SAME}\n}}',
        ),
    ],
)
def test_a_bucket_compares_accounts_where_none_is_known(statement: str, expected: str) -> None:
    policy = (
        'resource "aws_s3_bucket_policy" "a" {\n  policy = jsonencode({ Statement = [%s] })\n}\n'
    )
    rule = "terraform-public-resource-policy"
    made = mended_file(rule, "terraform", policy % f"«{statement}»")
    assert made == policy % expected
    queue = policy.replace("s3_bucket", "sqs_queue")
    assert mended_file(rule, "terraform", queue % f"«{statement}»") is None


def test_one_port_of_a_group_whose_type_has_no_quotes_is_left_to_the_network() -> None:
    text = (
        'resource z "b" {\n  source_address_prefix = "*"\n  destination_port_range = "22-22"\n}\n'
    )
    marked = '"22-22"'
    steps = terraform.virtual_network
    new = made(steps, "terraform", text, marked, ".tf")
    assert new == text.replace('"*"', '"VirtualNetwork"')
    assert made(steps, "terraform", text.replace("-22", "-99"), '"22-99"', ".tf") is None
    listener = 'resource aws_lb_listener "b" {\n  ssl_policy = "x"\n}\n'
    assert made(terraform.modern_listener, "terraform", listener, '"x"', ".tf") is not None


@pytest.mark.parametrize(
    ("steps", "old", "new", "more"),
    [
        (
            terraform.encrypted_database,
            "storage_encrypted = false",
            "storage_encrypted = true",
            'instance_class = "db.t2.micro"',
        ),
        (
            terraform.modern_distribution,
            'minimum_protocol_version = "TLSv1"',
            'minimum_protocol_version = "TLSv1.2_2021"',
            "cloudfront_default_certificate = true",
        ),
        (
            terraform.modern_distribution,
            'minimum_protocol_version = "TLSv1"',
            'minimum_protocol_version = "TLSv1.2_2021"',
            'ssl_support_method = "vip"',
        ),
    ],
)
def test_what_would_not_work_is_left_alone(steps: Any, old: str, new: str, more: str) -> None:
    text = f'resource "a" "b" {{\n  {old}\n}}\n'
    assert made(steps, "terraform", text, old, ".tf") == text.replace(old, new)
    bound = text.replace("\n}", f"\n  {more}\n}}")
    assert made(steps, "terraform", bound, old, ".tf") is None


@pytest.mark.parametrize(
    ("said", "changes"),
    [
        ('"Principal": "*"', True),
        ('"Principal": {"AWS": "*"}', True),
        ('"Principal": "*"}, {"Effect": "Deny", "Principal": "*"', False),
        ('%{ if a }"Principal": "*"%{ endif }', False),
        ('"Principal": {"AWS": ["*", "${a}"]}', False),
    ],
    ids=["everyone", "accounts", "two", "directive", "among others"],
)
def test_a_policy_of_several_lines_changes_where_one_statement_names_everyone(
    said: str, changes: bool
) -> None:
    text = 'data "aws_caller_identity" "a" {}\nresource "aws_sqs_queue_policy" "b" {\n'
    text += f'  policy = <<-A\n    {{"Statement": [{{{said}}}]}}\n  A\n}}\n'
    account = '{"AWS": "${data.aws_caller_identity.a.account_id}"}'
    after = text.replace(said, f'"Principal": {account}') if changes else None
    assert made(terraform.own_account, "terraform", text, "  policy = <<-A\n", ".tf") == after
