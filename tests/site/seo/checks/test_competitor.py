"""What a competitor's page has and ours has not."""

import json
from dataclasses import replace

import pytest

from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.site.seo.checks.competitor import gaps
from mergegate.site.seo.facts import Reading, SearchFacts
from mergegate.site.seo.report import Gap
from tests.site.seo.checks.texts import bare, paragraphs
from tests.site.seo.checks.well_made import fetched, rendered, site

_THEIRS = "https://www.teabarn.example/guide"
_OURS = "https://example.org/tea"
_MATCHA = "<h2>Whisking matcha</h2>" + "".join(
    f"<p>The {word} guest, ceremonial matcha; a bamboo whisk and warm bowls. Bowls!</p>"
    for word in ("one", "two", "three", "four")
)


def rival(body: str, *, title: str = "Tea", head: str = "", took_ms: int = 0) -> SearchFacts:
    return timed(site(bare(body, title=title, head=head), _THEIRS, reading=Reading()), took_ms)


def our(body: str = "<p>Tea.</p>", *, head: str = "", took_ms: int = 0) -> SearchFacts:
    return timed(site(bare(body, title="Tea", head=head), _OURS, reading=Reading()), took_ms)


def timed(facts: SearchFacts, took_ms: int) -> SearchFacts:
    url = facts.page.final_url
    return replace(
        facts, page=Fetched(url=url, answers=(Answer(url=url, status=200, took_ms=took_ms),))
    )


def told(ours: SearchFacts, theirs: SearchFacts) -> list[tuple[str, str, str, str]]:
    return [(one.kind, one.what, one.ours, one.theirs) for one in gaps(ours, theirs)]


def ld(kind: str) -> str:
    data = json.dumps({"@context": "https://schema.org", "@type": kind})
    return f'<script type="application/ld+json">{data}</script>'


CASES: dict[str, tuple[SearchFacts, SearchFacts, list[tuple[str, str, str, str]]]] = {
    "the same page": (our(_MATCHA), rival(_MATCHA), []),
    "nothing": (our(), rival("<p>Tea.</p>"), []),
    "terms and a heading": (
        our(),
        rival(_MATCHA),
        [
            ("term", "bowls", "not at all", "8 times"),
            ("term", "bamboo whisk", "not at all", "4 times"),
            ("term", "ceremonial matcha", "not at all", "4 times"),
            ("term", "guest", "not at all", "4 times"),
            ("heading", "Whisking matcha", "", "h2"),
        ],
    ),
    "terms that we use, too": (
        our("<p>A bamboo whisk and warm bowls for ceremonial matcha, guest.</p>"),
        rival(_MATCHA.replace("Whisking matcha", "Bamboo")),
        [],
    ),
    "words that join": (
        our(),
        rival("<p>A cup of tea or milk.</p>" * 3),
        [
            ("term", "cup of tea", "not at all", "3 times"),
            ("term", "milk", "not at all", "3 times"),
        ],
    ),
    "a word in passing": (our(), rival("<p>Matcha here.</p><p>Matcha there.</p>"), []),
    "their own name": (our(), rival("<p>Teabarn.</p>" * 9, title="Teabarn"), []),
    "numbers and small words": (our(), rival("<p>2026 and 2025 or the 12 of 13.</p>" * 9), []),
    "another language": (
        our(),
        replace(rival(_MATCHA), reading=Reading(language="de", language_certainty=1.0)),
        [],
    ),
    "a heading of a box": (our(), rival("<h2>Newsletter</h2><p>Sign up.</p>"), []),
    "a type": (our(), rival("<p>Tea.</p>", head=ld("FAQPage")), [("schema", "FAQPage", "0", "1")]),
    "a type that we have": (our(head=ld("FAQPage")), rival("", head=ld("FAQPage")), []),
    "images": (
        our('<p>Tea.</p><img src="/a.jpg" alt="A cup">'),
        rival('<p>Tea.</p><img src="/a.jpg" alt="A cup">' * 4),
        [("media", "images of the main part", "1", "4")],
    ),
    "images that only decorate": (our(), rival('<p>Tea.</p><img src="/a.jpg" alt="">' * 9), []),
    "a video": (
        our(),
        rival('<p>Tea.</p><iframe src="https://www.youtube.com/embed/x"></iframe>'),
        [("media", "videos", "0", "1")],
    ),
    "a frame that is no video": (our(), rival('<iframe src="https://example.com/x"></iframe>'), []),
    "links": (
        our('<p><a href="/a">Tea</a></p>'),
        rival("".join(f'<p><a href="/{n}">Tea</a></p>' for n in range(6))),
        [("links", "links of the main text within the site", "1", "6")],
    ),
    "the same link again and again": (our(), rival('<p><a href="/a">Tea</a></p>' * 9), []),
    "a faster server": (
        our(took_ms=900),
        rival("<p>Tea.</p>", took_ms=300),
        [("speed", "time to the first byte", "900 ms", "300 ms")],
    ),
    "a server that is faster by chance": (our(took_ms=190), rival("<p>Tea.</p>", took_ms=60), []),
    "a slower server": (our(took_ms=300), rival("<p>Tea.</p>", took_ms=900), []),
    "nobody measured": (our(took_ms=900), rival("<p>Tea.</p>"), []),
    "a preview on this machine": (
        replace(our(took_ms=900), local=True), rival("<p>Tea.</p>", took_ms=300), []
    ),
    "a page that did not answer": (
        our(), replace(rival(_MATCHA), page=fetched(_MATCHA, _THEIRS, 503)), []
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_competitor_has_these_gaps_and_no_others(name: str) -> None:
    ours, theirs, expected = CASES[name]
    assert told(ours, theirs) == expected


def test_a_longer_text_is_told_in_words() -> None:
    depth = gaps(our(), rival(paragraphs(8)))[0]
    assert (depth.kind, depth.ours) == ("depth", "1 word")
    assert int(depth.theirs.removesuffix(" words")) > 300


def test_a_term_in_title_and_headings_comes_first() -> None:
    text = "<p>Guest one likes hot milk.</p><p>A kettle.</p>" * 5
    title = "Everything about the kettle"
    found = [one.what for one in gaps(our(), rival(text, title=title)) if one.kind == "term"]
    assert found[0] == "kettle"


def test_terms_of_scripts_without_spaces_are_runs_of_letters() -> None:
    theirs = site(bare("<p>抹茶を、飲む。</p>" * 4, lang="ja"), _THEIRS, reading=Reading())
    ours = site(bare("<p>お茶を飲む。</p>", lang="ja"), _OURS, reading=Reading())
    assert told(ours, theirs) == [("term", "抹茶を", "not at all", "4 times")]


def test_what_is_told_of_a_hostile_page_is_short() -> None:
    theirs = rival(f"<p>{'x' * 5_000}.</p>" * 3, head=ld("Y" * 5_000))
    assert [len(one.what) for one in gaps(our(), theirs)] == [80, 80]


def test_the_rendered_page_is_compared() -> None:
    shown = rendered(bare(_MATCHA, title="Tea"), _OURS)
    assert gaps(replace(our(), rendered=shown), rival(_MATCHA)) == ()


def test_no_more_than_twenty_terms_and_ten_headings_are_told() -> None:
    names = [f"{a}{b}{c}" for a in "bdfgk" for b in "aeiou" for c in ("lix", "mop")]
    text = "".join(
        f"<h2>{name}</h2>" + f"<p>{name} stands before other quiet things, and so do we all, "
        "with more words than a label has.</p>" * 3
        for name in names
    )
    kinds = [one.kind for one in gaps(our(), rival(text))]
    assert (kinds.count("term"), kinds.count("heading")) == (20, 10)


def test_the_same_pages_give_the_same_gaps() -> None:
    assert gaps(our(), rival(_MATCHA)) == gaps(our(), rival(_MATCHA))
    assert all(isinstance(one, Gap) for one in gaps(our(), rival(_MATCHA)))
