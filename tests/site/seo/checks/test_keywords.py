"""Where keywords stand, how often, and what is said of it."""

from typing import Any

import pytest

from mergegate.site.seo.checks.keywords import MOST, analyse, points
from mergegate.site.seo.facts import Reading, SearchFacts
from mergegate.site.seo.report import KeywordAnalysis
from tests.site.seo.checks.texts import bare, page, paragraphs, rules
from tests.site.seo.checks.well_made import site

_TITLE = "<title>How to brew green tea without bitterness</title>"
_H1 = "<h1>How to brew green tea without bitterness</h1>"
_FIRST = "<p>Green tea turns bitter when the water is too hot."
_SHELL = '<title>Tea</title><div id="root"></div><script src="/app.js"></script>'


def one(facts: SearchFacts, keyword: str) -> KeywordAnalysis:
    (analysis,) = analyse(facts, [keyword])
    return analysis


def judged(facts: SearchFacts, *keywords: str) -> list[str]:
    return rules(points(facts, analyse(facts, keywords)))


def page_in(
    language: str, title: str, text: str, url: str = "https://example.org/a"
) -> SearchFacts:
    html = bare(f"<h1>{title}</h1><p>{text}</p>", title=title, lang=language)
    return site(html, url, reading=Reading())


def test_every_place_is_looked_through() -> None:
    assert one(site(), "Green tea") == KeywordAnalysis(
        keyword="Green tea",
        count=2,
        words=len(site().document.text.split()),
        density=round(100 * 4 / len(site().document.text.split()), 2),
        in_title=True,
        in_description=True,
        in_h1=True,
        in_headings=0,
        in_first_paragraph=True,
        in_url=True,
        in_alt=1,
        in_anchors=0,
    )


@pytest.mark.parametrize(
    ("keyword", "place", "expected"),
    [
        ("water", "in_headings", 1),
        ("leaves unfold", "in_anchors", 1),
        ("GUIDE TO WATER", "in_anchors", 1),
        ("its leaves", "in_alt", 1),
        ("tea leaves", "in_alt", 0),
        ("guides", "in_url", True),
        ("green  tea", "in_title", True),
        ("green-tea", "in_title", True),
        ("gree", "in_title", False),
        ("teas", "in_title", False),
        ("tea green", "in_title", False),
    ],
)
def test_a_keyword_stands_where_its_words_stand_in_a_row(
    keyword: str, place: str, expected: Any
) -> None:
    assert getattr(one(site(), keyword), place) == expected


@pytest.mark.parametrize(
    ("language", "keyword", "text", "count", "density"),
    [
        # Yoast's issue 1353: 0 % for text beyond ASCII.
        ("cs", "červená řepa", "Červená řepa je zdravá. Červená  řepa chutná.", 2, 57.14),
        ("ru", "зелёный чай", "Зелёный чай полезен, ЗЕЛЁНЫЙ ЧАЙ вкусен.", 2, 66.67),
        ("el", "πράσινο τσάι", "Πράσινο τσάι, όχι μαύρο τσάι.", 1, 40.0),
        ("de", "Straßenfest", "Das Straßenfest. Ein STRASSENFEST.", 2, 50.0),
        ("fr", "hôtel", "L’hôtel et l'hotel.", 1, 20.0),
        ("fr", "école", "L'e\u0301cole.", 1, 50.0),
        ("ja", "緑茶", "緑茶は緑茶です", 2, 57.14),
        ("zh", "绿茶", "喝绿茶。", 1, 66.67),
        ("th", "ชาเขียว", "ดื่มชาเขียว", 1, 75.0),
        ("ko", "녹차", "녹차는 좋다", 1, 50.0),
        ("hi", "हरी चाय", "हरी चाय पीजिए", 1, 66.67),
        ("ar", "شاي أخضر", "اشرب شاي أخضر", 1, 66.67),
        ("en", "mother", "Mother’s day", 1, 50.0),
        ("en", "ten", "often, kitten", 0, 0.0),
    ],
)
def test_density_is_that_of_whole_words_in_every_script(
    language: str, keyword: str, text: str, count: int, density: float
) -> None:
    facts = site(f'<html lang="{language}"><p>{text}</p>', reading=Reading())
    analysis = one(facts, keyword)
    assert (analysis.count, analysis.density) == (count, density)


@pytest.mark.parametrize(
    ("keyword", "url", "expected"),
    [
        ("Zürich", "https://example.org/zurich", True),
        ("Zürich", "https://example.org/zuerich", True),
        ("Zürich", "https://example.org/z%C3%BCrich", True),
        ("Straße", "https://example.org/strasse", True),
        ("hôtel à Nice", "https://example.org/hotel-nice", True),
        ("東京", "https://example.org/%E6%9D%B1%E4%BA%AC", True),
        ("Zürich", "https://example.org/zuricher", False),
        ("tea", "https://example.org/steam", False),
    ],
)
def test_addresses_may_be_spelt_in_the_usual_ways(keyword: str, url: str, expected: bool) -> None:
    facts = site(bare("<p>x</p>", lang="fr"), url, reading=Reading())
    assert one(facts, keyword).in_url is expected


CASES: dict[str, tuple[SearchFacts, tuple[str, ...], list[str]]] = {
    "no keyword": (site(), (), []),
    "one that stands everywhere it should": (site(), ("green tea",), []),
    "one in another order": (site(), ("tea green brew",), ["keyword-not-in-description",
                                                           "keyword-not-in-first-paragraph",
                                                           "keyword-not-in-url"]),
    "one with small words between": (site(), ("the green tea",), []),
    "one that is nowhere": (site(), ("black coffee",), ["keyword-not-in-text"]),
    "further ones are not asked of the title": (site(), ("green tea", "leaves", "soft water"), []),
    "further ones are asked of the text": (
        site(), ("green tea", "coffee", "cocoa"), ["keyword-not-in-text"] * 2
    ),
    "not in the title": (
        page((_TITLE, "<title>How to brew without bitterness</title>")),
        ("green tea",), ["keyword-not-in-title"],
    ),
    "not in the h1": (
        page((_H1, "<h1>Brewing without bitterness</h1>")), ("green tea",), ["keyword-not-in-h1"]
    ),
    "not in the first paragraph": (
        page((_FIRST, "<p>It turns bitter when the water is too hot.")),
        ("green tea",), ["keyword-not-in-first-paragraph"],
    ),
    "a label before the first paragraph": (
        page((_FIRST, f"<p>Spring 2026</p>{_FIRST}")), ("green tea",), []
    ),
    "not in the address": (
        page_in("en", "Green tea for guests", "Green tea is brewed for every guest of the house."),
        ("green tea",), ["keyword-not-in-url"],
    ),
    "not in a description, and none in a page without one": (
        site(bare("<h1>Green tea</h1><p>Green tea is brewed for every guest of the house.</p>",
                  title="Green tea", head='<meta name="description" content="How to brew it">'),
             "https://example.org/green-tea"),
        ("green tea",), ["keyword-not-in-description"],
    ),
    "not in the address of a home page": (
        page_in("en", "Green tea for guests", "Green tea is brewed for every guest of the house.",
                "https://example.org/"),
        ("green tea",), [],
    ),
    "stuffed": (
        page(body="<p>Cheap kettle, buy a kettle, kettle shop.</p>" * 8),
        ("green tea", "kettle"), ["keyword-stuffed"],
    ),
    "often in a long text": (
        page(body=f"<p>A kettle and a kettle.</p>{paragraphs(40)}<p>{'A kettle. ' * 8}</p>"),
        ("green tea", "kettle"), [],
    ),
    "dense in a short text": (
        site(bare("<h1>Kettle</h1><p>Kettle. Kettle.</p>", title="Kettle"), "https://example.org/kettle"),
        ("kettle",), [],
    ),
    "letters that stand often in Japanese": (
        page_in("ja", "緑茶", "緑茶の淹れ方と茶葉の選び方、湯の温度について説明します。" * 12,
                "https://example.org/%E7%B7%91%E8%8C%B6"),
        ("緑茶",), [],
    ),
    "stuffed in Japanese": (
        page_in("ja", "緑茶", "緑茶なら緑茶専門店の緑茶。" * 12, "https://example.org/%E7%B7%91%E8%8C%B6"),
        ("緑茶",), ["keyword-stuffed"],
    ),
    "in another form": (
        page_in("ru", "Как заваривать зелёный чай", "Вкус зелёного чая зависит от воды и времени.",
                "https://example.org/"),
        ("зелёному чаю", "зелёный чай"), [],
    ),
    "in Turkish, with and without dots": (
        page_in("tr", "İSTANBUL ISPARTA", "Istanbul ve İsparta arasında, ısparta ve istanbul.",
                "https://example.org/istanbul-isparta"),
        ("istanbul ısparta", "İstanbul", "Isparta"), [],
    ),
    "an empty frame": (site(_SHELL), ("green tea",), []),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_keywords_have_these_points_and_no_others(name: str) -> None:
    facts, keywords, expected = CASES[name]
    assert judged(facts, *keywords) == expected


def test_at_most_ten_are_analysed_each_once_and_in_their_order() -> None:
    given = ["Green tea", "!!!", "", "green  TEA", *(f"word {n}" for n in range(20))]
    found = [one.keyword for one in analyse(site(), given)]
    assert found == ["Green tea", *(f"word {n}" for n in range(9))]
    assert len(found) == MOST


def test_advice_says_what_to_change() -> None:
    facts = page((_TITLE, "<title>How to brew without bitterness</title>"))
    main, other, absent = analyse(facts, ["green tea", "leaves", "coffee"])
    assert main.advice == ("Use “green tea” in the title.",)
    assert other.advice == ()
    assert absent.advice == ("Say “coffee” in the text, if the page is about it.",)


def test_a_keyword_that_stands_too_often_is_told_with_its_figures() -> None:
    facts = page(body="<p>Cheap kettle, buy a kettle, kettle shop.</p>" * 8)
    (analysis,) = analyse(facts, ["kettle"])
    assert analysis.stuffed
    (stuffed, *_) = points(facts, [analysis])
    assert stuffed.message == (
        f"“kettle” stands 24 times in {analysis.words} words ({analysis.density:.1f} %)."
    )


def test_points_of_two_keywords_are_told_apart() -> None:
    facts = site()
    first, second = points(facts, analyse(facts, ["coffee", "cocoa"]))
    assert first.id != second.id
