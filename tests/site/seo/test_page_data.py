"""One page in figures and in its own words."""

from dataclasses import replace

import pytest

from mergegate.site.document import read
from mergegate.site.seo.facts import Rendered
from mergegate.site.seo.previews import page_data, schema_types
from tests.site.seo.checks.well_made import URL, fetched, rendered, site, sitemap


def test_the_head_is_told_as_it_stands() -> None:
    told = page_data(site())
    assert told.title == "How to brew green tea without bitterness"
    assert told.title_px > 300
    assert told.canonical == URL
    assert told.robots == ("index", "follow", "max-image-preview:large")
    assert (told.language, told.text_language) == ("en", "en")
    assert dict(told.social)["twitter:card"] == "summary_large_image"


def test_headings_words_links_and_images_are_counted() -> None:
    told = page_data(site())
    assert [level for level, _ in told.headings] == [1, 2, 3, 2]
    assert told.heading_count == 4
    assert told.words > 80
    assert (told.internal_links, told.external_links) == (6, 1)
    assert (told.images, told.images_without_alt) == (2, 0)


def test_types_of_schema_org_are_told_once_also_those_within_others() -> None:
    page = site().document
    assert schema_types(page) == ("Article", "Person", "BreadcrumbList", "ListItem")


def test_the_way_is_counted_in_hops() -> None:
    facts = site()
    moved = fetched(facts.page.text, via=[("http://example.org/old", 301)])
    last = replace(moved.answers[-1], took_ms=120)
    page = replace(moved, answers=(*moved.answers[:-1], last))
    told = page_data(replace(facts, page=page))
    assert (told.redirects, told.first_byte_ms, told.status) == (1, 120, 200)


def test_a_rendered_page_is_told_as_it_is_seen_and_the_sent_one_as_it_was_sent() -> None:
    sent = "<title>App</title><div id=app></div><script src=/app.js></script>"
    seen = "<title>App</title><h1>Hello</h1><p>Much to read here.</p>"
    facts = site(sent, rendered=rendered(seen))
    assert (page_data(facts).rendered, page_data(facts).heading_count) == (True, 1)
    raw = page_data(facts, facts.document)
    assert (raw.rendered, raw.heading_count, raw.words) == (False, 0, 0)


def test_a_page_that_could_not_be_rendered_is_told_as_it_was_sent() -> None:
    failed = Rendered(document=read("", URL), failure="it hangs")
    assert page_data(site(rendered=failed)).rendered is False


@pytest.mark.parametrize(
    ("html", "inner", "outer"),
    [
        ('<a href="/a">a</a>', 1, 0),
        ('<a href="https://www.example.org/a">a</a>', 1, 0),
        ('<a href="https://EXAMPLE.org/a">a</a>', 1, 0),
        ('<a href="https://shop.example.org/">a</a>', 0, 1),
        ('<a href="mailto:a@example.org">a</a>', 0, 0),
        ('<a href="javascript:void(0)">a</a>', 0, 0),
        ('<a href="https://[broken">a</a>', 0, 0),
    ],
)
def test_a_link_is_internal_by_its_host(html: str, inner: int, outer: int) -> None:
    told = page_data(site(html))
    assert (told.internal_links, told.external_links) == (inner, outer)


def test_an_image_for_show_needs_no_alternative() -> None:
    html = '<img src=a><img src=b alt=""><img src=c role=presentation><img src=d alt="A cup">'
    assert page_data(site(html)).images_without_alt == 1


def test_directives_of_headers_are_told_beside_those_of_elements() -> None:
    page = fetched(headers=[("x-robots-tag", "googlebot: noindex"), ("content-type", "text/html")])
    told = page_data(replace(site('<meta name="robots" content="nofollow">'), page=page))
    assert told.robots == ("nofollow", "googlebot: noindex")


def test_the_first_of_a_social_name_counts() -> None:
    html = '<meta property="og:title" content="One"><meta property="og:title" content="Two">'
    assert page_data(site(html)).social == (("og:title", "One"),)


def test_language_versions_are_told_wherever_they_are_named() -> None:
    html = f'<head><link rel=alternate hreflang=en href="{URL}"></head><body>'
    value = '</de>; rel="alternate"; hreflang="de"'
    headers = [("content-type", "text/html"), ("link", value)]
    listed = sitemap(alternates=(("fr", "https://example.org/fr"),))
    told = page_data(site(html, page=fetched(html, headers=headers), sitemaps=(listed,)))
    assert told.hreflang == (
        ("en", URL),
        ("de", "https://example.org/de"),
        ("fr", "https://example.org/fr"),
    )


def test_a_hostile_page_stays_small() -> None:
    huge = "x" * 5_000
    html = (
        f'<html lang="{huge}"><title>{huge}</title><meta name=description content="{huge}">'
        + f"<h2>{huge}</h2>" * 500
        + f'<link rel=alternate hreflang="{huge}" href="/{huge}">' * 500
        + f'<meta property="og:{huge}" content="{huge}">' * 500
    )
    told = page_data(site(html))
    assert (len(told.headings), told.heading_count >= 100) == (100, True)
    texts = [told.title, told.description, told.language, *(text for _, text in told.headings)]
    assert max(map(len, texts)) <= 1_000
    assert len(told.hreflang) <= 100


def test_a_page_that_did_not_answer_has_no_figures() -> None:
    nothing = replace(fetched(), answers=(), failure="it does not answer")
    told = page_data(replace(site(""), page=nothing))
    assert (told.status, told.first_byte_ms, told.words) == (None, 0, 0)
