"""Who stands behind a page: author, dates, owner, ratings, encryption."""

import json
from datetime import date

import pytest

from mergegate.site.document import read
from mergegate.site.seo.checks import trust
from mergegate.site.seo.checks.trust import day, named
from mergegate.site.seo.facts import Reading, SearchFacts
from mergegate.site.seo.report import Ground
from tests.site.seo.checks.texts import bare, page, rules
from tests.site.seo.checks.well_made import URL, site

_PERSON = '"author": {"@type": "Person", "name": "Ines Marin", "url": "https://example.org/ines"},'
_PLAIN_PERSON = '"author": {"@type": "Person", "name": "Ines Marin"},'
_AUTHOR_NODE = (
    '{"@type": "Person", "@id": "#i", "name": "Ines", "sameAs": ["https://example.net/"]}'
)
_BYLINE = '<a href="/ines" rel="author">Ines Marin</a>, <time datetime="2026-03-01">1 March 2026'
_TIMES = '</time>,\nchanged on <time datetime="2026-10-01">1 October 2026</time></p>'
_SIGNED = f"<p>By {_BYLINE}{_TIMES}"
_DATES = '"datePublished": "2026-03-01T08:00:00+00:00", "dateModified": "2026-10-01",'
_ABOUT = '<a href="/about">About us</a>'
_FORM = '<form><input type="email" name="mail"></form>'
_HOME = "https://example.org/"


def dated(published: str, modified: str = "") -> SearchFacts:
    """The article with these dates in structured data."""
    given = f'"datePublished": "{published}",'
    return page((_DATES, given + (f' "dateModified": "{modified}",' if modified else "")))


def described(*things: object, body: str = "<h1>x</h1>", url: str = URL) -> SearchFacts:
    """A page of little more than its structured data."""
    script = json.dumps({"@context": "https://schema.org", "@graph": things})
    return site(bare(body, head=f'<script type="application/ld+json">{script}</script>'), url)


def advice(*words: str) -> SearchFacts:
    """An article of an unknown author, full of these words."""
    text = " ".join(f"Your {word} matters to the family." for word in words * 3)
    return page((_PERSON, _PLAIN_PERSON), (_BYLINE, "Ines Marin, 1 March 2026<time>"),
                body=f"<p>{text}</p>")  # fmt: skip


def rated(text: str) -> SearchFacts:
    rating = {"@type": "AggregateRating", "ratingValue": "4.4", "ratingCount": "89"}
    return described({"@type": "Product", "aggregateRating": rating}, body=f"<h1>{text}</h1>")


CASES: dict[str, tuple[SearchFacts, list[str]]] = {
    "nothing": (site(), []),
    "an article that nobody signs": (
        page((_PERSON, ""), (_SIGNED, "<p>1 March 2026</p>")), ["author-missing"]
    ),
    "a theme's wrapper around any page": (
        site(
            bare(
                '<div itemscope itemtype="http://schema.org/Article">'
                '<div itemprop="articleBody"><h1>Index</h1><p>All words.</p></div></div>'
            )
        ),
        [],
    ),
    "a byline without data": (page((_PERSON, ""), (_SIGNED, "<p>By Ines, 1 March 2026</p>")), []),
    "a byline in German": (page((_PERSON, ""), (_SIGNED, "<p>Von Ines, 1. März 2026</p>")), []),
    "a byline in Japanese": (page((_PERSON, ""), (_SIGNED, "<p>文：田中 2026年</p>")), []),
    "a line that begins like a byline": (
        page((_PERSON, ""), (_SIGNED, "<p>Byzantium, 1 March 2026</p>")), ["author-missing"]
    ),
    "an author in a meta": (
        page((_PERSON, ""), (_SIGNED, "<p>1 March 2026</p>"),
             ("<title>", '<meta name="author" content="Ines Marin"><title>')),
        ["author-unknown"],
    ),
    "an author that a library read": (
        page((_PERSON, ""), (_SIGNED, "<p>1 March 2026</p>"), reading=Reading(authors=("Ines",))),
        ["author-unknown"],
    ),
    "an author with a mere name": (
        page((_PERSON, _PLAIN_PERSON), (_SIGNED, "<p>By Ines Marin, 2026</p>")), ["author-unknown"]
    ),
    "an author whose name is a link": (
        page((_PERSON, _PLAIN_PERSON), (_SIGNED, '<p>By <a href="/i">ines marin</a>, 2026</p>')), []
    ),
    "an author with a profession": (
        page((_PERSON, _PLAIN_PERSON.replace("}", ', "jobTitle": "Tea taster"}')),
             (_SIGNED, "<p>By Ines Marin, 2026</p>")),
        [],
    ),
    "an author described elsewhere": (
        page((_PERSON, '"author": {"@id": "https://example.org/#ines"},'),
             (_SIGNED, "<p>By Ines Marin, 2026</p>")),
        ["author-unknown"],
    ),
    "an author described in the same graph": (
        page((_PERSON, '"author": {"@id": "#i"},'), (_SIGNED, "<p>By Ines Marin, 2026</p>"),
             ('{"@type": "BreadcrumbList"', f'{_AUTHOR_NODE}, {{"@type": "BreadcrumbList"')),
        [],
    ),
    "an organisation with an address": (
        page((_PERSON, _PERSON.replace("Person", "Organization")),
             (_SIGNED, "<p>By Ines Marin, 2026</p>")),
        [],
    ),
    "no date at all": (
        page((_DATES, ""), (_TIMES, "</time></p>"), ("1 March 2026", "one day"),
             (' datetime="2026-03-01"', "")),
        ["date-missing"],
    ),
    "no date, and a library found one": (
        page((_DATES, ""), (_TIMES, "</time></p>"), ("1 March 2026", "one day"),
             (' datetime="2026-03-01"', ""), reading=Reading(published="2026-03-01")),
        [],
    ),
    "a date in the text alone": (page((_DATES, "")), []),
    "a date that readers do not see": (
        page((_SIGNED, '<p>By <a href="/ines" rel="author">Ines Marin</a></p>')),
        ["date-not-visible"],
    ),
    "a year in the footer is none": (
        page((_SIGNED, '<p>By <a href="/ines" rel="author">Ines Marin</a></p>'),
             ("<footer>", "<footer><p>© 2026</p>")),
        ["date-not-visible"],
    ),
    "a time told from now": (
        page((_SIGNED, '<p>By <a href="/ines" rel="author">Ines Marin</a>, 3 days ago</p>')), []
    ),
    "a date of the Buddhist calendar": (
        page((_SIGNED, '<p>By <a href="/ines" rel="author">Ines Marin</a>, 1 มีนาคม 2569</p>')), []
    ),
    "a date to come": (dated("2027-01-31"), ["date-in-future"]),
    "a date of tomorrow": (dated("2026-11-23"), []),
    "updated before it was published": (dated("2026-03-10", "2026-03-01"), ["date-order"]),
    "updated on the day before by another zone": (dated("2026-03-10", "2026-03-09"), []),
    "an old article": (dated("2021-05-05"), ["content-old"]),
    "an old article that was updated": (dated("2021-05-05", "2026-01-01"), []),
    "two dates of publication": (
        page(("<title>", '<meta property="article:published_time" content="2025-01-01"><title>')),
        ["dates-differ"],
    ),
    "one date, written twice": (
        page(("<title>", '<meta name="article:published_time" content="2026-03-01"><title>')), []
    ),
    "a date that is none": (dated("2026-13-01"), []),
    "a page that is no article": (site(bare("<p>x</p>")), []),
    "a manual": (described({"@type": "TechArticle", "headline": "x"}), []),
    "a list of articles": (described({"@type": "BlogPosting"}, {"@type": "BlogPosting"}), []),
    "an article by Open Graph's type alone": (
        site(bare("<p>x</p>", head='<meta property="og:type" content="article">')), []
    ),
    "an article by Open Graph": (
        site(bare("<p>x</p>", head='<meta property="og:type" content="article">'
                  '<meta property="article:section" content="Tea">')),
        ["author-missing", "date-missing"],
    ),
    "an article by microdata": (
        site(bare('<p itemscope itemtype="https://schema.org/Article">By Ines, 2026</p>')),
        [],
    ),
    "no way to the owner": (
        page((_ABOUT, '<a href="/more">More</a>'), (_PERSON, '"author": "Ines Marin",')),
        ["site-owner-missing"],
    ),
    "an owner in structured data": (
        page((_ABOUT, ""), (_PERSON, '"author": {"@type": "Organization", "name": "Tea house"},')),
        [],
    ),
    "a way to the owner in Polish": (
        page((_ABOUT, '<a href="/x">O nas</a>'), (_PERSON, '"author": "Ines Marin",')), []
    ),
    "a page without any link": (site("<title>Tea</title><h1>Tea</h1><p>Tea is good.</p>"), []),
    "a form for an address": (page(body=_FORM), ["privacy-missing"]),
    "a form by the name of its field": (
        page(body='<form><input name="user_email"></form>'), ["privacy-missing"]
    ),
    "a form and a policy": (page(body=f'{_FORM}<a href="/privacy">Privacy</a>'), []),
    "a form and a policy in German": (page(body=f'{_FORM}<a href="/d">Datenschutz</a>'), []),
    "a search": (page(body='<form><input type="search" name="q"></form>'), []),
    "a hidden field": (page(body='<form><input type="hidden" name="email"></form>'), []),
    "a German page without an imprint": (
        site(bare("<p>x</p>", lang="de"), reading=Reading()), ["imprint-missing"]
    ),
    "a German page with an imprint": (
        site(bare('<a href="/impressum">Impressum</a>', lang="de"), reading=Reading()), []
    ),
    "a German page on this machine": (
        site(bare("<p>x</p>", lang="de"), reading=Reading(), local=True), []
    ),
    "a home page that describes nobody": (
        site(bare("<p>x</p>"), _HOME), ["organization-data-missing"]
    ),
    "a home page that describes its owner": (
        described({"@type": "OnlineStore", "name": "Tea house"}, url=_HOME), []
    ),
    "a home page that describes its owner as a publisher": (
        described({"@type": "WebSite", "publisher": {"@type": "Person"}}, url=_HOME), []
    ),
    "a rating that readers do not see": (rated("Buy it now."), ["rating-not-visible"]),
    "a rating in figures": (rated("4,4 by 89 people"), []),
    "a rating in words": (rated("Read all reviews"), []),
    "a page over http": (site(bare("<p>x</p>"), "http://example.org/a"), ["page-insecure"]),
    "a page over http on this machine": (
        site(bare("<p>x</p>"), "http://localhost:3000/a", local=True), []
    ),
    "advice on health by nobody known": (
        advice("diagnosis", "treatment", "medication", "pregnancy"), ["expertise-not-shown"]
    ),
    "advice on money by nobody known": (
        advice("mortgage", "loan", "pension", "insurance"), ["expertise-not-shown"]
    ),
    "two words of health": (
        advice("diagnosis", "treatment", "garden", "kettle"), ["author-unknown"]
    ),
    "advice by somebody known": (
        page(body="<p>" + "Diagnosis, treatment, medication, pregnancy. " * 5 + "</p>"), []
    ),
    "an empty frame": (
        site('<title>x</title><div id="app"></div><script src="/a.js"></script>', _HOME), []
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_page_has_these_points_and_no_others(name: str) -> None:
    facts, expected = CASES[name]
    assert rules(trust.points(facts)) == expected


def test_what_search_engines_document_counts_and_the_rest_does_not() -> None:
    counted = {
        "author-missing", "date-missing", "date-in-future", "date-order", "dates-differ",
        "organization-data-missing", "page-insecure",
    }  # fmt: skip
    for facts, _ in CASES.values():
        for point in trust.points(facts):
            assert (point.ground is Ground.DOCUMENTED) is (point.rule in counted)


def test_messages_name_the_dates() -> None:
    (order,) = trust.points(dated("2026-03-10", "2026-03-01"))
    assert order.message == "Published on 2026-03-10, updated on 2026-03-01."
    (future,) = trust.points(dated("2027-01-31"))
    assert future.message == "It says 2027-01-31; that day is still to come."


def test_figures_of_a_hostile_page_are_told_in_short() -> None:
    rating = {"@type": "AggregateRating", "ratingValue": ["9" * 5_000] * 50}
    (point,) = trust.points(described({"@type": "Product", "aggregateRating": rating}))
    assert len(point.message) < 600


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-03-01", date(2026, 3, 1)),
        ("20260301T080000Z", date(2026, 3, 1)),
        (" 2026-03-01T08:00:00+02:00", date(2026, 3, 1)),
        ("2026-02-30", None),
        ("2026-00-10", None),
        ("1 March 2026", None),
        ("", None),
    ],
)
def test_the_day_of_a_date_is_read(text: str, expected: date | None) -> None:
    assert day(text) == expected


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ('<a href="/x">About us</a>', {"about"}),
        ('<a href="/about_us.html">x</a>', {"about"}),
        ('<a href="/ueber-uns">x</a>', {"about"}),
        ('<a href="/x">Über uns &amp; Kontakt</a>', {"about", "contact"}),
        ('<a href="/%C3%BCber-uns">x</a>', {"about"}),
        ('<a href="/mentions-legales">x</a>', {"imprint"}),
        ('<a href="/x">Политика конфиденциальности</a>', {"privacy"}),
        ('<a href="/x">プライバシーポリシー</a>', {"privacy"}),
        ('<a href="/x">会社概要</a>', {"about"}),
        ('<a href="/x">Contactless cards</a>', set()),
        ('<a href="/x">Roundabout</a>', set()),
        (f'<a href="/x">{"About this and that " * 5}</a>', set()),
        ('<a href="http://[">x</a>', set()),
        ("<p>About us</p>", set()),
    ],
)
def test_pages_of_trust_are_known_by_name_or_address(link: str, expected: set[str]) -> None:
    assert named(read(link, "https://example.org/tea")) == expected


def test_a_page_of_trust_needs_no_link_to_itself() -> None:
    assert named(read("<p>x</p>", "https://example.org/contact")) == {"contact"}
