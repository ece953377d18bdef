"""What a crawler that runs no scripts misses: the page as it was sent against the rendered one.

Google renders pages, sometimes later; the crawlers of assistants do not.
"""

import re
from collections import Counter
from collections.abc import Iterator

from mergegate.core.severity import Severity
from mergegate.site.facts.document import Document, Script
from mergegate.site.seo.checks.indexing import says, told
from mergegate.site.seo.checks.point import RULES, examples, quoted
from mergegate.site.seo.checks.schema_org import described
from mergegate.site.seo.checks.tokens import has_spaces
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point
from mergegate.site.seo.urls import canonical_address, plain, same, site
from mergegate.site.words import counted

EMPTY = RULES["page-empty"]
SENT_EMPTY = RULES["empty-as-sent"]
NEEDS_SCRIPTS = RULES["needs-scripts"]
TEXT = RULES["text-after-scripts"]
LOST = RULES["text-lost-after-scripts"]
TITLE = RULES["title-after-scripts"]
DESCRIPTION = RULES["description-after-scripts"]
H1 = RULES["h1-after-scripts"]
CANONICAL = RULES["canonical-after-scripts"]
ROBOTS = RULES["robots-after-scripts"]
LINKS = RULES["links-after-scripts"]
STRUCTURED = RULES["structured-data-after-scripts"]
_SHOWING = frozenset({"iframe", "frame", "video", "audio", "object", "embed", "image"})
"""Kinds of what a page loads that a visitor sees or hears."""
_RUN = frozenset({"", "module", "text/javascript", "application/javascript"})
"""Types of scripts that run."""
_EMPTY_WORDS = 30
"""With fewer words, a page that has scripts and no heading looks like an empty frame."""
_LEAST_WORDS = 50
_HALF, _NEARLY_ALL = 0.5, 0.9
_LEAST_LINKS = 5
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\w+")
"""Matches one word; in scripts without spaces each character counts as one."""


def is_shell(facts: SearchFacts) -> bool:
    """Whether the page was not rendered, and looks as though its scripts would fill it."""
    page = facts.document
    return (
        facts.best is page
        and bool(_running(page))
        and not any(one.text for one in page.headings)
        and sum(_words(page).values()) < _EMPTY_WORDS
    )


def is_unfilled(facts: SearchFacts) -> bool:
    """Whether it is such a shell that shows nothing but a few words, and sends nobody on."""
    return is_shell(facts) and not _shows(facts.document) and not _sends_on(facts.document)


def is_empty(facts: SearchFacts) -> bool:
    """Whether a visitor gets nothing at all; a page that scripts may yet fill is none."""
    page = facts.best
    whole = facts.page.whole and not page.cut
    return whole and _is_bare(page) and not is_shell(facts) and not _sends_on(facts.document)


def _running(page: Document) -> list[Script]:
    """Scripts but for blocks of data, such as JSON-LD."""
    return [one for one in page.scripts if one.type in _RUN]


def _shows(page: Document) -> bool:
    loaded = any(one.kind in _SHOWING for one in page.resources)
    return bool(page.images or page.forms or loaded)


def _is_bare(page: Document) -> bool:
    return not page.text.strip() and not _shows(page)


def points(facts: SearchFacts) -> Iterator[Point]:
    """The difference; of a page that was not rendered, what it lacks as it is sent."""
    url, sent, seen = facts.url, facts.document, facts.best
    yield from _nothing(facts)
    if seen is sent:
        return
    yield from _texts(url, sent, seen)
    yield from _heads(url, sent, seen)
    yield from _rules(facts, sent, seen)
    yield from _connections(url, sent, seen)


def _nothing(facts: SearchFacts) -> Iterator[Point]:
    """That there is nothing to judge: for certain, as it is sent, or by the look of it."""
    url, sent = facts.url, facts.document
    if is_empty(facts):
        ran = "" if facts.best is sent else " after its scripts have run"
        yield EMPTY.point(
            url,
            f"It has neither text nor image, form or frame{ran}: there is nothing to judge, and "
            "Google takes such a page for one that is missing.",
        )
    elif is_unfilled(facts):
        number, scripts = sum(_words(sent).values()), counted(len(_running(sent)), "script")
        message = f"As it is sent the page has {counted(number, 'word')}, and {scripts}."
        rule = SENT_EMPTY if _is_bare(sent) else NEEDS_SCRIPTS
        yield rule.point(url, f"{message} What they make of it was not looked at.")


def _sends_on(page: Document) -> bool:
    """Whether it is meant to be empty, for visitors see another one at once."""
    return any(one.kind == "http-equiv" and one.name == "refresh" for one in page.metas)


def _texts(url: str, sent: Document, seen: Document) -> Iterator[Point]:
    before, after = _words(sent), _words(seen)
    all_words = sum(after.values())
    new = sum((after - before).values())
    if all_words >= _LEAST_WORDS and new > _HALF * all_words:
        share = new / all_words
        yield TEXT.point(
            url,
            f"{new:,} of {all_words:,} words ({share:.0%}) only appear after scripts have run; "
            "crawlers of assistants do not see them.",
            severity=Severity.HIGH if share >= _NEARLY_ALL else None,
            evidence=examples(_added(sent, seen)),
        )
    lost = sum((before - after).values())
    if sum(before.values()) >= 2 * _LEAST_WORDS and lost > _NEARLY_ALL * sum(before.values()):
        message = f"{lost:,} of {sum(before.values()):,} words are gone after scripts have run."
        yield LOST.point(url, message)


def _added(sent: Document, seen: Document) -> list[str]:
    """Headings and paragraphs that only the rendered page has."""
    known = set(_pieces(sent))
    return [text for text in _pieces(seen) if text not in known]


def _pieces(page: Document) -> list[str]:
    return [*(one.text for one in page.headings), *(one.text for one in page.blocks)]


def _heads(url: str, sent: Document, seen: Document) -> Iterator[Point]:
    for rule, before, after in (
        (TITLE, sent.title, seen.title),
        (DESCRIPTION, sent.meta("description"), seen.meta("description")),
        (H1, _h1(sent), _h1(seen)),
    ):
        if after and before != after:
            sent_told = f"says {quoted(before)}" if before else "has none"
            message = f"As it is sent the page {sent_told}, after scripts {quoted(after)}."
            yield rule.point(url, message, evidence=after)


def _h1(page: Document) -> str:
    return next((one.text for one in page.headings if one.level == 1), "")


def _rules(facts: SearchFacts, sent: Document, seen: Document) -> Iterator[Point]:
    url = facts.url
    before, after = canonical_address(sent, facts.page), canonical_address(seen, facts.page)
    if before and after and not same(before, after):
        message = f"It says {quoted(before)} as it is sent, and {quoted(after)} after scripts."
        yield CANONICAL.point(url, message, evidence=after)
    noindex = says(told(sent, None), "noindex")
    if noindex and not says(told(seen, facts.page), "noindex"):
        yield ROBOTS.point(url, evidence=noindex[0].written)


def _connections(url: str, sent: Document, seen: Document) -> Iterator[Point]:
    before, after = _internal(sent), _internal(seen)
    known = set(before)
    new = [link for link in after if link not in known]
    if len(new) >= _LEAST_LINKS and len(new) > _HALF * len(after):
        message = f"{len(new)} of {len(after)} links within the site only appear after scripts."
        yield LINKS.point(url, message, found=new)
    if seen.json_ld and not sent.json_ld and not sent.items:
        types = examples([name for one in described(seen) for name in one.types])
        message = f"The page's JSON-LD ({types or 'of no type'}) only appears after scripts."
        yield STRUCTURED.point(url, message, selector=seen.json_ld[0].selector, evidence=types)


def _internal(page: Document) -> list[str]:
    here, own = plain(page.url), site(page.url)
    links = (plain(one.href) for one in page.anchors if site(one.href) == own)
    return list(dict.fromkeys(link for link in links if link != here))


def _words(page: Document) -> Counter[str]:
    """As many as are counted elsewhere, where spaces part them."""
    text = page.text.casefold()
    return Counter(text.split() if has_spaces(text) else _WORD.findall(text))
