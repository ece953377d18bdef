"""What a body holds: links, pictures, forms, resources, and counts."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from mergegate.site.document import read
from mergegate.site.facts.document import Document, Form, Input, Region

URL = "https://example.org/a/page"
GO = "https://example.org/go"


def doc(html: str) -> Document:
    return read(f"<!doctype html><html><head></head><body>{html}", URL)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<a href=x> Some\n text </a>", "Some text"),
        ("<a href=x>a<b>b</b>c</a>", "abc"),
        ("<a href=x><h3>Title</h3><p>Words</p></a>", "Title Words"),
        ("<a href=x aria-label=Menu></a>", "Menu"),
        ("<a href=x aria-label=Menu>text</a>", "text"),
        ("<a href=x><img src=i alt='A picture'></a>", "A picture"),
        ("<a href=x title=T><img src=i alt=''></a>", "T"),
        ("<a href=x><svg><title>Icon</title><path/></svg></a>", "Icon"),
        ("<a href=x><svg aria-label=Icon></svg></a>", "Icon"),
        ("<a href=x><svg aria-label=Icon><title>Icon</title></svg></a>", "Icon"),
        ("<a href=x><img src=i aria-label=Icon></a>", "Icon"),
        ("<a href=x><img src=i alt=Picture aria-label=Icon></a>", "Icon"),
        ("<a href=x><i class=icon aria-label=Search></i></a>", "Search"),
        ("<a href=x title=T> </a>", "T"),
        ("<a href=x></a>", ""),
        ("<a href=x><span hidden>no</span>yes</a>", "yes"),
        ("<div hidden><a href=x>quiet</a></div>", "quiet"),
        ("<map><area href=x alt=Region></map>", "Region"),
        ("<a href=x>before<script>no()</script></a>", "before"),
    ],
)
def test_a_link_is_called_what_is_read_aloud(html: str, text: str) -> None:
    assert [anchor.text for anchor in doc(html).anchors] == [text]


@pytest.mark.parametrize(
    "html",
    [
        "<a name=x>x</a>",
        "<template><a href=x>x</a></template>",
        "<noscript><a href=x>x</a></noscript>",
        "<textarea><a href=x>x</a></textarea>",
        "<script>'<a href=x>'</script>",
    ],
)
def test_what_is_no_link_of_the_page(html: str) -> None:
    assert doc(html).anchors == ()


def test_a_link_keeps_all_that_it_says() -> None:
    [anchor] = doc("<a href=' /x y ' rel='NoFollow ugc' target=_blank>x</a>").anchors
    assert (anchor.href, anchor.raw_href) == ("https://example.org/x%20y", "/x y")
    assert (anchor.rels, anchor.target) == (frozenset({"nofollow", "ugc"}), "_blank")


@pytest.mark.parametrize(
    ("html", "region"),
    [
        ("<a href=x>x</a>", Region.MAIN),
        ("<main><a href=x>x</a></main>", Region.MAIN),
        ("<header><a href=x>x</a></header>", Region.HEADER),
        ("<header><nav><a href=x>x</a></nav></header>", Region.NAVIGATION),
        ("<article><header><a href=x>x</a></header></article>", Region.MAIN),
        ("<main><footer><a href=x>x</a></footer></main>", Region.MAIN),
        ("<section><header><a href=x>x</a></header></section>", Region.MAIN),
        ("<article><aside><a href=x>x</a></aside></article>", Region.ASIDE),
        ("<aside><header><a href=x>x</a></header></aside>", Region.ASIDE),
        ("<aside><article><a href=x>x</a></article></aside>", Region.ASIDE),
        ("<footer><a href=x>x</a></footer>", Region.FOOTER),
        ("<footer><p><a href=x>x</a></p></footer>", Region.FOOTER),
        ("<div role=banner><a href=x>x</a></div>", Region.HEADER),
        ("<div role=navigation><a href=x>x</a></div>", Region.NAVIGATION),
        ("<div role=Complementary><a href=x>x</a></div>", Region.ASIDE),
        ("<div role=contentinfo><a href=x>x</a></div>", Region.FOOTER),
        ("<header role=presentation><a href=x>x</a></header>", Region.MAIN),
        ("<header role=banner><main><a href=x>x</a></main></header>", Region.MAIN),
        ("<header>y</header><a href=x>x</a>", Region.MAIN),
    ],
)
def test_regions_are_landmarks(html: str, region: Region) -> None:
    assert [anchor.region for anchor in doc(html).anchors] == [region]


def test_a_picture_keeps_all_that_it_says() -> None:
    [image] = doc(
        "<img src=i.png alt=' A  b ' width=10 height=20 loading=LAZY srcset='j.png 2x'>"
    ).images
    assert (image.src, image.alt) == ("https://example.org/a/i.png", "A b")
    assert (image.width, image.height, image.loading, image.srcset) == ("10", "20", "lazy", True)
    assert image.selector == "body > img"


@pytest.mark.parametrize(
    ("html", "alt", "decorative", "linked"),
    [
        ("<img src=i>", None, False, False),
        ("<img src=i alt>", "", False, False),
        ("<img src=i alt=''>", "", False, False),
        ("<img src=i alt=x role=presentation>", "x", True, False),
        ("<img src=i alt=x role=none>", "x", True, False),
        ("<img src=i aria-hidden=true>", None, True, False),
        ("<img src=i aria-hidden=false>", None, False, False),
        ("<a href=x><img src=i alt=x></a>", "x", False, True),
        ("<a href=x> <span><img src=i alt=x></span></a>", "x", False, True),
        ("<a href=x><img src=i alt=x>text</a>", "x", False, False),
        ("<a name=x><img src=i alt=x></a>", "x", False, False),
    ],
)
def test_pictures(html: str, alt: str | None, decorative: bool, linked: bool) -> None:
    [image] = doc(html).images
    assert (image.alt, image.decorative, image.linked) == (alt, decorative, linked)


def test_two_pictures_in_a_link_are_not_all_that_it_holds() -> None:
    images = doc("<a href=x><img src=i alt=a><img src=j alt=b></a>").images
    assert [image.linked for image in images] == [False, False]


@pytest.mark.parametrize(
    ("html", "loaded"),
    [
        ("<img src=i.png>", [("img", "i.png")]),
        ("<img src=i.png srcset='j.png 2x, k.png 3x'>", [("img", p) for p in "ijk"]),
        ("<picture><source srcset='j.png 1x'><img src=i.png></picture>", "source:j img:i"),
        ("<iframe src=i.png sandbox></iframe>", [("iframe", "i.png")]),
        ("<video src=i.png poster=j.png><track src=k.png></video>", "img:j video:i track:k"),
        ("<audio><source src=i.png></audio>", "source:i"),
        ("<object data=i.png></object>", "object:i"),
        ("<embed src=i.png>", "embed:i"),
        ("<input type=image src=i.png>", "img:i"),
        ("<link rel=stylesheet href=i.png>", "style:i"),
        ("<link rel=icon href=i.png>", ""),
        ("<img src=''>", ""),
        ("<img alt=x>", ""),
        ("<a href=i.png>x</a>", ""),
    ],
)
def test_what_a_browser_is_made_to_load(html: str, loaded: object) -> None:
    found = [(one.kind, one.url.rsplit("/", 1)[1][0]) for one in doc(html).resources]
    if isinstance(loaded, str):
        expected = [tuple(part.split(":")) for part in loaded.split()]
    else:
        assert isinstance(loaded, list)
        expected = [(kind, place[0]) for kind, place in loaded]
    assert found == expected


def test_a_frame_tells_its_sandbox() -> None:
    html = "<iframe src=a></iframe><iframe src=b sandbox></iframe><iframe src=c sandbox=x></iframe>"
    assert [one.sandbox for one in doc(html).resources] == [None, "", "x"]


@pytest.mark.parametrize(
    ("html", "form"),
    [
        ("<form></form>", Form(action=URL)),
        ("<form action=''></form>", Form(action=URL)),
        ("<form action=/go method=POST></form>", Form(action=GO, method="post")),
        ("<form method=put></form>", Form(action=URL, method="get")),
        (
            ("<form><input name=a><input type=HIDDEN name=t value=secret><select name=s></select>"
            "<textarea name=m></textarea><button name=b>Go</button>"
            "<input type=password name=p autocomplete=current-password value=x></form>"),
            Form(
                action=URL,
                inputs=(
                    Input(name="a", type="text"),
                    Input(name="t", type="hidden", value="secret"),
                    Input(name="s", type="select"),
                    Input(name="m", type="textarea"),
                    Input(name="b", type="button"),
                    Input(name="p", type="password", autocomplete="current-password"),
                ),
            ),
        ),
        ("<form id=f></form><input form=f name=late>", Form(
            action=URL, inputs=(Input(name="late", type="text"),), selector="#f"
        )),
        ("<input name=stray><form></form><input name=stray>", Form(action=URL)),
    ],
)  # fmt: skip
def test_forms(html: str, form: Form) -> None:
    [found] = doc(html).forms
    assert (found.action, found.method, found.inputs) == (form.action, form.method, form.inputs)
    assert found.selector == (form.selector or "body > form")


def test_a_hidden_value_is_shortened_and_shown_nowhere() -> None:
    document = doc(f"<form><input type=hidden name=t value={'x' * 999}></form>")
    [field] = document.forms[0].inputs
    assert len(field.value) == 200
    assert "xxx" not in repr(document)


def test_counts_and_times() -> None:
    document = doc(
        "<p onclick=x onload=y style='color:red'>a</p><p only=x style>b</p>"
        "<time datetime='2026-01-02'>x</time><time>y</time><svg><path/></svg>"
    )
    assert (document.handlers, document.inline_styles) == (1, 2)
    assert document.times == ("2026-01-02",)
    assert document.nodes == 9


SELECTED = """
<header><a href=1>1</a><nav><ul><li><a href=2>2</a><li><a href=3>3</a></ul></nav></header>
<div><div><p><a href=4>4</a></div></div><div id=here><p>x<p><a href=5>5</a><a href=6>6</a></div>
<div id="odd id"><a href=7>7</a></div><my-card><a href=8>8</a></my-card><div id=here>
<a href=9>9</a><svg><a href=10><text>10</text></a></svg><x:y><a href=11>11</a></x:y></div>
<table><tr><td><a href=12>
"""


def test_every_selector_finds_its_element_first() -> None:
    document = doc(SELECTED)
    tree = LexborHTMLParser(f"<!doctype html><html><head></head><body>{SELECTED}")
    assert len(document.anchors) == 12
    for anchor in document.anchors:
        found = tree.css_first(anchor.selector)
        assert found is not None, anchor
        assert found.attributes["href"] == anchor.raw_href, anchor


def test_what_lies_too_deep_has_no_selector() -> None:
    assert doc("<div>" * 60 + "<a href=x>x</a>").anchors[0].selector == ""
    assert doc("<div>" * 60 + "<a id=a href=x>x</a>").anchors[0].selector == "#a"
