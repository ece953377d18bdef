"""An SEO analysis as a whole: real servers, real Chromium, every part as it is delivered."""

import datetime as dt
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from mergegate.core.errors import TargetNotAllowed, TargetNotAnalysable, TargetUnreachable
from mergegate.core.report import EngineStatus
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.visit import Credentials, Visit
from mergegate.site.address import policy_for
from mergegate.site.render import console, html, markdown
from mergegate.site.seo import layout as seo
from mergegate.site.seo.gather.console import AccessToken
from mergegate.site.seo.report import SeoReport
from mergegate.site.seo.run import SeoRequest, analyse
from mergegate.site.seo.tools import seo_toolbox
from mergegate.site.seo.wire.result import SeoResult, to_json
from tests.conftest import Mergegate
from tests.site.render.seo_samples import png
from tests.site.seo.checks.well_made import HTML
from tests.site.seo.gather.google import TOKEN, Google, serving

_APP = """<!doctype html><html lang="en"><title>App</title><meta name="viewport" content="width=1">
<div id="app"></div><script src="/app.js"></script>"""
_SCRIPT = """const text = 'Rendered words are only here when scripts have run. '.repeat(20);
document.title = 'The app';
document.getElementById('app').innerHTML = '<h1>Written by a script</h1><p>' + text + '</p>';"""
_PLANTED = f"""<!doctype html><html><head><title>Tea | {"Everything about it " * 8}</title>
<meta name="robots" content="noindex"><link rel="canonical" href="/gone">
<meta property="og:image" content="http://here/tea.png"></head>
<body><h1>Brewing tea</h1><p>{"Green tea wants water of seventy degrees. " * 4}</p>
<img src="/tea.png"><a href="/other">click here</a></body></html>"""
_RIVAL = HTML.replace("https://example.org", "")
_ROBOTS = "User-agent: OAI-SearchBot\nDisallow: /\n\nUser-agent: *\nAllow: /\n"
_HTML = "text/html; charset=utf-8"
Pages = Mapping[str, tuple[int, str, bytes]]


def _page(text: str, status: int = 200, kind: str = _HTML) -> tuple[int, str, bytes]:
    return status, kind, text.encode()


_SITE: Pages = {
    "/": _page(_PLANTED),
    "/app": _page(_APP),
    "/app.js": _page(_SCRIPT, kind="text/javascript"),
    "/rival": _page(_RIVAL),
    "/paper": _page("%PDF-1.7", kind="application/pdf"),
    "/robots.txt": _page(_ROBOTS, kind="text/plain"),
    "/tea.png": (200, "image/png", png(600, 315)),
}


@dataclass
class _Place:
    """A site on loopback."""

    pages: Pages
    port: int = 0
    asked: list[tuple[str, str, bool]] = field(default_factory=list)
    """Path, User-Agent, and whether the request brought what opens the site."""

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"


class _Handler(BaseHTTPRequestHandler):
    place: _Place

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        agent = self.headers.get("User-Agent") or ""
        self.place.asked.append((path, agent, self.headers.get("X-Key") == "open-sesame"))
        status, kind, body = self.place.pages.get(path, _page("<title>Nothing</title>", 404))
        if "PerplexityBot" in agent and path == "/":
            status, body = 403, b"no"
        body = body.replace(b"http://here", self.place.url("").encode())
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def _site(pages: Pages) -> Iterator[_Place]:
    place = _Place(pages)
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


def _analysed(
    url: str, *, rival: str = "", render_js: bool = False, visit: Visit | None = None
) -> SeoReport:
    own = visit or Visit(url=url)
    request = SeoRequest(
        visit=own, keywords=("green tea",), competitor=Visit(url=rival) if rival else None
    )
    reach = policy_for(url, *([rival] if rival else []))
    with seo_toolbox(reach, own, render_js=render_js, lookup=lambda _: ("127.0.0.1",)) as toolbox:
        return analyse(request, toolbox)


@dataclass
class _Planted:
    """A page with mistakes, which a header opens, and a competitor's on another host."""

    report: SeoReport
    place: _Place
    other: _Place


@pytest.fixture(scope="module")
def planted() -> Iterator[_Planted]:
    with _site(_SITE) as place, _site(_SITE) as other:
        opening = Credentials(headers=(("X-Key", "open-sesame"),))
        visit = Visit(url=place.url(), credentials=opening)
        rival = other.url("/rival", "other.example")
        yield _Planted(_analysed(visit.url, rival=rival, visit=visit), place, other)


def test_what_was_planted_is_found(planted: _Planted) -> None:
    report = planted.report
    assert {one.rule for one in report.points} >= {
        "noindex",
        "title-long",
        "description-missing",
        "lang-missing",
        "viewport-missing",
        "canonical-broken",
        "image-alt-missing",
        "link-generic-text",
        "ai-crawler-refused",
        "keyword-not-in-title",
    }
    assert [one.rule for one in report.hidden_by] == ["noindex"]
    assert report.score <= 30


def test_crawlers_are_told_what_they_are_told_and_get(
    planted: _Planted,
) -> None:
    told = {one.token: one for one in planted.report.crawlers}
    assert (told["OAI-SearchBot"].allowed, told["GPTBot"].allowed) == (False, True)
    answer = told["PerplexityBot"].answer
    assert answer is not None and answer.status == 403


def test_the_competitor_is_asked_under_no_borrowed_name(
    planted: _Planted,
) -> None:
    assert planted.report.competitor_page is not None
    agents = {agent for path, agent, _ in planted.other.asked if path == "/rival"}
    assert len(agents) == 1
    assert "Bot" not in agents.pop()
    assert any("GPTBot" in agent for path, agent, _ in planted.place.asked if path == "/")


def test_the_proposals_are_words_of_the_page(planted: _Planted) -> None:
    found = {one.kind: one.text for one in planted.report.proposals}
    assert found["title"] == "Brewing tea"
    assert found["description"].startswith("Green tea wants water")


def test_the_picture_of_the_shared_link_stands_in_the_page(
    planted: _Planted,
) -> None:
    assert "data:image/png;base64," in html.render(seo.layout(planted.report))


def test_the_receipt_names_what_took_part(planted: _Planted) -> None:
    engines = {one.name: one for one in planted.report.engines}
    assert engines.keys() == {"fetch", "egress"}
    assert engines["egress"].reason == "hosts contacted: 2"
    assert all(one.status is EngineStatus.OK for one in engines.values())


def test_a_preview_on_this_machine_says_what_is_not_judged(
    planted: _Planted,
) -> None:
    assert any("on this machine" in one for one in planted.report.skipped)


def test_what_opens_the_site_goes_to_no_competitor(planted: _Planted) -> None:
    assert [path for path, _, opened in planted.place.asked if opened and path == "/"]
    assert planted.other.asked
    assert not any(opened for _, _, opened in planted.other.asked)
    assert "open-sesame" not in repr(planted.report)


def test_scripts_are_run_only_when_asked_and_the_difference_is_told() -> None:
    with _site(_SITE) as place:
        without = _analysed(place.url("/app"))
        rendered = _analysed(place.url("/app"), render_js=True)
    assert (without.page.title, without.sent_page) == ("App", None)
    assert rendered.page.title == "The app"
    assert rendered.sent_page is not None and rendered.sent_page.title == "App"
    assert "text-after-scripts" in {one.rule for one in rendered.points}
    versions = {one.name: one.version for one in rendered.engines}
    assert versions["chromium"]


@pytest.mark.parametrize("path", ["/none", "/paper"])
def test_what_is_no_page_cannot_be_analysed(path: str) -> None:
    with _site(_SITE) as place, pytest.raises(TargetNotAnalysable):
        _analysed(place.url(path))


def test_a_site_that_does_not_answer_is_unreachable() -> None:
    with _site({}) as place:
        url = place.url()
    with pytest.raises(TargetUnreachable):
        _analysed(url)


def test_a_private_host_is_not_visited_unless_it_was_named() -> None:
    with _site(_SITE) as place:
        own = Visit(url=place.url())
        with seo_toolbox(Policy(), own) as toolbox, pytest.raises(TargetNotAllowed):
            analyse(SeoRequest(visit=own), toolbox)
    assert place.asked == []


def test_neither_a_silent_competitor_nor_a_silent_search_console_ends_anything() -> None:
    with _site({}) as gone:
        dead = gone.url()
    with _site(_SITE) as place:
        own = Visit(url=place.url("/rival"))
        with seo_toolbox(
            policy_for(own.url, dead),
            own,
            console=AccessToken("a-token-that-opens-nothing"),
            lookup=lambda _: (),
        ) as toolbox:
            report = analyse(SeoRequest(visit=own, competitor=Visit(url=dead)), toolbox)
    assert report.competitor_page is None
    assert any(one.startswith("The competitor's page was left out") for one in report.skipped)
    (engine,) = (one for one in report.engines if one.name == "search-console")
    assert engine.status is EngineStatus.FAILED
    assert report.console is not None and report.console.failure
    assert "a-token-that-opens-nothing" not in repr(report)


def test_queries_of_search_console_are_ranked_in_the_report_and_each_step_is_told() -> None:
    steps: list[tuple[str, str]] = []
    rows = [
        {"keys": [query], "clicks": clicks, "impressions": 900.0, "ctr": 0.1, "position": 2.0}
        for query, clicks in (("well clicked", 300.0), ("passed over", 20.0))
    ]
    google = Google(rows=rows, total={"clicks": 320.0, "impressions": 1800.0})
    with _site(_SITE) as place, serving(google):
        google.sites = ({"siteUrl": place.url("/"), "permissionLevel": "siteOwner"},)
        own = Visit(url=place.url("/rival"))
        with seo_toolbox(
            policy_for(own.url, google.base()),
            own,
            console=AccessToken(TOKEN),
            google=google.base(),
            progress=lambda *step: steps.append(step),
        ) as toolbox:
            report = analyse(SeoRequest(visit=own), toolbox)
    begun = [name for name, state in steps if state == "started"]
    assert begun == ["page", "site", "crawlers"]
    assert [name for name, state in steps if state == "done"] == begun
    assert steps[-1] == ("crawlers", "done")
    assert [one.row.query for one in report.queries] == ["passed over", "well clicked"]
    assert report.queries[0].clicks == pytest.approx(0.157 * 900 - 20)
    told = SeoResult.model_validate_json(to_json(report)).search_console
    assert told is not None and told.clicks == 320.0
    assert "passed over" in html.render(seo.layout(report))
    assert TOKEN not in repr(report)


_DEEP = "<div>" * 60_000 + "deep"
_MANY = "<p><a href='/x'>link</a><h2>Heading</h2><img src=x></p>" * 6_000
_LONG = f"<title>{'t' * 400_000}</title><meta name=description content='{'d' * 400_000}'>"
_SCHEMA = '<script type="application/ld+json">' + '{"a":' * 50_000 + "</script>"


@pytest.mark.parametrize("body", [_DEEP, _MANY, _LONG + _SCHEMA], ids=["deep", "many", "long"])
def test_a_hostile_page_ends_in_reports_of_bounded_size(body: str) -> None:
    with _site({"/": _page(f"<!doctype html><html lang=en>{body}")}) as place:
        report = _analysed(place.url())
    assert len(console.render(seo.layout(report))) < 30_000
    assert len(markdown.render(seo.layout(report))) <= 65_000
    assert len(html.render(seo.layout(report))) <= 3_000_000
    assert len(to_json(report)) < 2_000_000


def test_the_command_writes_every_format(mergegate: Mergegate, tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    folder.mkdir()
    forms = ("console", "json", "markdown", "html", "sarif", "junit")
    with _site(_SITE) as place:
        ran = mergegate(
            *("seo", place.url(), "--keyword", "green tea", "--fail-on", "critical"),
            *("--output", folder, *(part for form in forms for part in ("--format", form))),
        )
    assert ran.code == 1, ran.err
    assert "critical:" in ran.err
    made = {file.name.removeprefix("mergegate."): file.read_text() for file in folder.iterdir()}
    assert made.keys() == {"txt", "json", "md", "html", "sarif", "junit.xml"}
    told = SeoResult.model_validate_json(made["json"])
    assert told.crawlability.indexable is False
    assert dt.datetime.fromisoformat(told.created_at).tzinfo is not None
    assert "Search engines cannot show the page" in made["txt"]
    assert made["md"].startswith("## SEO of")
    assert made["html"].startswith("<!doctype html>")
    assert json.loads(made["sarif"])["version"] == "2.1.0"
    assert ET.fromstring(made["junit.xml"]).get("failures") != "0"
