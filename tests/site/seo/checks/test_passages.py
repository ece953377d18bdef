"""Pieces that an answer can quote: under a heading, 40 to 80 words, standing alone."""

import pytest

from mergegate.site.seo.checks.passages import passages
from mergegate.site.seo.facts import Reading
from mergegate.site.seo.report import Passage
from tests.site.seo.checks.texts import bare, found, page, paragraphs, rules, sentences
from tests.site.seo.checks.well_made import site

_FOUR = " ".join(sentences(4))
"""50 words."""
_TWO, _NEXT = " ".join(sentences(2)), " ".join(sentences(4)[2:])
_JAPANESE = "緑茶は七十五度のお湯で二分間入れると甘くなり、熱いお湯では苦くなります。" * 3


def quotable(body: str, language: str = "en") -> list[tuple[str, int]]:
    facts = site(bare(body, lang=language), reading=Reading())
    return [(one.heading, one.words) for one in passages(facts)]


@pytest.mark.parametrize(
    ("language", "body", "expected"),
    [
        ("en", f"<h2>Guests</h2><p>{_FOUR}</p>", [("Guests", 50)]),
        ("en", f"<h2>Guests</h2><p>{_TWO}</p><p>{_NEXT}</p>", [("Guests", 50)]),
        ("en", f"<h2>One</h2><p>{_FOUR}</p><h3>Two</h3><p>{_FOUR}</p>", [("One", 50), ("Two", 50)]),
        ("en", f"<h2>One</h2><p>{_FOUR}</p><p>{_FOUR}</p>", [("One", 50)]),
        ("en", f"<p>{_FOUR}</p>", []),
        ("en", f"<h2>Too short</h2><p>{_TWO}</p>", []),
        ("en", f"<h2>Too long</h2><p>{' '.join(sentences(8))}</p>", []),
        ("en", f"<h2>Leans</h2><p>It is so. {_FOUR}</p>", []),
        ("en", f"<h2>Leans</h2><p>However, {_FOUR}</p>", []),
        ("en", f"<h2>Its own</h2><p>Tea is so. {_FOUR}</p>", [("Its own", 53)]),
        ("en", f"<h2>Elsewhere</h2><p>{_FOUR} As mentioned above, tea is hot.</p>", []),
        ("en", f"<h2>Leads on</h2><p>{_FOUR[:-1]}:</p><ul><li>x</ul>", []),
        ("ja", f"<h2>緑茶</h2><p>{_JAPANESE[:-1]}：</p>", []),
        ("en", f"<h2>No words</h2><p>{_FOUR} {'x' * 2_000}.</p>", []),
        ("en", f"<h2>No prose</h2><ul><li>{_FOUR}</li></ul>", []),
        ("en", f"<h2>Code</h2><pre>{_FOUR}</pre>", []),
        ("en", f"<nav><h2>Aside</h2><p>{_FOUR}</p></nav>", []),
        ("de", f"<h2>Tee</h2><p>Dieser ist gut. {_FOUR}</p>", []),
        ("de", f"<h2>Tee</h2><p>Siehe oben. {_FOUR}</p>", []),
        ("de", f"<h2>Tee</h2><p>It ist hier ein Name. {_FOUR}</p>", [("Tee", 55)]),
        ("ja", f"<h2>緑茶</h2><p>{_JAPANESE}</p>", [("緑茶", 57)]),
        ("en", "", []),
    ],
)
def test_a_passage_answers_its_heading_and_stands_alone(
    language: str, body: str, expected: list[tuple[str, int]]
) -> None:
    assert quotable(body, language) == expected


def test_a_passage_is_quoted_as_it_stands() -> None:
    facts = site(bare(f"<h2>Two halves</h2><p>{_TWO}</p><p>{_NEXT}</p><p>More.</p>"))
    assert passages(facts) == (Passage(heading="Two halves", text=_FOUR, words=50),)


def test_no_more_than_twenty_are_shown() -> None:
    assert len(quotable(f"<h2>Again</h2><p>{_FOUR}</p>" * 30)) == 20


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"<h2>More</h2>{paragraphs(20, of=7)}", ["passage-none"]),
        (f"<h2>More</h2>{paragraphs(40)}", []),
        (f"<h2>More</h2>{paragraphs(2, of=7)}", []),
    ],
)
def test_an_article_without_any_is_told_so(body: str, expected: list[str]) -> None:
    leaning = ("<p>Green tea turns", "<p>It turns")
    assert rules(found(page(leaning, body=body))) == expected
