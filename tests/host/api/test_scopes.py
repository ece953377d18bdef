"""Every endpoint that the host tells of, with a key of every scope."""

from collections.abc import Iterator

import httpx
import pytest

from mergegate.core.plans import Scope
from tests.host.api.conftest import Host

_METHODS = frozenset({"get", "post", "put", "patch", "delete"})
UNKNOWN = {"id": "rs_unknown"}


def guarded(client: httpx.Client) -> Iterator[tuple[str, str]]:
    """Method and path of all that ask for a key, by the host's own word."""
    document = client.get("/api/openapi.json").raise_for_status().json()
    for path, operations in document["paths"].items():
        for method in _METHODS & set(operations):
            if operations[method].get("security", document.get("security")):
                yield method, path


@pytest.mark.parametrize("scope", [None, *Scope])
def test_a_key_opens_what_its_scope_is_for_and_nothing_else(
    host: Host, scope: Scope | None
) -> None:
    held = frozenset() if scope is None else frozenset({scope})
    client = host.client(host.key(scopes=held))
    endpoints = sorted(guarded(client))
    assert len(endpoints) >= 10
    for method, path in endpoints:
        needed = Scope.REPO if path.startswith("/api/repo/") else Scope.SITE
        allowed = 400 if method == "post" else 404
        asked = None if method == "post" else UNKNOWN
        body: dict[str, str] | None = {} if method == "post" else None
        answer = client.request(method, path, params=asked, json=body)
        expected = allowed if held & {needed, Scope.ADMIN} else 403
        assert answer.status_code == expected, (method, path)
