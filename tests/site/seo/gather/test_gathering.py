"""The whole of it: one page, every step, and pages that mean no good."""

import gzip
import socket

import pytest

from mergegate.sandbox.visit import Visit
from mergegate.site.seo.gather import Bounds, Console, gather, read_access
from mergegate.site.seo.gather.asking import Asking
from tests.site.links.places import Say, place, raw
from tests.site.seo.gather.google import TOKEN, Google, serving
from tests.site.seo.gather.site import NOW, PAGE, QUICK, TEXT, WORDS, asking, here, look, urlset

SITE = {
    "/robots.txt": here("User-agent: GPTBot\nDisallow: /\n\nSitemap: ~/maps.xml", TEXT),
    "/maps.xml": here(urlset("~/page 2026-05-06")),
    "/llms.txt": Say(200, "# Lanterns", TEXT),
    "/favicon.ico": Say(200, b"\0\0\1\0", (("Content-Type", "image/x-icon"),)),
}


def test_everything_about_a_page_is_told_at_once() -> None:
    steps: list[tuple[str, str]] = []
    facts, own = look(SITE, progress=lambda step, state: steps.append((step, state)))
    assert facts.document.title == "Lanterns"
    assert facts.robots is not None
    assert (facts.robots.allowed["GPTBot"], facts.robots.allowed["ClaudeBot"]) == (False, True)
    assert [one.lists_page for one in facts.sitemaps] == [True]
    assert len(facts.crawlers) == QUICK.crawlers
    assert facts.icon is not None and facts.icon.ok
    assert (facts.now, facts.local, facts.notes) == ("2026-11-22T12:00:00Z", True, ())
    assert steps == [("page", "started"), ("site", "started"), ("crawlers", "started")]
    assert own.count("/robots.txt") == 1


def test_search_console_is_asked_about_the_page_when_it_is_connected() -> None:
    google = Google(refuses={"urlInspection.index.inspect": 429})
    with serving(google) as proxy, place(**{"/page": Say(body=PAGE)}) as own:
        google.sites = [{"siteUrl": own.at("/"), "permissionLevel": "siteOwner"}]
        console = Console(read_access(TOKEN), proxy, google=google.base())
        with asking(own) as web:
            visit = Visit(url=own.at("/page"))
            facts = gather(visit, web, console=console, now=NOW, bounds=QUICK)
    assert facts.console is not None
    assert facts.console.property == own.at("/")
    assert [note for note in facts.notes if "Search Console" in note] == list(facts.console.notes)


def test_without_a_connection_nothing_is_known_of_it() -> None:
    assert look({})[0].console is None


def test_redirects_lead_to_the_page_that_is_looked_at() -> None:
    moved = Say(301, "", (("Location", "/page"),))
    facts, own = look({"/old": moved}, path="/old")
    assert (facts.page.final_url, facts.document.url) == (own.at("/page"), own.at("/page"))
    assert len(facts.page.answers) == 2


def endless(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Lanterns</title>")
    while True:
        connection.sendall(f"<p>{WORDS}</p>".encode() * 500)


def dripping(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Lanterns</title>")
    connection.settimeout(0.05)
    for _ in range(1000):
        connection.sendall(b".")
        try:
            if not connection.recv(1):
                return
        except TimeoutError:
            continue


BOMB = gzip.compress(b"<title>Lanterns</title>" + b" " * 50_000_000, compresslevel=1)
PACKED = (("Content-Type", "text/html"), ("Content-Encoding", "gzip"))


HOSTILE = [
    ("without end", raw(endless)),
    ("that drips", raw(dripping)),
    ("that is a bomb", Say(200, BOMB, PACKED)),
]


@pytest.mark.parametrize("say", [case[1] for case in HOSTILE], ids=[case[0] for case in HOSTILE])
def test_of_a_page_that_does_not_end_the_beginning_is_looked_at(say: object) -> None:
    bounds = Bounds(answer_s=2.0, crawlers=0, article_bytes=0)
    facts, _ = look({"/page": say}, bounds=bounds)
    assert facts.document.title == "Lanterns"
    assert not facts.page.whole
    assert any("so large" in note for note in facts.notes)


def test_a_page_that_does_not_end_for_crawlers_either_is_read_as_far_as_the_bound() -> None:
    bounds = Bounds(crawlers=2, crawler_bytes=100_000, article_bytes=0)
    facts, _ = look({"/page": raw(endless)}, bounds=bounds)
    assert [one.status for one in facts.crawlers] == [200, 200]


LOST = [
    ("a circle", Say(302, "", (("Location", "/page"),))),
    ("a hung-up connection", raw(lambda connection: connection.close())),
    ("garbage", raw(lambda connection: connection.sendall(b"\0" * 500))),
    ("a way inward", Say(302, "", (("Location", "http://169.254.169.254/"),))),
]


@pytest.mark.parametrize("say", [case[1] for case in LOST], ids=[case[0] for case in LOST])
def test_a_page_that_cannot_be_had_is_all_there_is(say: object) -> None:
    facts, own = look({"/page": say})
    assert facts.page.failure
    assert (facts.robots, facts.sitemaps, facts.crawlers) == (None, (), ())
    assert own.count("/robots.txt") == 0


def test_an_error_page_is_all_there_is() -> None:
    facts, own = look({"/page": Say(404, PAGE)})
    assert (facts.page.status, facts.robots) == (404, None)
    assert [asked.path for asked in own.asked] == ["/page"]


def test_a_page_that_is_no_html_makes_nothing_fail() -> None:
    facts, _ = look(
        {"/page": Say(200, b"%PDF-1.7\n" + b"\xff\0" * 999, (("Content-Type", "a/b"),))}
    )
    assert facts.document.titles == ()


class Clock:
    """Time passes when it is told to."""

    time = 0.0

    def __call__(self) -> float:
        return self.time


def test_nothing_is_asked_when_the_time_is_over_and_that_is_noted_once() -> None:
    clock = Clock()
    with place(**{"/a": Say()}) as own, asking(own) as web:
        asks = Asking(web, Bounds(total_s=10.0), clock)
        assert asks.get(own.at("/a"), "the first", 1000) is not None
        clock.time = 9.9
        assert asks.get(own.at("/a"), "the second", 1000) is None
        assert asks.many([], "nothing") == ()
        asks.get(own.at("/a"), "the second", 1000)
        assert asks.notes == ("There was no time left for the second.",)
        assert own.count("/a") == 1


def test_of_a_page_that_is_too_large_it_is_told_what_was_not_read_in_words() -> None:
    body = f"<p>{'<a href=/x>x</a>' * 12_000}</p>"
    facts, _ = look({"/page": Say(body=body)})
    (note,) = (one for one in facts.notes if "so large" in one)
    assert note == "The page is so large that not all of it was read: links."


def test_not_every_part_of_a_page_that_is_read_in_part_is_named() -> None:
    body = "<div><p>x <a href=/x>x</a></p><table><tr><td>y</table></div>" * 60_000
    facts, _ = look({"/page": Say(body=body)})
    (note,) = (one for one in facts.notes if "so large" in one)
    assert note.endswith(" more.")
    assert "_" not in note
