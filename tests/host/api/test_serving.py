"""The process that serves: how it starts, what it logs, how it leaves."""

import json
import signal
import socket
import sqlite3
import subprocess
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.host.api.conftest import PLAIN, Host, settled, wait_until
from tests.ready import PROGRAM

SITE = "https://a.example.org/"
COMMAND = ("-c", "from mergegate.host.commands.serve import serve; serve()", "--port", "0")


@pytest.fixture
def plain_host(own_host: Any, tmp_path: Path) -> Host:
    """``mergegate serve --no-worker`` without a database or keys of its own: all is made."""
    host: Host = own_host()
    (tmp_path / "service.db").unlink()
    host.command = (*COMMAND, "--no-worker")
    host.environment = {"MERGEGATE_DATABASE_URL": "", "MERGEGATE_SECRET_KEYS": ""}
    return host


def test_nothing_else_needs_to_be_started(plain_host: Host) -> None:
    plain_host.start()
    assert plain_host.line("no key yet")["next"].startswith("mergegate keys create")
    assert httpx.get(f"{plain_host.url}/healthz", verify=PLAIN).json() == {"status": "ok"}
    assert (plain_host.folder / "secret.key").stat().st_mode & 0o077 == 0
    key = plain_host.key()
    client = plain_host.client(key)
    scan_id = client.post("/api/seo-optimizer", json={"url": SITE}).json()["scanId"]
    assert plain_host.stop() == 0
    plain_host.start()
    again = plain_host.client(key).get("/api/seo-optimizer", params={"id": scan_id})
    assert again.json()["status"] == "running"
    assert len(plain_host.all("no key yet")) == 1


def test_a_port_that_is_taken_is_said_plainly(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = subprocess.run(
            [PROGRAM, "serve", "--port", str(taken.getsockname()[1])],
            env={"MERGEGATE_DATA_DIR": str(tmp_path), "PATH": "/usr/bin"},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert "it is not possible to listen on port" in done.stderr
    assert "Traceback" not in done.stderr


def test_whoever_waits_is_answered_before_it_leaves(own_host: Any) -> None:
    host = own_host(grace_s=20.0)
    host.start()
    client, found = host.client(), []

    def ask() -> None:
        body = {"url": "https://slow-w.example.org/"}
        found.append(client.post("/api/browser-test", json=body).status_code)

    caller = threading.Thread(target=ask)
    caller.start()
    wait_until(lambda: _waits(host))
    host.process.send_signal(signal.SIGTERM)
    wait_until(lambda: _refuses(host.url))
    (host.folder / "gate" / "w").touch()
    caller.join(60)
    assert found == [200]
    assert host.process.wait(60) == 0


def test_whoever_waits_longer_than_the_grace_is_sent_away_and_the_scan_goes_on(
    own_host: Any,
) -> None:
    host = own_host(grace_s=0.5)
    host.start()
    key, found = host.key(), []

    def ask() -> None:
        body = {"url": "https://slow-v.example.org/"}
        headers = {"Idempotency-Key": "one"}
        found.append(host.client(key).post("/api/browser-test", json=body, headers=headers))

    caller = threading.Thread(target=ask)
    caller.start()
    wait_until(lambda: _waits(host))
    assert host.stop() == 0
    caller.join(60)
    assert (found[0].status_code, found[0].json()["code"]) == (503, "OVERLOADED")
    assert int(found[0].headers["Retry-After"]) >= 1
    (host.folder / "gate" / "v").touch()
    host.start()
    assert wait_until(lambda: _body(host.client(key), found[0].headers["Location"]))["testId"]
    ask()
    assert found[1].status_code == 200


def _body(client: httpx.Client, location: str) -> dict[str, Any] | None:
    answer = client.get(location)
    return dict(answer.json()) if answer.status_code == 200 else None


def test_a_killed_host_loses_no_accepted_scan(own_host: Any) -> None:
    host = own_host()
    host.start()
    key = host.key()
    body = {"url": "https://slow-k.example.org/"}
    scan_id = host.client(key).post("/api/seo-optimizer", json=body).json()["scanId"]
    wait_until(lambda: _has_begun(host))
    host.stop(signal.SIGKILL)
    (host.folder / "gate" / "k").touch()
    host.start()
    assert settled(host.client(key), "/api/seo-optimizer", scan_id)["status"] == "done"


def _has_begun(host: Host) -> bool:
    return (
        'mergegate_scans_waiting{lane="light"} 0.0'
        in httpx.get(f"{host.url}/metrics", verify=PLAIN).text
    )


def _waits(host: Host) -> bool:
    """Whether a caller of a synchronous tool holds the line."""
    page = httpx.get(f"{host.url}/metrics", verify=PLAIN).text
    return "mergegate_callers_waiting 1.0" in page


def _refuses(url: str) -> bool:
    try:
        httpx.get(f"{url}/healthz", verify=PLAIN)
    except httpx.TransportError:
        return True
    return False


def test_a_host_whose_database_takes_no_changes_is_not_ready(own_host: Any) -> None:
    host = own_host(proof_s=0.5)
    host.start()
    client = host.client()
    with sqlite3.connect(host.database_url.removeprefix("sqlite:///")) as other:
        other.execute("BEGIN IMMEDIATE")
        refused = wait_until(
            lambda: next((it for it in [client.get("/readyz")] if it.status_code != 200), None)
        )
        assert (refused.status_code, refused.json()["code"]) == (503, "OVERLOADED")
        assert client.get("/healthz").status_code == 200
        assert client.get("/api/repo/result?id=rs_0").status_code == 404
        other.rollback()
    wait_until(lambda: client.get("/readyz").status_code == 200)


def test_the_log_tells_what_was_asked_and_no_secret(host: Host) -> None:
    key = host.key()
    client = host.client(key)
    secret = "s3cr3t-canary"
    headers = {"X-Request-Id": "request-1234", "Authorization": secret, "Idempotency-Key": secret}
    body = {"url": f"https://a.example.org/{secret}?token={secret}"}
    client.post("/api/seo-optimizer", json=body, headers=headers)
    client.get(f"/api/seo-optimizer?id={secret}")
    client.get(f"/{secret}/x")
    line = wait_until(
        lambda: next((one for one in host.lines if one.get("request_id") == "request-1234"), None)
    )
    assert (line["route"], line["method"], line["status"]) == ("/api/seo-optimizer", "POST", 200)
    assert line["key_id"].startswith("key_") and line["scan_id"].startswith("seo_")
    wait_until(lambda: [one for one in host.lines if one.get("route") == "other"])
    assert secret not in host.log.read_text()
    assert key not in host.log.read_text()


def test_metrics_count_by_route_and_hold_no_secret(host: Host) -> None:
    client = host.client()
    client.get("/api/repo/result", params={"id": "rs_canary"})
    client.get("/canary")
    page = client.get("/metrics")
    assert page.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    name = 'mergegate_http_requests_total{method="GET",route='
    assert f'{name}"/api/repo/result",status="404"}}' in page.text
    assert f'{name}"other",status="404"}}' in page.text
    assert 'mergegate_scans_waiting{lane="waited"}' in page.text
    assert "canary" not in page.text


@pytest.mark.parametrize(
    ("name", "code", "level"),
    [
        ("unreachable", "TARGET_UNREACHABLE", "warning"),
        ("broken", "INTERNAL", "warning"),
        ("fine", "COMPLETED", "info"),
    ],
)
def test_how_scans_end_is_logged_and_counted(
    host: Host, client: httpx.Client, name: str, code: str, level: str
) -> None:
    body = {"url": f"https://{name}.example.org/"}
    scan_id = client.post("/api/seo-optimizer", json=body).json()["scanId"]
    settled(client, "/api/seo-optimizer", scan_id)
    ended = wait_until(lambda: [one for one in host.all("scan ended") if one["scan_id"] == scan_id])
    assert len(ended) == 1
    told = {"tool": "seo", "code": code, "scheduled": False, "level": level}
    assert ended[0].items() >= told.items()
    assert ended[0]["account_id"].startswith("acc_")
    page = client.get("/metrics").text
    figure = f'mergegate_scans_ended_total{{code="{code}",scheduled="no",tool="seo"}} '
    assert float(page.partition(figure)[2].splitlines()[0]) >= 1
    assert f'mergegate_scan_seconds_count{{code="{code}",tool="seo"}}' in page
    never = 'mergegate_scans_ended_total{code="WORKER_LOST",scheduled="yes",tool="audit"} 0.0'
    assert never in page, "the first of its kind would be no increase"


def test_metrics_are_off_unless_they_are_wanted(own_host: Any) -> None:
    host = own_host(MERGEGATE_METRICS="0")
    host.start()
    assert httpx.get(f"{host.url}/metrics", verify=PLAIN).json()["code"] == "NOT_FOUND"


def test_every_answer_has_its_headers(client: httpx.Client) -> None:
    paths = ["/healthz", "/nowhere", "/api/repo/result?id=rs_1", "/api/openapi.json", "/api/docs"]
    for answer in [
        *map(client.get, paths),
        client.delete("/api/audit"),
        client.options("/healthz"),
    ]:
        assert answer.headers["X-API-Version"] == "1"
        assert len(answer.headers["X-Request-Id"]) == 24
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "no-store"
        assert "Server" not in answer.headers


@pytest.mark.parametrize("id", ["short", "a b c d e f g", "x" * 65, "a\tb-0123456"])
def test_an_ill_formed_request_id_is_replaced(client: httpx.Client, id: str) -> None:
    answer = client.get("/healthz", headers={"X-Request-Id": id})
    assert answer.headers["X-Request-Id"] != id


def test_a_path_that_is_not_there_and_a_method_that_does_not_fit(client: httpx.Client) -> None:
    odd = client.get("/api/%22%3C%2541 %E2%82%AC//")
    assert odd.json()["instance"] == "/api/%22%3C%2541%20%E2%82%AC//"
    nowhere, wrong = client.get("/api/nothing"), client.put("/api/audit", json={})
    assert (nowhere.status_code, nowhere.json()["code"]) == (404, "NOT_FOUND")
    assert (wrong.status_code, wrong.json()["code"]) == (405, "METHOD_NOT_ALLOWED")
    assert wrong.headers["Allow"] == "DELETE, GET, HEAD, POST"
    assert client.post("/api/repo/result").headers["Allow"] == "GET, HEAD"
    assert client.get("/api/audit/").status_code == 404


def test_head_is_get_without_a_body(client: httpx.Client) -> None:
    head, get = client.head("/api/docs"), client.get("/api/docs")
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["Content-Type"] == get.headers["Content-Type"]
    assert json.loads(client.get("/api/openapi.json").content)["openapi"] == "3.1.0"
