"""Previews that look right, and others."""

import re
from dataclasses import replace

import pytest

from mergegate.site.seo.facts import SearchFacts
from tests.site.seo.checks.well_made import HTML, changed, fetched, found, rules, site

IMAGE = '"https://example.org/images/tea.jpg">\n<meta property="og:image:width"'
CARD = '<meta name="twitter:card" content="summary_large_image">\n'
NO_OPEN_GRAPH = re.sub(r'<meta property="og:.*>\n', "", HTML)


def without(*names: str) -> SearchFacts:
    html = HTML
    for name in names:
        html, number = re.subn(f'<meta property="{name}" .*>\n', "", html)
        assert number
    return site(html)


def pictured(address: str) -> SearchFacts:
    return site(changed((IMAGE, f'"{address}">\n<meta property="og:image:width"')))


def answering(status: int, kind: str = "image/png") -> SearchFacts:
    answer = fetched("", "https://example.org/images/tea.jpg", status, [("content-type", kind)])
    return site(social_image=answer)


CASES: dict[str, tuple[SearchFacts, list[str]]] = {
    "nothing": (site(NO_OPEN_GRAPH), ["og-missing"]),
    "no title": (without("og:title"), ["og-incomplete"]),
    "no image, no address": (without("og:image", "og:url"), ["og-incomplete"]),
    "image by its longer name": (site(changed(('"og:image"', '"og:image:url"'))), []),
    "by name instead of property": (site(HTML.replace("property=", "name=")), []),
    "relative image": (pictured("/images/tea.jpg"), ["og-image-relative"]),
    "http image": (pictured("http://example.org/images/tea.jpg"), ["og-image-insecure"]),
    "image is gone": (answering(404), ["og-image-broken"]),
    "image is behind a wall for robots": (answering(403, "text/html"), []),
    "image is a page": (answering(200, "text/html; charset=utf-8"), ["og-image-not-raster"]),
    "image is a drawing": (answering(200, "image/svg+xml"), ["og-image-not-raster"]),
    "image is there": (answering(200, "IMAGE/WEBP"), []),
    "image does not answer": (
        site(social_image=replace(fetched(), failure="the name is unknown")),
        ["og-image-broken"],
    ),
    "image is out of bounds": (
        site(social_image=replace(fetched(), failure="not let through", refused=True)),
        [],
    ),
    "image was not fetched": (site(social_image=None), []),
    "image of a preview's public host": (
        site(
            HTML,
            "http://localhost:3000/guides/green-tea",
            local=True,
            social_image=fetched("", "https://example.org/images/tea.jpg", 404),
        ),
        [],
    ),
    "small image": (site(changed(('"1200"', '"150"'), ('"630"', '"150"'))), ["og-image-small"]),
    "odd size": (site(changed(('"1200"', '"wide"'))), []),
    "another address": (
        site(
            changed(
                (
                    '"og:url" content="https://example.org/guides/green-tea"',
                    '"og:url" content="https://example.org/guides"',
                )
            )
        ),
        ["og-url-differs"],
    ),
    "another form of the address": (
        site(
            changed(
                (
                    '"og:url" content="https://example.org/guides/green-tea"',
                    '"og:url" content="https://example.org/guides/green-tea/?ref=og"',
                )
            )
        ),
        [],
    ),
    "no card": (site(changed((CARD, ""))), ["twitter-card-missing"]),
    "unknown card": (site(changed(("summary_large_image", "large"))), ["twitter-card-unknown"]),
    "card in capitals": (site(changed(("summary_large_image", "Summary"))), []),
}


@pytest.mark.parametrize("name", CASES)
def test_the_points_of_a_preview_are_exactly_these(name: str) -> None:
    facts, expected = CASES[name]
    assert rules(facts) == expected


def test_what_is_missing_comes_filled_with_what_the_page_says() -> None:
    html = NO_OPEN_GRAPH.replace("green tea without bitterness</title>", 'tea & "leaves"</title>')
    [point] = found(site(html))
    assert point.snippet.splitlines()[0] == (
        '<meta property="og:title" content="How to brew tea &amp; &quot;leaves&quot;">'
    )
    assert '"og:url" content="https://example.org/guides/green-tea"' in point.snippet
