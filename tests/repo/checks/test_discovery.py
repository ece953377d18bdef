"""Which checks are found by walking the folder."""

from mergegate.repo.checks import all_checks


def test_folders_within_folders_are_walked() -> None:
    modules = {check.run.__module__ for check in all_checks()}
    assert "mergegate.repo.checks.infrastructure.compose" in modules
    assert "mergegate.repo.checks.code" in modules
