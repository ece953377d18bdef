"""An SEO analysis for a terminal: the score, what to do, the findings by theme, who may crawl."""

from rich.console import RenderableType
from rich.text import Text

from mergegate.core.render.screen import hanging
from mergegate.core.severity import Severity
from mergegate.site.render import figures, phrases
from mergegate.site.render.screen import (
    BANDS,
    PLAIN,
    Screen,
    bullet,
    full_list,
    indented,
    listed,
    page,
    plain,
    section,
    steps,
    summed_up,
    table,
    words,
)
from mergegate.site.seo.render import rows
from mergegate.site.seo.report import Ground, KeywordAnalysis, Point, SeoReport

_INKS = {
    Severity.CRITICAL: "bold red",
    Severity.HIGH: "red",
    Severity.MEDIUM: "yellow",
    Severity.LOW: "blue",
    Severity.INFO: "dim",
}
_MOST_LISTED = 8
_MOST_QUERIES = 10
_MOST_GAPS = 6
_LINE = 240
_SHORT = 60


def render(report: SeoReport, screen: Screen = PLAIN, *, verbose: bool = False) -> str:
    """The page as text, with a final line break; ``verbose`` lists every finding."""
    most = len(report.points) if verbose else _MOST_LISTED
    parts = [
        *_opening(report),
        *steps([one.title for one in rows.steps(report)]),
        *_findings(report, most, verbose=verbose),
        *_proposals(report),
        *_keywords(report),
        *_crawlers(report),
        *_differences(report),
        *_competitor(report),
        *_queries(report),
    ]
    return page(report, parts, screen)


def _opening(report: SeoReport) -> list[RenderableType]:
    score = Text(rows.score(report), style=f"bold {BANDS[figures.band(report.score)]}")
    score.append(f"  {rows.counts(report)}", style="default")
    return [
        *(words(report.url, "bold"), score),
        *summed_up(report.summary),
        *listed("Keep in mind", report.skipped, _MOST_LISTED),
    ]


def _findings(report: SeoReport, most: int, *, verbose: bool) -> list[RenderableType]:
    groups = list(rows.by_theme(report))
    if not groups:
        return section("Findings", [bullet("nothing to put right")])
    shown = [(name, _kept(found, verbose=verbose), found) for name, found in groups]
    left = sum(len(found) - len(kept[:most]) for _, kept, found in shown)
    parts = [part for name, kept, found in shown for part in _group(name, kept[:most], found)]
    return [*parts, *full_list(left)]


def _kept(found: tuple[Point, ...], *, verbose: bool) -> tuple[Point, ...]:
    """What is only worth knowing is left to the longer reports."""
    return tuple(one for one in found if verbose or one.severity > Severity.INFO)


def _group(name: str, kept: tuple[Point, ...], found: tuple[Point, ...]) -> list[RenderableType]:
    lines = [_point(one) for one in kept]
    return section(f"{name} ({len(found):,})", lines, len(found) - len(lines))


def _point(one: Point) -> RenderableType:
    line = words(one.title, most=_LINE)
    if one.ground is not Ground.DOCUMENTED:
        line.append(f" ({one.ground.value})", style="dim")
    line.append(f"\n{plain(one.message, _LINE)}", style="dim")
    place = phrases.selector_end(one.selector)
    if place:
        line.append(f"\n{plain(place, 100)}", style="dim")
    return hanging(Text(f"{one.severity.label:<8}", _INKS[one.severity]), line)


def _proposals(report: SeoReport) -> list[RenderableType]:
    lines = []
    for one in report.proposals:
        line = Text(f"{one.kind}: ")
        line.append_text(words(one.text, "bold"))
        line.append(f"\nfrom {one.taken_from}", style="dim")
        lines.append(indented(line))
    return section("In the page's own words", lines)


def _keywords(report: SeoReport) -> list[RenderableType]:
    lines = [_keyword(one) for one in report.keywords]
    return section("Keywords", lines)


def _keyword(one: KeywordAnalysis) -> RenderableType:
    line = words(f"{rows.density(one)}: {rows.places(one)}" if one.count else rows.density(one))
    for advice in one.advice:
        line.append(f"\n{plain(advice, _LINE)}", style="dim")
    return hanging(words(one.keyword, "bold", most=_SHORT), line)


def _crawlers(report: SeoReport) -> list[RenderableType]:
    lines = [
        hanging(Text(f"{name}:"), words(rows.crawler_line(group), most=_LINE))
        for name, group in rows.crawlers(report)
    ]
    return section("Crawlers", lines)


def _differences(report: SeoReport) -> list[RenderableType]:
    found = rows.differences(report)
    if report.sent_page is not None and not found:
        return section("With and without scripts", [bullet("no difference")])
    made = table(("What", "left"), ("As sent", "left"), ("After scripts", "left"))
    for one in found:
        made.add_row(Text(one.what), words(one.sent, most=_SHORT), words(one.rendered, most=_SHORT))
    return section("With and without scripts", [indented(made)] if found else [])


def _competitor(report: SeoReport) -> list[RenderableType]:
    if report.competitor_page is None:
        return []
    ours, theirs = report.score, report.competitor_score
    heading = words(f"{theirs} against {ours}: {report.competitor_page.url}", most=_LINE)
    parts: list[RenderableType] = [indented(heading)]
    for name, found in rows.gaps(report):
        told = [f"{one.what} ({rows.versus(one)})" for one in found[:_MOST_GAPS]]
        more = f", and {len(found) - _MOST_GAPS} more" if len(found) > _MOST_GAPS else ""
        line = words(f"{'; '.join(told)}{more}", most=2 * _LINE)
        parts.append(hanging(words(f"{name}:", most=_SHORT), line))
    return section("The competitor", parts)


def _queries(report: SeoReport) -> list[RenderableType]:
    found = rows.queries(report)
    made = table(
        ("Query", "left"),
        *((name, "right") for name in ("Clicks", "Shown", "CTR", "Position", "Recoverable")),
    )
    for one in found[:_MOST_QUERIES]:
        numbers = (one.clicks, one.impressions, one.ctr, one.position, one.recoverable)
        made.add_row(words(one.query, most=_SHORT), *map(Text, numbers))
    about = [indented(words(rows.CLICKS_NOTE, "dim"))]
    lines = [indented(made), *about] if found else []
    return section("Search Console", lines, len(found) - _MOST_QUERIES)
