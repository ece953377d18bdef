"""No provider is known by halves."""

import pytest

from tests.repo.infrastructure.breadth import breadth


@pytest.mark.parametrize(
    ("family", "least"),
    [
        ("terraform aws", 300),
        ("terraform azurerm", 500),
        ("terraform google", 500),
        ("cloudformation", 250),
        ("arm", 300),
        ("terraform github", 15),
        ("terraform gitlab", 10),
        ("terraform alicloud", 10),
        ("terraform cloudflare", 10),
    ],
)
def test_many_settings_of_a_provider_are_known(family: str, least: int) -> None:
    assert breadth()[family] >= least
