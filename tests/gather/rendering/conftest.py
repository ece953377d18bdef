"""Two sites and one Chromium for all tests of a file."""

from collections.abc import Iterator

import pytest

from tests.gather.journey.conftest import World, journeys


@pytest.fixture(scope="module")
def _held() -> Iterator[World]:
    with journeys() as held:
        yield held


@pytest.fixture
def world(_held: World) -> World:
    for one in (_held.site, _held.other):
        one.pages, one.asked, one.wait_s = {}, [], 0.0
    return _held
