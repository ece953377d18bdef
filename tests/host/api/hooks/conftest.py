"""Both kinds of database."""

import pytest

from tests.postgres import (
    database,
    database_url,
    fresh_postgres,
    fresh_url,
    postgres_server,
    postgres_url,
)

__all__ = [
    "database",
    "database_url",
    "fresh_postgres",
    "fresh_url",
    "postgres_server",
    "postgres_url",
]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
