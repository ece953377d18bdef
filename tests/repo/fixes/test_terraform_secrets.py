"""Secrets of Terraform's files become variables."""

import pytest

from mergegate.repo.fixes.terraform_secrets import from_variable
from tests.repo.fixes.infrastructure import made

_VARIABLE = '\n\nvariable "%s" {\n  type      = string\n  sensitive = true\n}'


def _mended(text: str, marked: str) -> str | None:
    return made(from_variable, "terraform", text, marked, ".tf")


def test_one_value_is_one_variable() -> None:
    inner = 'd {\n    password = "granite"\n  }\n}\n'
    text = f'resource "aws_a_b" "c" {{\n  password = "granite"\n  {inner}'
    assert _mended(text, inner) == (
        'resource "aws_a_b" "c" {\n  password = var.a_b_c_password\n'
        "  d {\n    password = var.a_b_c_password\n  }\n}" + _VARIABLE % "a_b_c_password" + "\n"
    )


def test_two_providers_of_a_kind_have_variables_of_their_own() -> None:
    text = 'provider "aws" {\n  alias = "west"\n  secret_key = "granite"\n}'
    assert _mended(text, '"granite"') == (
        'provider "aws" {\n  alias = "west"\n  secret_key = var.aws_west_secret_key\n}'
        + _VARIABLE % "aws_west_secret_key"
    )


@pytest.mark.parametrize(
    "text",
    [
        'resource "aws_a" "c" {\n  password = var.granite\n}\n',
        'resource "aws_a" "c" {\n  password = "${local.granite}"\n}\n',
        'resource "aws_a" "c" {\n  password = "granite"\n}\nvariable "a_c_password" {\n}\n',
        'variable "password" {\n  default = "granite"\n}\n',
        'resource "aws_a" "c" {\n  password = "granite" # not granite2\n}\n',
    ],
    ids=["reference", "expression", "taken", "variable", "comment"],
)
def test_what_is_no_text_of_a_resource_stays(text: str) -> None:
    assert _mended(text, "granite") is None


def test_what_is_found_is_taken_out_whatever_it_is_called() -> None:
    text = 'resource "aws_a" "c" {\n  river = "granite"\n  lake = "basalt"\n}'
    assert _mended(text, '"granite"') == (
        'resource "aws_a" "c" {\n  river = var.a_c_river\n  lake = "basalt"\n}'
        + _VARIABLE % "a_c_river"
    )
