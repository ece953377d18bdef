"""The browser test as a whole: real Chromium, real servers, every part as it is delivered."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from mergegate.core.errors import TargetNotAllowed, TargetNotAnalysable, TargetUnreachable
from mergegate.sandbox.visit import Credentials, Visit
from mergegate.site.address import policy_for
from mergegate.site.browser_test.facts import LinkState
from mergegate.site.browser_test.journey.isolated import Bounds
from mergegate.site.browser_test.report import BrowserReport, Kind
from mergegate.site.browser_test.run import BrowserRequest, BrowserToolbox, browse
from mergegate.site.browser_test.tools import browser_toolbox
from mergegate.site.level import Level

_HEAD = '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">'
_FOOT = '<footer><a href="/gone">Imprint</a></footer><script src="/app.js"></script>'
_SHOP: Mapping[str, tuple[str, str]] = {
    "/": (
        "text/html",
        f"""{_HEAD}<title>Shop</title><main><h1>Shop</h1>
        <p><a href="/form">Order</a></p> <p><a href="/form#fields">Fields</a></p>
        <p><a href="/form#ghost">Ghost</a></p> <p><a href="/logout">Log out</a></p>
        <img src="/lost.png" alt="Our shop"><img src="/ok.svg"></main>{_FOOT}""",
    ),
    "/form": (
        "text/html",
        f"""{_HEAD}<title>Form</title><main id="fields"><h1>Form</h1>
        <form action="/buy" method="post"><input name="email"><button>Buy</button></form>
        </main>{_FOOT}""",
    ),
    "/app.js": (
        "text/javascript",
        """const link = document.createElement('a'); link.href = '/lost-by-script';
        link.textContent = 'Inserted'; document.querySelector('footer').append(link);
        console.error('look out'); missing.boom();""",
    ),
    "/ok.svg": ("image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    "/plain": ("application/octet-stream", "no page"),
}


@dataclass
class _Place:
    """A site on loopback."""

    port: int = 0
    pages: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    """Method and path."""
    opened: list[bool] = field(default_factory=list)
    """Whether each request brought what opens the site."""

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    place: _Place

    def _answer(self) -> None:
        path = self.path.partition("?")[0]
        self.place.asked.append((self.command, path))
        cookie, key = self.headers.get("Cookie") or "", self.headers.get("X-Key")
        self.place.opened.append("door=open" in cookie or key == "open")
        status = 302 if path in self.place.moved else 200 if path in self.place.pages else 404
        kind, text = self.place.pages.get(path, ("text/html", "<title>Nothing is here</title>"))
        body = text.encode()
        self.send_response(status)
        if status == 302:
            self.send_header("Location", self.place.moved[path])
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_HEAD = do_POST = _answer  # noqa: N815 - http.server calls them so

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def _site(
    pages: Mapping[str, tuple[str, str]], moved: Mapping[str, str] | None = None
) -> Iterator[_Place]:
    place = _Place(pages=pages, moved=moved or {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"place": place}))
    place.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield place
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _tested(url: str) -> BrowserReport:
    with browser_toolbox(policy_for(url), bounds=Bounds(pages=3)) as toolbox:
        return browse(BrowserRequest(visit=Visit(url=url)), toolbox)


@pytest.fixture(scope="module")
def shop() -> Iterator[tuple[BrowserReport, _Place]]:
    with _site(_SHOP) as place:
        yield _tested(place.url()), place


def test_all_that_is_wrong_is_found_once(shop: tuple[BrowserReport, _Place]) -> None:
    report, place = shop
    found = {
        (one.kind, one.rule, one.level, one.url.removeprefix(place.url("")))
        for one in (report.problems)
    }
    assert found >= {
        (Kind.SCRIPT, "uncaught-error", Level.ERROR, "/app.js"),
        (Kind.SCRIPT, "console-error", Level.WARNING, "/app.js"),
        (Kind.LINK, "dead-link", Level.ERROR, "/gone"),
        (Kind.LINK, "dead-link", Level.ERROR, "/lost-by-script"),
        (Kind.LINK, "dead-anchor", Level.WARNING, "/form#ghost"),
        (Kind.FORM, "label", Level.ERROR, ""),
        (Kind.IMAGE, "broken-image", Level.ERROR, "/lost.png"),
        (Kind.IMAGE, "image-alt", Level.ERROR, ""),
    }
    assert len(report.problems) == len({one.id for one in report.problems})


def test_what_all_pages_have_names_them_all(shop: tuple[BrowserReport, _Place]) -> None:
    report, place = shop
    (imprint,) = (one for one in report.of(Kind.LINK) if one.url == place.url("/gone"))
    assert imprint.pages == (place.url("/"), place.url("/form"))


def test_nothing_was_submitted_and_nobody_logged_out(shop: tuple[BrowserReport, _Place]) -> None:
    _, place = shop
    assert {method for method, _ in place.asked} <= {"GET", "HEAD"}
    assert "/logout" not in {path for _, path in place.asked}


def test_vitals_pictures_and_the_receipt_are_there(shop: tuple[BrowserReport, _Place]) -> None:
    report, _ = shop
    assert report.vitals.lcp is not None
    assert {shot.viewport for shot in report.screenshots} == {"desktop", "mobile"}
    versions = {run.name: run.version for run in report.engines}
    assert versions.keys() == {"chromium", "axe-core", "web-vitals", "links", "egress"}
    assert report.links[LinkState.DEAD] == 3


def test_what_opens_the_site_goes_to_no_other() -> None:
    with _site({}) as other:
        # Cookies know no ports: only another host is another site to them.
        image, link, moved = (other.url(path, "other.example") for path in ("/a", "/b", "/c"))
        page = f"""{_HEAD}<title>Shop</title><img src="{image}" alt="a">
        <a href="{link}">Other</a> <a href="/away">Away</a>"""
        with _site({"/": ("text/html", page)}, {"/away": moved}) as place:
            opening = Credentials((("X-Key", "open"),), (("door", "open"),))
            visit = Visit(url=place.url(), credentials=opening)
            policy = policy_for(place.url(), link)
            with browser_toolbox(policy, lookup=lambda _: ("127.0.0.1",)) as toolbox:
                browse(BrowserRequest(visit=visit), toolbox)
    assert place.opened and all(place.opened)
    assert {path for _, path in other.asked} >= {"/a", "/b", "/c"}
    assert not any(other.opened)


@dataclass
class _Elsewhere:
    """A browser for all who go to another host or nowhere, and where they want to go."""

    toolbox: BrowserToolbox
    place: _Place
    secret: _Place
    silent: _Place

    def visit(self, url: str) -> BrowserReport:
        """Raises TargetError."""
        return browse(BrowserRequest(visit=Visit(url=url)), self.toolbox)


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[_Elsewhere]:
    with _site({}) as silent:
        pass
    with _site({}) as secret:
        to = f"://127.0.0.1:{secret.port}/"
        with _site(_SHOP, {"/http": f"http{to}", "/https": f"https{to}"}) as place:
            reach = policy_for(place.url(), silent.url())
            with browser_toolbox(reach, bounds=Bounds(pages=3)) as toolbox:
                yield _Elsewhere(toolbox, place, secret, silent)


def test_the_same_site_under_another_host_has_the_same_problems(
    shop: tuple[BrowserReport, _Place], elsewhere: _Elsewhere
) -> None:
    again = elsewhere.visit(elsewhere.place.url())
    assert [one.id for one in again.problems] == [one.id for one in shop[0].problems]


@pytest.mark.parametrize("path", ["/none", "/plain"])
def test_what_is_no_page_cannot_be_tested(elsewhere: _Elsewhere, path: str) -> None:
    with pytest.raises(TargetNotAnalysable):
        elsewhere.visit(elsewhere.place.url(path))


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_site_that_does_not_answer_is_unreachable(elsewhere: _Elsewhere, scheme: str) -> None:
    with pytest.raises(TargetUnreachable, match="does not take connections"):
        elsewhere.visit(elsewhere.silent.url().replace("http", scheme))


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_redirect_to_where_no_scan_may_go_is_not_allowed(
    elsewhere: _Elsewhere, scheme: str
) -> None:
    with pytest.raises(TargetNotAllowed):
        elsewhere.visit(elsewhere.place.url(f"/{scheme}"))
    assert elsewhere.secret.asked == []
