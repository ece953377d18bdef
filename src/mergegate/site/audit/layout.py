"""A website audit as a layout: what it came to, in words, tables and charts."""

from collections import Counter
from collections.abc import Iterator
from math import isfinite

from mergegate.core.render import wording
from mergegate.core.render.suites import ERROR, FAILURE, SKIPPED, Case
from mergegate.sandbox.visit import Device, Throttling
from mergegate.site import words
from mergegate.site.audit.budget import VENDOR, Key, Violation
from mergegate.site.audit.facts import Area, Detail, Load, Vendor
from mergegate.site.audit.report import AuditReport, Difference, Duel, Issue, Range, SiteFix
from mergegate.site.facts.stack import Technology
from mergegate.site.level import Level
from mergegate.site.render import figures, images
from mergegate.site.render import layout as ui

_UNKNOWN = "–"
_TOLD_FIRST = ("worse", "better", "unsure", "same")
_PERHAPS = "Within the noise, or measured too seldom to be sure."
_OUTCOMES = {"worse": FAILURE, "unsure": SKIPPED}
_STATES = {"over": "failed", "perhaps over": "incomplete", "within": "passed"}
_ROOM = 1.08
"""The longest thing in a bar leaves a little to its right."""
_MOST_ROWS = 10
_MOST_SPOTS = 20
_WEB = ("https://", "http://")
_FEW = ui.Most(10, 8, 8)


def layout(report: AuditReport) -> ui.Layout:
    """The layout of a website audit's report."""
    dials = tuple(_dial(report, area) for area in Area)
    found = tuple(_finding(report, one) for one in report.issues)
    return ui.Layout(
        report=report,
        category="audit",
        tool="Website audit",
        subject="Audit",
        tab=f"Audit {'/'.join(one.text for one in dials)}",
        address=report.final_url or report.url,
        verdict=(ui.hint(_conditions(report)),),
        conditions=_conditions(report),
        dials=dials,
        notes=report.warnings,
        noted="Warnings",
        parts=tuple(_parts(report, found)),
        findings=found,
        checks=tuple(_checks(report)),
        properties={
            **{area.value: report.scores.of(area) for area in Area},
            "device": report.device.value,
            "runs": report.runs,
        },
    )


def _parts(report: AuditReport, found: tuple[ui.Finding, ...]) -> Iterator[ui.Part]:
    if report.violations is not None:
        yield _budget(report, report.violations)
    if report.duel is not None:
        yield _change(report, report.duel)
    steps = (ui.Step(one.title, one.message, one.impact) for one in report.recommendations)
    yield ui.Steps(tuple(steps))
    yield _metrics(report)
    yield from _load(report)
    yield _issues(report, found)
    yield _third_parties(report)
    yield _stack(report)


def _dial(report: AuditReport, area: Area) -> ui.Dial:
    value, apart = report.scores.of(area), report.score_ranges.get(area)
    ranged = apart is not None and apart.lowest != apart.highest
    text = _UNKNOWN if value is None else str(value)
    name, band = figures.name(area), figures.band(value)
    return ui.Dial(
        name=name,
        text=text,
        value=value,
        band=band,
        said=f"{name} {text}, {band}",
        note=f"{apart.lowest:.0f}–{apart.highest:.0f}" if apart and ranged else "",
    )


def _conditions(report: AuditReport) -> str:
    """How it was measured: ``mobile, simulated throttling, median of 3 runs``."""
    slowed = {
        "simulate": "simulated throttling",
        "devtools": "throttled by the browser",
        "provided": "not throttled",
    }[report.throttling.value]
    runs = f"median of {report.runs} runs" if report.runs > 1 else "one run"
    return f"{report.device.value}, {slowed}, {runs}"


def _budget(report: AuditReport, violations: tuple[Violation, ...]) -> ui.Section:
    """What is over the budget, certain ones first."""
    found = sorted(violations, key=lambda one: not one.certain)
    number = wording.counted(len(found), "violation") if found else "kept"
    kept = ui.paragraph("Every figure is within its limit, and no third party is new.")
    noise = f"Beyond the noise of {report.runs} runs, unless marked."
    over = (
        ui.Bullets(tuple((_over(one),) for one in found), ui.Most(10, 15, 20)),
        *([ui.paragraph(noise, "hint after-list", on=ui.PAGE)] if report.runs > 1 else []),
    )
    return ui.section(
        "budget",
        ("Budget: ", ui.word(number, tone="failed" if found else "passed")),
        *(over if found else (kept,)),
        is_folded=False,
    )


def _over(one: Violation) -> ui.Line:
    cause = (", because of ", ui.code(one.cause, most=200)) if one.cause else ()
    perhaps = "perhaps by chance"
    return (
        ui.Span(_violation(one)),
        *cause,
        *([] if one.certain else [ui.in_text(f", {perhaps}")]),
        *([] if one.certain else [ui.on_page(" ", ui.tag(perhaps, tone="medium"))]),
    )


def _violation(one: Violation) -> str:
    """``Largest Contentful Paint 3.1 s, allowed 2.5 s``."""
    if one.key == VENDOR:
        return f"New third party: {one.actual}"
    actual, limit = figures.figure(one.key, one.actual), figures.figure(one.key, one.limit)
    return f"{figures.name(one.key)} {actual}, allowed {limit}"


def _change(report: AuditReport, duel: Duel) -> ui.Section:
    columns = ui.columns("Figure", "Before#", "After#", "Runs~", "Verdict")
    runs = f", {duel.runs} runs of each in turn."
    new, fixed = len(duel.new_issues), len(duel.fixed_issues)
    said = f"{wording.counted(new, 'new issue')}, {wording.counted(fixed, 'issue')} put right"
    legend = "the line spans all runs, the dot is the median"
    return ui.section(
        "change",
        "What the change does",
        ui.Paragraph(("Against ", ui.path(duel.against), runs), "hint intro"),
        ui.Table(columns, tuple(map(_difference, differences(report))), look="duel"),
        ui.paragraph(legend, "legend", on=ui.PAGE),
        ui.Paragraph(
            (
                said,
                *_vendors("new third parties", duel.new_vendors),
                *_vendors("gone", duel.gone_vendors),
            ),
            "facts",
        ),
        is_folded=False,
    )


def _vendors(name: str, vendors: tuple[str, ...]) -> ui.Line:
    listed = ui.Listing(tuple((ui.code(one, most=60),) for one in vendors), _FEW)
    return (ui.in_text("; "), ui.on_page(" · "), f"{name}: ", listed) if vendors else ()


def differences(report: AuditReport) -> tuple[Difference, ...]:
    """Those of the duel, worse ones first."""
    found = report.duel.differences if report.duel else ()
    rank = {verdict: number for number, verdict in enumerate(_TOLD_FIRST)}
    return tuple(sorted(found, key=lambda one: rank.get(one.verdict, len(rank))))


def _difference(one: Difference) -> ui.Row:
    before, after = figures.figure(one.key, one.before), figures.figure(one.key, one.after)
    sure = "" if one.verdict == "same" else _confidence(one)
    plain = f"{one.verdict}, {sure}" if sure else one.verdict
    runs = [
        _spread(one.key, apart) or median
        for apart, median in ((one.before_range, before), (one.after_range, after))
    ]
    plot = ui.Plot(
        said=f"Before {runs[0]}, after {runs[1]}",
        before=one.before,
        after=one.after,
        before_range=(one.before_range.lowest, one.before_range.highest),
        after_range=(one.after_range.lowest, one.after_range.highest),
    )
    verdict: ui.Line = (
        ui.in_text(ui.Span(plain, tone=one.verdict)),
        ui.on_page(*ui.spaced(ui.word(one.verdict, tone=one.verdict), ui.hint(sure))),
    )
    name = (ui.Span(figures.name(one.key)),)
    return ui.row(name, (before,), (after,), plot, verdict, tone=one.verdict)


def _confidence(one: Difference) -> str:
    """``99% sure``; one is never surer than that."""
    return f"{min(one.confidence, 0.99):.0%} sure"


def _spread(key: str, apart: Range | None) -> str:
    """``3.0 s – 3.3 s``; empty when there is none to be told."""
    if apart is None:
        return ""
    low, high = figures.figure(key, apart.lowest), figures.figure(key, apart.highest)
    return "" if low == high else f"{low} – {high}"


def _metrics(report: AuditReport) -> ui.Section:
    held, apart = report.held_to is not None, report.spread is not None
    legend = [
        *(["The upright line is the limit."] if held else []),
        *(["The thin line spans all runs."] if apart else []),
    ]
    columns = (
        *ui.columns("Metric", "Measured#"),
        *([ui.Column("Runs", is_number=True, is_spare=True)] if apart else []),
        *ui.columns("Chart~"),
        *(ui.columns("Limit#", "Budget") if held else ui.columns("A budget would allow#")),
    )
    return ui.section(
        "metrics",
        ("Metrics", ui.on_page(*((" against the budget",) if held else ()))),
        ui.Table(columns, tuple(_metric(report, key) for key in Key), look="metrics"),
        ui.paragraph(" ".join(legend), "hint chart-key", on=ui.PAGE),
    )


def _metric(report: AuditReport, key: Key) -> ui.Row:
    """One figure, against its limit where there is one."""
    value = report.measured.figures.of(key)
    text = figures.figure(key, value)
    allowance = report.budget.limits.of(key)
    limit = report.held_to.limits.of(key) if report.held_to else None
    limit_text = "" if limit is None else figures.figure(key, limit)
    spread = report.spread
    apart = Range(spread.lowest.of(key), spread.highest.of(key)) if spread else None
    apart_text = _spread(key, apart)
    band = figures.metric(key, value, report.device)
    most = max(value, apart.highest if apart else 0.0, allowance if limit is None else limit)
    bar = ui.Bar(
        said=f"{text}, limit {limit_text}" if limit_text else text,
        value=value,
        end=most * _ROOM,
        spread=(apart.lowest, apart.highest) if apart and apart_text else None,
        limit=limit,
    )
    allowed = ui.hint(figures.figure(key, allowance))
    cells: list[ui.Cell] = [
        figures.name(key),
        ui.judged(text, tone="" if band == figures.UNKNOWN else band),
        *([ui.hint(apart_text)] if spread else []),
        bar,
        *([limit_text, _told(_state(report, key))] if report.held_to else [allowed]),
    ]
    return ui.row(*cells, tone=band)


def _state(report: AuditReport, key: Key) -> str:
    """``over``, ``perhaps over``, ``within``."""
    found = next((one for one in report.violations or () if one.key == key), None)
    if found is None:
        return "within"
    return "over" if found.certain else "perhaps over"


def _told(state: str) -> ui.Line:
    return (ui.in_text(ui.Span(state, tone=state)), ui.on_page(ui.word(state, tone=_STATES[state])))


def _load(report: AuditReport) -> Iterator[ui.Section]:
    """Film and waterfall.

    Paints are marked only where they were timed in this very load: simulated ones belong to a
    slower network than the one that the bars show; and of several runs the figures are medians,
    the bars one run's.
    """
    loads = [one for one in report.waterfall if isfinite(one.start_ms) and isfinite(one.end_ms)]
    is_timed = report.throttling is not Throttling.SIMULATE and report.runs == 1
    told = report.measured.figures
    marks = (("FCP", told.of(Key.FCP)), ("LCP", told.of(Key.LCP))) if is_timed else ()
    blocks: list[ui.Block] = []
    if film := tuple((one.at_ms, one.image) for one in report.filmstrip if images.safe(one.image)):
        blocks.append(ui.Film(film))
    if loads:
        requests = tuple(_request(one, report.final_url) for one in loads)
        blocks.append(ui.Waterfall(requests, marks, _load_note(report)))
    if blocks:
        yield ui.section("load", "The load", *tuple(blocks), on=ui.PAGE)


def _load_note(report: AuditReport) -> str:
    if report.throttling is Throttling.SIMULATE:
        slow = "phone" if report.device is Device.MOBILE else "network"
        return f"Times as loaded here; the metrics above are computed from them for a slow {slow}."
    runs = report.runs
    return f"One of the {runs} runs, the nearest to the median." if runs > 1 else ""


def _request(load: Load, own: str) -> ui.Request:
    # A vendor's name stands beside it: its host would say the same again.
    name = figures.file_name(load.url) if load.vendor else figures.short_address(load.url, own)
    return ui.Request(
        name=name,
        kind=load.kind,
        start_ms=load.start_ms,
        end_ms=load.end_ms,
        size=load.transfer_bytes,
        vendor=load.vendor or "",
        status=load.status,
    )


def _issues(report: AuditReport, found: tuple[ui.Finding, ...]) -> ui.Findings:
    """The issues, grouped by area."""
    areas = ((area, tuple(one for one in found if one.topic == area.value)) for area in Area)
    groups = (
        ui.Group(
            name=figures.name(area), findings=mine, counted=wording.counted(len(mine), "issue")
        )
        for area, mine in areas
        if mine
    )
    fixes = (
        ui.Fix(one.id, one.title, one.explanation, one.language, (_code(one),), one.technology)
        for one in report.fixes
    )
    return ui.Findings(
        id="issues",
        counted=_counts(report),
        groups=tuple(groups),
        fixes=tuple(fixes),
        most=ui.Most(15, 60, 60),
    )


def _code(one: SiteFix) -> ui.Code:
    return ui.Code(one.code, "Code of the fix", one.language)


def _counts(report: AuditReport) -> str:
    """``3 errors, 12 warnings``."""
    counts = Counter(one.level for one in report.issues)
    errors = wording.counted(counts[Level.ERROR], "error")
    return f"{errors}, {wording.counted(counts[Level.WARNING], 'warning')}"


def _finding(report: AuditReport, issue: Issue) -> ui.Finding:
    newness = _novelty(report, issue)
    existing = newness == "existing"
    before = "The page before the change has it too." if existing else ""
    shown = issue.display_value if issue.display_value not in issue.title else ""
    points = round(issue.points)
    saved = figures.savings(issue.savings, issue.wasted_bytes)
    fix = next((one for one in report.fixes if one.id == issue.fix_id), None)
    return ui.Finding(
        id=issue.id,
        rule=issue.rule,
        label=issue.level.value,
        level=issue.level,
        title=issue.title,
        notes=(newness,),
        where=(_first_place(report, issue),),
        is_placed=False,
        aside=shown,
        tags=(
            ui.tag(wording.counted(points, "point") if issue.points >= 1 else ""),
            ui.tag(newness, tone=newness),
        ),
        body=(ui.paragraph(ui.Span(issue.message, most=900)), _rows(report, issue)),
        facts=(
            *([f" · score {issue.score}"] if issue.score is not None else []),
            *([f" · to be had at most: {saved}"] if saved else []),
        ),
        fix_id=fix.id if fix else "",
        references=issue.references,
        suite=issue.area.value,
        name=issue.rule,
        is_failure=issue.level is Level.ERROR and not existing,
        is_minor=issue.level is Level.INFO,
        reasons=(
            *(issue.title, issue.message, issue.display_value, before),
            *map(_place, issue.details[:_MOST_ROWS]),
            *issue.references,
        ),
        topic=issue.area.value,
        text=f"{issue.title}. {issue.message}",
        spots=_spots(report, issue),
        properties=(("score", issue.score), ("points", issue.points)),
    )


def _first_place(report: AuditReport, issue: Issue) -> str:
    first = next(iter(issue.details), Detail())
    if first.element:
        return first.element.selector
    return figures.short_address(first.url, report.final_url) if first.url else ""


def _novelty(report: AuditReport, issue: Issue) -> str:
    """``new`` or ``existing`` against the page before the change; empty without one."""
    if report.duel is None:
        return ""
    return "new" if issue.id in report.duel.new_issues else "existing"


def _rows(report: AuditReport, issue: Issue) -> ui.Bullets:
    """The rows that say anything."""
    told = tuple(one for one in issue.details if one.url or one.element or one.text)
    empty = len(issue.details) - len(told)
    left_out = max(issue.rows, len(issue.details)) - empty - len(told)
    entries = tuple(_row(one, report.final_url) for one in told)
    return ui.Bullets(entries, ui.Most(0, 0, 10), "places", left_out)


def _row(one: Detail, own: str) -> tuple[ui.Line, ...]:
    line = f":{one.line}" if one.line else ""
    place = f"{figures.short_address(one.url, own)}{line}" if one.url else ""
    selector, snippet = (one.element.selector, one.element.snippet) if one.element else ("", "")
    spans = (
        ui.path(place),
        ui.path(selector),
        ui.code(snippet, most=240),
        ui.Span(one.text, most=320),
        ui.hint(_waste(one)),
    )
    return tuple((span,) for span in spans)


def _waste(one: Detail) -> str:
    """``1.0 s to save 120 kB to save of 240 kB · Ads Inc.``."""
    told = (
        f"{words.duration(one.wasted_ms)} to save" if one.wasted_ms else "",
        f"{words.size(one.wasted_bytes)} to save" if one.wasted_bytes else "",
        f"of {words.size(one.total_bytes)}" if one.total_bytes else "",
        f"· {one.vendor}" if one.vendor else "",
    )
    return " ".join(filter(None, told))


def _place(one: Detail) -> str:
    selector = one.element.selector if one.element else ""
    return " ".join(part for part in (selector, one.url, one.text) if part)


def _spots(report: AuditReport, issue: Issue) -> tuple[ui.Spot, ...]:
    found = dict.fromkeys(_spot(report, one) for one in issue.details[:_MOST_SPOTS])
    return tuple(found) or (ui.Spot(url=report.final_url),)


def _spot(report: AuditReport, row: Detail) -> ui.Spot:
    named = row.url.startswith(_WEB)
    return ui.Spot(
        url=row.url if named else report.final_url,
        line=row.line if named else None,
        selector=row.element.selector if row.element else "",
        snippet=row.element.snippet if row.element else "",
    )


def _stack(report: AuditReport) -> ui.Section:
    entries = tuple(
        (
            (
                ui.Span(_technology(one), most=80, link=one.website),
                " ",
                ui.hint(", ".join(one.categories), most=80),
            ),
        )
        for one in report.technologies
    )
    none = ui.paragraph("Nothing on the page tells.")
    listed = ui.Bullets(entries, ui.Most(20, 20, 40)) if entries else none
    return ui.section("stack", "Built with", listed, is_half=True)


def _third_parties(report: AuditReport) -> ui.Section:
    """The largest first."""
    vendors = sorted(report.vendors, key=lambda one: (-one.transfer_bytes, one.name))
    strangers = {str(one.actual) for one in report.violations or () if one.key == VENDOR}
    new = strangers.union(report.duel.new_vendors if report.duel else ())
    columns = ui.columns("Name", "Requests#", "Size#", "Main thread#")
    rows = tuple(_vendor(one, is_new=one.name in new) for one in vendors)
    none = ui.paragraph("None: everything comes from the site's own hosts.")
    return ui.section(
        "vendors",
        "Third parties",
        ui.Table(columns, rows, ui.Most(20, 15, 40), "few") if rows else none,
        is_half=True,
    )


def _vendor(one: Vendor, *, is_new: bool) -> ui.Row:
    name = ui.spaced(
        ui.Span(one.name, most=60, link=one.homepage),
        ui.hint(one.category, most=30),
        ui.tag("new" if is_new else "", tone="new"),
    )
    size, time = words.size(one.transfer_bytes), words.duration(one.main_thread_ms)
    return ui.row(name, f"{one.requests:,}", size, time)


def _technology(one: Technology) -> str:
    """``Next.js 15.1``, and how sure it is when it is not."""
    sure = "" if one.confidence >= 100 else f"({one.confidence} %)"
    return " ".join(part for part in (one.name, one.version, sure) if part)


def _checks(report: AuditReport) -> Iterator[Case]:
    """Scores, the budget, the change: what is over or worse fails only beyond the noise."""
    yield from (_scored(report, area) for area in Area)
    if report.violations is not None:
        yield from (_kept(report, key) for key in Key)
        for one in report.violations:
            if one.key == VENDOR:
                said = f"{one.actual} is not in the budget"
                yield _violated(one, f"Third party {one.actual}", said)
    yield from map(_compared, differences(report))


def _scored(report: AuditReport, area: Area) -> Case:
    name = figures.name(area)
    if report.scores.of(area) is not None:
        return Case(suite="scan", about="score", name=name)
    said = f"Lighthouse gave no score for {name}."
    return Case(suite="scan", about="score", name=name, outcome=ERROR, lines=(said,))


def _kept(report: AuditReport, key: Key) -> Case:
    """Whether the page keeps one limit."""
    name = figures.name(key)
    found = next((one for one in report.violations or () if one.key == key), None)
    if found is None:
        return Case(suite="budget", about=key, name=name)
    limit, actual = figures.figure(key, found.limit), figures.figure(key, found.actual)
    return _violated(found, name, f"{name} is {actual}, the budget allows {limit}")


def _violated(found: Violation, name: str, said: str) -> Case:
    cause = f"Because of {found.cause}" if found.cause else ""
    return Case(
        suite="budget",
        about=found.key,
        name=name,
        outcome=FAILURE if found.certain else SKIPPED,
        lines=(said, cause, "" if found.certain else _PERHAPS),
    )


def _compared(one: Difference) -> Case:
    before, after = figures.figure(one.key, one.before), figures.figure(one.key, one.after)
    said = f"{one.verdict.capitalize()}: {before} before the change, {after} with it"
    return Case(
        suite="change",
        about=one.key,
        name=figures.name(one.key),
        outcome=_OUTCOMES.get(one.verdict, ""),
        lines=(said, f"{_confidence(one)} that the two differ."),
    )
