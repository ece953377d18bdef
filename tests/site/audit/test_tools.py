"""Audits with the real browser and the real Lighthouse."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import psutil
import pytest

from mergegate.core.errors import TargetError, TargetNotAllowed, TargetNotAnalysable
from mergegate.sandbox.visit import Visit
from mergegate.site.address import policy_for
from mergegate.site.audit.run import AuditRequest, AuditToolbox, audit
from mergegate.site.audit.tools import audit_toolbox
from mergegate.site.audit.wire.result import to_json

_PAGE = b"<!doctype html><html lang=en><title>Shop</title><h1>Shop</h1><img src=/none.png>"
_MOVES = {
    "/private": "http://10.0.0.1/",
    "/tls": "https://127.0.0.1:8443/",
}


class _Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        moved = _MOVES.get(self.path)
        self.send_response(302 if moved else 403 if self.path == "/403" else 200)
        self.send_header("Content-Type", "text/html")
        if moved:
            self.send_header("Location", moved)
        self.end_headers()
        self.wfile.write(_PAGE)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Site) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture(scope="module")
def toolbox(site: str) -> Iterator[AuditToolbox]:
    before = _children()
    with audit_toolbox(policy_for(site)) as opened:
        yield opened
    assert _children() == before


def _children() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True)}


def test_a_page_is_audited(site: str, toolbox: AuditToolbox) -> None:
    report = audit(AuditRequest(visit=Visit(url=f"{site}/"), runs=1), toolbox)
    assert None not in {report.scores.performance, report.scores.seo, report.scores.accessibility}
    assert "image-alt" in {one.rule for one in report.issues}
    assert "Python" in {one.name for one in report.technologies}
    assert report.filmstrip
    assert json.loads(to_json(report))["url"] == f"{site}/"
    assert {one.name: one.version[:1].isdigit() for one in report.engines} == {
        "lighthouse": True,
        "chromium": True,
        "egress": False,
    }


_REFUSED: tuple[tuple[str, type[TargetError], str], ...] = (
    ("/private", TargetNotAllowed, "private address"),
    ("/tls", TargetNotAllowed, "loopback address"),
    ("/403", TargetNotAnalysable, "403"),
)


def test_a_page_that_is_refused_is_told_from_one_that_refuses(
    site: str, toolbox: AuditToolbox
) -> None:
    """In one test: workers of the test run would each start a Lighthouse for a part of it."""
    for path, error, words in _REFUSED:
        with pytest.raises(error, match=words):
            audit(AuditRequest(visit=Visit(url=f"{site}{path}")), toolbox)
