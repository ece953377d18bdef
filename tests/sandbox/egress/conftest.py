"""What the tests of the way out share."""

import pytest

from mergegate.sandbox.browser import find


@pytest.fixture
def without_its_own_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chromium's own check of local addresses would hide what only the way out refuses."""
    features = ("LocalNetworkAccessChecks", "BlockInsecurePrivateNetworkRequests")
    monkeypatch.setattr(find, "NO_FEATURES", (*find.NO_FEATURES, *features))


@pytest.fixture
def without_a_proxy(without_its_own_guard: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that what a page tries arrives: only then does it prove anything that it does not."""
    monkeypatch.setattr(find, "GUARD", ())
