"""Lighthouse's result, as read, becomes the fact."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from mergegate.core.errors import TargetNotAnalysable
from mergegate.sandbox.visit import Visit
from mergegate.site.audit.budget import Figures, Key, Measured, Request, Share, figures
from mergegate.site.audit.facts import (
    CONTENDED,
    Area,
    Audited,
    Detail,
    Frame,
    LighthouseRun,
    Load,
    Scores,
    Vendor,
    scores,
)
from mergegate.site.audit.lighthouse.answer import AuditSaid, Metrics, RequestSaid, Result, Row
from mergegate.site.level import Element

_FAVICON = "/favicon.ico"
_OPEN_IT = "Open the address in a browser of your own to see."
_NETWORK = ("http://", "https://")


class _Known:
    """Which third party an address belongs to."""

    def __init__(self, result: Result) -> None:
        names = {one.name for one in result.entities}
        self._by_url = {one.url: one.entity for one in result.requests if one.entity in names}

    def vendor(self, url: str) -> str | None:
        """The vendor of ``url``; None for the site's own, and where nothing is known."""
        return self._by_url.get(url)


def run_of(result: Result, visit: Visit) -> LighthouseRun:
    """Raises TargetNotAnalysable when a figure of the budget could not be measured."""
    known = _Known(result)
    return LighthouseRun(
        version=result.version,
        browser=result.browser,
        url=visit.url,
        final_url=result.final_url,
        device=visit.device,
        throttling=visit.throttling,
        scores=_scores(result),
        audits=_audits(result),
        measured=_measured(result, visit, known),
        vendors=tuple(_vendors(result)),
        filmstrip=tuple(Frame(one.at_ms, one.image) for one in result.frames),
        waterfall=_waterfall(result, known),
        warnings=(*result.warnings, *_contended(result.waited)),
        waited=result.waited,
    )


def _contended(waited: float) -> Iterator[str]:
    if waited >= CONTENDED:
        yield (
            f"The machine was busy: for {waited:.0%} of the time of a long task other programs had "
            "the processor. Times are longer than they would be without them."
        )


def _scores(result: Result) -> Scores:
    said = {one.id: one.score for one in result.categories}
    points = {id: None if score is None else round(score * 100) for id, score in said.items()}
    return scores(points.get)


def _audits(result: Result) -> tuple[Audited, ...]:
    places = defaultdict[str, dict[Area, float]](dict)
    for category in result.categories:
        for reference in category.refs:
            places[reference.id][category.id] = reference.weight
    return tuple(_audited(one, places[one.id]) for one in result.audits)


def _audited(said: AuditSaid, places: Mapping[Area, float]) -> Audited:
    return Audited(
        id=said.id,
        title=said.title,
        description=said.description,
        areas=tuple(places),
        weight=next(iter(places.values()), 0.0),
        mode=said.mode,
        score=said.score,
        display_value=said.display_value,
        explanation=said.explanation,
        savings=MappingProxyType(dict(said.savings)),
        wasted_bytes=said.wasted_bytes,
        details=tuple(map(_detail, said.details)),
        rows=said.rows,
        error=said.error,
    )


def _detail(row: Row) -> Detail:
    element = row.element
    return Detail(
        url=row.url,
        line=row.line,
        column=row.column,
        element=Element(element.selector, element.snippet, element.label) if element else None,
        text=row.text,
        wasted_ms=row.wasted_ms,
        wasted_bytes=row.wasted_bytes,
        total_bytes=row.total_bytes,
        vendor=row.vendor or None,
    )


def _measured(result: Result, visit: Visit, known: _Known) -> Measured:
    return Measured(
        device=visit.device,
        throttling=visit.throttling,
        figures=_figures(result.metrics),
        vendors=tuple(sorted(one.name for one in result.entities)),
        requests=tuple(
            Request(one.url, one.transfer_bytes, one.kind, known.vendor(one.url))
            for one in result.requests
            if _counts(one)
        ),
        shares=tuple(
            Share(one.key, one.url, known.vendor(one.url), one.amount, one.element)
            for one in result.shares
        ),
    )


def _figures(metrics: Metrics) -> Figures:
    missing = [key for key in Key if getattr(metrics, key.name.lower()) is None]
    if Key.FCP in missing:
        raise TargetNotAnalysable("the page painted nothing", remedy=_OPEN_IT)
    if missing:
        raise TargetNotAnalysable(
            f"Lighthouse could not measure {', '.join(missing)} of the page",
            remedy=_OPEN_IT,
        )
    return figures(lambda key: getattr(metrics, key.name.lower()))


def _counts(request: RequestSaid) -> bool:
    """Whether Lighthouse's sums hold it (``computed/resource-summary.js``, 13.5)."""
    favicon = request.kind == "other" and request.url.endswith(_FAVICON)
    return request.url.startswith(_NETWORK) and not favicon


def _vendors(result: Result) -> Iterator[Vendor]:
    busy = {one.entity: one.ms for one in result.main_thread}
    for entity in result.entities:
        own = [one for one in result.requests if one.entity == entity.name and _counts(one)]
        yield Vendor(
            name=entity.name,
            category=entity.category,
            homepage=entity.homepage,
            requests=len(own),
            transfer_bytes=sum(one.transfer_bytes for one in own),
            main_thread_ms=busy.get(entity.name, 0.0),
            hosts=entity.hosts,
        )


def _waterfall(result: Result, known: _Known) -> tuple[Load, ...]:
    loads = (_load(one, known.vendor(one.url)) for one in result.requests)
    return tuple(sorted(loads, key=lambda load: (load.start_ms, load.url)))


def _load(request: RequestSaid, vendor: str | None) -> Load:
    return Load(
        url=request.url,
        kind=request.kind,
        status=request.status,
        start_ms=request.start_ms,
        end_ms=max(request.start_ms, request.end_ms),
        transfer_bytes=request.transfer_bytes,
        resource_bytes=request.resource_bytes,
        priority=request.priority,
        protocol=request.protocol,
        vendor=vendor,
    )
