"""An SEO analysis as a layout: the score, the findings by theme, who may crawl, what to gain."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.core.render import wording
from mergegate.core.severity import Severity
from mergegate.site.level import Level
from mergegate.site.render import figures
from mergegate.site.render import layout as ui
from mergegate.site.seo.layout_page import crawl_facts, crawlers, main_heading, page_facts, previews
from mergegate.site.seo.report import (
    Gap,
    Ground,
    KeywordAnalysis,
    PageData,
    Point,
    Proposal,
    Recoverable,
    SeoReport,
    Theme,
)

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
_GROUNDS = {
    Ground.DOCUMENTED: "a search engine or a standard says so",
    Ground.STUDIED: "a published study found it",
    Ground.HEURISTIC: "experience, not counted in the score",
}
_GAPS = {
    "term": "Terms",
    "schema": "Structured data",
    "heading": "Headings",
    "depth": "Depth",
    "media": "Media",
    "links": "Links",
    "speed": "Speed",
}
_CLICKS_NOTE = (
    "Recoverable: clicks that results at this position get on average, less those that came. By "
    "the curve of SISTRIX (July 2020, 80 million keywords): an estimate for an order, no promise."
)
_CAP = 60
"""Points: the length of a theme's bar."""
_LONGEST_ASIDE = 260
_NONE = "–"


def layout(report: SeoReport) -> ui.Layout:
    """The report's sections as a layout."""
    band = figures.band(report.score)
    found = tuple(map(_finding, report.points))
    return ui.Layout(
        report=report,
        category="seo",
        tool="SEO analysis",
        subject="SEO",
        headline=f"{_score(report)} ({_counts(report)})",
        tab=f"SEO {report.score}/100",
        address=report.facts.page.final_url or report.url,
        target=report.url,
        verdict=(ui.strong(_score(report), tone=band), f"  {_counts(report)}"),
        dials=(
            ui.Dial(
                name="Score",
                text=str(report.score),
                value=report.score,
                band=band,
                said=f"Score {report.score} of 100, {band}",
                unit="of 100",
                caption=(ui.judged(band.capitalize(), tone=band),),
            ),
        ),
        totals=_totals(report),
        notice=_hidden(report),
        notes=tuple(one for one in report.skipped if one not in report.gaps),
        noted="Keep in mind",
        parts=tuple(_parts(report, found)),
        findings=found,
        suites=tuple(name.lower() for name in THEMES.values()),
        properties={"score": report.score},
    )


def _parts(report: SeoReport, found: tuple[ui.Finding, ...]) -> Iterator[ui.Part]:
    yield ui.Steps(tuple(_step(one.title, one.message, one.gain) for one in report.recommendations))
    yield _made_of(report)
    yield _shown(report)
    yield _findings(report, found)
    yield from _proposals(report)
    yield from _keywords(report)
    yield from crawlers(report)
    yield from _scripts(report)
    yield from _competitor(report)
    yield from _search_console(report)
    page, way = page_facts(report.page), crawl_facts(report)
    yield _half("page-facts", "The page", ui.Facts(page))
    yield _half("crawl-facts", "The way to it", ui.Facts(way))
    yield from _passages(report)


def _half(id: str, title: str, block: ui.Block) -> ui.Section:
    return ui.section(id, title, block, on=ui.PAGE, is_half=True)


def _score(report: SeoReport) -> str:
    """``71/100, needs improvement``."""
    return f"{report.score}/100, {figures.band(report.score)}"


def _counts(report: SeoReport) -> str:
    """``2 high, 5 medium, 4 hints``; ``nothing to put right``."""
    counted, hints = _numbers(report)
    told = [f"{count:,} {one.label}" for one, count in counted.items() if count]
    some = [wording.counted(hints, "hint")] if hints else []
    return ", ".join([*told, *some]) or "nothing to put right"


def _numbers(report: SeoReport) -> tuple[dict[Severity, int], int]:
    """How many findings of each severity the score counts, worst first; how many are hints."""
    counted = Counter(one.severity for one in report.points if one.ground is not Ground.HEURISTIC)
    return {one: counted[one] for one in wording.WORST_FIRST}, len(report.points) - counted.total()


def _totals(report: SeoReport) -> ui.Counts:
    counted, hints = _numbers(report)
    severities = (ui.Count(number, one.label, one.label) for one, number in counted.items())
    hint = ui.Count(hints, "hint" if hints == 1 else "hints", "info")
    return ui.Counts((*severities, hint), "totals", "Findings by severity")


def _hidden(report: SeoReport) -> tuple[ui.Block, ...]:
    """What keeps the page out of search."""
    if not report.hidden_by:
        return ()
    reasons = tuple(
        (ui.Span(one.title, most=160, link=f"#{one.id}"),) for one in report.hidden_by[:4]
    )
    warning = ui.strong("Search engines cannot show this page:")
    return (ui.Paragraph((warning, " ", ui.Listing(reasons)), "blocked"),)


def _step(title: str, message: str, gain: int) -> ui.Step:
    return ui.Step(f"{title} (+{gain})" if gain else title, message)


def _made_of(report: SeoReport) -> ui.Section:
    columns = ui.columns("Theme", "Chart~", "Findings#", "Taken#")
    rows = tuple(map(_theme, themes(report)))
    sum_of = f"{sum_line(report)}. Findings from experience alone are not counted."
    return ui.section(
        "themes",
        "What the score is made of",
        ui.Table(columns, rows, look="few ledger themes"),
        ui.paragraph(sum_of, "hint after-list"),
        on=ui.PAGE,
    )


@dataclass(frozen=True, slots=True)
class ThemeRow:
    """What one theme takes off the score."""

    name: str
    points: int
    """The points before the theme's cap."""
    counted: int
    findings: int


def themes(report: SeoReport) -> tuple[ThemeRow, ...]:
    """Every theme, in a fixed order."""
    taken = {theme: (before, after) for theme, before, after in report.deductions}
    numbers = Counter(one.theme for one in report.points)
    return tuple(
        ThemeRow(name, *taken.get(theme, (0, 0)), numbers[theme]) for theme, name in THEMES.items()
    )


def _theme(one: ThemeRow) -> ui.Row:
    said = f"{one.counted} points taken"
    capped = "cap" if one.points > one.counted else ""
    cap = ui.tag(capped, title=f"{one.points} without its cap")
    nought: ui.Line = (ui.hint("0"),)
    return ui.row(
        one.name,
        ui.Bar(said=said, value=one.counted, end=_CAP, look="taken"),
        str(one.findings or _NONE),
        ui.spaced(ui.Span(f"−{one.counted}"), cap) if one.counted else nought,
    )


def sum_line(report: SeoReport) -> str:
    """How the score comes about: ``100 − 15 − 6 = 79``."""
    taken = [after for _, _, after in report.deductions if after]
    if not taken:
        return "100: nothing was deducted"
    left = max(0, 100 - sum(taken))
    bound = f", bounded to {report.score}" if report.score < left else ""
    return f"100 − {' − '.join(map(str, taken))} = {left}{bound}"


def _shown(report: SeoReport) -> ui.Section:
    proposals = (block for one in report.proposals for block in _proposed(one))
    return ui.section("shown", "How the page is shown", *previews(report), *proposals, on=ui.PAGE)


def _proposed(one: Proposal) -> tuple[ui.Block, ...]:
    words = f" in the page's own words, from {one.taken_from}: "
    line = (ui.strong(one.kind.capitalize()), words, ui.Span(one.text, most=400))
    return ui.Paragraph(line, "proposal"), ui.Code(one.snippet, f"Proposed {one.kind}", "html")


def _findings(report: SeoReport, found: tuple[ui.Finding, ...]) -> ui.Findings:
    by_theme = (
        (name, tuple(one for one in found if one.topic == theme)) for theme, name in THEMES.items()
    )
    groups = (
        ui.Group(name=name, findings=mine, counted=wording.counted(len(mine), "finding"))
        for name, mine in by_theme
        if mine
    )
    return ui.Findings(
        id="findings", counted=_counts(report), groups=tuple(groups), most=ui.Most(8, 20, 60)
    )


def level(one: Point) -> Level:
    """Whether to treat it as an error: high or worse, and not from experience alone."""
    is_grave = one.severity >= Severity.HIGH and one.ground is not Ground.HEURISTIC
    return Level.ERROR if is_grave else Level.WARNING


def _finding(one: Point) -> ui.Finding:
    ground = f"{one.ground.value}: {_GROUNDS[one.ground]}"
    known = (
        ui.Fact("Evidence", one.evidence, look=ui.Look.CODE),
        ui.Fact("Element", one.selector[:240], look=ui.Look.CODE),
    )
    return ui.Finding(
        id=one.id,
        rule=one.rule,
        label=one.severity.label,
        level=level(one),
        title=one.title,
        notes=("" if one.ground is Ground.DOCUMENTED else one.ground.value,),
        message=one.message,
        evidence=one.evidence,
        remedy=one.remedy,
        where=(figures.selector_end(one.selector),),
        is_placed=False,
        is_minor=one.severity <= Severity.INFO,
        aside=one.message,
        tags=ui.spaced(
            ui.tag(one.ground.value, tone=f"ground-{one.ground.value}", title=_GROUNDS[one.ground]),
            ui.tag(f"{one.count:,}×" if one.count > 1 else ""),
            ui.tag("fix" if one.snippet else "", tone="fix"),
        ),
        body=(
            ui.paragraph(
                ui.Span(one.message if len(one.message) > _LONGEST_ASIDE else "", most=900)
            ),
            ui.Facts(tuple(fact for fact in known if fact.text), "notes"),
            ui.paragraph(ui.Span(one.remedy, most=600)),
            ui.Code(one.snippet),
        ),
        facts=(f" · {ground}",),
        references=(one.source,),
        suite=THEMES[one.theme].lower(),
        is_failure=level(one) is Level.ERROR,
        reasons=(
            f"{one.title} ({one.severity.label}, {one.ground.value})",
            *(one.message, one.url, one.selector, one.evidence, one.remedy, one.source),
        ),
        topic=one.theme.value,
        text=" ".join(part for part in (one.message, one.remedy) if part),
        spots=(ui.Spot(url=one.url, selector=one.selector),),
        properties=(
            ("severity", one.severity.label),
            ("ground", one.ground.value),
            ("count", one.count),
        ),
    )


def _proposals(report: SeoReport) -> Iterator[ui.Section]:
    entries = tuple(
        ((ui.lead(f"{one.kind}:"), ui.Span(one.text, most=400)), (f"from {one.taken_from}",))
        for one in report.proposals
    )
    yield ui.section("proposals", "In the page's own words", ui.Bullets(entries), on=ui.TEXT)


def _keywords(report: SeoReport) -> Iterator[ui.Section]:
    if not report.keywords:
        return
    columns = (
        *ui.columns("Keyword", "Times#", "Density#", "Title", "Heading", "Opening"),
        *ui.columns("Description", "Address", "Subheadings#", "Images#", "Links#"),
    )
    advised = tuple(
        ((ui.strong(f"{one.keyword[:100]}:"), f" {' '.join(one.advice[:4])[:500]}"),)
        for one in report.keywords
        if one.advice
    )
    yield ui.section(
        "keywords",
        "Keywords",
        ui.Bullets(tuple(map(_keyword_lines, report.keywords)), ui.Most(20, 20, 0), on=ui.TEXT),
        ui.Table(columns, tuple(map(_keyword, report.keywords)), ui.Most(0, 0, 10), on=ui.PAGE),
        ui.Bullets(advised, ui.Most(0, 0, 10), "places", on=ui.PAGE),
    )


def _keyword_lines(one: KeywordAnalysis) -> tuple[ui.Line, ...]:
    told = f"{density(one)}: {places(one)}" if one.count else density(one)
    advice = ((ui.hint(advice, most=240),) for advice in one.advice)
    return ((ui.lead(f"{one.keyword}:", most=60), told), *advice)


def _keyword(one: KeywordAnalysis) -> ui.Row:
    stuffed = ui.tag("stuffed" if one.stuffed else "", tone="sure")
    there = (one.in_title, one.in_h1, one.in_first_paragraph, one.in_description, one.in_url)
    return ui.row(
        (ui.quote(one.keyword, most=100), " ", stuffed),
        f"{one.count:,}",
        f"{one.density:.1f} %",
        *(ui.Span("yes", tone="there") if is_there else ui.hint("no") for is_there in there),
        *(str(number) for number in (one.in_headings, one.in_alt, one.in_anchors)),
    )


def places(one: KeywordAnalysis) -> str:
    """The places of a keyword: ``title, main heading, 2 headings``; ``nowhere that weighs``."""
    named = (
        ("title", one.in_title),
        ("main heading", one.in_h1),
        ("description", one.in_description),
        ("first paragraph", one.in_first_paragraph),
        ("address", one.in_url),
    )
    counted = ((one.in_headings, "heading"), (one.in_alt, "image"), (one.in_anchors, "link"))
    there = [name for name, is_there in named if is_there]
    there += [wording.counted(number, noun) for number, noun in counted if number]
    return ", ".join(there) or "nowhere that weighs"


def density(one: KeywordAnalysis) -> str:
    """``3 times, 1.2 %``; ``0 times``, though its words may stand apart or in other forms."""
    if not one.count:
        return "0 times"
    times = "once" if one.count == 1 else f"{one.count:,} times"
    return f"{times}, {one.density:.1f} %"


def _scripts(report: SeoReport) -> Iterator[ui.Section]:
    """What scripts change of the page, where it was rendered."""
    if report.sent_page is None:
        return
    found = differences(report.sent_page, report.page)
    columns = ui.columns("What", "As sent", "After scripts")
    rows = tuple(ui.row(what, *(ui.quote(one, most=300) for one in told)) for what, *told in found)
    note = "Crawlers of assistants run no scripts: they get what was sent."
    none = "Nothing that counts here depends on scripts."
    told = (ui.Table(columns, rows), ui.paragraph(note, "hint after-list", on=ui.PAGE))
    title = "With and without scripts"
    yield ui.section("scripts", title, *(told if found else (ui.paragraph(none),)))


def differences(sent: PageData, seen: PageData) -> list[tuple[str, str, str]]:
    """What it is called, as it was sent, and after scripts, of all that differs."""
    pairs = (
        ("Title", sent.title, seen.title),
        ("Description", sent.description, seen.description),
        ("Canonical address", sent.canonical, seen.canonical),
        ("Robots", ", ".join(sent.robots), ", ".join(seen.robots)),
        ("Main heading", main_heading(sent), main_heading(seen)),
        ("Words", f"{sent.words:,}", f"{seen.words:,}"),
        ("Headings", f"{sent.heading_count:,}", f"{seen.heading_count:,}"),
        ("Links", f"{_links(sent):,}", f"{_links(seen):,}"),
        ("Images", f"{sent.images:,}", f"{seen.images:,}"),
        ("Structured data", ", ".join(sent.schema_types), ", ".join(seen.schema_types)),
    )
    return [
        (what, before or "none", after or "none")
        for what, before, after in pairs
        if before != after
    ]


def _links(page: PageData) -> int:
    return page.internal_links + page.external_links


def _competitor(report: SeoReport) -> Iterator[ui.Section]:
    page = report.competitor_page
    if page is None:
        return
    score = f"{report.competitor_score} against {report.score}"
    found = wording.counted(len(report.competitor_points), "finding")
    columns = ui.columns("Kind", "What it has", "Theirs", "Ours")
    rows = tuple(_gap(name, one) for name, mine in _gaps(report) for one in mine[:20])
    none = ui.paragraph("It has nothing that this page lacks, as far as it was compared.")
    yield ui.section(
        "competitor",
        f"The competitor: {score}",
        ui.Paragraph((ui.path(page.url, most=200), f", {found} of its own"), "hint intro"),
        ui.Table(columns, rows, ui.Most(20, 20, 200)) if rows else none,
    )


def _gaps(report: SeoReport) -> Iterator[tuple[str, tuple[Gap, ...]]]:
    """What the competitor has and the page has not, by kind."""
    named = {**{one.kind: one.kind.capitalize() for one in report.competitor_gaps}, **_GAPS}
    for kind in [*_GAPS, *(one for one in named if one not in _GAPS)]:
        mine = tuple(one for one in report.competitor_gaps if one.kind == kind)
        if mine:
            yield named[kind], mine


def _gap(name: str, one: Gap) -> ui.Row:
    texts = (one.what, one.theirs or "none", one.ours or "none")
    return ui.row(ui.Span(name, most=40), *(ui.Span(text, most=120) for text in texts))


def _search_console(report: SeoReport) -> Iterator[ui.Section]:
    console = report.console
    if console is None:
        return
    failure = ui.Paragraph(("Nothing: ", ui.Span(console.failure, most=300), "."), on=ui.PAGE)
    columns = (
        *ui.columns("Query", "Clicks#", "Shown#", "CTR#", "Position#"),
        *ui.columns("Expected CTR#", on=ui.PAGE),
        *ui.columns("Recoverable#"),
    )
    queries = (
        ui.Table(columns, tuple(map(_query, report.queries)), ui.Most(10, 15, 50)),
        ui.paragraph(_CLICKS_NOTE, "hint after-list"),
    )
    facts = ui.Facts(console_facts(report), on=ui.PAGE)
    yield ui.section(
        "console",
        "Search Console",
        failure if console.failure else facts,
        *(queries if report.queries else ()),
    )


def console_facts(report: SeoReport) -> tuple[ui.Fact, ...]:
    """What Search Console says of the page as a whole."""
    console = report.console
    if console is None or console.failure:
        return ()
    told = (
        ui.Fact("Property", console.property),
        ui.Fact("Days", f"{console.start} to {console.end}"),
        ui.Fact("Clicks", f"{console.clicks:,.0f}"),
        ui.Fact("Impressions", f"{console.impressions:,.0f}"),
        ui.Fact("Index status", console.coverage or console.verdict),
        ui.Fact("Google's canonical address", console.google_canonical),
        ui.Fact("Last crawl", wording.moment(console.last_crawl)),
    )
    return tuple(one for one in told if one.text)


def _query(one: Recoverable) -> ui.Row:
    recoverable = f"{one.clicks:,.0f}" if round(one.clicks) else _NONE
    bold = (ui.in_text(recoverable), ui.on_page(ui.strong(recoverable)))
    return ui.row(
        ui.quote(one.row.query, most=120),
        f"{one.row.clicks:,.0f}",
        f"{one.row.impressions:,.0f}",
        f"{one.row.ctr:.1%}",
        f"{one.row.position:.1f}",
        f"{one.expected_ctr:.1%}",
        bold,
    )


def _passages(report: SeoReport) -> Iterator[ui.Section]:
    entries = tuple(
        (
            (ui.strong(one.heading, most=160),),
            (ui.Span(one.text, most=700),),
            (ui.hint(wording.counted(one.words, "word")),),
        )
        for one in report.passages
    )
    if entries:
        yield ui.section(
            "passages",
            "What an answer can quote whole",
            ui.Bullets(entries, ui.Most(0, 0, 12), "places"),
            on=ui.PAGE,
        )
