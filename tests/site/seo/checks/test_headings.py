"""Headings that tell how a page is made up, and others."""

from dataclasses import replace

import pytest

from mergegate.site.seo.facts import SearchFacts
from tests.site.seo.checks.well_made import HTML, changed, fetched, found, rules, site, with_body

H1 = "<h1>How to brew green tea without bitterness</h1>"


def headed(*headings: str) -> SearchFacts:
    """The page with these headings in place of its own below the first."""
    start, end = HTML.index("<h2>Water"), HTML.index("</article>")
    return site(HTML[:start] + "".join(headings) + HTML[end:])


CASES: dict[str, tuple[SearchFacts, list[str]]] = {
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


@pytest.mark.parametrize("name", CASES)
def test_the_points_of_headings_are_exactly_these(name: str) -> None:
    facts, expected = CASES[name]
    assert rules(facts) == expected


def test_a_skip_names_both_levels_and_the_text() -> None:
    [point] = found(headed("<h2>Water</h2>", "<h4>Heat</h4>"))
    assert point.evidence == "h2 → h4 “Heat”"
