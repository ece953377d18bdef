"""What the tests of secrets share."""

from collections.abc import Iterator

import pytest

from mergegate.secrets import scan


@pytest.fixture(scope="package", autouse=True)
def _guessable() -> Iterator[None]:
    """Identities that cost nothing: thousands of values are hashed here, and none is secret."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "COST", 2)
        yield
