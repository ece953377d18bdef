"""Addresses that no scan may visit, at each endpoint of a host that serves."""

import httpx
import pytest
import sqlalchemy as sa

from mergegate.host.store.tables import audit_months
from tests.host.api.conftest import Host
from tests.host.api.test_acceptance import FREE_BUT_FAST, count
from tests.host.api.test_scan_requests import REFUSED

pytestmark = pytest.mark.parametrize("host", ["sqlite"], indirect=True)

ENDPOINTS = [
    ("/api/audit", "url"),
    ("/api/browser-test", "url"),
    ("/api/security-scan", "url"),
    ("/api/seo-optimizer", "url"),
    ("/api/seo-optimizer", "competitorUrl"),
]


@pytest.mark.parametrize(("path", "field"), ENDPOINTS)
def test_no_door_opens_to_an_address_that_no_scan_may_visit(
    host: Host, path: str, field: str
) -> None:
    account = host.account(FREE_BUT_FAST)
    with host.client(host.key(account)) as client:
        answers = {address: _asked(client, path, field, address) for address in REFUSED}
    assert {one: it for one, it in answers.items() if it != (400, [field])} == {}
    assert count(host, account) == 0
    used = sa.select(audit_months.c.used).where(audit_months.c.account_id == account.id)
    assert host.change(lambda conn: conn.scalar(used)) is None


def _asked(client: httpx.Client, path: str, field: str, address: str) -> tuple[int, list[str]]:
    """The status, and the fields that are at fault."""
    answer = client.post(path, json={"url": "https://a.example.org/", field: address})
    problem = answer.json()
    assert problem["code"] == "TARGET_NOT_ALLOWED", address
    return answer.status_code, [one["path"] for one in problem["errors"]]
