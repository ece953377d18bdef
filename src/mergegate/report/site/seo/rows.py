"""What an SEO analysis came to, in rows of words and numbers, for every renderer. Raw text."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mergegate.model.facts.search import SearchFacts, Sitemap
from mergegate.model.severity import Severity
from mergegate.model.site.level import Level
from mergegate.model.site.seo import (
    CrawlerPolicy,
    Gap,
    Ground,
    KeywordAnalysis,
    Point,
    SeoReport,
    Theme,
)
from mergegate.model.site.seo_page import PageData, Recoverable
from mergegate.model.site.words import listed
from mergegate.report import figures, wording
from mergegate.report.site import phrases

NONE = "–"
THEMES = {
    Theme.INDEXING: "Indexing",
    Theme.PAGE: "Page",
    Theme.CONTENT: "Content",
    Theme.LINKS: "Links",
    Theme.IMAGES: "Images",
    Theme.SOCIAL: "Shared links",
    Theme.STRUCTURED_DATA: "Structured data",
    Theme.AI_SEARCH: "AI search",
    Theme.TRUST: "Trust",
}
GROUNDS = {
    Ground.DOCUMENTED: "a search engine or a standard says so",
    Ground.STUDIED: "a published study found it",
    Ground.HEURISTIC: "experience, not counted in the score",
}
PURPOSES = {
    "search": "Search and answers with sources",
    "user": "Fetches for a person who asks",
    "training": "Training of models",
    "control": "Words for robots.txt alone",
}
GAPS = {
    "term": "Terms",
    "schema": "Structured data",
    "heading": "Headings",
    "depth": "Depth",
    "media": "Media",
    "links": "Links",
    "speed": "Speed",
}
CLICKS_NOTE = (
    "Recoverable: clicks that results at this position get on average, less those that came. By "
    "the curve of SISTRIX (July 2020, 80 million keywords): an estimate for an order, no promise."
)
PREVIEW_NOTE = "Estimated by the width of letters; each search engine may show something else."
_LEVELS = {True: Level.ERROR, False: Level.WARNING}
_MOST_HOPS = 5
_FEW = 3


@dataclass(frozen=True, slots=True)
class ThemeRow:
    """What one theme takes off the score."""

    name: str
    points: int
    """Before its cap."""
    counted: int
    findings: int

    @property
    def is_capped(self) -> bool:
        """Whether its cap was reached."""
        return self.points > self.counted


@dataclass(frozen=True, slots=True)
class Step:
    """What to do next, and what it is worth."""

    title: str
    message: str


@dataclass(frozen=True, slots=True)
class Crawler:
    """One crawler in words."""

    name: str
    operator: str
    told: str
    """By robots.txt."""
    got: str
    """From the server; empty when it was not asked."""
    is_closed: bool
    """Whether it gets nothing, by robots.txt or from the server."""
    is_turned_away: bool = False
    """By the server."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What scripts change of the page."""

    what: str
    sent: str
    rendered: str


@dataclass(frozen=True, slots=True)
class Query:
    """A query of Search Console in words."""

    query: str
    clicks: str
    impressions: str
    ctr: str
    position: str
    expected: str
    recoverable: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A line about the page: what it is called, and what it is."""

    name: str
    text: str
    hint: str = ""


def level(one: Point) -> Level:
    """Whether to treat it as an error: high or worse, and not from experience alone."""
    return _LEVELS[one.severity >= Severity.HIGH and one.ground is not Ground.HEURISTIC]


def score(report: SeoReport) -> str:
    """``71/100, needs improvement``."""
    return f"{report.score}/100, {figures.band(report.score)}"


def hints(report: SeoReport) -> int:
    """How many points rest on experience alone."""
    return sum(one.ground is Ground.HEURISTIC for one in report.points)


def severities(report: SeoReport) -> dict[Severity, int]:
    """How many points of each that the score counts, worst first; all five are keys."""
    counted = Counter(one.severity for one in report.points if one.ground is not Ground.HEURISTIC)
    return {severity: counted[severity] for severity in wording.WORST_FIRST}


def counts(report: SeoReport) -> str:
    """``2 high, 5 medium, 4 hints``; ``nothing to put right``."""
    present = [f"{count:,} {one.label}" for one, count in severities(report).items() if count]
    some = [wording.counted(hints(report), "hint")] if hints(report) else []
    return ", ".join([*present, *some]) or "nothing to put right"


def themes(report: SeoReport) -> tuple[ThemeRow, ...]:
    """Every theme, in a fixed order."""
    taken = {theme: (before, after) for theme, before, after in report.deductions}
    numbers = Counter(one.theme for one in report.points)
    return tuple(
        ThemeRow(name, *taken.get(theme, (0, 0)), numbers[theme]) for theme, name in THEMES.items()
    )


def sum_line(report: SeoReport) -> str:
    """How the score comes about: ``100 − 15 − 6 = 79``."""
    taken = [after for _, _, after in report.deductions if after]
    if not taken:
        return "100: nothing was deducted"
    left = max(0, 100 - sum(taken))
    bound = f", bounded to {report.score}" if report.score < left else ""
    return f"100 − {' − '.join(map(str, taken))} = {left}{bound}"


def by_theme(report: SeoReport) -> Iterator[tuple[str, tuple[Point, ...]]]:
    """The points of each theme that has any, worst first."""
    for theme, name in THEMES.items():
        mine = tuple(one for one in report.points if one.theme is theme)
        if mine:
            yield name, mine


def steps(report: SeoReport) -> tuple[Step, ...]:
    """What to do, each with what the score gains."""
    return tuple(
        Step(f"{one.title} (+{one.gain})" if one.gain else one.title, one.message)
        for one in report.recommendations
    )


def places(one: KeywordAnalysis) -> str:
    """Where a keyword stands: ``title, main heading, 2 headings``; ``nowhere that weighs``."""
    named = (
        ("title", one.in_title),
        ("main heading", one.in_h1),
        ("description", one.in_description),
        ("first paragraph", one.in_first_paragraph),
        ("address", one.in_url),
    )
    counted = (
        (one.in_headings, "heading"),
        (one.in_alt, "image"),
        (one.in_anchors, "link"),
    )
    there = [name for name, is_there in named if is_there]
    there += [wording.counted(number, noun) for number, noun in counted if number]
    return ", ".join(there) or "nowhere that weighs"


def density(one: KeywordAnalysis) -> str:
    """``3 times, 1.2 %``."""
    if not one.count:
        return "not on the page"
    times = "once" if one.count == 1 else f"{one.count:,} times"
    return f"{times}, {one.density:.1f} %"


def crawlers(report: SeoReport) -> Iterator[tuple[str, tuple[Crawler, ...]]]:
    """The crawlers of each purpose that has any."""
    for purpose, name in PURPOSES.items():
        mine = tuple(_crawler(one, report) for one in report.crawlers if one.purpose == purpose)
        if mine:
            yield name, mine


def crawler_line(group: Sequence[Crawler]) -> str:
    """``open to 9, closed to GPTBot and CCBot``; few are named, and all that are kept out."""
    closed = [one.name for one in group if one.is_closed]
    others = [one.name for one in group if not one.is_closed]
    named = listed(others) if len(others) <= _FEW else f"{len(others)} crawlers"
    told = [f"open to {named}"] if others else []
    return ", ".join([*told, *([f"closed to {listed(closed)}"] if closed else [])])


def differences(report: SeoReport) -> tuple[Difference, ...]:
    """What scripts change; empty when the page was not rendered, or nothing differs."""
    sent, seen = report.sent_page, report.page
    if sent is None:
        return ()
    pairs = (
        ("Title", sent.title, seen.title),
        ("Description", sent.description, seen.description),
        ("Canonical address", sent.canonical, seen.canonical),
        ("Robots", ", ".join(sent.robots), ", ".join(seen.robots)),
        ("Main heading", _main_heading(sent), _main_heading(seen)),
        ("Words", f"{sent.words:,}", f"{seen.words:,}"),
        ("Headings", f"{sent.heading_count:,}", f"{seen.heading_count:,}"),
        ("Links", f"{_links(sent):,}", f"{_links(seen):,}"),
        ("Images", f"{sent.images:,}", f"{seen.images:,}"),
        ("Structured data", ", ".join(sent.schema_types), ", ".join(seen.schema_types)),
    )
    return tuple(
        Difference(what, before or "none", after or "none")
        for what, before, after in pairs
        if before != after
    )


def gaps(report: SeoReport) -> Iterator[tuple[str, tuple[Gap, ...]]]:
    """What the competitor has and the page has not, by kind."""
    named = {**{one.kind: one.kind.capitalize() for one in report.gaps}, **GAPS}
    for kind in [*GAPS, *(one for one in named if one not in GAPS)]:
        mine = tuple(one for one in report.gaps if one.kind == kind)
        if mine:
            yield named[kind], mine


def versus(one: Gap) -> str:
    """``14 against 0``; what is not there is ``none``."""
    return f"{one.theirs or 'none'} against {one.ours or 'none'}"


def queries(report: SeoReport) -> tuple[Query, ...]:
    """Of Search Console, most clicks to recover first."""
    return tuple(map(_query, report.queries))


def console_facts(report: SeoReport) -> tuple[Fact, ...]:
    """What Search Console says of the page as a whole."""
    console = report.console
    if console is None or console.failure:
        return ()
    told = (
        Fact("Property", console.property),
        Fact("Days", f"{console.start} to {console.end}"),
        Fact("Clicks", f"{console.clicks:,.0f}"),
        Fact("Impressions", f"{console.impressions:,.0f}"),
        Fact("Index status", console.coverage or console.verdict),
        Fact("Google's canonical address", console.google_canonical),
        Fact("Last crawl", wording.moment(console.last_crawl)),
    )
    return tuple(one for one in told if one.text)


def page_facts(page: PageData) -> tuple[Fact, ...]:
    """One page in a dozen lines."""
    inner, outer = wording.counted(page.internal_links, "internal link"), page.external_links
    alt = f"{page.images_without_alt:,} without alternative text" if page.images else ""
    told = (
        Fact("Title", page.title or "none", f"{page.title_px} px" if page.title else ""),
        Fact(
            "Description",
            page.description or "none",
            f"{page.description_px} px" if page.description else "",
        ),
        Fact("Main heading", _main_heading(page) or "none"),
        Fact("Canonical address", page.canonical or "none"),
        Fact("Robots", ", ".join(page.robots) or "no directive"),
        Fact("Language", _language(page)),
        Fact("Text", wording.counted(page.words, "word"), _structure(page)),
        Fact("Links", f"{inner}, {outer:,} external"),
        Fact("Images", f"{page.images:,}", alt),
        Fact("Structured data", ", ".join(page.schema_types) or "none"),
        Fact("Dates", _dates(page) or "none recognised"),
        Fact("HTML", figures.size(page.html_bytes), f"{figures.size(page.wire_bytes)} sent"),
        Fact("First byte", figures.duration(page.first_byte_ms)),
    )
    return tuple(told)


def crawl_facts(report: SeoReport) -> tuple[Fact, ...]:
    """How crawlers get to the page."""
    facts = report.facts
    hidden = report.hidden_by
    told = (
        Fact("Can be found", "no" if hidden else "yes", "; ".join(one.title for one in hidden)),
        Fact("Way", _way(report)),
        Fact("robots.txt", facts.robots.state if facts.robots else "not asked for"),
        Fact("Sitemaps", *_sitemaps(facts.sitemaps)),
        Fact("Unknown address", _unknown(facts)),
        Fact("llms.txt", _llms(facts), "no search engine asks for it"),
    )
    return tuple(one for one in told if one.text)


def share_title(report: SeoReport) -> str:
    """The host that a card names."""
    return phrases.host(report.facts.page.final_url)


def _crawler(one: CrawlerPolicy, report: SeoReport) -> Crawler:
    robots = report.facts.robots
    rule = robots.matched.get(one.token) if robots else None
    where = f" by line {rule.line}" if rule else ""
    return Crawler(
        name=one.token,
        operator=one.operator,
        told=f"allowed{where}" if one.allowed else f"closed{where}",
        got=_answer(one),
        is_closed=not one.allowed or _is_turned_away(one),
        is_turned_away=_is_turned_away(one),
    )


def _answer(one: CrawlerPolicy) -> str:
    """``200, the same text``; empty when nobody asked."""
    answer = one.answer
    if answer is None:
        return ""
    if answer.status is None:
        return answer.failure or "no answer"
    if _is_turned_away(one):
        return f"{answer.status}, turned away"
    same = {True: ", the same text", False: ", another text", None: ""}[answer.same]
    return f"{answer.status}{same}"


def _is_turned_away(one: CrawlerPolicy) -> bool:
    return one.answer is not None and one.answer.status is not None and one.answer.status >= 400


def _query(one: Recoverable) -> Query:
    return Query(
        query=one.row.query,
        clicks=f"{one.row.clicks:,.0f}",
        impressions=f"{one.row.impressions:,.0f}",
        ctr=f"{one.row.ctr:.1%}",
        position=f"{one.row.position:.1f}",
        expected=f"{one.expected_ctr:.1%}",
        recoverable=f"{one.clicks:,.0f}" if round(one.clicks) else NONE,
    )


def _main_heading(page: PageData) -> str:
    return next((text for level, text in page.headings if level == 1), "")


def _links(page: PageData) -> int:
    return page.internal_links + page.external_links


def _language(page: PageData) -> str:
    declared = page.language or "none declared"
    read = page.text_language
    return f"{declared}, the text reads as {read}" if read else declared


def _structure(page: PageData) -> str:
    paragraphs = wording.counted(page.paragraphs, "paragraph")
    return f"{paragraphs}, {wording.counted(page.heading_count, 'heading')}"


def _dates(page: PageData) -> str:
    parts = [f"published {page.published}" if page.published else ""]
    parts.append(f"modified {page.modified}" if page.modified else "")
    return ", ".join(part for part in parts if part)


def _way(report: SeoReport) -> str:
    answers = report.facts.page.answers
    told = [f"{one.status} {one.url}" for one in answers[-_MOST_HOPS:]]
    return " → ".join(told)


def _sitemaps(asked: Sequence[Sitemap]) -> tuple[str, str]:
    found = [one for one in asked if one.kind]
    if not found:
        return "none found", ""
    entries = sum(one.entries for one in found)
    lists = any(one.lists_page for one in found)
    number = f"{wording.counted(len(found), 'sitemap')}, {entries:,} entries"
    return number, "this page among them" if lists else "this page was not found in them"


def _unknown(facts: SearchFacts) -> str:
    if facts.nonsense is None or facts.nonsense.status is None:
        return ""
    return f"answers {facts.nonsense.status}"


def _llms(facts: SearchFacts) -> str:
    if facts.llms is None or facts.llms.status is None:
        return ""
    return "present" if facts.llms.ok else "absent"
