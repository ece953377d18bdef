"""A link to a real host: what closes it, and what does not."""

from functools import partial

import httpx

from mergegate.core.change import Provider
from mergegate.host.store import accounts, keys
from tests.host.api.conftest import PATIENCE_S, PLAIN, Host, now, settled


def opens(url: str) -> bool:
    status = httpx.get(url, verify=PLAIN, timeout=PATIENCE_S).status_code
    assert status in {200, 403}
    return status == 200


def test_a_link_outlives_the_key_it_was_given_to_and_rests_with_its_account(host: Host) -> None:
    account = host.account()
    host.connect(account, Provider.GITHUB)
    key = host.key(account)
    with host.client(key) as client:
        body = {"owner": "acme", "repo": "shop"}
        scan_id = client.post("/api/repo/scan", json=body).json()["scanId"]
        url = settled(client, "/api/repo/result", scan_id)["url"]
    assert opens(url)
    host.change(lambda conn: keys.revoke(conn, key[:11], now()))
    with host.client(key) as client:
        assert client.get("/api/repo/result", params={"id": scan_id}).status_code == 401
    assert opens(url)
    host.change(lambda conn: accounts.suspend(conn, account.id, now()))
    assert not opens(url)
    host.change(partial(accounts.resume, account_id=account.id))
    assert opens(url)
