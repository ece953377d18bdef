"""The page of an SEO analysis: its facts, how others show it, and who may crawl it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mergegate.core.render import wording
from mergegate.site import words
from mergegate.site.render import layout as ui
from mergegate.site.render.images import embedded
from mergegate.site.seo.facts import SearchFacts, Sitemap
from mergegate.site.seo.report import (
    CrawlerPolicy,
    PageData,
    ResultPreview,
    SeoReport,
    SharePreview,
)
from mergegate.site.words import listed

PURPOSES = {
    "search": "Search and answers with sources",
    "user": "Fetches for a person who asks",
    "training": "Training of models",
    "control": "Words for robots.txt alone",
}
_FEW = 3
_MOST_HOPS = 5
_PREVIEW_NOTE = "Estimated by the width of letters; each search engine may show something else."
_NO_TEXT = "no description: the search engine picks text of its own"
_CHOICE = (
    "Whether models may be trained on it is your choice; keeping out a crawler that searches "
    "costs visitors."
)


def previews(report: SeoReport) -> tuple[ui.Block, ...]:
    """Results of a search, then links that are shared."""
    picture = embedded(report.facts.social_image)
    return (
        ui.Previews(tuple(map(_result, report.results)), "serps"),
        ui.paragraph(_PREVIEW_NOTE, "hint after-list"),
        ui.Previews(tuple(_share(one, picture) for one in report.shares), "shares"),
    )


def _result(one: ResultPreview) -> ui.Preview:
    cut = [
        *([", title cut"] if one.title_cut else []),
        *([", description cut"] if one.description_cut else []),
    ]
    return ui.Preview(
        where=one.place,
        title=one.title,
        text=one.description or _NO_TEXT,
        caption="".join([one.device.capitalize(), *cut]),
        look=f"serp {one.device}",
    )


def _share(one: SharePreview, picture: str) -> ui.Preview:
    none = "picture not embedded" if one.image else "no picture"
    return ui.Preview(
        where=one.host,
        title=one.title or "no title",
        text=one.description,
        caption=one.network,
        look="share large" if one.large else "share",
        picture=picture if picture and one.image else none,
    )


def page_facts(page: PageData) -> tuple[ui.Fact, ...]:
    """One page in a dozen lines."""
    inner, outer = wording.counted(page.internal_links, "internal link"), page.external_links
    alt = f"{page.images_without_alt:,} without alternative text" if page.images else ""
    width = f"{page.description_px} px" if page.description else ""
    return (
        ui.Fact("Title", page.title or "none", f"{page.title_px} px" if page.title else ""),
        ui.Fact("Description", page.description or "none", width),
        ui.Fact("Main heading", main_heading(page) or "none"),
        ui.Fact("Canonical address", page.canonical or "none"),
        ui.Fact("Robots", ", ".join(page.robots) or "no directive"),
        ui.Fact("Language", _language(page)),
        ui.Fact("Text", wording.counted(page.words, "word"), _structure(page)),
        ui.Fact("Links", f"{inner}, {outer:,} external"),
        ui.Fact("Images", f"{page.images:,}", alt),
        ui.Fact("Structured data", ", ".join(page.schema_types) or "none"),
        ui.Fact("Dates", _dates(page) or "none recognised"),
        ui.Fact("HTML", words.size(page.html_bytes), f"{words.size(page.wire_bytes)} sent"),
        ui.Fact("First byte", words.duration(page.first_byte_ms)),
    )


def main_heading(page: PageData) -> str:
    """The page's first heading of the first level; empty for none."""
    return next((text for level, text in page.headings if level == 1), "")


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


def crawl_facts(report: SeoReport) -> tuple[ui.Fact, ...]:
    """How crawlers get to the page."""
    facts = report.facts
    hidden = report.hidden_by
    way = " → ".join(f"{one.status} {one.url}" for one in facts.page.answers[-_MOST_HOPS:])
    told = (
        ui.Fact("Can be found", "no" if hidden else "yes", "; ".join(one.title for one in hidden)),
        ui.Fact("Way", way),
        ui.Fact("robots.txt", facts.robots.state if facts.robots else "not asked for"),
        ui.Fact("Sitemaps", *_sitemaps(facts)),
        ui.Fact("Unknown address", _unknown(facts)),
        ui.Fact("llms.txt", _llms(facts), "no search engine asks for it"),
    )
    return tuple(one for one in told if one.text)


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


@dataclass(frozen=True, slots=True)
class Crawler:
    """One crawler in words."""

    name: str
    operator: str
    told: str
    """What robots.txt says to it."""
    got: str
    """The server's answer; empty when it was not asked."""
    is_closed: bool
    """Whether it gets nothing, by robots.txt or from the server."""
    is_turned_away: bool = False
    """Whether the server refuses it."""


def crawlers(report: SeoReport) -> Iterator[ui.Section]:
    """The sections on crawlers by purpose: what each is allowed, and what the server answers."""
    named = (
        (name, tuple(_crawler(one, report) for one in report.crawlers if one.purpose == purpose))
        for purpose, name in PURPOSES.items()
    )
    groups = [(name, group) for name, group in named if group]
    if not groups:
        return
    lines = tuple(
        ((ui.lead(f"{name}:"), ui.Span(crawler_line(group), most=400)),) for name, group in groups
    )
    folds = (
        ui.Fold(
            (f"{name} ", ui.hint(crawler_line(group), most=300)),
            (_crawler_table(name, group),),
            is_open=not number,
        )
        for number, (name, group) in enumerate(groups)
    )
    yield ui.section(
        "crawlers",
        "Who may crawl it",
        ui.Bullets(lines, on=ui.TEXT),
        *folds,
        ui.paragraph(_CHOICE, "hint after-list", on=ui.PAGE),
    )


def crawler_line(group: Sequence[Crawler]) -> str:
    """``open to 9, closed to GPTBot and CCBot``; few are named, and all that are kept out."""
    closed = [one.name for one in group if one.is_closed]
    others = [one.name for one in group if not one.is_closed]
    named = listed(others) if len(others) <= _FEW else f"{len(others)} crawlers"
    told = [f"open to {named}"] if others else []
    return ", ".join([*told, *([f"closed to {listed(closed)}"] if closed else [])])


def _crawler_table(name: str, group: Sequence[Crawler]) -> ui.Table:
    columns = ui.columns("Crawler", "robots.txt", "The server answers its name")
    label = f"Table of {name.lower()}"
    return ui.Table(columns, tuple(map(_row, group)), ui.Most(0, 0, 40), "few", label)


def _row(one: Crawler) -> ui.Row:
    rule = "closed" if one.told.startswith("closed") else "open"
    got: ui.Line = (
        ui.word(one.got, tone="closed", most=80) if one.is_turned_away else ui.Span(one.got or "–"),
    )
    name = (ui.Span(one.name, most=60), " ", ui.hint(one.operator, most=40))
    return ui.row(name, ui.word(one.told, tone=rule, most=60), got)


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
    """``200, the same text``; empty when the server was not asked."""
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
