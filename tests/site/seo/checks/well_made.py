"""A page and a site that nothing is wrong with, and how a test changes one thing of them."""

from collections.abc import Iterable
from dataclasses import replace

from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.site.document import read
from mergegate.site.seo.checks import CHECKS, ai_search, content, passages, trust
from mergegate.site.seo.facts import Reading, Rendered, Robots, SearchFacts, Sitemap
from mergegate.site.seo.report import Point

OF_TEXTS = (content.points, passages.points, ai_search.points, trust.points)
URL = "https://example.org/guides/green-tea"
NOW = "2026-11-22T09:00:00+00:00"
HTML = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>How to brew green tea without bitterness</title>
<meta name="description" content="Water at 75 degrees, two minutes, and leaves that can unfold:
 what makes green tea sweet, and the mistakes that make it bitter.">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="index, follow, max-image-preview:large">
<link rel="canonical" href="https://example.org/guides/green-tea">
<link rel="icon" href="/favicon.ico" sizes="any">
<meta property="og:title" content="How to brew green tea">
<meta property="og:type" content="article">
<meta property="og:image" content="https://example.org/images/tea.jpg">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:url" content="https://example.org/guides/green-tea">
<meta name="twitter:card" content="summary_large_image">
<script type="application/ld+json">
{"@context": "https://schema.org", "@graph": [
 {"@type": "Article", "headline": "How to brew green tea",
  "image": ["https://example.org/images/tea.jpg"],
  "datePublished": "2026-03-01T08:00:00+00:00", "dateModified": "2026-10-01",
  "author": {"@type": "Person", "name": "Ines Marin", "url": "https://example.org/ines"},
  "publisher": {"@id": "https://example.org/#organization"}},
 {"@type": "BreadcrumbList", "itemListElement": [
  {"@type": "ListItem", "position": 1, "name": "Guides", "item": "https://example.org/guides"},
  {"@type": "ListItem", "position": 2, "name": "Green tea"}]}]}
</script>
</head>
<body>
<header><nav><a href="/">Tea house</a> <a href="/guides">Guides</a></nav></header>
<main><article>
<h1>How to brew green tea without bitterness</h1>
<p>By <a href="/ines" rel="author">Ines Marin</a>, <time datetime="2026-03-01">1 March 2026</time>,
changed on <time datetime="2026-10-01">1 October 2026</time></p>
<p>Green tea turns bitter when the water is too hot. Let it cool to 75 degrees first, and pour it
over two grams of leaves. Two minutes later the cup is sweet, and the leaves are good for another
two infusions.</p>
<h2>Water</h2>
<p>Soft water brings out more of the taste; our <a href="/guides/water">guide to water</a> tells
why.</p>
<h3>Temperature</h3>
<p>Every ten degrees more double the bitterness.</p>
<img src="/images/tea.jpg" alt="A cup of green tea beside its leaves" width="800" height="600">
<img src="/images/line.svg" alt="" width="800" height="2">
<h2>Leaves</h2>
<p>Leaves need room. <a href="https://example.com/leaves">How leaves unfold</a> is a film about it.
</p>
</article></main>
<footer><a href="/about">About us</a> <a href="#top">Back to the top</a></footer>
</body></html>
"""


def fetched(
    html: str = "",
    url: str = URL,
    status: int = 200,
    headers: Iterable[tuple[str, str]] = (("content-type", "text/html; charset=utf-8"),),
    via: Iterable[tuple[str, int]] = (),
) -> Fetched:
    """What came of asking for ``url``, or for the first of ``via`` that led there."""
    answer = Answer(url=url, status=status, headers=tuple(headers))
    hops = tuple(Answer(url=before, status=code) for before, code in via)
    first = hops[0].url if hops else url
    return Fetched(url=first, answers=(*hops, answer), body=html.encode(), text=html)


def changed(*changes: tuple[str, str]) -> str:
    """The page with each first text, which must be there, put for the second."""
    html = HTML
    for old, new in changes:
        assert old in html, old
        html = html.replace(old, new)
    return html


def site(html: str = HTML, url: str = URL, **more: object) -> SearchFacts:
    """What is seen of the site whose page is ``html``; ``more`` are fields of the facts."""
    robots_txt = fetched("User-agent: *\nAllow: /\n", "https://example.org/robots.txt")
    facts = SearchFacts(
        page=fetched(html, url),
        document=read(html, url),
        robots=Robots(
            fetched=robots_txt, state="present", allowed={"Googlebot": True, "Bingbot": True}
        ),
        sitemaps=(sitemap(),),
        nonsense=fetched("", "https://example.org/nonsense-3f9a", 404),
        social_image=fetched(
            "", "https://example.org/images/tea.jpg", 200, [("content-type", "image/jpeg")]
        ),
        icon=fetched(
            "", "https://example.org/favicon.ico", 200, [("content-type", "image/x-icon")]
        ),
        variants=(
            fetched(html, url, via=[(url.replace("https", "http", 1), 301)]),
            fetched("", url + "/", 404),
        ),
        reading=Reading(language="en", language_certainty=0.99),
        now=NOW,
    )
    return replace(facts, **more)  # type: ignore[arg-type]


def sitemap(**more: object) -> Sitemap:
    """One that lists the page."""
    good = Sitemap(
        fetched=fetched("", "https://example.org/sitemap.xml"),
        source="robots.txt",
        kind="urlset",
        entries=40,
        lists_page=True,
        with_lastmod=40,
    )
    return replace(good, **more)  # type: ignore[arg-type]


def rendered(html: str, url: str = URL) -> Rendered:
    """The page as a browser leaves it."""
    return Rendered(document=read(html, url), final_url=url)


def with_json_ld(text: str) -> SearchFacts:
    """The site with this JSON-LD in place of its own."""
    start, end = HTML.index('{"@context"'), HTML.index("</script>")
    return site(HTML[:start] + text + HTML[end:])


def with_body(html: str) -> SearchFacts:
    """The site with this before the end of the article."""
    return site(changed(("</article>", html + "</article>")))


def found(facts: SearchFacts) -> list[Point]:
    """Every point of the modules here, in their order."""
    return [point for check in CHECKS if check not in OF_TEXTS for point in check(facts)]


def rules(facts: SearchFacts) -> list[str]:
    """The rules of :func:`found`, sorted; one that is found twice stands twice."""
    return sorted(point.rule for point in found(facts))
