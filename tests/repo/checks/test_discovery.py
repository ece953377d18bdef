"""Which checks are found by walking the folder."""

import importlib
import pkgutil

from mergegate.repo import checks
from mergegate.repo.checks import all_checks


def test_no_folder_that_is_passed_by_holds_a_check_to_discover() -> None:
    found = all_checks()
    for module in pkgutil.walk_packages(checks.__path__, prefix=f"{checks.__name__}."):
        importlib.import_module(module.name)
    all_checks.cache_clear()
    assert all_checks() == found


def test_folders_within_folders_are_walked() -> None:
    modules = {check.rule.__module__ for check in all_checks()}
    assert "mergegate.repo.checks.infrastructure.compose" in modules
    assert "mergegate.repo.checks.code" in modules
