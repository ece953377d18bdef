"""A tool whose packages are not there says what to do."""

import pytest

from mergegate.core.errors import EngineMissing
from mergegate.site.options import needing_packages


def missing(name: str) -> ModuleNotFoundError:
    return ModuleNotFoundError(f"No module named {name!r}", name=name)


def test_a_package_that_is_not_there_can_be_installed_or_done_without() -> None:
    told = r"seo is not installed.*`site`.*--remote"
    with pytest.raises(EngineMissing, match=told), needing_packages("seo"):
        raise missing("selectolax.lexbor")


def test_a_module_of_ours_that_is_not_there_is_a_mistake_of_ours() -> None:
    with pytest.raises(ModuleNotFoundError), needing_packages("seo"):
        raise missing("mergegate.sandbox.engines.gone")
