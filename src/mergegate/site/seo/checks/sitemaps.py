"""Whether the site's sitemaps can be read, say what is true, and name the page.

Source: the sitemaps.org protocol, and what Google and Bing make of it.
"""

from collections.abc import Callable, Iterator
from itertools import chain

from mergegate.site.seo.checks.indexing import is_noindexed
from mergegate.site.seo.checks.point import RULES, Rule, examples, is_gone
from mergegate.site.seo.facts import SearchFacts, Sitemap
from mergegate.site.seo.report import Point
from mergegate.site.seo.urls import alike, canonical_address
from mergegate.site.words import counted

MISSING = RULES["sitemap-missing"]
BROKEN = RULES["sitemap-broken"]
NOT_NAMED = RULES["sitemap-not-named"]
OMITS = RULES["sitemap-omits-page"]
LISTS_NOINDEXED = RULES["sitemap-lists-noindexed"]
PROBLEMS = RULES["sitemap-problems"]
FOREIGN = RULES["sitemap-foreign"]
INSECURE = RULES["sitemap-insecure"]
FUTURE = RULES["sitemap-future-lastmod"]
SAME = RULES["sitemap-same-lastmod"]
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
    """What is wrong with the sitemaps; a local page's name the public host and are not judged."""
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
        yield MISSING.point(facts.url)


def _were_looked_for(facts: SearchFacts) -> bool:
    """Whether sitemaps were looked for in time, and each place answered; needs a robots.txt."""
    told = all(one.fetched.ok or is_gone(one.fetched) for one in facts.sitemaps)
    missed = any("sitemap" in note for note in facts.notes)
    return facts.robots is not None and told and not missed


def _broken(facts: SearchFacts) -> Iterator[Point]:
    for one in facts.sitemaps:
        if _is_named(one) and not one.kind and (one.fetched.ok or is_gone(one.fetched)):
            said = _answer(one)
            message = f"The sitemap that {_origin(one)} names {said}."
            yield BROKEN.point(facts.url, message, place=one.fetched.url, evidence=one.fetched.url)


def _unnamed(facts: SearchFacts, found: tuple[Sitemap, ...]) -> Iterator[Point]:
    robots = facts.robots
    if found and robots and robots.state == "present" and not any(map(_is_named, found)):
        address = found[0].fetched.url
        yield NOT_NAMED.point(facts.url, evidence=address, snippet=f"Sitemap: {address}")


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
    url = facts.url
    lists = [one.fetched.url for one in found if one.lists_page]
    noindexed = is_noindexed(facts.best, facts.page)
    if lists and noindexed:
        yield LISTS_NOINDEXED.point(url, evidence=examples(lists))
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
    named = canonical_address(facts.best, facts.page)
    return not named or alike(named, facts.url)


def _contents(facts: SearchFacts, found: tuple[Sitemap, ...]) -> Iterator[Point]:
    url = facts.url
    for rule, number, what in _COUNTED:
        wrong = [one for one in found if number(one)]
        if wrong:
            total = sum(map(number, wrong))
            message = f"{_entries(total)} {what}."
            where = examples([one.fetched.url for one in wrong])
            yield rule.point(url, message, evidence=where, count=total)
    # Our own bounds may be to blame where we did not read one to its end.
    read = [one for one in found if one.fetched.whole]
    problems = [f"{one.fetched.url}: {what}" for one in read for what in one.problems]
    if problems:
        message = f"The site's sitemaps have {counted(len(problems), 'problem')}."
        yield PROBLEMS.point(url, message, found=problems)


def _entries(number: int) -> str:
    return f"{number:,} {'entry' if number == 1 else 'entries'}"
