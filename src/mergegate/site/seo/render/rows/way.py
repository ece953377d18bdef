"""How crawlers get to the page."""

from collections.abc import Sequence

from mergegate.core.render import wording
from mergegate.site.seo.facts import SearchFacts, Sitemap
from mergegate.site.seo.render.rows.page import Fact
from mergegate.site.seo.report import SeoReport

_MOST_HOPS = 5


def crawl_facts(report: SeoReport) -> tuple[Fact, ...]:
    """How crawlers get to the page."""
    facts = report.facts
    hidden = report.hidden_by
    told = (
        Fact("Can be found", "no" if hidden else "yes", "; ".join(one.title for one in hidden)),
        Fact("Way", _way(report)),
        Fact("robots.txt", facts.robots.state if facts.robots else "not asked for"),
        Fact("Sitemaps", *_sitemaps(facts)),
        Fact("Unknown address", _unknown(facts)),
        Fact("llms.txt", _llms(facts), "no search engine asks for it"),
    )
    return tuple(one for one in told if one.text)


def _way(report: SeoReport) -> str:
    answers = report.facts.page.answers
    told = [f"{one.status} {one.url}" for one in answers[-_MOST_HOPS:]]
    return " → ".join(told)


def _sitemaps(facts: SearchFacts) -> tuple[str, str]:
    """How many were read, of how many where more are named, and whether the page is listed."""
    found = [one for one in facts.sitemaps if one.kind]
    if not found:
        return "none found", ""
    entries = sum(one.entries for one in found if one.kind != "index")
    lists = any(one.lists_page for one in found)
    number = f"{wording.counted(len(found), 'sitemap')}{_of_more(facts, found)}"
    where = "this page among them" if lists else "this page was not found in them"
    return f"{number}, {wording.counted(entries, 'address', 'addresses')}", where


def _of_more(facts: SearchFacts, read: Sequence[Sitemap]) -> str:
    """`` of 40 that are named``; empty where all of them were read."""
    named = facts.sitemaps_named
    return f" of {named:,} that are named" if named > len(read) else ""


def _unknown(facts: SearchFacts) -> str:
    if facts.nonsense is None or facts.nonsense.status is None:
        return ""
    return f"answers {facts.nonsense.status}"


def _llms(facts: SearchFacts) -> str:
    if facts.llms is None or facts.llms.status is None:
        return ""
    # Sites of one page answer with it to any address.
    is_page = "html" in facts.llms.header("content-type").lower()
    return "present" if facts.llms.ok and not is_page else "absent"
