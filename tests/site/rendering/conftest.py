"""Two sites and one Chromium for all tests of a file: those of the journeys."""

from tests.site.browser_test.journey.conftest import _held, world

__all__ = ["_held", "world"]
