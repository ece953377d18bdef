"""What a request may hold, and what it is told when it holds something else."""

import json
import socket
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.host.api.conftest import Host

pytestmark = pytest.mark.parametrize("host", ["sqlite"], indirect=True)

PAGE = {"url": "https://a.example.org/"}
BUDGET = {
    "version": 1,
    "device": "mobile",
    "metrics": {"lcp": 1, "tbt": 1, "cls": 0.1, "fcp": 1},
    "transferBytes": 1,
    "scriptBytes": 1,
    "requestCount": 1,
    "vendors": [],
}
JSON = {"Content-Type": "application/json"}
REPO = {"owner": "octo-org", "repo": "hello"}

WRONG: list[tuple[str, Any, str]] = [
    ("/api/audit", {}, "url"),
    ("/api/audit", [], ""),
    ("/api/audit", "text", ""),
    ("/api/audit", None, ""),
    ("/api/audit", {"url": 5}, "url"),
    ("/api/audit", {"url": ""}, "url"),
    ("/api/audit", {"url": None}, "url"),
    ("/api/audit", {"url": "https://a.example.org/" + "a" * 2048}, "url"),
    ("/api/audit", {"url": "example.org"}, "url"),
    ("/api/audit", PAGE | {"odd": 1}, "odd"),
    ("/api/audit", PAGE | {"budget": None}, "budget"),
    ("/api/audit", PAGE | {"budget": []}, "budget"),
    ("/api/audit", PAGE | {"budget": {"version": 1}}, "budget.device"),
    ("/api/audit", PAGE | {"budget": BUDGET | {"requestCount": -1}}, "budget.requestCount"),
    ("/api/audit", PAGE | {"budget": BUDGET | {"requestCount": "1"}}, "budget.requestCount"),
    ("/api/audit", PAGE | {"budget": BUDGET | {"metrics": {}}}, "budget.metrics.lcp"),
    ("/api/browser-test", PAGE | {"renderJs": True}, "renderJs"),
    ("/api/security-scan", {"URL": "https://a.example.org/"}, "url"),
    ("/api/seo-optimizer", PAGE | {"renderJs": "true"}, "renderJs"),
    ("/api/seo-optimizer", PAGE | {"renderJs": 1}, "renderJs"),
    ("/api/seo-optimizer", PAGE | {"keyword": ",".join(map(str, range(11)))}, "keyword"),
    ("/api/seo-optimizer", PAGE | {"competitorUrl": "a.example.org"}, "competitorUrl"),
    ("/api/seo-optimizer", PAGE | {"url": "https://\ud800.example.org"}, "url"),
    ("/api/repo/scan", {"owner": "octo-org"}, "repo"),
    ("/api/repo/scan", REPO | {"owner": "../etc"}, "owner"),
    ("/api/repo/scan", REPO | {"owner": "-x"}, "owner"),
    ("/api/repo/scan", REPO | {"owner": "a//b"}, "owner"),
    ("/api/repo/scan", REPO | {"owner": "a/../b"}, "owner"),
    ("/api/repo/scan", REPO | {"repo": ".."}, "repo"),
    ("/api/repo/scan", REPO | {"repo": "a/b"}, "repo"),
    ("/api/repo/scan", REPO | {"repo": "hello\n"}, "repo"),
    ("/api/repo/scan", REPO | {"branch": "--upload-pack=x"}, "branch"),
    ("/api/repo/scan", REPO | {"branch": "a b"}, "branch"),
    ("/api/repo/scan", REPO | {"branch": "a\nb"}, "branch"),
    ("/api/repo/scan", REPO | {"commit": "HEAD"}, "commit"),
    ("/api/repo/scan", REPO | {"commit": "ABCD" * 10}, "commit"),
    ("/api/repo/scan", REPO | {"provider": "gitea"}, "provider"),
    ("/api/repo/scan", REPO | {"token": "ghp_x"}, "token"),
]


@pytest.mark.parametrize(("path", "body", "where"), WRONG)
def test_a_wrong_body_is_told_which_field_is_wrong(
    client: httpx.Client, path: str, body: Any, where: str
) -> None:
    answer = client.post(path, content=json.dumps(body), headers=JSON)
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (400, "INVALID_REQUEST")
    assert where in {one["path"] for one in problem["errors"]}
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b'{"url": NaN}',
        b'{"url": Infinity}',
        b'{"url": "https://a.example.org/", "url": "https://b.example.org/"}',
        b'{"url": "https://a.example.org/\xff"}',
        b"\xef\xbb\xbf{}",
        b'{"url": "https://a.example.org/", "budget": ' + b"[" * 100_000,
        b'{"url": ' + b"9" * 5_000 + b"}",
    ],
)
def test_what_is_no_json_is_refused(client: httpx.Client, content: bytes) -> None:
    answer = client.post(
        "/api/audit", content=content, headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_REQUEST")


def test_a_number_beyond_all_numbers_is_no_limit(client: httpx.Client) -> None:
    text = json.dumps(PAGE | {"budget": BUDGET}).replace('"lcp": 1,', '"lcp": 1e999,')
    answer = client.post("/api/audit", content=text, headers=JSON)
    assert answer.json()["errors"][0]["path"] == "budget.metrics.lcp"


def test_a_whole_number_may_be_written_with_a_point(client: httpx.Client) -> None:
    budget = BUDGET | {"requestCount": 2.0, "version": 1.0}
    assert client.post("/api/audit", json=PAGE | {"budget": budget}).status_code == 200


@pytest.mark.parametrize("version", [None, "1", True, [1]])
def test_a_budget_without_a_version_is_none(client: httpx.Client, version: Any) -> None:
    answer = client.post("/api/audit", json=PAGE | {"budget": BUDGET | {"version": version}})
    assert answer.json()["errors"][0]["path"] == "budget.version"


@pytest.mark.parametrize("version", [2, 0, -1, 10**30, 1.5])
def test_a_budget_of_another_version_has_a_code_of_its_own(
    client: httpx.Client, version: int
) -> None:
    answer = client.post("/api/audit", json=PAGE | {"budget": BUDGET | {"version": version}})
    assert (answer.status_code, answer.json()["code"]) == (400, "UNSUPPORTED_BUDGET_VERSION")


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/json; charset=latin-1"},
        {"Content-Type": "application/jsonp"},
        {"Content-Type": ""},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
    ],
)
def test_other_media_types_are_not_read(client: httpx.Client, headers: dict[str, str]) -> None:
    answer = client.post("/api/audit", content=json.dumps(PAGE), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (415, "UNSUPPORTED_MEDIA_TYPE")
    compressed = "Content-Encoding" in headers
    assert answer.headers["Accept-Encoding" if compressed else "Accept"]


@pytest.mark.parametrize("kind", ["application/json", 'Application/JSON; charset="UTF-8"'])
def test_json_in_utf_8_is_read(client: httpx.Client, kind: str) -> None:
    answer = client.post("/api/audit", content=json.dumps(PAGE), headers={"Content-Type": kind})
    assert answer.status_code == 200


def test_a_body_of_more_than_a_mebibyte_is_too_large_however_it_comes(client: httpx.Client) -> None:
    pieces = (b" " * 65_536 for _ in range(17))
    told = client.post("/api/audit", content=b" " * ((1 << 20) + 1), headers=JSON)
    chunked = client.post("/api/audit", content=pieces, headers=JSON)
    for answer in (told, chunked):
        assert (answer.status_code, answer.json()["code"]) == (413, "PAYLOAD_TOO_LARGE")
    fits = client.post("/api/audit", content=b"{" + b" " * ((1 << 20) - 1), headers=JSON)
    assert fits.status_code == 400


def test_a_length_that_lies_harms_nobody(host: Host, client: httpx.Client) -> None:
    head = f"POST /api/audit HTTP/1.1\r\nHost: h\r\nX-API-Key: {client.headers['X-API-Key']}\r\n"
    kind = "Content-Type: application/json\r\n"
    assert b" 413 " in raw(host, f"{head}{kind}Content-Length: 99999999\r\n\r\n{{}}")
    short = raw(host, f"{head}{kind}Content-Length: 2\r\n\r\n{{}}garbage\r\n\r\n")
    assert b" 400 " in short and b"garbage" not in short
    raw(host, f"{head}{kind}Content-Length: 50\r\n\r\n{{}}", leave=True)
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?id=a&id=b",
        "?id=a" + "&id=a" * 30,
        "?id=%ff",
        "?id=a&odd=1",
    ],
)
def test_a_query_is_read_as_strictly(client: httpx.Client, query: str) -> None:
    answer = client.get(f"/api/repo/result{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_REQUEST")


@pytest.mark.parametrize(
    "id", ["", "a%20b", "a" * 65, "rs_0", "%00", "%C3%A9", "a%0Ab", "'", "rs_" + "0" * 900]
)
def test_an_identifier_of_any_form_is_one_that_nobody_has(client: httpx.Client, id: str) -> None:
    for path in ("/api/repo/result", "/api/seo-optimizer", "/api/audit"):
        answer = client.get(f"{path}?id={id}")
        assert (answer.status_code, answer.json()["code"]) == (404, "SCAN_NOT_FOUND")
    assert client.delete(f"/api/audit?id={id}").json()["code"] == "SCAN_NOT_FOUND"


def test_a_post_takes_no_query(client: httpx.Client) -> None:
    assert client.post("/api/browser-test?url=x", json=PAGE).status_code == 400


@pytest.mark.parametrize("key", [b"", b"a b", b"\xe9", b"a" * 256])
def test_an_idempotency_key_has_a_form(client: httpx.Client, key: bytes) -> None:
    answer = client.post("/api/browser-test", json=PAGE, headers={b"Idempotency-Key": key})
    assert answer.json()["errors"][0]["path"] == "Idempotency-Key"


def raw(host: Host, text: str, *, leave: bool = False) -> bytes:
    """What is answered to exactly these bytes."""
    port = urlsplit(host.url).port
    with socket.create_connection(("127.0.0.1", port or 0), timeout=30) as line:
        line.sendall(text.encode("latin-1"))
        return b"" if leave else _all(line)


def _all(line: socket.socket) -> bytes:
    found = b""
    line.settimeout(30)
    while piece := line.recv(65_536):
        found += piece
    return found
