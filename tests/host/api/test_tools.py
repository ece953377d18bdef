"""The five tools: their life from the request to the result, and what each of them answers."""

import json
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from pydantic import BaseModel

from mergegate.core.change import Provider
from mergegate.host.store.tables import scans
from mergegate.repo.wire.shapes import RepositoryResult
from mergegate.site.audit.wire.result import AuditResult, NestedAuditResult
from mergegate.site.browser_test.wire.result import BrowserTestResult
from mergegate.site.security.wire.result import SecurityScanResult
from mergegate.site.seo.wire.result import SeoResult, UnfinishedSeoResult
from tests.host.api.conftest import PATIENCE_S, PLAIN, Host, settled, wait_until
from tests.host.api.test_requests import BUDGET, REPO

# An answer looks the same on both; what is counted and kept is compared at each change.
pytestmark = pytest.mark.parametrize(
    "host", ["sqlite", pytest.param("postgresql", marks=pytest.mark.thorough)], indirect=True
)
SITE = "https://a.example.org/"
SYNCHRONOUS: dict[str, tuple[str, str, type[BaseModel]]] = {
    "/api/audit": ("aud_", "reportId", AuditResult),
    "/api/browser-test": ("bt_", "testId", BrowserTestResult),
    "/api/security-scan": ("sec_", "scanId", SecurityScanResult),
}


@pytest.fixture
def connected(host: Host) -> httpx.Client:
    """Asks for an account that is connected with GitHub."""
    account = host.account()
    host.connect(account, Provider.GITHUB)
    return host.client(host.key(account))


def open_gate(host: Host, name: str) -> None:
    (host.folder / "gate" / name).touch()


def test_a_repository_scan_runs_and_is_completed(host: Host, connected: httpx.Client) -> None:
    body = {"owner": "slow-r1", "repo": "hello", "branch": "main"}
    started = connected.post("/api/repo/scan", json=body)
    assert started.status_code == 200
    assert list(started.json()) == ["scanId"]
    scan_id = started.json()["scanId"]
    assert scan_id.startswith("rs_")
    running = connected.get("/api/repo/result", params={"id": scan_id}).json()
    assert running["status"] == "running"
    assert running["target"] == {**body, "provider": "github"}
    open_gate(host, "r1")
    done = settled(connected, "/api/repo/result", scan_id)
    assert (done["id"], done["status"]) == (scan_id, "completed")
    RepositoryResult.model_validate_json(json.dumps(done))


def test_the_link_of_a_result_opens_the_page_that_shows_it(connected: httpx.Client) -> None:
    scan_id = connected.post("/api/repo/scan", json=REPO).json()["scanId"]
    url = settled(connected, "/api/repo/result", scan_id)["url"]
    page = httpx.get(url, verify=PLAIN, timeout=PATIENCE_S)  # the first is drawn slowly
    assert (page.status_code, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert httpx.get(url.replace("token=", "token=1"), verify=PLAIN).status_code == 403


def test_a_failed_repository_scan_says_why(connected: httpx.Client) -> None:
    body = {"owner": "unreachable", "repo": "hello"}
    scan_id = connected.post("/api/repo/scan", json=body).json()["scanId"]
    failed = settled(connected, "/api/repo/result", scan_id)
    assert failed["status"] == "failed"
    assert failed["error"]["code"] == "TARGET_UNREACHABLE"
    assert failed["completedAt"] >= failed["createdAt"]


def test_a_repository_scan_needs_a_connection(host: Host) -> None:
    account = host.account()
    client = host.client(host.key(account))
    refused = client.post("/api/repo/scan", json=REPO)
    assert (refused.status_code, refused.json()["code"]) == (409, "PROVIDER_NOT_CONNECTED")
    host.connect(account, Provider.GITLAB)
    assert client.post("/api/repo/scan", json=REPO).status_code == 200
    other = client.post("/api/repo/scan", json=REPO | {"provider": "github"})
    assert other.json()["code"] == "PROVIDER_NOT_CONNECTED"
    host.connect(account, Provider.GITHUB)
    assert client.post("/api/repo/scan", json=REPO | {"provider": "github"}).status_code == 200
    assert client.post("/api/repo/scan", json=REPO).json()["errors"][0]["path"] == "provider"


def test_of_several_connections_one_must_be_named(host: Host) -> None:
    account = host.account()
    host.connect(account, Provider.GITLAB, Provider.GITHUB)
    client = host.client(host.key(account))
    unclear = client.post("/api/repo/scan", json=REPO)
    assert (unclear.status_code, unclear.json()["errors"][0]["path"]) == (400, "provider")
    assert client.post("/api/repo/scan", json=REPO | {"provider": "gitlab"}).status_code == 200


def test_an_seo_scan_runs_and_is_done(host: Host, client: httpx.Client) -> None:
    body = {"url": "https://slow-s1.example.org", "keyword": "tea, sencha", "renderJs": True}
    scan_id = client.post("/api/seo-optimizer", json=body).json()["scanId"]
    assert scan_id.startswith("seo_")
    running = client.get("/api/seo-optimizer", params={"id": scan_id}).json()
    UnfinishedSeoResult.model_validate(running)
    assert (running["status"], running["url"]) == ("running", "https://slow-s1.example.org/")
    open_gate(host, "s1")
    done = settled(client, "/api/seo-optimizer", scan_id)
    assert (done["id"], done["status"]) == (scan_id, "done")
    SeoResult.model_validate_json(json.dumps(done))


def test_a_failed_seo_scan_says_why(client: httpx.Client) -> None:
    body = {"url": "https://inward.example.org/"}
    scan_id = client.post("/api/seo-optimizer", json=body).json()["scanId"]
    failed = settled(client, "/api/seo-optimizer", scan_id)
    assert failed["error"] == {"code": "TARGET_NOT_ALLOWED", "detail": "It leads inward."}


@pytest.mark.parametrize("path", SYNCHRONOUS)
def test_a_synchronous_tool_answers_its_result(client: httpx.Client, path: str) -> None:
    prefix, name, shape = SYNCHRONOUS[path]
    answer = client.post(path, json={"url": SITE})
    assert answer.status_code == 200
    assert answer.json()[name].startswith(prefix)
    shape.model_validate_json(answer.content)
    again = client.get(path, params={"id": answer.json()[name]})
    assert again.json() == answer.json()


@pytest.mark.parametrize("path", SYNCHRONOUS)
@pytest.mark.parametrize(
    ("word", "status", "code"),
    [
        ("unreachable", 422, "TARGET_UNREACHABLE"),
        ("noise", 422, "TARGET_NOT_ANALYSABLE"),
        ("inward", 400, "TARGET_NOT_ALLOWED"),
        ("late", 504, "SCAN_TIMEOUT"),
        ("broken", 500, "SCAN_FAILED"),
    ],
)
def test_what_a_synchronous_scan_fails_of_is_its_status(
    client: httpx.Client, path: str, word: str, status: int, code: str
) -> None:
    answer = client.post(path, json={"url": f"https://{word}.example.org/"})
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_budget_violations_are_there_when_a_budget_was_sent(client: httpx.Client) -> None:
    without = client.post("/api/audit", json={"url": SITE}).json()
    with_one = client.post("/api/audit", json={"url": SITE, "budget": BUDGET}).json()
    assert "perfBudget" in without and "budgetViolations" not in without
    assert "budgetViolations" in with_one


@pytest.mark.parametrize(
    "asked",
    [
        {"params": {"shape": "nested"}},
        {"headers": {"Accept": "application/json; shape=nested"}},
        {"headers": {"Accept": 'text/html, application/json;shape="nested", */*'}},
        {"headers": [("Accept", "text/html"), ("Accept", "application/json; shape=nested")]},
    ],
)
def test_the_nested_shape_is_there_on_request(client: httpx.Client, asked: Any) -> None:
    nested = client.post("/api/audit", json={"url": SITE}, **asked)
    NestedAuditResult.model_validate_json(nested.content)
    names = {"reportId", "scores", "issues", "fixes", "aiSummary"}
    assert set(nested.json()) == names
    later = {**asked, "params": {**asked.get("params", {}), "id": nested.json()["reportId"]}}
    assert client.get("/api/audit", **later).json() == nested.json()


@pytest.mark.parametrize("accepted", ["*/*", "application/json", "application/json; shape=flat"])
def test_the_flat_shape_is_the_usual_one(client: httpx.Client, accepted: str) -> None:
    flat = client.post("/api/audit", json={"url": SITE}, headers={"Accept": accepted})
    assert "performanceScore" in flat.json()


def test_a_scan_goes_on_when_its_caller_leaves(host: Host, client: httpx.Client) -> None:
    hasty = host.client(client.headers["X-API-Key"])
    with pytest.raises(httpx.ReadTimeout):
        hasty.post("/api/browser-test", json={"url": "https://slow-b1.example.org/"}, timeout=1)
    hasty.close()
    scan_id = wait_until(lambda: _waiting_scan(host, "slow-b1"))
    wait_until(lambda: [one for one in host.all("request") if one["status"] == 499])
    running = client.get("/api/browser-test", params={"id": scan_id})
    assert (running.status_code, running.json()) == (202, {"id": scan_id, "status": "running"})
    open_gate(host, "b1")
    done = wait_until(lambda: _result(client, scan_id))
    assert done["testId"] == scan_id


def _result(client: httpx.Client, scan_id: str) -> dict[str, Any] | None:
    answer = client.get("/api/browser-test", params={"id": scan_id})
    return dict(answer.json()) if answer.status_code == 200 else None


def _waiting_scan(host: Host, word: str) -> str | None:
    this = sa.select(scans.c.id).where(scans.c.request.contains(word))
    return host.change(lambda conn: conn.scalar(this))


def test_many_callers_wait_at_once(host: Host, client: httpx.Client) -> None:
    found: list[int] = []

    def ask(at: int) -> None:
        body = {"url": f"https://slow-m1.example.org/{at}"}
        found.append(client.post("/api/security-scan", json=body).status_code)

    callers = [threading.Thread(target=ask, args=(at,)) for at in range(6)]
    for one in callers:
        one.start()
    open_gate(host, "m1")
    for one in callers:
        one.join(60)
    assert found == [200] * 6


@pytest.mark.parametrize("path", ["/api/repo/result", "/api/seo-optimizer", *SYNCHRONOUS])
def test_an_unknown_scan_and_another_accounts_look_alike(
    host: Host, client: httpx.Client, path: str
) -> None:
    mine = client.post("/api/seo-optimizer", json={"url": SITE}).json()["scanId"]
    stranger = host.client()
    foreign = stranger.get(path, params={"id": mine})
    unknown = stranger.get(path, params={"id": mine[:-1] + "x"})
    assert (foreign.status_code, foreign.json()["code"]) == (404, "SCAN_NOT_FOUND")
    assert foreign.content == unknown.content


def test_an_identifier_is_found_however_the_query_spells_it(client: httpx.Client) -> None:
    mine = client.post("/api/seo-optimizer", json={"url": SITE}).json()["scanId"]
    for query in (f"id={mine.replace('_', '%5F')}", f"%69d={mine}"):
        assert client.get(f"/api/seo-optimizer?{query}").json()["id"] == mine


def test_a_scan_of_another_tool_is_none(client: httpx.Client) -> None:
    mine = client.post("/api/seo-optimizer", json={"url": SITE}).json()["scanId"]
    assert client.get("/api/audit", params={"id": mine}).status_code == 404


def test_the_bytes_of_a_result_are_its_workers(client: httpx.Client, samples: Path) -> None:
    scan_id = client.post("/api/seo-optimizer", json={"url": SITE}).json()["scanId"]
    settled(client, "/api/seo-optimizer", scan_id)
    told = json.loads((samples / "seo.json").read_text()) | {"id": scan_id}
    answer = client.get("/api/seo-optimizer", params={"id": scan_id})
    assert answer.content.decode() == json.dumps(told, indent=2) + "\n"


def test_long_answers_are_compressed_for_whoever_reads_that(client: httpx.Client) -> None:
    asked = {"url": SITE}
    plain = client.post("/api/audit", json=asked, headers={"Accept-Encoding": "identity"})
    never = client.post("/api/audit", json=asked, headers={"Accept-Encoding": "gzip;q=0"})
    zipped = client.post("/api/audit", json=asked, headers={"Accept-Encoding": "br, gzip"})
    assert "Content-Encoding" not in plain.headers and "Content-Encoding" not in never.headers
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert int(zipped.headers["Content-Length"]) < len(plain.content) / 2
    assert zipped.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
