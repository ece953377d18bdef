"""Secrets of CloudFormation's templates become parameters."""

import pytest

from mergegate.repo.fixes.template_secrets import from_parameter
from tests.repo.fixes.infrastructure import made

_PARAMETER = "  MainMasterUserPassword:\n    Type: String\n    NoEcho: true\n"
_IN_BRACKETS = "MainMasterUserPassword: {Type: String, NoEcho: true}"
_BESIDE = "      A: !Ref B # granite\n      C:\n"
_RESOURCES = "Resources:\n  Main:\n    Type: AWS::RDS::DBInstance\n    Properties:\n"
_SAID = "      MasterUserPassword: granite-river\n"
_REFERS = "      MasterUserPassword: !Ref MainMasterUserPassword\n"


def _mended(text: str, marked: str = "granite-river") -> str | None:
    return made(from_parameter, "yaml", text, marked, ".yaml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (_RESOURCES + _SAID, f"Parameters:\n{_PARAMETER}{_RESOURCES}{_REFERS}"),
        (
            f"Parameters:\n  A:\n    Type: String\n\n{_RESOURCES}{_SAID}",
            f"Parameters:\n  A:\n    Type: String\n{_PARAMETER}\n{_RESOURCES}{_REFERS}",
        ),
        (
            f"{_RESOURCES}{_SAID}Parameters: {{}}\n",
            f"{_RESOURCES}{_REFERS}Parameters: {{{_IN_BRACKETS}}}\n",
        ),
        (
            f"---\r\n{_RESOURCES}{_SAID}".replace("\n", "\r\n").replace("\r\r", "\r"),
            f"---\r\nParameters:\n{_PARAMETER}{_RESOURCES}{_REFERS}".replace("\n", "\r\n").replace(
                "\r\r", "\r"
            ),
        ),
        (
            f"{_RESOURCES}{_SAID}{_BESIDE}  {_SAID}",
            f"Parameters:\n{_PARAMETER}{_RESOURCES}{_REFERS}{_BESIDE}  {_REFERS}",
        ),
    ],
    ids=["none", "some", "empty", "windows", "same value"],
)
def test_a_secret_is_a_parameter(text: str, expected: str) -> None:
    assert _mended(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        f"{_RESOURCES}      MasterUserPassword: &one granite-river\n      Other: *one\n",
        f"{_RESOURCES}      MasterUserPassword: granite-river # was granite-river1\n",
        f"{_RESOURCES}      MasterUserPassword: |\n        granite-river\n",
        f"{_RESOURCES}      MasterUserPassword: !Sub granite-river\n",
        f"{_RESOURCES}{_SAID}  MainMasterUserPassword:\n    Type: AWS::SNS::Topic\n",
        f"{_RESOURCES}{_SAID}---\n{_RESOURCES}",
        f"\ufeff{_RESOURCES}{_SAID}",
        f"{_RESOURCES}{_SAID}      Name: '{{{{ name }}}}'\n",
        "a: &a\n  MasterUserPassword: granite-river\n" + _RESOURCES + "      <<: *a\n",
        f"{_RESOURCES}      MasterUserPassword: basalt\n{_SAID}Parameters: &p {{}}\nOutputs: *p\n",
        "Resources: {A: {Properties: {Password: granite-river}}, C: {Properties: {Password: b}}}\n",
    ],
    ids=[
        *(
            "anchor",
            "comment",
            "block",
            "tag",
            "taken",
            "documents",
            "mark",
            "template",
            "merged",
            "shared",
        ),
        "one line",
    ],
)
def test_what_is_not_plainly_a_secret_of_one_resource_stays(text: str) -> None:
    assert _mended(text) is None


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("  A:\n    NoEcho: true\n    Default: granite-river\n", "  A:\n    NoEcho: true\n"),
        ("  A: {NoEcho: true, Default: granite-river}\n", "  A: {NoEcho: true}\n"),
    ],
)
def test_the_default_of_a_secret_parameter_goes(text: str, left: str) -> None:
    assert _mended(f"Parameters:\n{text}") == f"Parameters:\n{left}"


def test_a_default_that_a_comment_repeats_stays() -> None:
    text = "Parameters:\n  A: {NoEcho: true, Default: granite-river} # granite-river\n"
    assert _mended(text, "Default: granite-river") is None
