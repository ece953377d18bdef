"""Running text: blocks, headings, what is bold, and what nobody sees."""

import pytest

from mergegate.site.document import Bounds, read
from mergegate.site.facts.document import Block, Document, Heading, Region

URL = "https://example.org/"


def doc(html: str) -> Document:
    return read(f"<body>{html}", URL)


@pytest.mark.parametrize(
    ("html", "blocks"),
    [
        ("<p>One</p><p>Two</p>", ["p:One", "p:Two"]),
        ("<p>One<p>Two", ["p:One", "p:Two"]),
        ("loose", ["body:loose"]),
        ("<div>a<p>b</p>c</div>", ["div:a", "p:b", "div:c"]),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>", ["li:a", "li:b", "li:c"]),
        ("<li><p>a</p></li>", ["p:a"]),
        ("<table><tr><td>a<td>b</table>", ["td:a", "td:b"]),
        ("<blockquote><p>a</p>b</blockquote>", ["p:a", "blockquote:b"]),
        ("<p>a <b>b</b><i>c</i> d<br>e</p>", ["p:a bc d e"]),
        ("<p>a\n\n  b&nbsp;c</p>", ["p:a b c"]),
        ("<dl><dt>a<dd>b</dl>", ["dt:a", "dd:b"]),
        ("<p>Jo<b>hn</b></p>", ["p:John"]),
        ("<p> </p><div>\n</div>", []),
        ("<p>a</p><script>no</script><style>no</style><p>b</p>", ["p:a", "p:b"]),
        ("<p>a<template>no</template>b</p>", ["p:ab"]),
        ("<p hidden>no</p><p>yes</p>", ["p:yes"]),
        ("<p hidden=until-found>yes</p>", ["p:yes"]),
        ("<p style='display: none'>no</p>", []),
        ("<p style='color:red;DISPLAY:NONE !important'>no</p>", []),
        ("<p style='visibility:hidden'>no</p>", []),
        ("<p style='display:block'>yes</p>", ["p:yes"]),
        ("<p style='--x-display:none'>yes</p>", ["p:yes"]),
        ("<div hidden><p>no</p></div>", []),
        ("<p>a<span hidden>no</span>b</p>", ["p:ab"]),
        ("<p aria-hidden=true>yes</p>", ["p:yes"]),
        ("<dialog><p>no</p></dialog><dialog open><p>yes</p></dialog>", ["p:yes"]),
        ("<details><summary>a</summary>b</details>", ["summary:a", "details:b"]),
        ("<select><option>no</select><textarea>no</textarea>", []),
        ("<svg><text>no</text></svg><canvas>no</canvas>", []),
        ("<video>no</video><object>no</object><iframe>no</iframe>", []),
        ("<article><h2>t</h2>a</article>", ["article:a"]),
    ],
)
def test_blocks_are_counted_once(html: str, blocks: list[str]) -> None:
    assert [f"{block.tag}:{block.text}" for block in doc(html).blocks] == blocks


def test_blocks_stand_under_headings_and_keep_what_is_bold() -> None:
    document = doc(
        "<p>zero</p><main><h1>One</h1><p>a <b>b<strong> c</strong></b> d <strong>e</strong></p>"
        "<h2>Two</h2></main><footer><p>f</p></footer>"
    )
    assert document.blocks == (
        Block(text="zero", tag="p"),
        Block(text="a b c d e", tag="p", heading=0, bold=("b c", "e")),
        Block(text="f", tag="p", heading=1, region=Region.FOOTER),
    )
    assert document.headings == (
        Heading(level=1, text="One", block=1),
        Heading(level=2, text="Two", block=2),
    )
    assert document.text == "zero One a b c d e Two f"


@pytest.mark.parametrize(
    ("html", "headings"),
    [
        ("<h1>a <em>b</em><br>c</h1>", [(1, "a b c", False)]),
        ("<h1></h1>", [(1, "", False)]),
        ("<h2 hidden>a</h2>", [(2, "a", True)]),
        ("<div style='display:none'><h2>a</h2></div>", [(2, "a", True)]),
        ("<h1><div>a</div><div>b</div></h1>", [(1, "a b", False)]),
        ("<h1>a<h2>b</h2>", [(1, "a", False), (2, "b", False)]),
        ("<h1>a<div>b<h2>c</h2>d", [(1, "a b", False), (2, "c", False)]),
        ("<h1><a href=x>a</a></h1>", [(1, "a", False)]),
        ("<h1><img src=x alt=' A  logo '></h1>", [(1, "A logo", False)]),
        ("<h1><a href=/><img src=x alt=Logo></a></h1>", [(1, "Logo", False)]),
        ("<h1><img src=x alt=One><img src=y alt=Two></h1>", [(1, "One Two", False)]),
        ("<h1>Text<img src=x alt=Logo></h1>", [(1, "Text", False)]),
        ("<h1><img src=x alt=''></h1>", [(1, "", False)]),
        ("<h1><img src=x alt=Logo aria-label=Brand></h1>", [(1, "Brand", False)]),
        ("<h1><svg><title>Icon</title></svg></h1>", [(1, "Icon", False)]),
        ("<h1><svg aria-label=Icon><title>Icon</title></svg></h1>", [(1, "Icon", False)]),
        ("<h1 aria-label=Label title=Title><img src=x alt=Logo></h1>", [(1, "Label", False)]),
        ("<h1 title=Title><i class=icon></i></h1>", [(1, "Title", False)]),
        ("<h1 hidden><img src=x alt=Logo></h1>", [(1, "Logo", True)]),
        ("<h1>Tea<a href=#t>¶</a></h1>", [(1, "Tea", False)]),
        ("<h1><a href=#t>§</a>Tea</h1>", [(1, "Tea", False)]),
        ("<h1>Tea <a href=#t> # </a>\n</h1>", [(1, "Tea", False)]),
        ("<h1>Tea <a href=#t aria-label=Link>\u200b</a></h1>", [(1, "Tea", False)]),
        ("<h2 hidden>Tea<a href=#t>#</a></h2>", [(2, "Tea", True)]),
        ("<h1>C#</h1>", [(1, "C#", False)]),
        ("<h1>Learn <code>C#</code><a href=#t>#</a></h1>", [(1, "Learn C#", False)]),
        ("<h1>§ 5 of the law</h1>", [(1, "§ 5 of the law", False)]),
        ("<h1><a href=#t>#</a></h1>", [(1, "", False)]),
        ("<img src=x alt=Before><h1></h1><img src=x alt=After>", [(1, "", False)]),
        ("<h1>a<span hidden>no</span></h1>", [(1, "a", False)]),
    ],
)
def test_headings(html: str, headings: list[tuple[int, str, bool]]) -> None:
    found = [(one.level, one.text, one.hidden) for one in doc(html).headings]
    assert found == headings


def test_nothing_stands_under_a_hidden_heading() -> None:
    document = doc("<h1>a</h1><div hidden><h2>b</h2></div><p>c</p>")
    assert [block.heading for block in document.blocks] == [0]


def test_long_texts_are_cut_and_it_is_said() -> None:
    short = Bounds(block=10, phrase=5, text=12, blocks=2)
    document = read(f"<h1>{'a' * 9}</h1><p>{'b ' * 9}</p><p>c</p><p>d</p>", URL, short)
    assert document.headings[0].text == "aaaaa"
    assert [block.text for block in document.blocks] == ["b b b b b", "c"]
    assert document.text == "aaaaaaaaa b"
    assert document.cut == ("blocks", "headings", "text")
