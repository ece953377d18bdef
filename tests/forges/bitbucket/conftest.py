"""A Bitbucket for each test."""

from collections.abc import Iterator

import pytest

from tests.forges.bitbucket.contract import mistakes
from tests.forges.bitbucket.server import running
from tests.forges.bitbucket.stand_in import Bitbucket


@pytest.fixture
def bitbucket() -> Iterator[Bitbucket]:
    """What was said to it is checked when the test is over."""
    with running() as state:
        yield state
    assert [one for exchange in state.exchanges for one in mistakes(exchange)] == []
