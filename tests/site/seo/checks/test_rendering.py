"""What only scripts bring, and what they only decorate."""

from dataclasses import replace

import pytest

from mergegate.core.severity import Severity
from mergegate.site.document import read
from mergegate.site.seo.facts import Rendered, SearchFacts
from mergegate.site.seo.report import Ground
from tests.site.seo.checks.well_made import HTML, URL, changed, found, rendered, rules, site

MAIN = HTML[HTML.index("<main>") : HTML.index("</main>") + len("</main>")]
HEAD = HTML[: HTML.index("<body>")]
SHELL = f'{HEAD}<body><div id="root"></div><script src="/app.js"></script></body></html>'
ARTICLE = "<article>" + "".join(f"<p>Leaf {n} of tea {n + 100} opens.</p>" for n in range(30))
LINKS = "".join(f'<a href="/guides/{n}">Guide number {n}</a> ' for n in range(9))
JSON_LD = HTML[HTML.index("<script type") : HTML.index("</script>") + len("</script>")]


def into(sent: str, seen: str = HTML) -> SearchFacts:
    """A page that is sent so, and rendered so."""
    return site(sent, rendered=rendered(seen))


def without(*parts: str) -> str:
    return changed(*((part, "") for part in parts))


CASES: dict[str, tuple[SearchFacts, list[str]]] = {
    "the same": (into(HTML), []),
    "an empty frame, not rendered": (site(SHELL), ["needs-scripts"]),
    "a short page without scripts": (
        site(changed((MAIN, "<main><h1>Tea</h1><p>Closed today.</p></main>"))),
        [],
    ),
    "a page that only sends on": (
        site(SHELL.replace("<head>", '<head><meta http-equiv="refresh" content="0; url=/tea">')),
        ["meta-refresh"],
    ),
    "an empty frame, rendered": (
        into(SHELL),
        ["h1-after-scripts", "links-after-scripts", "text-after-scripts"],
    ),
    "an empty frame that stays empty": (into(SHELL, SHELL), ["h1-missing", "links-none"]),
    "rendering failed": (
        site(rendered=Rendered(document=read("", URL), failure="it crashed")),
        [],
    ),
    "most of the text": (
        into(HTML, changed(("</article>", ARTICLE + "</article>"))),
        ["text-after-scripts"],
    ),
    "a little text": (into(HTML, changed(("</article>", "<p>12 comments</p></article>"))), []),
    "text is lost": (
        into(changed(("</article>", ARTICLE + "</article>")), changed((MAIN, "<h1>Oops</h1>"))),
        ["h1-after-scripts", "text-lost-after-scripts"],
    ),
    "the title": (
        into(changed(("<title>How to brew", "<title>Loading: how to brew"))),
        ["title-after-scripts"],
    ),
    "the description": (
        into(without(HTML[HTML.index('<meta name="desc') : HTML.index('<meta name="view')])),
        ["description-after-scripts"],
    ),
    "the heading": (
        into(without("<h1>How to brew green tea without bitterness</h1>")),
        ["h1-after-scripts"],
    ),
    "another canonical address": (
        into(
            changed((f'<link rel="canonical" href="{URL}"', '<link rel="canonical" href="/app"')),
        ),
        ["canonical-after-scripts"],
    ),
    "a canonical address at all": (into(without(f'<link rel="canonical" href="{URL}">')), []),
    "noindex, taken away": (
        into(changed(("index, follow, max", "noindex, max"))),
        ["noindex", "robots-after-scripts", "robots-conflict"],
    ),
    "links": (
        into(HTML, changed(("</article>", LINKS + "</article>"))),
        ["links-after-scripts"],
    ),
    "a few links": (into(without('<a href="/about">About us</a>')), []),
    "structured data": (into(without(JSON_LD)), ["structured-data-after-scripts"]),
    "more structured data": (into(HTML, changed(("</article>", JSON_LD + "</article>"))), []),
}


@pytest.mark.parametrize("name", CASES)
def test_the_difference_that_scripts_make_is_exactly_this(name: str) -> None:
    facts, expected = CASES[name]
    assert rules(facts) == expected


def test_a_page_that_is_nothing_without_scripts_is_worse_and_says_how_much() -> None:
    text = next(point for point in found(into(SHELL)) if point.rule == "text-after-scripts")
    assert (text.severity, text.ground) == (Severity.HIGH, Ground.STUDIED)
    assert "(100%) only appear after scripts have run" in text.message


def test_structured_data_that_needs_scripts_is_told_by_its_types() -> None:
    [point] = found(into(without(JSON_LD)))
    assert point.message == (
        "The page's JSON-LD (Article, BreadcrumbList) only appears after scripts."
    )


def test_a_frame_that_was_not_rendered_is_not_blamed_for_what_scripts_bring() -> None:
    assert "h1-missing" not in rules(replace(site(SHELL), rendered=None))
