"""Hostile values cannot leave the place that our code gives them."""

import json
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergegate.site.remedies.quoting import address, attribute, literal, origin, selector, tag

_PAGE = "https://shop.example/start"


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def _parsed(html: str) -> _Tags:
    reader = _Tags()
    reader.feed(html)
    reader.close()
    return reader


@settings(deadline=None)
@given(st.text(max_size=300))
def test_an_attribute_stays_one_attribute(text: str) -> None:
    page = _parsed(f'<p title="{attribute(text)}">')
    assert [(name, len(attrs)) for name, attrs in page.found] == [("p", 1)]
    assert page.texts == []


@pytest.mark.parametrize(
    "text", ["{{ config.SECRET }}", "{% debug %}", "{@html x}", "<?php x ?>", "<%= x %>", "`x`"]
)
def test_no_template_engine_finds_its_marks(text: str) -> None:
    assert not set(attribute(text)) & set("{}<>`@")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://shop.example/a.js?v=1&w=2", "/a.js?v=1&w=2"),
        ("https://cdn.example/a.js", "https://cdn.example/a.js"),
        ("http://shop.example/a.js", "http://shop.example/a.js"),
        ("https://shop.example//evil.example/a.js", "https://shop.example//evil.example/a.js"),
        ('https://shop.example/"onload=x', "/%22onload=x"),
        ("https://shop.example/{{x}}", "/%7B%7Bx%7D%7D"),
        ("https://shop.example/a b.png", "/a%20b.png"),
        ("https://shop.example/ü.png", "/%C3%BC.png"),
        ("https://shop.example/a.js#x", "/a.js"),
        ("https://shop.example", "https://shop.example"),
        ("https://shop.example/cut…", None),
        ("javascript:alert(1)", None),
        ("data:text/html,x", None),
        ("https://user:word@shop.example/", None),
        ("https://", None),
        ("http://[", None),
        ("/a.js", None),
        ("", None),
        ("https://shop.example/" + "x" * 500, None),
    ],
)
def test_addresses_are_written_as_the_page_would(url: str, expected: str | None) -> None:
    assert address(url, _PAGE) == expected


@settings(deadline=None)
@given(st.text(max_size=100))
def test_an_address_ends_no_string_in_any_language(path: str) -> None:
    known = address(f"https://cdn.example/{path}", _PAGE)
    assert known is None or (known.isascii() and not set(known) & set("\"'`<>{}()\\ \n"))


@settings(deadline=None)
@given(st.from_regex(r"https://a\.example/[!#-~]{0,40}", fullmatch=True))
def test_a_literal_reads_back_as_the_address(url: str) -> None:
    known = address(url, _PAGE)
    assert known is None or json.loads(literal(known)) == known
    assert known is None or not set(literal(known)) & set("&<>#$%@")


def test_an_origin_is_scheme_and_host() -> None:
    assert origin("https://cdn.example:8443/x?y") == "https://cdn.example:8443"
    assert origin("blob:https://cdn.example/x") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("main > p.lead:nth-child(2)", True),
        ("#a_b-c li", True),
        ("p { } body", False),
        ("a[href='x']", False),
        ("p /* */", False),
        ("p\\3c ", False),
        ("a, b", False),
        ("", False),
        ("p" * 201, False),
        ("p\n", False),
    ],
)
def test_only_plain_selectors_are_repeated(text: str, expected: bool) -> None:
    assert selector(text) == (text if expected else None)


def test_a_tag_keeps_what_names_it_and_drops_what_acts() -> None:
    found = tag('<IMG src="a.png" onerror="x()" style="width:1px" class="big" data-x="1">')
    assert found is not None
    assert found.write(_PAGE, alt="A") == '<img class="big" src="a.png" alt="A">'


def test_a_change_may_take_an_attribute_away_and_holds_hyphens() -> None:
    found = tag('<a id="x" href="/">')
    assert found is not None
    assert found.write(_PAGE, href=None, aria_label="Go") == '<a id="x" aria-label="Go">'


@pytest.mark.parametrize(
    ("src", "expected"),
    [
        ("javascript:alert(1)", "<img>"),
        ("JaVaScRiPt&colon;alert(1)", "<img>"),
        ("java\tscript:alert(1)", "<img>"),
        ("data:text/html,x", "<img>"),
        ("//evil.example/x.png", "<img>"),
        ("/\\evil.example/x.png", "<img>"),
        ("https://cdn.example/x.png", '<img src="https://cdn.example/x.png">'),
        ("https://cdn.example/" + "x" * 400, f'<img src="https://cdn.example/{"x" * 400}">'),
        ("/cut/short…", "<img>"),
        ("ü" * 90, "<img>"),
        ("x" * 501, "<img>"),
        ("x.png?a=1&amp;b=2", '<img src="x.png?a=1&amp;b=2">'),
    ],
)
def test_an_address_in_a_tag_is_plainly_one_or_left_out(src: str, expected: str) -> None:
    found = tag(f'<img src="{src}">')
    assert found is not None
    assert found.write(_PAGE) == expected


@pytest.mark.parametrize("snippet", ["", "text", "<", "<img src='", "</p>", "<!-- x -->"])
def test_without_a_whole_tag_there_is_none(snippet: str) -> None:
    assert tag(snippet) is None


@settings(deadline=None)
@given(st.text(alphabet="<>\"'= /abimgsrconerlt{}`&;:\\\n", max_size=200))
def test_no_snippet_writes_more_than_one_tag(snippet: str) -> None:
    found = tag(f"<img {snippet}>")
    written = _parsed(found.write(_PAGE, alt="x") if found else "")
    assert len(written.found) <= 1
    assert all(not name.startswith("on") for _, attrs in written.found for name, _ in attrs)
