"""What a report shows of a page: previews, figures, clicks to recover, better words."""

from dataclasses import replace

import pytest

from mergegate.core.severity import Severity
from mergegate.site.document import read
from mergegate.site.seo.checks.page import title_px
from mergegate.site.seo.facts import QueryRow, Rendered
from mergegate.site.seo.previews import (
    CURVE,
    expected_ctr,
    fitted,
    page_data,
    place,
    proposals,
    ranked,
    results,
    schema_types,
    shares,
)
from mergegate.site.seo.report import Proposal, SharePreview, Theme
from tests.site.render.seo_samples import point
from tests.site.seo.checks.well_made import URL, fetched, rendered, site, sitemap

_LARGE = "<meta name=twitter:card content=Summary_Large_Image>"


def _letters(text: str) -> int:
    return len(text)


@pytest.mark.parametrize(
    ("text", "room", "shown", "is_cut"),
    [
        ("green tea", 9, "green tea", False),
        ("green tea leaves", 12, "green tea …", True),
        ("green tea leaves", 15, "green tea …", True),
        ("green tea leaves", 16, "green tea leaves", False),
        ("緑茶の美味しい入れ方", 8, "緑茶の美味し …", True),
        ("Donaudampfschifffahrt", 10, "Donaudam …", True),
        ("a\n  b", 3, "a b", False),
        ("", 5, "", False),
    ],
)
def test_a_text_is_cut_between_words(text: str, room: int, shown: str, is_cut: bool) -> None:
    assert fitted(text, room, _letters) == (shown, is_cut)


def test_what_is_cut_fits_to_the_pixel() -> None:
    shown, is_cut = fitted("Wide WWW words " * 30, 600, title_px)
    assert is_cut
    assert 500 < title_px(shown) <= 600


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://example.org/", "example.org"),
        ("https://example.org/guides/tea?page=2#x", "example.org › guides › tea"),
        ("https://example.org/a/b/c/d/e", "example.org › a › … › e"),
        ("https://example.org/gr%C3%BCn", "example.org › grün"),
        ("https://[broken", ""),
    ],
)
def test_an_address_is_shown_as_a_path(url: str, shown: str) -> None:
    assert place(url) == shown


def test_a_page_that_fits_is_shown_whole_on_a_desktop() -> None:
    desktop, mobile = results(site())
    assert (desktop.device, mobile.device) == ("desktop", "mobile")
    assert desktop.title == "How to brew green tea without bitterness"
    assert not desktop.title_cut and not desktop.description_cut


def test_less_of_a_description_fits_a_phone() -> None:
    html = f"<title>Tea</title><meta name=description content='{'green tea ' * 11}'>"
    desktop, mobile = results(site(html))
    assert (desktop.description_cut, mobile.description_cut) == (False, True)


@pytest.mark.parametrize(
    ("html", "title", "description"),
    [
        ("<h1>Tea</h1><p>Hot water.</p>", "Tea", "Hot water."),
        ("<p>Hot water.</p>", "example.org", "Hot water."),
        ("<header><p>Sale!</p></header><p>Hot water.</p>", "example.org", "Hot water."),
        ("<header><p>Sale!</p></header>", "example.org", "Sale!"),
        ("", "example.org", ""),
    ],
)
def test_what_the_page_does_not_say_is_taken_from_its_text(
    html: str, title: str, description: str
) -> None:
    first = results(site(html))[0]
    assert (first.title, first.description) == (title, description)


def test_a_card_shows_what_open_graph_says() -> None:
    graph, x = shares(site())
    assert graph == SharePreview(
        network="Open Graph",
        large=True,
        title="How to brew green tea",
        description=graph.description,
        host="example.org",
        image="https://example.org/images/tea.jpg",
    )
    assert graph.description.startswith("Water at 75 degrees")
    assert (x.network, x.large, x.image) == ("X", True, graph.image)


@pytest.mark.parametrize(
    ("html", "large"),
    [
        ("<meta property=og:image content=/a.png>", False),
        ("<meta property=og:image content=/a.png><meta name=twitter:card content=summary>", False),
        (_LARGE, False),
        (f"{_LARGE}<meta name=twitter:image content=/a.png>", True),
    ],
)
def test_a_large_card_needs_its_word_and_a_picture(html: str, large: bool) -> None:
    assert shares(site(html))[1].large is large


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


_SHORT, _LONG = 60, 160
_TEXT = "Green tea wants water of seventy degrees. Boiling water makes it bitter."
_PARAGRAPH = f"<p>{_TEXT}</p>"


def _proposed(html: str, *rules: str) -> tuple[Proposal, ...]:
    points = [point(rule, Theme.PAGE, Severity.MEDIUM, "t", "m") for rule in rules]
    page = read(html, "https://example.org/")
    return proposals(
        page, points, lambda text: len(text) <= _SHORT, lambda text: len(text) <= _LONG
    )


@pytest.mark.parametrize(
    ("html", "text", "taken_from"),
    [
        ("<h1>How to brew tea</h1>", "How to brew tea", "the main heading"),
        ("<h1>Brewing tea<a href=#t>¶</a></h1>", "Brewing tea", "the main heading"),
        ("<h1>First steps in C#</h1>", "First steps in C#", "the main heading"),
        (
            '<meta property="og:site_name" content="Leaf"><h1>How to brew tea</h1>',
            "How to brew tea – Leaf",
            "the main heading and og:site_name",
        ),
        (
            '<meta property="og:site_name" content="Leaf"><h1>Brew tea at Leaf</h1>',
            "Brew tea at Leaf",
            "the main heading",
        ),
        ('<meta property="og:title" content="Brewing tea">', "Brewing tea", "og:title"),
        (
            f"<title>Brew green tea | Guides | {'word ' * 20}</title>",
            "Brew green tea | Guides",
            "the beginning of the title",
        ),
    ],
)
def test_a_title_is_taken_from_the_page(html: str, text: str, taken_from: str) -> None:
    (one,) = _proposed(html, "title-long")
    assert (one.kind, one.text, one.taken_from) == ("title", text, taken_from)


@pytest.mark.parametrize(
    ("html", "text", "taken_from"),
    [
        (_PARAGRAPH, _TEXT, "the first paragraph that fits"),
        (f"<p>Short one.</p>{_PARAGRAPH}", _TEXT, "the first paragraph that fits"),
        (f"<p>{_TEXT} {'And so on and on. ' * 9}</p>", None, "the first paragraph that fits"),
        (
            f'<meta name="description" content="{_TEXT} {"and more words " * 20}">',
            _TEXT,
            "the beginning of the description",
        ),
        (f'<meta property="og:description" content="{_TEXT}">', _TEXT, "og:description"),
        ("<p>" + "緑茶は七十度のお湯で。" * 6 + "</p>", "緑茶は七十度のお湯で。" * 6, None),
    ],
)
def test_a_description_is_whole_sentences_of_the_page(
    html: str, text: str | None, taken_from: str | None
) -> None:
    (one,) = _proposed(html, "description-missing")
    assert one.kind == "description"
    assert text is None or one.text == text
    assert one.text[-1] in ".。"
    assert taken_from is None or one.taken_from == taken_from


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<h1>Tea</h1>",
        f"<h1>{'word ' * 40}</h1>",
        "<p>No end of it</p>",
        f"<p>{'word ' * 60}.</p>",
        f"<footer>{_PARAGRAPH}</footer>",
    ],
)
def test_nothing_is_made_up(html: str) -> None:
    assert _proposed(html, "title-missing", "description-missing") == ()


def test_what_is_well_is_left_alone() -> None:
    assert _proposed(f"<h1>How to brew tea</h1>{_PARAGRAPH}", "image-alt-missing") == ()


def test_the_present_title_is_no_proposal() -> None:
    assert _proposed("<title>Brew tea well</title><h1>Brew tea well</h1>", "title-short") == ()


def test_a_snippet_is_inert() -> None:
    (one,) = _proposed("<h1>Tea &lt;/title&gt;&lt;script&gt;</h1>", "title-missing")
    assert one.snippet == "<title>Tea &lt;/title&gt;&lt;script&gt;</title>"


def _row(query: str, clicks: float, impressions: float, position: float) -> QueryRow:
    ctr = clicks / impressions if impressions else 0.0
    return QueryRow(query=query, clicks=clicks, impressions=impressions, ctr=ctr, position=position)


@pytest.mark.parametrize(("position", "share"), CURVE)
def test_the_curve_goes_through_what_the_study_found(position: float, share: float) -> None:
    assert expected_ctr(position) == pytest.approx(share)


@pytest.mark.parametrize("position", [1.5, 3.3, 4.5, 7.0, 9.9])
def test_between_two_of_its_points_the_curve_falls(position: float) -> None:
    assert expected_ctr(position - 0.4) > expected_ctr(position) > expected_ctr(position + 0.1)


@pytest.mark.parametrize("position", [10.1, 57.0, 0.0, -1.0])
def test_beyond_the_first_page_nothing_is_expected(position: float) -> None:
    assert expected_ctr(position) == 0.0


def test_the_query_that_misses_most_comes_first() -> None:
    rows = [
        _row("few see it", 0, 10, 1.0),
        _row("many see it", 10, 1_000, 1.0),
        _row("clicked as expected", 400, 1_000, 1.0),
    ]
    told = ranked(rows)
    assert [one.row.query for one in told] == ["many see it", "few see it", "clicked as expected"]
    assert [round(one.clicks, 2) for one in told] == [275.0, 2.85, 0.0]


def test_more_clicks_than_expected_are_no_debt() -> None:
    (one,) = ranked([_row("brand", 90, 100, 1.0)])
    assert one.clicks == 0.0


def test_equal_rows_keep_a_fixed_order() -> None:
    rows = [_row(name, 0, 100, 50.0) for name in "cab"]
    assert [one.row.query for one in ranked(rows)] == ["a", "b", "c"]
