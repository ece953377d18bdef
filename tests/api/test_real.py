"""``mergegate serve`` as it is: real scans, of a site on this machine."""

import http.server
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from mergegate.wire.site.security_shapes import SecurityScanResult
from tests.api.conftest import PATIENCE_S, Host, running, settled
from tests.api.test_serving import COMMAND

PAGE = b"<!doctype html><html lang=en><title>Tea</title><h1>Green tea</h1><p>It is green."


class _Site(http.server.BaseHTTPRequestHandler):
    """A page, and a way that leads where no scan may go."""

    def do_GET(self) -> None:
        inward = self.path == "/inward"
        self.send_response(302 if inward else 200)
        if inward:
            self.send_header("Location", "http://169.254.169.254/latest/meta-data/")
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", "0" if inward else str(len(PAGE)))
        self.end_headers()
        self.wfile.write(b"" if inward else PAGE)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def real(site: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Asks a host that may scan the site, and nothing else of this machine."""
    folder = tmp_path_factory.mktemp("real")
    allowed = {"MERGEGATE_ALLOW_HOSTS": urlsplit(site).netloc}
    host = Host(folder, f"sqlite:///{folder}/service.db", (*COMMAND, "--grace", "1"), allowed)
    for one in running(host):
        with one.client() as client:
            client.timeout = httpx.Timeout(2 * PATIENCE_S)
            yield client


def test_a_security_scan_of_a_real_site(real: httpx.Client, site: str) -> None:
    answer = real.post("/api/security-scan", json={"url": site})
    assert answer.status_code == 200, answer.text
    found = SecurityScanResult.model_validate_json(answer.content)
    assert found.url == site
    assert found.scan_id.startswith("sec_")


def test_an_seo_scan_of_a_real_site(real: httpx.Client, site: str) -> None:
    scan_id = real.post("/api/seo-optimizer", json={"url": site, "keyword": "tea"}).json()["scanId"]
    done = settled(real, "/api/seo-optimizer", scan_id)
    assert (done["id"], done["status"]) == (scan_id, "done")
    assert done["pageData"]["title"] == "Tea"


def test_a_redirect_that_leads_inward_is_refused_by_the_scan(real: httpx.Client, site: str) -> None:
    answer = real.post("/api/security-scan", json={"url": f"{site}inward"})
    assert (answer.status_code, answer.json()["code"]) == (400, "TARGET_NOT_ALLOWED")


def test_a_name_that_nobody_knows_is_unreachable(real: httpx.Client) -> None:
    answer = real.post("/api/security-scan", json={"url": "https://nobody.invalid.example.org/"})
    assert (answer.status_code, answer.json()["code"]) == (422, "TARGET_UNREACHABLE")
