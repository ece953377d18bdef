"""Every format of the site tools' reports, by the name that ``--format`` takes."""

from collections.abc import Iterator, Mapping
from functools import partial

from mergegate.model.facts.lighthouse import Area
from mergegate.model.site.audit import AuditReport
from mergegate.model.site.browser_test import BrowserReport, Kind
from mergegate.report.escape import log, terminal
from mergegate.report.figures import figure, name
from mergegate.wire.site import browser_test
from mergegate.wire.site.audit import Shape, to_json
from mergegate.wiring.formats import Format, Surface

_SHOWN = 20
"""Of each list."""


def audit_formats(shape: Shape = Shape.FLAT) -> Mapping[str, Format[AuditReport]]:
    """The formats of an audit, JSON in that shape."""
    return {
        "console": Format("txt", _audit_text),
        "json": Format("json", partial(_audit_json, shape)),
    }


def _audit_json(shape: Shape, report: AuditReport, _: Surface) -> str:
    return to_json(report, shape)


def _audit_text(report: AuditReport, _: Surface) -> str:
    """Plain lines; each is made inert, for most of its text comes from the page."""
    return log("\n".join(map(terminal, _audit_lines(report))) + "\n")


def _audit_lines(report: AuditReport) -> Iterator[str]:
    yield f"{report.url} ({report.device}{f', {report.runs} runs' if report.runs > 1 else ''})"
    yield from (f"  {name(area):<26}{_score(report, area)}" for area in Area)
    yield report.summary
    yield from (f"! {one}" for one in report.warnings)
    for one in report.violations or ():
        known = "" if one.certain else ", within the noise or measured too seldom to be sure"
        cause = f" ({one.cause})" if one.cause else ""
        yield (
            f"over budget: {name(one.key)} {figure(one.key, one.actual)}, "
            f"limit {figure(one.key, one.limit)}{cause}{known}"
        )
    for change in report.duel.differences if report.duel else ():
        yield (
            f"{change.verdict}: {name(change.key)} {figure(change.key, change.before)} → "
            f"{figure(change.key, change.after)} ({change.confidence:.0%})"
        )
    yield from (f"{one.level}: {one.title}" for one in report.issues[:_SHOWN])
    yield from (f"next: {one.title}" for one in report.recommendations[:_SHOWN])


def _score(report: AuditReport, area: Area) -> str:
    score, apart = report.scores.of(area), report.score_ranges.get(area)
    shown = "no score" if score is None else str(score)
    if apart is None or apart.lowest == apart.highest:
        return shown
    return f"{shown} ({apart.lowest:.0f} to {apart.highest:.0f})"


def _test_text(report: BrowserReport, _: Surface) -> str:
    return log("\n".join(map(terminal, _test_lines(report))) + "\n")


def _test_lines(report: BrowserReport) -> Iterator[str]:
    yield f"{report.url} ({len(report.visits)} pages)"
    yield report.summary
    for kind in Kind:
        found = report.of(kind)
        for one in found[:_SHOWN]:
            yield f"{one.level}: {one.message} ({one.page} {one.selector})"
        if len(found) > _SHOWN:
            yield f"and {len(found) - _SHOWN} more {kind}"
    yield from (f"next: {one.title}" for one in report.suggestions[:_SHOWN])


AUDIT_FORMATS: Mapping[str, Format[AuditReport]] = audit_formats()
TEST_FORMATS: Mapping[str, Format[BrowserReport]] = {
    "console": Format("txt", _test_text),
    "json": Format("json", lambda report, _: browser_test.to_json(report)),
}
