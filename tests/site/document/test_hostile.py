"""Documents that mean harm, documents of chance, and documents of others."""

import sys
from itertools import chain, islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from mergegate.site.document import read
from mergegate.site.document.elements import candidates
from mergegate.site.facts.document import Document
from mergegate.site.parsing import readable

URL = "https://example.org/"
MANY = 100_000
NAMES = " ".join(f"a{number}" for number in range(MANY))


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * MANY,
        "<div>" * MANY + "</div>" * MANY,
        "<b><p>" * MANY,
        "<ul><li>" * MANY,
        "<table><tr><td>" * MANY,
        "<select><optgroup><option><div>" * MANY,
        "<h1><div>x" * MANY,
        "<a href=x><object>" * MANY,
        "<div><!--</div>-->" * MANY,
        "<svg>" + "<g>" * MANY,
        "<div itemscope itemprop=a>" * MANY,
        "<!--<script>-->" + "<div>" * MANY,
        "<div><p x='</div>'></p>" * MANY,
        "<div><table></div></table>" * MANY,
        "<DIV><?</DIV>" * MANY,
        f"<p {NAMES}>x",
        f"<p x='>' {NAMES}>x",
        f'<p y="<q {NAMES}">x',
        f"<script><p {NAMES}></script>",
    ],
    ids=lambda html: html[:20],
)
def test_what_would_take_minutes_is_cut(html: str) -> None:
    document = read(html, URL)
    assert "anchors" in document.cut
    assert document.nodes < 60_000


def test_what_would_fill_the_memory_is_not_read_at_all() -> None:
    formats = "".join(f"<b a{number}>" for number in range(400))
    document = read(f"<p>{formats}</p>" + "<p>x" * 10_000, URL)
    assert "text" in document.cut
    assert document.nodes < 10


def test_many_kinds_of_formatting_that_end_are_read_whole() -> None:
    icons = "".join(f"<p><i class=icon-{number}></i> text" for number in range(2_000))
    document = read(icons, URL)
    assert document.cut == ()
    assert len(document.blocks) == 2_000


@pytest.mark.parametrize(
    "html",
    [
        "<p>x" * 20_000,
        "<div><p>x</p></div>" * 20_000,
        "<li>x" * 20_000,
        "<div><!-- </div> --></div>" * 10_000,
        "<svg>" + "<path d='x'/>" * 20_000 + "</svg>",
        "<script>" + "'<div>'+" * 20_000 + "</script>",
        "<table>" + "<tr><td>x<td>y" * 20_000,
        "<img src=x><br>" * 20_000,
        "<p " + "a=1 " * 400 + ">x",
        "<script>for(i=0;i<n;i++){" + "some words " * 900 + "}</script><p>x",
        "<p title='a > b' data-x={a:1}>x</p>" * 1_000,
        "<div>" * 400 + "</div>" * 400,
    ],
    ids=lambda html: html[:20],
)
def test_what_is_large_and_means_well_is_read_to_its_end(html: str) -> None:
    assert readable(html) == len(html)


@pytest.mark.parametrize(
    "html",
    [
        "<!--" * MANY,
        "<a b='" * MANY,
        "<a b=\"<c d='" * MANY,
        "<a" * MANY,
        "<noscript>" * MANY,
        "<noscript>x</noscript>" * MANY,
        "<style>" + "url(" * MANY + "</style>",
        "<style>" + "/*" * MANY + "</style>",
        "<img srcset='" + "(a" * MANY + "'>",
        "<img srcset='" + "a (, " * MANY + "'>",
        "<script type=application/ld+json>" + "<!--" * MANY + "</script>",
        "<script type=application/ld+json>" + " " * MANY + "-->" * MANY + "</script>",
        "<p style='" + "display " * MANY + "'>",
        "<meta name=a content=b>" * MANY,
        "<div itemscope itemref=a></div>" * 5_000 + "<p id=a>" + "<b itemprop=x>y</b>" * 20_000,
        "\0" * MANY,
        "&#xD800;\ud800",
    ],
    ids=lambda html: html[:20].encode("ascii", "replace").decode(),
)
def test_nothing_grows_beyond_its_size(html: str) -> None:
    assert isinstance(read(html, URL), Document)


PIECES = st.sampled_from(
    """
    <a  href=x > <b> </b> <p> </p> <div </div> <h1> </h1> <table> <td> <svg> </svg> <script>
    </script> <style> <title> </title> <noscript> </noscript> <template> <form> </form> <input
    <img src=x alt= "y" ' <!-- --> <![CDATA[ ]]> itemscope itemprop=a typeof=b property=c &amp; &
    text hidden style="display:none" id=i <select> <option> <math> <mi> <iframe> <base href=//
    <main> <header> </header> <article> role=main <br/> \0 é \ud800 <html lang=x> <body> <head>
    <frameset>
    """.split()  # noqa: SIM905 - as it is read best
)


@settings(deadline=None)
@given(st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=60).map(" ".join)), st.text())
def test_any_text_is_a_document(html: str, url: str) -> None:
    document = read(html, url)
    assert all(-1 <= block.heading < len(document.headings) for block in document.blocks)
    assert all(heading.block <= len(document.blocks) for heading in document.headings)
    assert document.text == " ".join(document.text.split())


@given(st.text(alphabet="ab ,()12xw", max_size=60))
def test_candidates_of_any_srcset_are_addresses(srcset: str) -> None:
    assert all(one and not one[0].isspace() and one[-1] != "," for one in candidates(srcset))


@pytest.mark.parametrize(
    ("srcset", "expected"),
    [
        ("", []),
        ("a.png", ["a.png"]),
        ("a.png 1x, b.png 2x", ["a.png", "b.png"]),
        ("a.png, b.png", ["a.png", "b.png"]),
        ("a,b.png 100w,c.png 200w", ["a,b.png", "c.png"]),
        ("data:image/png;base64,xx 1x, b", ["data:image/png;base64,xx", "b"]),
        (" , a.png  ,", ["a.png"]),
    ],
)
def test_candidates(srcset: str, expected: list[str]) -> None:
    assert candidates(srcset) == expected


def _pages() -> list[Path]:
    """Pages that packages on this machine bring along."""
    root = Path(__file__).parents[3]
    packages = Path(next(path for path in sys.path if path.endswith("site-packages")))
    found = chain((root / "node_modules").glob("*/**/*.html"), packages.glob("*/**/*.html"))
    return list(islice(found, 60))


def test_pages_of_others_are_read_to_their_end() -> None:
    pages = [path.read_text("utf-8", "replace") for path in _pages()]
    assert pages
    for page in pages:
        document, tree = read(page, URL), LexborHTMLParser(page)
        tree.strip_tags(["noscript", "template"])
        assert document.cut == ()
        assert len(document.anchors) == len(tree.css("a[href], area[href]"))
        assert len(document.headings) == len(tree.css("h1, h2, h3, h4, h5, h6"))
        assert len(document.scripts) == len(tree.css("script"))
