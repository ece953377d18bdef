"""What a page names and what stands beside it: fetched once, within bounds."""

import socket

import pytest

from mergegate.sandbox.visit import Credentials, Visit
from mergegate.site.facts.document import Document, Link
from mergegate.site.seo.facts import Rendered, SearchFacts
from mergegate.site.seo.gather import Bounds, gather
from mergegate.site.seo.gather.place import variants
from tests.site.links.places import Place, Say, place, raw
from tests.site.seo.gather.site import NAMESPACE, NOW, PAGE, PUBLIC, QUICK, TEXT, asking, here, look

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 100


def page(head: str) -> Say:
    return Say(body=f"<!doctype html><head>{head}</head><h1>Lanterns</h1>")


def canonical(say: Say, **others: Say) -> tuple[str, int | None] | None:
    """Path and status of what the page's canonical address answers; None when it is not asked."""
    routes = {"/page": say, **{f"/{name}": other for name, other in others.items()}}
    facts, own = look(routes)
    found = facts.canonical
    return (found.url.removeprefix(own.at("")), found.status) if found else None


CANONICALS = [
    ("another page", page('<link rel=canonical href="/other">'), ("/other", 200)),
    ("a page that is gone", page('<link rel=canonical href="/gone">'), ("/gone", 404)),
    ("the page itself", page('<link rel=canonical href="/page">'), None),
    ("the page at a place in it", page('<link rel=canonical href="/page#top">'), None),
    ("the page in another spelling", page('<link rel=canonical href="/p%61ge">'), None),
    ("the page with a slash", page('<link rel=canonical href="/page/">'), ("/page/", 404)),
    ("none", page(""), None),
    ("one that is no address", page('<link rel=canonical href="javascript:x">'), None),
]


@pytest.mark.parametrize(
    ("say", "expected"), [case[1:] for case in CANONICALS], ids=[case[0] for case in CANONICALS]
)
def test_the_canonical_address_is_asked_when_it_is_another(
    say: Say, expected: tuple[str, int] | None
) -> None:
    assert canonical(say, other=Say(body=PAGE)) == expected


HEADERS = [
    ('<~/other>; rel="canonical"', True),
    ("<~/other>;rel=canonical", True),
    ('<~/style.css>; rel=preload; as=style, <~/other>; rel="canonical"', True),
    ('<~/other?a=1,2>; rel="canonical"', True),
    ('<~/other>; rel="alternate"', False),
    ('<~/other>; title="rel=canonical"', False),
    ("<" * 8000, False),
]


@pytest.mark.parametrize(("header", "named"), HEADERS, ids=range(len(HEADERS)))
def test_a_header_names_it_too(header: str, named: bool) -> None:
    with place() as own, asking(own) as web:
        link = ("Link", header.replace("~", own.at("")))
        own.routes["/page"] = Say(body=PAGE, headers=(("Content-Type", "text/html"), link))
        facts = gather(Visit(url=own.at("/page")), web, now=NOW, bounds=QUICK)
    assert (facts.canonical is not None) is named


def test_the_canonical_page_is_read() -> None:
    facts, _ = look(
        {
            "/page": page('<link rel=canonical href="/other">'),
            "/other": page("<title>Other</title><meta name=robots content=noindex>"),
        }
    )
    assert facts.canonical_document is not None
    assert facts.canonical_document.title == "Other"
    assert facts.canonical_document.meta("robots") == "noindex"


def test_what_a_rendered_page_names_counts() -> None:
    with place(**{"/page": page(""), "/other": Say(body=PAGE)}) as own, asking(own) as web:
        link = Link(rels=frozenset({"canonical"}), href=own.at("/other"))
        rendered = Rendered(document=Document(url=own.at("/page"), links=(link,)))
        facts = gather(Visit(url=own.at("/page")), web, rendered=rendered, now=NOW, bounds=QUICK)
    assert facts.canonical is not None
    assert facts.rendered is rendered


def alternates(*languages: str) -> str:
    return "".join(f'<link rel=alternate hreflang="{name}" href="/{name}">' for name in languages)


def test_pages_in_other_languages_are_read_up_to_the_bound() -> None:
    names = ["de", "FR", "x-default", *(f"l{number}" for number in range(9))]
    facts, _ = look({"/page": page(alternates(*names)), "/de": page("<title>Laternen</title>")})
    found = [(language, answer.status) for language, answer, _ in facts.alternates]
    assert found[:3] == [("de", 200), ("fr", 404), ("x-default", 404)]
    assert len(found) == 8
    documents = [document and document.title for _, _, document in facts.alternates]
    assert documents[:2] == ["Laternen", None]


def test_the_pages_own_language_is_not_asked_for_again() -> None:
    head = '<link rel=alternate hreflang=en href="/page"><link rel=alternate href="/feed">'
    facts, own = look({"/page": page(head)}, bounds=Bounds(crawlers=0, article_bytes=0))
    assert facts.alternates == ()
    assert own.count("/page") == 1


IMAGES = [
    ('<meta property="og:image" content="~/a.png">', "/a.png"),
    ('<meta property="og:image:secure_url" content="~/b.png">', "/b.png"),
    ('<meta name="twitter:image" content="~/c.png">', "/c.png"),
    ('<meta property="og:image" content="/a.png">', None),
    ("", None),
]


@pytest.mark.parametrize(("head", "expected"), IMAGES, ids=range(len(IMAGES)))
def test_the_picture_for_social_networks_is_fetched(head: str, expected: str | None) -> None:
    with place() as own, asking(own) as web:
        own.routes["/page"] = page(head.replace("~", own.at("")))
        facts = gather(Visit(url=own.at("/page")), web, now=NOW, bounds=QUICK)
        found = facts.social_image
        assert (found.url.removeprefix(own.at("")) if found else None) == expected


def test_a_picture_is_kept_as_far_as_the_bound() -> None:
    large = Say(200, PNG + b"\0" * 600_000, (("Content-Type", "image/png"),))
    with place(**{"/a.png": large}) as own, asking(own) as web:
        own.routes["/page"] = page(f'<meta property="og:image" content="{own.at("/a.png")}">')
        facts = gather(Visit(url=own.at("/page")), web, now=NOW, bounds=QUICK)
    assert facts.social_image is not None
    assert (len(facts.social_image.body), facts.social_image.whole) == (512 * 1024, False)
    assert facts.social_image.text == ""


ICONS = [
    ("", "/favicon.ico"),
    ('<link rel="shortcut icon" href="/i.png">', "/i.png"),
    ('<link rel=icon href="data:,"><link rel=icon href="/i.svg">', "/i.svg"),
    ('<link rel=icon href="data:,">', None),
    ('<link rel="apple-touch-icon" href="/touch.png">', "/favicon.ico"),
]


@pytest.mark.parametrize(("head", "expected"), ICONS, ids=range(len(ICONS)))
def test_the_icon_is_fetched_where_browsers_look(head: str, expected: str | None) -> None:
    facts, own = look({"/page": page(head)})
    found = facts.icon
    assert (found.url.removeprefix(own.at("")) if found else None) == expected


def test_llms_txt_and_an_address_that_nobody_made_are_asked_for() -> None:
    facts, own = look({"/llms.txt": Say(200, "# Lanterns", TEXT)})
    assert facts.llms is not None and facts.llms.text == "# Lanterns"
    assert facts.nonsense is not None and facts.nonsense.status == 404
    assert facts.nonsense.url.startswith(own.at("/no-such-page-"))


VARIANTS = [
    (
        "https://example.org/",
        ["http://example.org/", "https://www.example.org/", "http://www.example.org/"],
    ),
    (
        "https://www.example.org/a/",
        [
            "http://www.example.org/a/",
            "https://example.org/a/",
            "http://example.org/a/",
            "https://www.example.org/a",
        ],
    ),
    (
        "http://example.co.uk/a?x=1",
        [
            "https://example.co.uk/a?x=1",
            "http://www.example.co.uk/a?x=1",
            "http://example.co.uk/a/?x=1",
        ],
    ),
    ("https://docs.example.org/a.html", ["http://docs.example.org/a.html"]),
    ("https://example.org:8443/", ["https://www.example.org:8443/"]),
    (
        "https://someone.github.io/",
        [
            "http://someone.github.io/",
            "https://www.someone.github.io/",
            "http://www.someone.github.io/",
        ],
    ),
    ("https://93.184.216.34/", ["http://93.184.216.34/"]),
]


@pytest.mark.parametrize(("url", "expected"), VARIANTS, ids=[case[0] for case in VARIANTS])
def test_other_addresses_of_the_page_are_known(url: str, expected: list[str]) -> None:
    assert list(variants(url)) == expected


def public(own: Place, path: str = "/page") -> SearchFacts:
    """The facts about a page of a public name."""
    with asking(own, PUBLIC, f"www.{PUBLIC}") as web:
        return gather(Visit(url=own.at(path, PUBLIC)), web, now=NOW, bounds=QUICK)


def test_a_public_page_is_asked_for_at_its_other_addresses() -> None:
    with place(**{"/page": Say(body=PAGE)}) as own:
        facts = public(own)
        assert [(one.url, one.status) for one in facts.variants] == [
            (own.at("/page", f"www.{PUBLIC}"), 200),
            (own.at("/page/", PUBLIC), 404),
        ]
    assert not facts.local
    assert {one.text for one in facts.variants} == {""}


def test_a_local_page_has_no_other_addresses() -> None:
    facts, _ = look({})
    assert facts.local
    assert facts.variants == ()


def test_where_the_way_out_does_not_lead_nothing_is_fetched() -> None:
    head = (
        '<link rel=canonical href="http://169.254.169.254/x"><link rel=icon href="http://[::1]/i">'
    )
    facts, _ = look({"/page": page(head)})
    assert facts.canonical is not None and facts.canonical.refused
    assert facts.icon is not None and facts.icon.refused


def test_credentials_go_to_the_pages_own_origin_alone() -> None:
    secret = Credentials(headers=(("X-Key", "secret"),))
    with place(**{"/page": Say(body=PAGE)}) as other, place() as own:
        own.routes["/page"] = page(f'<link rel=canonical href="{other.at("/page", PUBLIC)}">')
        with asking(own, credentials=secret) as web:
            gather(Visit(url=own.at("/page"), credentials=secret), web, now=NOW, bounds=QUICK)
        assert {asked.headers.get("X-Key") for asked in own.asked} == {"secret"}
        assert other.asked == []


def hang(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    connection.recv(1)


def test_a_site_that_hangs_is_left_when_the_time_is_over() -> None:
    routes = {
        path: raw(hang) for path in ("/robots.txt", "/sitemap.xml", "/llms.txt", "/favicon.ico")
    }
    tight = Bounds(total_s=1.0, answer_s=0.5, article_bytes=0)
    facts, _ = look(routes, bounds=tight)
    assert facts.llms is not None and not facts.llms.whole
    assert any("no time left" in note for note in facts.notes)


def test_a_page_that_does_not_answer_is_all_there_is() -> None:
    facts, own = look({"/page": raw(lambda connection: connection.close())})
    assert facts.page.failure
    assert facts.robots is None
    assert [one.path for one in own.asked] == ["/page"]


def test_language_versions_of_headers_are_read() -> None:
    with place(**{"/de": Say(body="<title>Laternen</title>")}) as own, asking(own) as web:
        value = '</de>; rel="alternate"; hreflang="de", </page>; rel="alternate"; hreflang="en"'
        headers = (("Content-Type", "text/html"), ("Link", value))
        own.routes["/page"] = Say(body=PAGE, headers=headers)
        facts = gather(Visit(url=own.at("/page")), web, now=NOW, bounds=QUICK)
    found = [(tag, answer.status, bool(page)) for tag, answer, page in facts.alternates]
    assert found == [("de", 200, True)]


LISTED = (
    f'<urlset {NAMESPACE} xmlns:x="http://www.w3.org/1999/xhtml"><url><loc>~/page</loc>'
    '<x:link rel="alternate" hreflang="en" href="~/page"/>'
    '<x:link rel="alternate" hreflang="de" href="~/de"/></url></urlset>'
)


@pytest.mark.parametrize(
    ("head", "read"),
    [("", ["de"]), ('<link rel=alternate hreflang=fr href="/fr">', ["fr"])],
    ids=["a page that names none", "a page that names its own"],
)
def test_language_versions_of_sitemaps_are_read_where_the_page_names_none(
    head: str, read: list[str]
) -> None:
    facts, _ = look({"/page": page(head), "/sitemap.xml": here(LISTED)})
    assert [tag for tag, _, _ in facts.alternates] == read
    (sitemap,) = facts.sitemaps
    assert [tag for tag, _ in sitemap.alternates] == ["en", "de"]
