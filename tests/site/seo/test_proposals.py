"""Titles and descriptions in a page's own words."""

import pytest

from mergegate.core.severity import Severity
from mergegate.site.document import read
from mergegate.site.seo.previews import proposals
from mergegate.site.seo.report import Proposal, Theme
from tests.site.render.seo_samples import point

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
