"""What only scripts bring, and what they only decorate."""

import pytest

from mergegate.core.severity import Severity
from mergegate.site.document import read
from mergegate.site.seo.checks import points
from mergegate.site.seo.checks.tokens import length
from mergegate.site.seo.facts import Rendered, SearchFacts
from mergegate.site.seo.report import UNFINDABLE, Ground, draw_up
from tests.site.seo.checks.well_made import HTML, URL, changed, found, rendered, rules, site

MAIN = HTML[HTML.index("<main>") : HTML.index("</main>") + len("</main>")]
HEAD = HTML[: HTML.index("<body>")]
SHELL = f'{HEAD}<body><div id="root"></div><script src="/app.js"></script></body></html>'
EMPTY = f"{HEAD}<body><div></div></body></html>"
ARTICLE = "<article>" + "".join(f"<p>Leaf {n} of tea {n + 100} opens.</p>" for n in range(30))
LINKS = "".join(f'<a href="/guides/{n}">Guide number {n}</a> ' for n in range(9))
JSON_LD = HTML[HTML.index("<script type") : HTML.index("</script>") + len("</script>")]


def into(sent: str, seen: str = HTML) -> SearchFacts:
    """A page that is sent so, and rendered so."""
    return site(sent, rendered=rendered(seen))


def test_words_are_counted_as_they_are_elsewhere() -> None:
    """A hyphen or an apostrophe parts none: one page has one number of words."""
    facts = site(SHELL.replace('root">', "root\">We don't over-brew it, e.g. at 3.5 minutes"))
    [point] = [one for one in points(facts) if one.rule == "needs-scripts"]
    assert f"the page has {length(facts.document.text)} words" in point.message


def without(*parts: str) -> str:
    return changed(*((part, "") for part in parts))


CASES: dict[str, tuple[SearchFacts, list[str]]] = {
    "the same": (into(HTML), []),
    "an empty frame, not rendered": (site(SHELL), ["empty-as-sent", "h1-missing"]),
    "a frame with a word in it": (
        site(SHELL.replace('root">', 'root">Loading…')),
        ["h1-missing", "needs-scripts"],
    ),
    "a picture, and a script that counts visitors": (
        site(SHELL.replace("<div", "<img src=/tea.jpg alt=Tea width=8 height=6><div")),
        [],
    ),
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
    "an empty frame that stays empty": (
        into(SHELL, SHELL),
        ["h1-missing", "links-none", "page-empty"],
    ),
    "an empty page": (site(EMPTY), ["h1-missing", "links-none", "page-empty"]),
    "a page of a picture alone": (
        site(EMPTY.replace("<div>", "<img src=/tea.jpg alt=Tea width=8 height=6>")),
        ["h1-missing", "links-none"],
    ),
    "a page of a frame alone": (
        site(EMPTY.replace("<div>", "<iframe src=/tea title=Tea></iframe>")),
        ["h1-missing", "links-none"],
    ),
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


@pytest.mark.parametrize(
    ("html", "at_most"),
    [(SHELL, 84), (EMPTY, UNFINDABLE), ("<body><div></div>", UNFINDABLE)],
    ids=["shell", "empty", "bare"],
)
def test_nothing_to_judge_is_no_full_score(html: str, at_most: int) -> None:
    assert draw_up(points(site(html)))[0] <= at_most


def test_what_is_sent_without_text_is_told_as_sent_so() -> None:
    told = {one.rule: one.message for one in points(site(SHELL))}
    assert "As the page is sent" in told["h1-missing"]
    assert told["text-thin"] == "As it is sent the page has 0 words."
    assert "What they make of it was not looked at." in told["empty-as-sent"]
