"""Heads and headings, well made and not."""

from dataclasses import replace

import pytest

from mergegate.core.severity import Severity
from mergegate.site.seo.facts import Reading, SearchFacts
from tests.site.seo.checks.well_made import HTML, changed, fetched, found, rules, site, with_body

TITLE = "How to brew green tea without bitterness</title>"
DESCRIPTION = HTML[HTML.index('<meta name="desc') : HTML.index('<meta name="view')]
VIEWPORT = "width=device-width, initial-scale=1"
CHARSET = '<meta charset="utf-8">\n'


def titled(title: str) -> SearchFacts:
    return site(changed((TITLE, title + "</title>")))


def described(text: str) -> SearchFacts:
    return site(changed((DESCRIPTION, f'<meta name="description" content="{text}">')))


def in_language(lang: str, read: str = "", certainty: float = 0.99) -> SearchFacts:
    html = changed(('<html lang="en">', f'<html lang="{lang}">'))
    return site(html, reading=Reading(language=read, language_certainty=certainty))


def port(content: str) -> SearchFacts:
    return site(changed((VIEWPORT, content)))


def large(letters: int) -> SearchFacts:
    return with_body(f"<p>{'tea ' * (letters // 4)}</p>")


CASES: dict[str, tuple[SearchFacts, list[str]]] = {
    "no title": (site(changed((f"<title>{TITLE}", ""))), ["title-missing"]),
    "empty title": (titled(" "), ["title-missing"]),
    "two titles": (titled("Green tea, brewed well</title><title>Tea"), ["title-several"]),
    "a title in a drawing": (with_body("<svg><title>Leaf</title></svg>"), []),
    "title in the body": (
        site(changed((f"<title>{TITLE}", ""), ("<h1>", f"<title>{TITLE}<h1>"))),
        ["title-outside-head"],
    ),
    "long title": (
        titled("How to brew green tea without any bitterness, in every season of the year"),
        ["title-long"],
    ),
    "long in characters, narrow in pixels": (
        titled("Fill it till it is full: little lilies in still light, illicit"),
        [],
    ),
    "long in pixels, short in characters": (
        titled("MAMMOTH WOMBATS MAKE WARM MEADOWS NOW, MADAM WOMAN"),
        ["title-long"],
    ),
    "short title": (titled("Tea"), ["title-short"]),
    "short in characters, wide enough": (titled("緑茶の美味しい淹れ方"), []),
    "boilerplate": (titled("Home"), ["title-boilerplate"]),
    "boilerplate of a tool": (titled("Vite + React + TS"), ["title-boilerplate"]),
    "boilerplate of a server": (titled("Welcome to nginx!"), ["title-boilerplate"]),
    "home of something": (titled("Home brewing for beginners"), []),
    "no description": (site(changed((DESCRIPTION, ""))), ["description-missing"]),
    "empty description": (described(""), ["description-missing"]),
    "description for shares only": (
        site(changed((DESCRIPTION, '<meta property="og:description" content="Tea">'))),
        ["description-missing"],
    ),
    "long description": (described("Tea leaves. " * 20), ["description-long"]),
    "short description": (described("About green tea."), ["description-short"]),
    "two descriptions": (
        site(changed((DESCRIPTION, DESCRIPTION * 2))),
        ["description-several"],
    ),
    "no viewport": (
        site(changed((f'<meta name="viewport" content="{VIEWPORT}">', ""))),
        ["viewport-missing"],
    ),
    "fixed viewport": (port("width=1024"), ["viewport-fixed"]),
    "only a scale": (port("initial-scale=1"), []),
    "semicolons": (port("width=device-width;initial-scale=1.0"), []),
    "no zoom": (port("width=device-width, user-scalable=no"), ["viewport-no-zoom"]),
    "little zoom": (port("width=device-width, maximum-scale=1.0"), ["viewport-no-zoom"]),
    "enough zoom": (port("width=device-width, maximum-scale=5"), []),
    "no language": (site(changed(('<html lang="en">', "<html>"))), ["lang-missing"]),
    "no such language": (in_language("english"), ["lang-invalid"]),
    "underscore": (in_language("en_US"), ["lang-invalid"]),
    "no such country": (in_language("en-UK"), ["lang-invalid"]),
    "script and country": (in_language("zh-Hant-TW"), []),
    "variants and extensions": (in_language("de-CH-1996-u-co-phonebk"), []),
    "another language": (in_language("en", "de"), ["lang-differs"]),
    "another language, not sure": (in_language("en", "de", 0.6), []),
    "a sister language": (in_language("nb", "no"), []),
    "too short to tell": (in_language("fi"), []),
    "no doctype": (site(changed(("<!doctype html>\n", ""))), ["doctype-missing"]),
    "encoding in the header only": (site(changed((CHARSET, ""))), []),
    "no encoding": (
        replace(
            site(changed((CHARSET, ""))),
            page=fetched(changed((CHARSET, "")), headers=[("content-type", "text/html")]),
        ),
        ["charset-missing"],
    ),
    "an encoding told by a mark": (
        site(
            changed((CHARSET, "")),
            page=replace(
                fetched(changed((CHARSET, "")), headers=[("content-type", "text/html")]),
                body=changed((CHARSET, "")).encode("utf-16"),
            ),
        ),
        [],
    ),
    "old way of encoding": (
        replace(
            site(
                changed(
                    (
                        'charset="utf-8"',
                        'http-equiv="Content-Type" content="text/html; charset=utf-8"',
                    )
                )
            ),
            page=fetched(HTML, headers=[("content-type", "text/html")]),
        ),
        [],
    ),
    "too large": (large(2_200_000), ["html-too-large"]),
    "large": (large(1_900_000), []),
    "mostly scripts": (
        with_body(f"<script>{'let a = 1;' * 40_000}</script>"),
        ["inline-heavy"],
    ),
    "some scripts": (with_body(f"<script>{'let a = 1;' * 4_000}</script>"), []),
    "icon behind a wall for robots": (site(icon=fetched(status=403, headers=[])), []),
    "broken icon": (site(icon=fetched(status=404)), ["favicon-missing"]),
    "a page for an icon": (
        site(icon=fetched("<p>Tea", "https://example.org/favicon.ico")),
        ["favicon-missing"],
    ),
    "no icon at all": (
        site(
            changed(('<link rel="icon" href="/favicon.ico" sizes="any">', "")),
            icon=fetched(status=404),
        ),
        ["favicon-missing"],
    ),
    "icon at the usual place": (
        site(changed(('<link rel="icon" href="/favicon.ico" sizes="any">', ""))),
        [],
    ),
    "icon within the page": (
        site(
            changed(('href="/favicon.ico"', 'href="data:image/svg+xml,<svg/>"')),
            icon=fetched(status=404),
        ),
        [],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_points_of_a_head_are_exactly_these(name: str) -> None:
    facts, expected = CASES[name]
    assert rules(facts) == expected


@pytest.mark.parametrize(
    ("name", "severity"), [("broken icon", Severity.LOW), ("no icon at all", Severity.INFO)]
)
def test_only_an_icon_that_is_named_costs_points(name: str, severity: Severity) -> None:
    [point] = found(CASES[name][0])
    assert (point.rule, point.severity) == ("favicon-missing", severity)


def test_a_long_title_tells_characters_and_pixels() -> None:
    [point] = found(
        titled("How to brew green tea without any bitterness, in every season of the year")
    )
    assert point.message.startswith("The title has 73 characters, about ")
    assert "px; a desktop result shows about 600 px." in point.message


def test_the_right_language_comes_ready_to_paste() -> None:
    snippets = [point.snippet for point in found(in_language("en-UK"))]
    assert snippets == ['<html lang="en-GB">']


def test_sizes_are_told_with_the_limit() -> None:
    [point] = found(large(2_200_000))
    assert "2.2 MB" in point.message
    assert "the first 2 MB" in point.message


H1 = "<h1>How to brew green tea without bitterness</h1>"


def headed(*headings: str) -> SearchFacts:
    """The page with these headings in place of its own below the first."""
    start, end = HTML.index("<h2>Water"), HTML.index("</article>")
    return site(HTML[:start] + "".join(headings) + HTML[end:])


HEADINGS: dict[str, tuple[SearchFacts, list[str]]] = {
    "no h1": (site(changed((H1, ""))), ["h1-missing"]),
    "empty h1": (site(changed((H1, "<h1> </h1>"))), ["h1-missing", "heading-empty"]),
    "a logo for an h1": (
        site(changed((H1, '<h1><img src="/l.png" alt="Tea house" width="9" height="9"></h1>'))),
        [],
    ),
    "a hidden h1": (site(changed(("<h1>", "<h1 hidden>"))), []),
    "two h1": (with_body("<h1>More tea</h1>"), ["h1-several"]),
    "skipped level": (headed("<h2>Water</h2>", "<h4>Heat</h4>"), ["heading-skipped"]),
    "back up": (headed("<h2>Water</h2>", "<h3>Heat</h3>", "<h2>Leaves</h2>"), []),
    "small heading in the footer": (site(changed(("<footer>", "<footer><h5>More</h5>"))), []),
    "empty heading": (headed("<h2></h2>"), ["heading-empty"]),
    "a page that was not read to its end": (
        site(changed((H1, "")), page=replace(fetched(changed((H1, ""))), whole=False)),
        [],
    ),
}


@pytest.mark.parametrize("name", HEADINGS)
def test_the_points_of_headings_are_exactly_these(name: str) -> None:
    facts, expected = HEADINGS[name]
    assert rules(facts) == expected


def test_a_skip_names_both_levels_and_the_text() -> None:
    [point] = found(headed("<h2>Water</h2>", "<h4>Heat</h4>"))
    assert point.evidence == "h2 → h4 “Heat”"
