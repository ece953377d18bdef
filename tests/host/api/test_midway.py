"""A key that is revoked and a plan that is changed while a scan runs."""

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
import sqlalchemy as sa

from mergegate.host.account import FREE, UNLIMITED, Account
from mergegate.host.store import accounts, keys
from mergegate.host.store.tables import audit_months, scans
from tests.host.api.conftest import Host, now, settled, wait_until

pytestmark = pytest.mark.parametrize("host", ["sqlite"], indirect=True)
SEO, TEST, AUDIT = "/api/seo-optimizer", "/api/browser-test", "/api/audit"


def running(host: Host, account: Account, word: str) -> bool:
    mine = scans.c.account_id == account.id
    asked = sa.select(scans.c.started_at).where(mine, scans.c.request.contains(word))
    return host.change(lambda conn: conn.scalar(asked)) is not None


def test_a_key_that_is_revoked_stops_at_once_and_what_it_started_goes_on(host: Host) -> None:
    """Who waits already hears the end; another key of the account finds all of it."""
    account = host.account()
    key, other = host.key(account), host.client(host.key(account))
    with host.client(key) as client, ThreadPoolExecutor(1) as threads:
        scan_id = client.post(SEO, json={"url": "https://slow-m1.example.org/"}).json()["scanId"]
        waiting = threads.submit(client.post, TEST, json={"url": "https://slow-m2.example.org/"})
        wait_until(lambda: running(host, account, "slow-m1") and running(host, account, "slow-m2"))
        assert host.change(lambda conn: keys.revoke(conn, key[:11], now()))
        asked = [
            client.get(SEO, params={"id": scan_id}),
            client.delete(SEO, params={"id": scan_id}),
        ]
        assert [one.status_code for one in asked] == [401, 401]
        for word in ("m1", "m2"):
            (host.folder / "gate" / word).touch()
        assert waiting.result().status_code == 200
    assert settled(other, SEO, scan_id)["status"] == "done"


def test_a_plan_counts_from_the_moment_that_it_is_changed(host: Host) -> None:
    """Down: five audits are free whatever ran before. Up: nothing is counted or waited for."""
    account = host.account(UNLIMITED)
    client = host.client(host.key(account))
    with ThreadPoolExecutor(1) as threads:
        url = "https://slow-m3.example.org/"
        waiting = threads.submit(client.post, AUDIT, json={"url": url})
        wait_until(lambda: running(host, account, "slow-m3"))
        host.change(lambda conn: accounts.set_plan(conn, account.id, FREE))
        free = [audited(client) for _ in range(6)]
        assert (free, used(host, account)) == ([200] * 5 + [429], 5)
        host.change(lambda conn: accounts.set_plan(conn, account.id, UNLIMITED))
        (host.folder / "gate" / "m3").touch()
        assert waiting.result().status_code == 200
    assert (audited(client), used(host, account)) == (200, 5)


def audited(client: httpx.Client) -> int:
    return client.post(AUDIT, json={"url": "https://plan.example.org/"}).status_code


def used(host: Host, account: Account) -> int:
    asked = sa.select(audit_months.c.used).where(audit_months.c.account_id == account.id)
    return host.change(lambda conn: conn.scalar(asked)) or 0
