"""Which sitemaps are fetched, in which order, and when it is enough."""

import gzip
import socket

from mergegate.site.seo.facts import Sitemap
from mergegate.site.seo.gather import Bounds
from tests.site.links.places import Asked, Place, Say, raw
from tests.site.seo.gather.site import NAMESPACE, TEXT, Answer, here, index, look, urlset


def robots(*paths: str) -> Answer:
    """robots.txt that names sitemaps of its own origin."""
    named = "".join(f"Sitemap: ~{path}\n" for path in paths)
    return here(f"User-agent: *\nDisallow:\n{named}", TEXT)


def told(sitemaps: tuple[Sitemap, ...], own: Place) -> list[tuple[str, str, int]]:
    """Path, kind and entries of each."""
    start = len(own.at(""))
    return [(one.fetched.url[start:], one.kind, one.entries) for one in sitemaps]


def test_those_that_robots_txt_names_are_read_and_no_others() -> None:
    facts, own = look(
        {
            "/robots.txt": robots("/a.xml", "/b.xml"),
            "/a.xml": here(urlset("~/x")),
            "/b.xml": here(urlset("~/page 2026-05-06")),
            "/sitemap.xml": here(urlset("~/page")),
        }
    )
    assert told(facts.sitemaps, own) == [("/a.xml", "urlset", 1), ("/b.xml", "urlset", 1)]
    assert [one.lists_page for one in facts.sitemaps] == [False, True]
    assert facts.sitemaps[1].page_lastmod == "2026-05-06"
    assert {one.source for one in facts.sitemaps} == {"robots.txt"}
    assert own.count("/sitemap.xml") == 0


def test_without_robots_txt_they_are_looked_for_where_they_usually_stand() -> None:
    facts, own = look(
        {"/sitemap_index.xml": here(index("~/a.xml")), "/a.xml": here(urlset("~/page"))}
    )
    assert told(facts.sitemaps, own) == [
        ("/sitemap.xml", "", 0),
        ("/sitemap_index.xml", "index", 1),
        ("/a.xml", "urlset", 1),
    ]
    assert [one.source for one in facts.sitemaps] == [
        "/sitemap.xml",
        "/sitemap_index.xml",
        own.at("/sitemap_index.xml"),
    ]


def test_the_second_usual_place_is_not_asked_when_the_first_holds_one() -> None:
    _, own = look({"/sitemap.xml": here(urlset("~/x"))})
    assert own.count("/sitemap_index.xml") == 0


def test_children_that_may_hold_the_page_come_first_and_the_search_ends_with_it() -> None:
    children = [f"~/{number}-sitemap.xml" for number in range(9)]
    facts, own = look(
        {
            "/posts/lantern": Say(),
            "/sitemap.xml": here(index(*children, "~/post-sitemap.xml")),
            "/post-sitemap.xml": here(urlset("~/posts/lantern")),
        },
        path="/posts/lantern",
    )
    fetched = [path for path, _, _ in told(facts.sitemaps, own)]
    assert fetched[:2] == ["/sitemap.xml", "/post-sitemap.xml"]
    assert len(fetched) == 5
    assert any(one.lists_page for one in facts.sitemaps)


def test_of_many_children_no_more_are_fetched_than_the_bound() -> None:
    children = [f"~/{number}.xml" for number in range(50)]
    facts, _ = look({"/sitemap.xml": here(index(*children))})
    assert len(facts.sitemaps) == 21
    assert facts.sitemaps[0].entries == 50


def test_an_index_that_names_itself_is_read_once() -> None:
    _, own = look({"/sitemap.xml": here(index("~/sitemap.xml", "~/a.xml", "~/a.xml#x"))})
    assert own.count("/sitemap.xml") == 1
    assert own.count("/a.xml") == 1


def test_a_packed_one_is_unpacked_and_its_body_is_not_kept() -> None:
    def packed(asked: Asked) -> Say:
        text = urlset(f"http://{asked.headers['Host']}/page")
        return Say(200, gzip.compress(text.encode()), (("Content-Type", "application/gzip"),))

    facts, _ = look({"/robots.txt": robots("/a.xml.gz"), "/a.xml.gz": packed})
    (found,) = facts.sitemaps
    assert (found.kind, found.lists_page) == ("urlset", True)
    assert (found.fetched.body, found.fetched.text) == (b"", "")


def test_the_canonical_address_counts_as_the_page() -> None:
    page = '<link rel=canonical href="/lanterns"><h1>Lanterns</h1>'
    facts, _ = look({"/page": Say(body=page), "/sitemap.xml": here(urlset("~/lanterns"))})
    assert facts.sitemaps[0].lists_page


def test_a_sitemap_without_end_is_read_as_far_as_the_bound() -> None:
    def endless(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n\r\n")
        connection.sendall(f"<urlset {NAMESPACE}>".encode())
        while True:
            connection.sendall(b"<url><loc>https://example.org/again</loc></url>" * 1000)

    facts, _ = look(
        {"/sitemap.xml": raw(endless)}, bounds=Bounds(sitemap_bytes=300_000, article_bytes=0)
    )
    (found,) = facts.sitemaps
    assert found.kind == "urlset"
    assert any("beginning" in problem for problem in found.problems)


def test_of_many_sitemaps_the_first_are_read_and_that_is_no_lack_of_time() -> None:
    paths = [f"/{number}.xml" for number in range(7)]
    facts, _ = look({"/robots.txt": robots(*paths)})
    assert len(facts.sitemaps) == 5
    assert facts.notes == ()
