"""Whether the site's sitemaps can be read, say what is true, and name the page.

Source: the sitemaps.org protocol, and what Google and Bing make of it.
"""

from collections.abc import Callable, Iterator
from itertools import chain

from mergegate.core.severity import Severity
from mergegate.site.seo.checks import canonical
from mergegate.site.seo.checks.directives import is_noindexed
from mergegate.site.seo.checks.point import GOOGLE, Rule, examples, is_gone
from mergegate.site.seo.checks.urls import alike
from mergegate.site.seo.facts import SearchFacts, Sitemap
from mergegate.site.seo.report import Ground, Point, Theme
from mergegate.site.words import counted

_SOURCE = f"{GOOGLE}/crawling-indexing/sitemaps/build-sitemap"
_PROTOCOL = "https://www.sitemaps.org/protocol.html"

MISSING = Rule(
    id="sitemap-missing",
    theme=Theme.INDEXING,
    severity=Severity.INFO,
    title="No sitemap",
    remedy="Publish a sitemap, and name it in robots.txt, unless the site is small.",
    source=f"{GOOGLE}/crawling-indexing/sitemaps/overview",
)
BROKEN = Rule(
    id="sitemap-broken",
    theme=Theme.INDEXING,
    severity=Severity.MEDIUM,
    title="A sitemap that is named cannot be read",
    remedy="Put a sitemap at this address, or name another one.",
    source=_SOURCE,
)
NOT_NAMED = Rule(
    id="sitemap-not-named",
    theme=Theme.INDEXING,
    severity=Severity.INFO,
    title="robots.txt does not name the sitemap",
    remedy="Add a Sitemap line, so that every crawler finds it.",
    source="https://www.sitemaps.org/protocol.html#submit_robots",
)
OMITS = Rule(
    id="sitemap-omits-page",
    theme=Theme.INDEXING,
    severity=Severity.LOW,
    ground=Ground.HEURISTIC,
    title="The page is in no sitemap",
    remedy="Add the page to the sitemap, and link to it from other pages.",
    source=_SOURCE,
)
LISTS_NOINDEXED = Rule(
    id="sitemap-lists-noindexed",
    theme=Theme.INDEXING,
    severity=Severity.MEDIUM,
    title="The sitemap lists a page that must not be indexed",
    remedy="Remove the page from the sitemap, or noindex from the page.",
    source=_SOURCE,
)
PROBLEMS = Rule(
    id="sitemap-problems",
    theme=Theme.INDEXING,
    severity=Severity.LOW,
    title="A sitemap breaks the protocol",
    remedy="Correct what is listed.",
    source=_PROTOCOL,
)
FOREIGN = Rule(
    id="sitemap-foreign",
    theme=Theme.INDEXING,
    severity=Severity.LOW,
    title="A sitemap lists pages of other hosts",
    remedy="List the pages of each host in a sitemap that its own robots.txt names.",
    source=f"{_PROTOCOL}#location",
)
INSECURE = Rule(
    id="sitemap-insecure",
    theme=Theme.INDEXING,
    severity=Severity.LOW,
    title="A sitemap lists http addresses",
    remedy="List the https addresses that the pages are served at.",
    source=f"{_PROTOCOL}#location",
)
FUTURE = Rule(
    id="sitemap-future-lastmod",
    theme=Theme.INDEXING,
    severity=Severity.LOW,
    title="A sitemap has dates to come",
    remedy="Let lastmod tell when the page last changed.",
    source=f"{_SOURCE}#additional-notes-about-xml-sitemaps",
)
SAME = Rule(
    id="sitemap-same-lastmod",
    theme=Theme.INDEXING,
    severity=Severity.LOW,
    title="All pages of a sitemap have the same date",
    remedy="Let lastmod tell when each page last changed; otherwise search engines ignore it.",
    source=f"{_SOURCE}#additional-notes-about-xml-sitemaps",
)
_Number = Callable[[Sitemap], int]
_COUNTED: tuple[tuple[Rule, _Number, str], ...] = (
    (FOREIGN, lambda one: one.foreign, "of another host"),
    (INSECURE, lambda one: one.insecure, "with http"),
    (FUTURE, lambda one: one.future_lastmods, "whose lastmod lies in the future"),
    (
        SAME,
        lambda one: one.with_lastmod if one.same_lastmod else 0,
        "with one and the same lastmod",
    ),
)


def points(facts: SearchFacts) -> Iterator[Point]:
    """Of a local page nothing: its sitemap tells of the public host."""
    if facts.local:
        return
    found = tuple(one for one in facts.sitemaps if one.kind)
    yield from _missing(facts, found)
    yield from _broken(facts)
    yield from _unnamed(facts, found)
    yield from _listing(facts, found)
    yield from _contents(facts, found)


def _missing(facts: SearchFacts, found: tuple[Sitemap, ...]) -> Iterator[Point]:
    if not found and _were_looked_for(facts) and not any(map(_is_named, facts.sitemaps)):
        message = (
            "Neither robots.txt nor the usual addresses lead to a sitemap; a small site whose "
            "pages link to each other needs none."
        )
        yield MISSING.point(facts.page.final_url, message)


def _were_looked_for(facts: SearchFacts) -> bool:
    """Whether there was time to, and each place told; without robots.txt nobody has looked."""
    told = all(one.fetched.ok or is_gone(one.fetched) for one in facts.sitemaps)
    missed = any("sitemap" in note for note in facts.notes)
    return facts.robots is not None and told and not missed


def _broken(facts: SearchFacts) -> Iterator[Point]:
    for one in facts.sitemaps:
        if _is_named(one) and not one.kind and (one.fetched.ok or is_gone(one.fetched)):
            said = _answer(one)
            message = f"The sitemap that {_origin(one)} names {said}."
            yield BROKEN.point(
                facts.page.final_url, message, place=one.fetched.url, evidence=one.fetched.url
            )


def _unnamed(facts: SearchFacts, found: tuple[Sitemap, ...]) -> Iterator[Point]:
    robots = facts.robots
    if found and robots and robots.state == "present" and not any(map(_is_named, found)):
        address = found[0].fetched.url
        message = "It stands at its usual address, where not every crawler looks."
        snippet = f"Sitemap: {address}"
        yield NOT_NAMED.point(facts.page.final_url, message, evidence=address, snippet=snippet)


def _is_named(one: Sitemap) -> bool:
    """Whether somebody sends crawlers there, beside our guess of the usual address."""
    return not one.source.startswith("/")


def _origin(one: Sitemap) -> str:
    return "robots.txt" if one.source == "robots.txt" else "another sitemap"


def _answer(one: Sitemap) -> str:
    if one.fetched.ok:
        why = f": {one.problems[0].rstrip('.')}" if one.problems else ""
        return f"is none{why}"
    return f"answers {one.fetched.status}"


def _listing(facts: SearchFacts, found: tuple[Sitemap, ...]) -> Iterator[Point]:
    url = facts.page.final_url
    lists = [one.fetched.url for one in found if one.lists_page]
    noindexed = is_noindexed(facts.best, facts.page)
    if lists and noindexed:
        message = "Search engines are sent to a page that they must leave out."
        yield LISTS_NOINDEXED.point(url, message, evidence=examples(lists))
    if found and not lists and not noindexed and _all_read(facts) and _is_original(facts):
        number = _entries(sum(one.entries for one in found if one.kind != "index"))
        message = f"The page is not among the {number} of the site's sitemaps: is it linked to?"
        yield OMITS.point(url, message)


def _all_read(facts: SearchFacts) -> bool:
    """Whether every sitemap that robots.txt or an index names was read, and read whole."""
    found = [one for one in facts.sitemaps if one.kind]
    read = {one.fetched.url for one in found}
    named = chain(facts.robots.sitemaps if facts.robots else (), *(one.children for one in found))
    return all(url in read for url in named) and all(one.fetched.whole for one in found)


def _is_original(facts: SearchFacts) -> bool:
    named = canonical.address(facts.best, facts.page)
    return not named or alike(named, facts.page.final_url)


def _contents(facts: SearchFacts, found: tuple[Sitemap, ...]) -> Iterator[Point]:
    url = facts.page.final_url
    for rule, number, what in _COUNTED:
        wrong = [one for one in found if number(one)]
        if wrong:
            total = sum(map(number, wrong))
            message = f"{_entries(total)} {what}."
            where = examples([one.fetched.url for one in wrong])
            yield rule.point(url, message, evidence=where, count=total)
    # Of one that we did not read to its end our own bounds may be to blame.
    read = [one for one in found if one.fetched.whole]
    problems = [f"{one.fetched.url}: {what}" for one in read for what in one.problems]
    if problems:
        message = f"The site's sitemaps have {counted(len(problems), 'problem')}."
        yield PROBLEMS.point(url, message, evidence=examples(problems), count=len(problems))


def _entries(number: int) -> str:
    return f"{number:,} {'entry' if number == 1 else 'entries'}"
