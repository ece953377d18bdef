"""In tests nothing is proposed that a test may rely on being as it is."""

import pytest

from mergegate.core.tree import Role
from tests.repo.fixes.mending import mended

CSRF = ('app.config["WTF_CSRF_ENABLED"] = «False»\n', 'app.config["WTF_CSRF_ENABLED"] = True\n')
SSH = (
    'run(["ssh", «"-o", "StrictHostKeyChecking=no"», host])\n',
    'run(["ssh", "-o", "StrictHostKeyChecking=accept-new", host])\n',
)

BLOCK = 'resource "aws_s3_bucket_public_access_block" "a" {\n  bucket = "b"\n  %s\n}\n'
BUCKET = (BLOCK % "«block_public_acls = false»", BLOCK % "block_public_acls = true")


@pytest.mark.parametrize(
    ("rule", "marked", "role", "expected"),
    [
        ("python-csrf-switched-off", CSRF[0], Role.SOURCE, CSRF[1]),
        ("python-csrf-switched-off", CSRF[0], Role.TEST, None),
        ("python-ssh-command-without-host-check", SSH[0], Role.TEST, SSH[1]),
    ],
    ids=["in the program", "in a test", "of which nobody has to be warned"],
)
def test_what_needs_a_caution_is_not_for_tests(
    rule: str, marked: str, role: Role, expected: str | None
) -> None:
    assert mended(rule, "python", marked, role=role) == expected


@pytest.mark.parametrize(("role", "expected"), [(Role.SOURCE, BUCKET[1]), (Role.TEST, None)])
def test_nor_is_an_entry_about_a_setting(role: Role, expected: str | None) -> None:
    rule = "terraform-s3-public-access-block-disabled"
    assert mended(rule, "terraform", BUCKET[0], role=role) == expected
