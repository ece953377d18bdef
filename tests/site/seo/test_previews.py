"""How results and shared links would show a page."""

import pytest

from mergegate.site.seo.checks.page import title_px
from mergegate.site.seo.previews import fitted, place, results, shares
from mergegate.site.seo.report import SharePreview
from tests.site.seo.checks.well_made import site

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
