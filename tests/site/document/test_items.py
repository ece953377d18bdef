"""Microdata and RDFa Lite."""

import pytest

from mergegate.site.document import read
from mergegate.site.facts.document import Item

URL = "https://example.org/a/"


def plain(item: str | Item) -> object:
    if isinstance(item, str):
        return item
    properties = {name: [plain(one) for one in all_] for name, all_ in item.properties.items()}
    return [*item.types, properties]


def items(html: str) -> list[object]:
    return [plain(item) for item in read(html, URL).items]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>x", []),
        ("<div itemscope></div>", [[{}]]),
        (
            (
                "<div itemscope itemtype='https://schema.org/A https://schema.org/B'>"
                "<b itemprop=name> A  b </b></div>"
            ),
            [["https://schema.org/A", "https://schema.org/B", {"name": ["A b"]}]],
        ),
        (
            "<div itemscope><i itemprop='a b'>1</i><i itemprop=a>2</i></div>",
            [[{"a": ["1", "2"], "b": ["1"]}]],
        ),
        (
            (
                "<div itemscope><meta itemprop=m content=1><link itemprop=l href=x>"
                "<a itemprop=a href=y>t</a><img itemprop=i src=z><time itemprop=t datetime=2026>d"
                "</time><data itemprop=d value=v>t</data><b itemprop=p content=9.5>9</b></div>"
            ),
            [
                [
                    {
                        "m": ["1"],
                        "l": [f"{URL}x"],
                        "a": [f"{URL}y"],
                        "i": [f"{URL}z"],
                        "t": ["2026"],
                        "d": ["v"],
                        "p": ["9.5"],
                    }
                ]
            ],
        ),
        ("<div itemscope><time itemprop=t>May</time></div>", [[{"t": ["May"]}]]),
        (
            (
                "<div itemscope itemtype=A><div itemprop=in itemscope itemtype=B>"
                "<i itemprop=x>1</i></div><i itemprop=y>2</i></div>"
            ),
            [["A", {"in": [["B", {"x": ["1"]}]], "y": ["2"]}]],
        ),
        (
            "<div itemscope itemtype=A><div itemscope itemtype=B><i itemprop=x>1</i></div></div>",
            [["A", {}], ["B", {"x": ["1"]}]],
        ),
        (
            "<div itemscope itemref='more gone'></div><div id=more><i itemprop=x>1</i></div>",
            [[{"x": ["1"]}]],
        ),
        (
            "<div itemscope itemref=m></div><i id=m itemprop=x>1</i><i itemprop=y>2</i>",
            [[{"x": ["1"]}]],
        ),
        (
            (
                "<div itemscope id=a itemtype=A itemref=b></div>"
                "<div id=b itemprop=x itemscope itemtype=B itemref=b></div>"
            ),
            [["A", {"x": [["B", {}]]}]],
        ),
    ],
)
def test_microdata(html: str, expected: list[object]) -> None:
    assert items(html) == expected
    assert {item.syntax for item in read(html, URL).items} <= {"microdata"}


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            (
                "<div vocab='https://schema.org/' typeof='Article'><h1 property=headline>A</h1>"
                "<div property=author typeof=Person><b property='name'>Ada</b></div>"
                "<meta property=datePublished content=2026><a property=url href=x>x</a></div>"
            ),
            [
                [
                    "Article",
                    {
                        "headline": ["A"],
                        "author": [["Person", {"name": ["Ada"]}]],
                        "datePublished": ["2026"],
                        "url": [f"{URL}x"],
                    },
                ]
            ],
        ),
        ("<meta property=og:title content=x>", []),
        ("<p>typeof=x", []),
    ],
)
def test_rdfa_lite(html: str, expected: list[object]) -> None:
    assert items(html) == expected
    assert {item.syntax for item in read(html, URL).items} <= {"rdfa"}


def test_things_within_things_end() -> None:
    html = "<div itemscope>" + "<div itemscope itemprop=a>" * 100 + "x"
    document = read(html, URL)
    depth, found = 0, document.items[0]
    while found.properties:
        inner = found.properties["a"][0]
        assert isinstance(inner, Item)
        depth, found = depth + 1, inner
    assert depth == 20
    assert document.cut == ("items",)
