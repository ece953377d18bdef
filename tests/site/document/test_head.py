"""What a head says: titles, metas, links, scripts, styles, the base, the language."""

import pytest

from mergegate.site.document import read
from mergegate.site.facts.document import Document, JsonLd, Link, Meta, Resource, Script

URL = "https://example.org/a/page"


def doc(html: str) -> Document:
    return read(html, URL)


@pytest.mark.parametrize(
    ("html", "titles", "in_head"),
    [
        ("<title> A &amp;\n b </title>", ("A & b",), True),
        ("<title>A</title><title>B</title>", ("A", "B"), True),
        ("<title></title>", ("",), True),
        ("<p>x", (), True),
        ("<body><p>x<title>A</title>", ("A",), False),
        ("<body><svg><title>Icon</title></svg>", (), True),
        ("<title>A</title><body><svg><title>Icon</title></svg>", ("A",), True),
        ("<head><noscript><img src=x></noscript><title>A</title>", ("A",), True),
    ],
)
def test_titles(html: str, titles: tuple[str, ...], in_head: bool) -> None:
    document = doc(html)
    assert (document.titles, document.title_in_head) == (titles, in_head)
    assert document.title == (titles[0] if titles else "")


@pytest.mark.parametrize(
    ("html", "metas"),
    [
        (
            '<meta NAME=" Description " content=" a\n b ">',
            (Meta(kind="name", name="description", content="a b"),),
        ),
        (
            '<meta property="og:title" content="x">',
            (Meta(kind="property", name="og:title", content="x"),),
        ),
        (
            '<meta name="description" property="og:description" content="x">',
            (
                Meta(kind="name", name="description", content="x"),
                Meta(kind="property", name="og:description", content="x"),
            ),
        ),
        (
            '<meta http-equiv="Refresh" content="0;url=/x">',
            (Meta(kind="http-equiv", name="refresh", content="0;url=/x"),),
        ),
        ("<meta charset=UTF-8>", (Meta(kind="charset", name="utf-8", content=""),)),
        (
            "<body><p>x<meta name=robots content=noindex>",
            (Meta(kind="name", name="robots", content="noindex", in_head=False),),
        ),
        ("<body><div itemscope><meta itemprop=price content=1></div>", ()),
        ("<noscript><meta http-equiv=refresh content=1></noscript>", ()),
        ("<template><meta name=robots content=noindex></template>", ()),
        ("<!-- <meta name=robots content=noindex> -->", ()),
    ],
)
def test_metas(html: str, metas: tuple[Meta, ...]) -> None:
    assert doc(html).metas == metas


def test_a_link_keeps_all_that_it_says() -> None:
    html = (
        '<link rel="Alternate  StyleSheet" href=" ../x.css " hreflang=de media=print '
        "type=text/css integrity=sha256-x crossorigin>"
    )
    assert doc(html).links == (
        Link(
            rels=frozenset({"alternate", "stylesheet"}),
            href="https://example.org/x.css",
            raw_href="../x.css",
            hreflang="de",
            media="print",
            type="text/css",
            integrity="sha256-x",
            crossorigin="",
            in_head=True,
            selector="head > link",
        ),
    )


def test_a_link_without_a_place_leads_nowhere() -> None:
    document = doc("<link rel=canonical href=''><link rel=canonical>")
    assert [link.href for link in document.linked("canonical")] == ["", ""]


@pytest.mark.parametrize(
    ("html", "script"),
    [
        ("<script>a&amp;b</script>", Script(text="a&amp;b")),
        ("<script src=/x.js>ignored</script>", Script(src="https://example.org/x.js")),
        ("<script src=x.js async></script>", Script(src=f"{URL[:-4]}x.js", deferred=True)),
        ("<script defer src=x.js></script>", Script(src=f"{URL[:-4]}x.js", deferred=True)),
        ("<script type=Module>x</script>", Script(text="x", type="module", deferred=True)),
        (
            "<script nonce=n integrity=sha1 crossorigin=Anonymous>x</script>",
            Script(text="x", nonce="n", integrity="sha1", crossorigin="Anonymous"),
        ),
        ("<script>'<noscript>'</script>", Script(text="'<noscript>'")),
    ],
)
def test_scripts(html: str, script: Script) -> None:
    [found] = doc(f"<head>{html}<title>x</title>").scripts
    assert found.in_head
    assert found.selector == "head > script"
    assert (found.src, found.text, found.type, found.deferred) == (
        script.src,
        script.text,
        script.type,
        script.deferred,
    )
    assert (found.nonce, found.integrity, found.crossorigin) == (
        script.nonce,
        script.integrity,
        script.crossorigin,
    )


def test_a_script_within_a_picture_is_a_script() -> None:
    [script] = doc("<body><svg><script>x</script></svg>").scripts
    assert (script.text, script.in_head) == ("x", False)


@pytest.mark.parametrize(
    ("html", "base", "href"),
    [
        ("<a href=x>x</a>", URL, "https://example.org/a/x"),
        ("<base href=/b/><a href=x>x</a>", "https://example.org/b/", "https://example.org/b/x"),
        (
            "<a href=x>x</a><base target=_top><base href='https://cdn.example/'><base href=/no/>",
            "https://cdn.example/",
            "https://cdn.example/x",
        ),
        ("<base href='javascript:x'><a href=x>x</a>", URL, "https://example.org/a/x"),
        ("<!--<base href=/b/>--><a href=x>x</a>", URL, "https://example.org/a/x"),
    ],
)
def test_addresses_are_resolved_against_the_base(html: str, base: str, href: str) -> None:
    document = doc(html)
    assert (document.url, document.base) == (URL, base)
    assert [anchor.href for anchor in document.anchors] == [href]


@pytest.mark.parametrize(
    ("html", "lang", "doctype"),
    [
        ("<!doctype html><html lang=' de-AT '>", "de-AT", True),
        ("<!-- x --><!DOCTYPE html><html xml:lang=fr>", "fr", True),
        ("<html lang>", "", False),
        ("<p lang=de>x", "", False),
        ("", "", False),
    ],
)
def test_language_and_doctype(html: str, lang: str, doctype: bool) -> None:
    document = doc(html)
    assert (document.lang, document.doctype) == (lang, doctype)


@pytest.mark.parametrize(
    ("css", "urls"),
    [
        ("a{background:url(i.png)}", ["https://example.org/a/i.png"]),
        ("a{background:url( 'i.png' )}", ["https://example.org/a/i.png"]),
        ('@import "http://a.example/x.css";', ["http://a.example/x.css"]),
        ("@import url(//a.example/x.css)", ["https://a.example/x.css"]),
        ("/* url(no.png) */ a{color:red}", []),
        ("a{background:url(data:image/png;base64,x)}", []),
        ("a{fill:url(#gradient)}", []),
        ("a{color:red}", []),
    ],
)
def test_style_sheets_load_things(css: str, urls: list[str]) -> None:
    assert [one.url for one in doc(f"<style>{css}</style>").resources] == urls
    found = doc(f'<p style="{css.replace(chr(34), "")}">x').resources
    assert found == tuple(
        Resource(url=url, kind="css", selector="body > p") for url in urls if "import" not in css
    ) or ("import" in css)


@pytest.mark.parametrize(
    ("said", "data", "error"),
    [
        ('{"@type": "X"}', {"@type": "X"}, ""),
        ('[{"@type": "X"}]', [{"@type": "X"}], ""),
        ('<!-- {"a": 1} -->', {"a": 1}, ""),
        ('//<![CDATA[\n{"a": 1}\n//]]>', {"a": 1}, ""),
        ('/*<![CDATA[*/{"a": 1}/*]]>*/', {"a": 1}, ""),
        ('{"a": 1, "a": 2}', {"a": 2}, ""),
        ("", None, "expecting value in line 1"),
        ('{\n"a": 1,\n}', None, "expecting property name enclosed in double quotes in line 3"),
        ('<!--\n{\n"a" 1} -->', None, "expecting ':' delimiter in line 3"),
        ('{"a": NaN}', None, "it holds a number that is none in JSON"),
        ('{"a": 1e999}', None, "it holds a number that is none in JSON"),
        ('{"a": ' + "9" * 5000 + "}", None, "it holds a number that is none in JSON"),
        ("[" * 50_000, None, "it is nested too deeply"),
        ("[" * 100 + "]" * 100, None, "it is nested too deeply"),
        ('"' + "x" * 600_000 + '"', None, "it is too long to be read"),
    ],
)
def test_json_ld(said: str, data: object, error: str) -> None:
    [found] = doc(f'<script type="application/LD+json; charset=utf-8">{said}</script>').json_ld
    assert found == JsonLd(data=data, error=error, text=said, selector="head > script")


def test_other_data_is_no_json_ld() -> None:
    assert doc('<script type="application/json">{"a": 1}</script>').json_ld == ()


def test_what_is_said_without_scripts_stands_apart() -> None:
    html = (
        "<head><noscript><style>a{}</style></noscript><title>A</title><body>"
        "<p>One</p><noscript><p>Please &amp; thanks<img src=x></p></noscript><p>Two"
    )
    document = doc(html)
    assert document.noscript.endswith("Please & thanks")
    assert (document.text, document.images, document.resources) == ("One Two", (), ())
    assert document.title_in_head
