"""DELETE: a scan that is called off ends once, as cancelled, and one that is over stays."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from mergegate.core.change import Provider
from mergegate.core.plans import Scope
from mergegate.host.store.tables import scans
from tests.host.api.conftest import Host, settled, wait_until

CANCELLED = {"code": "CANCELLED", "detail": "The scan was cancelled."}
SEO = "/api/seo-optimizer"
REPO, SYNCHRONOUS = "/api/repo/scan", ("/api/audit", "/api/browser-test", "/api/security-scan")


def seo(client: httpx.Client, word: str) -> str:
    started = client.post(SEO, json={"url": f"https://{word}.example.org/"})
    return str(started.raise_for_status().json()["scanId"])


def cancelled(client: httpx.Client, path: str, scan_id: str) -> dict[str, Any]:
    answer = client.delete(path, params={"id": scan_id})
    return dict(answer.raise_for_status().json())


def begun(host: Host, scan_id: str) -> bool:
    asked = sa.select(scans.c.started_at).where(scans.c.id == scan_id)
    return host.change(lambda conn: conn.scalar(asked)) is not None


def test_a_running_scan_ends_at_once_and_stays_as_it_ended(
    host: Host, client: httpx.Client
) -> None:
    scan_id = seo(client, "slow-c1")
    wait_until(lambda: begun(host, scan_id))
    answer = cancelled(client, SEO, scan_id)
    assert (answer["id"], answer["status"], answer["error"]) == (scan_id, "failed", CANCELLED)
    assert answer["completedAt"] >= answer["createdAt"]
    (host.folder / "gate" / "c1").touch()
    assert cancelled(client, SEO, scan_id) == answer
    result = client.get(SEO, params={"id": scan_id}).json()
    assert (result["status"], result["error"]) == ("failed", CANCELLED)


def test_a_repository_scan_is_cancelled_where_it_was_started(host: Host) -> None:
    account = host.account()
    host.connect(account, Provider.GITHUB)
    client = host.client(host.key(account))
    body = {"owner": "slow-c2", "repo": "hello"}
    scan_id = client.post(REPO, json=body).json()["scanId"]
    assert cancelled(client, REPO, scan_id)["error"] == CANCELLED
    result = client.get("/api/repo/result", params={"id": scan_id}).json()
    assert (result["status"], result["error"]) == ("failed", CANCELLED)


def test_who_waits_for_a_cancelled_scan_waits_no_longer(host: Host, client: httpx.Client) -> None:
    url = "https://slow-c3.example.org/"
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(client.post, "/api/security-scan", json={"url": url})
        scan_id = wait_until(lambda: running(host, url))
        assert cancelled(client, "/api/security-scan", scan_id)["error"] == CANCELLED
        answer = waiting.result()
    assert (answer.status_code, answer.json()["detail"]) == (500, CANCELLED["detail"])


def test_whoever_was_told_no_identifier_names_the_key_that_it_was_started_with(
    host: Host, client: httpx.Client
) -> None:
    path, url = "/api/browser-test", "https://slow-c5.example.org/"
    with ThreadPoolExecutor(1) as threads:
        key = {"Idempotency-Key": "left-early"}
        waiting = threads.submit(client.post, path, json={"url": url}, headers=key)
        scan_id = wait_until(lambda: running(host, url))
        strange = [
            host.client().delete(path, params={"id": "left-early"}),
            client.delete("/api/audit", params={"id": "left-early"}),
            client.get(path, params={"id": "left-early"}),
        ]
        answer = cancelled(client, path, "left-early")
        waiting.result()
    assert [one.json()["code"] for one in strange] == ["SCAN_NOT_FOUND"] * 3
    assert (answer["id"], answer["error"]) == (scan_id, CANCELLED)
    assert cancelled(client, path, scan_id) == answer


def running(host: Host, url: str) -> str | None:
    asked = sa.select(scans.c.id).where(scans.c.request.contains(url), scans.c.state == "running")
    return host.change(lambda conn: conn.scalar(asked))


def test_a_scan_that_is_over_is_answered_as_it_is(client: httpx.Client) -> None:
    done, failed = seo(client, "a"), seo(client, "noise")
    for scan_id in (done, failed):
        settled(client, SEO, scan_id)
    assert cancelled(client, SEO, done).keys() == {"id", "status", "createdAt", "completedAt"}
    assert cancelled(client, SEO, done)["status"] == "done"
    assert cancelled(client, SEO, failed)["error"]["code"] == "TARGET_NOT_ANALYSABLE"
    assert client.get(SEO, params={"id": done}).json()["status"] == "done"


def test_however_many_cancel_it_while_it_ends_it_ends_once(client: httpx.Client) -> None:
    """Each of them, and whoever asks later, is told the same end."""
    ids = [seo(client, f"race-{number}") for number in range(8)]
    with ThreadPoolExecutor(8) as threads:
        told = list(threads.map(lambda one: cancelled(client, SEO, one), ids * 3))
    for scan_id in ids:
        ends = [one for one in told if one["id"] == scan_id]
        assert ends == [ends[0]] * 3
        assert settled(client, SEO, scan_id)["status"] == ends[0]["status"]


def test_another_accounts_scan_and_one_that_is_none_look_alike(
    host: Host, client: httpx.Client
) -> None:
    scan_id = seo(client, "slow-c4")
    other = host.client()
    answers = [other.delete(SEO, params={"id": id}) for id in (scan_id, "seo_none")]
    answers.append(client.delete("/api/audit", params={"id": scan_id}))
    assert [one.status_code for one in answers] == [404] * 3
    assert answers[0].content == answers[1].content
    assert client.get(SEO, params={"id": scan_id}).json()["status"] == "running"
    cancelled(client, SEO, scan_id)


@pytest.mark.parametrize(("path", "scope"), [(REPO, Scope.SITE), (SEO, Scope.REPO)])
def test_it_needs_the_scope_that_starting_needs(host: Host, path: str, scope: Scope) -> None:
    client = host.client(host.key(scopes=frozenset({scope})))
    assert client.delete(path, params={"id": "x"}).json()["code"] == "FORBIDDEN"


@pytest.mark.parametrize("query", ["", "id=a&id=b", "id=a&odd=1"])
def test_a_query_that_names_no_one_scan_is_refused(client: httpx.Client, query: str) -> None:
    answers = [client.delete(f"{path}?{query}") for path in (REPO, SEO, *SYNCHRONOUS)]
    assert {one.json()["code"] for one in answers} == {"INVALID_REQUEST"}
