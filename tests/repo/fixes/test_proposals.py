"""In tests nothing is proposed that a test may rely on being as it is."""

import pytest

from mergegate.core.tree import Role
from tests.repo.fixes.mending import mended

CSRF = ('app.config["WTF_CSRF_ENABLED"] = «False»\n', 'app.config["WTF_CSRF_ENABLED"] = True\n')
SSH = (
    'run(["ssh", «"-o", "StrictHostKeyChecking=no"», host])\n',
    'run(["ssh", "-o", "StrictHostKeyChecking=accept-new", host])\n',
)


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
