"""Texts that are missing, borrowed, hard to read, or full of one word."""

import pytest

from mergegate.site.seo.checks import content
from mergegate.site.seo.facts import Reading, SearchFacts
from mergegate.site.seo.report import Ground
from tests.site.seo.checks.texts import bare, found, page, paragraphs, rules, sentences
from tests.site.seo.checks.well_made import changed, rendered, site

_TITLE = "<title>How to brew green tea without bitterness</title>"
_ALT = 'alt="A cup of green tea beside its leaves"'
_H1 = "<h1>How to brew green tea without bitterness</h1>"
_LONG = " ".join(sentences(24))
_HARD = (
    "Notwithstanding institutional heterogeneity, organisational sustainability considerations "
    "necessitate interdisciplinary methodological harmonisation, particularly regarding "
    "administrative accountability, constitutional interpretation, environmental rehabilitation. "
)
_TWICE = " ".join(sentences(4))
_WORDS = "kot pies dom las ryba ptak woda ogień ziemia niebo chleb sól mleko masło ser owoc " * 2


def hard(times: int) -> str:
    return "".join(f"<p>{_HARD}{one}</p>" for one in sentences(times))


CASES: dict[str, tuple[SearchFacts, list[str]]] = {
    "nothing": (site(), []),
    "a long article": (page(body=paragraphs(40)), []),
    "a short article": (
        page(("<p>Green tea turns", "<p>No.<i hidden>"), ("two infusions.</p>", "</i></p>")),
        ["text-thin"],
    ),
    "a short page that is no article": (site(bare("<h1>Tea for guests</h1><p>Come in.</p>")), []),
    "an empty frame": (
        site('<title>{{ title }}</title><div id="root"></div><script src="/app.js"></script>'),
        ["template-leftover", "text-thin"],
    ),
    "lorem ipsum": (
        page(body="<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit.</p>"),
        ["text-placeholder"],
    ),
    "your text here": (page(body="<p>Your text goes here</p>"), ["text-placeholder"]),
    "Platzhaltertext": (page(body="<div>Platzhaltertext</div>"), ["text-placeholder"]),
    "an article about lorem ipsum": (
        page((_TITLE, "<title>Who wrote Lorem ipsum about tea?</title>"),
             body="<p>Lorem ipsum dolor sit amet, consectetur.</p>"),
        [],
    ),
    "lorem ipsum in code": (page(body="<pre>lorem ipsum dolor sit amet</pre>"), []),
    "lorem alone": (page(body="<p>Her name was Lorem, and dolor is pain.</p>"), []),
    "an empty template": (
        page((_TITLE, "<title>{{ page.title }} | Tea house</title>")),
        ["template-leftover"],
    ),
    "undefined in the title": (
        page((_TITLE, "<title>undefined | Green tea</title>")), ["template-leftover"]
    ),
    "an object in the h1": (
        page((_H1, "<h1>Brewing [object Object]</h1>")), ["template-leftover"]
    ),
    "a title about undefined": (page((_TITLE, "<title>Why is green tea undefined?</title>")), []),
    "a title with braces": (page((_TITLE, "<title>Green {tea} and %20</title>")), []),
    "hard to read": (page(body=hard(12)), ["text-hard-to-read"]),
    "hard, but short": (page(body=hard(1)), []),
    "long sentences where no formula is": (
        site(bare(f"<p>{' '.join([_WORDS.strip() + '.'] * 6).replace('. kot', '. Kot')}</p>",
                  lang="pl", title="Kot i pies"), reading=Reading()),
        ["sentences-long"],
    ),
    "long sentences in a list": (
        site(bare(f"<ul><li>{_WORDS * 8}</li></ul>", lang="pl", title="Kot"), reading=Reading()),
        [],
    ),
    "a paragraph of a screen": (page(body=f"<p>{_LONG}</p>"), ["paragraph-long"]),
    "the same words in two": (
        page(body=f"<p>{_LONG[:800]}</p><p>{_LONG[800:]}</p>"), []
    ),
    "a paragraph twice": (page(body=f"<p>{_TWICE}</p><p>{_TWICE}</p>"), ["paragraph-repeated"]),
    "a short line twice": (page(body="<p>Add to the cart</p><p>Add to the cart</p>"), []),
    "a paragraph again in the footer": (
        page(("<footer>", f"<footer><p>{_TWICE}</p>"), body=f"<p>{_TWICE}</p>"), []
    ),
    "a title about something else": (
        page((_TITLE, "<title>Cheap flights Lisbon</title>"), body=paragraphs(6)),
        ["title-not-of-text"],
    ),
    "a title with other endings": (
        page((_TITLE, "<title>Gardening, teaching, brewing</title>"), body=paragraphs(6)), []
    ),
    "a page about a value": (
        site(changed((_H1, "<h1>null</h1>")), "https://example.org/js/Operators/null.html"),
        [],
    ),
    "a value in place of a heading": (page((_H1, "<h1>null</h1>")), ["template-leftover"]),
    "a title of common words, and the name of the site": (
        page(
            (_TITLE, "<title>Why not… – Leaves and Kettles</title>"),
            (_H1, "<h1>Why not…</h1>"),
            body="<p>Leaves and kettles.",
        ),
        [],
    ),
    "a title and a heading of different things": (
        page((_H1, "<h1>Sunday morning</h1>")), ["title-not-of-h1"]
    ),
    "several headings of which one says it": (
        page((_H1, "<h1>Sunday morning</h1><h1>Brewing green tea</h1>")), []
    ),
    "several headings of other things": (
        page((_H1, "<h1>Sunday morning</h1><h1>Monday evening</h1>")), ["title-not-of-h1"]
    ),
    "a heading of one word": (page((_H1, "<h1>Welcome</h1>")), []),
    "a heading with another ending": (page((_H1, "<h1>Tea brewing</h1>")), []),
    "a title in Japanese": (page((_TITLE, "<title>緑茶の淹れ方</title>"), body=paragraphs(6)), []),
    "a title that says it three times": (
        page((_TITLE, "<title>Tea, green tea, best tea shop for tea</title>")), ["title-stuffed"]
    ),
    "a title that says it four times in all its parts": (
        page((_TITLE, "<title>Tea for you - best tea - tea shop | Tea</title>")), ["title-stuffed"]
    ),
    "a title that says it twice, and the name of the site": (
        page((_TITLE, "<title>How tea is made and tea is sold - The Tea Book</title>")), []
    ),
    "a title that says it twice": (
        page((_TITLE, "<title>Green tea: how tea is brewed</title>")), []
    ),
    "a title of small words": (
        page((_TITLE, "<title>What you do when you are you and tea is green</title>")), []
    ),
    "an alt that lists keywords": (
        page((_ALT, 'alt="tea, green tea, buy tea, cheap tea online"')), ["alt-stuffed"]
    ),
    "an alt that describes at length": (
        page((_ALT, 'alt="A cup of green tea beside another cup, and leaves of tea on a tray"')), []
    ),
    "an alt that tells a lot": (
        page((_ALT, f'alt="A table, a table beside it, one table more: {_TWICE} A table."')),
        [],
    ),
    "a list of names": (page(body=f"<p>{'kettle cup pot ' * 99}</p>"), []),
    "much HTML": (
        site(bare("<h1>Tea for guests</h1>" + "<div class='x'></div>" * 6_000)),
        ["html-mostly-markup"],
    ),
    "much HTML that was rendered": (
        site(bare("<i></i>" * 20_000), rendered=rendered(bare("<h1>Tea for guests</h1>"))), []
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_page_has_these_points_and_no_others(name: str) -> None:
    facts, expected = CASES[name]
    assert rules(found(facts)) == expected


def test_what_rests_on_experience_says_so() -> None:
    counted = {"title-stuffed", "alt-stuffed"}
    for facts, _ in CASES.values():
        for point in content.points(facts):
            assert (point.ground is Ground.DOCUMENTED) is (point.rule in counted)


def test_messages_give_the_figures() -> None:
    (long,) = content.points(page(body=f"<p>{_LONG}</p>"))
    assert long.message == "1 paragraph of more than 200 words."
    (hard_one,) = content.points(page(body=hard(12)))
    assert hard_one.message.startswith("Its reading ease is ")
