"""The pages are served by the hosts of the API's tests."""

from tests.host.api.conftest import client, host, own_host, postgres_server, samples

__all__ = ["client", "host", "own_host", "postgres_server", "samples"]
