"""Lighthouse's answers for tests: made by hand, and one that was recorded."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from pydantic import TypeAdapter

from mergegate.sandbox.visit import Device, Throttling
from mergegate.site.audit.budget import (
    Figures,
    Measured,
)
from mergegate.site.audit.facts import (
    Area,
    Audited,
    Detail,
    LighthouseRun,
    Load,
    Mode,
    Scores,
    Vendor,
)
from mergegate.site.level import Element

PAGE = "https://shop.example/start?x=1"
_RECORDED = Path(__file__).parents[3] / "fixtures" / "lighthouse" / "messy.json"


def recorded() -> LighthouseRun:
    """Lighthouse 13.5.0 on a page that gets much wrong, details cut to four rows an audit."""
    document = json.loads(_RECORDED.read_text())
    return TypeAdapter(LighthouseRun).validate_python(document["run"])


def audited(
    id: str,
    *areas: Area,
    score: float | None = 0.0,
    mode: Mode = Mode.BINARY,
    weight: float = 0.0,
    title: str = "",
    description: str = "",
    display_value: str = "",
    explanation: str = "",
    savings: Mapping[str, float] = MappingProxyType({}),
    wasted_bytes: int = 0,
    details: Iterable[Detail] = (),
    rows: int | None = None,
    error: str = "",
) -> Audited:
    told = tuple(details)
    return Audited(
        id=id,
        title=title or id,
        description=description,
        areas=areas,
        weight=weight,
        mode=mode,
        score=score,
        display_value=display_value,
        explanation=explanation,
        savings=savings,
        wasted_bytes=wasted_bytes,
        details=told,
        rows=len(told) if rows is None else rows,
        error=error,
    )


def figures(lcp: float = 4000, tbt: float = 600, cls: float = 0.25, fcp: float = 3000) -> Figures:
    return Figures(
        lcp=lcp, tbt=tbt, cls=cls, fcp=fcp, transfer_bytes=10, script_bytes=5, request_count=2
    )


def run(
    *audits: Audited,
    url: str = PAGE,
    device: Device = Device.MOBILE,
    measured: Figures | None = None,
    vendors: Iterable[Vendor] = (),
    waterfall: Iterable[Load] = (),
    performance: int | None = 50,
    waited: float = 0.0,
) -> LighthouseRun:
    return LighthouseRun(
        version="13.5.0",
        browser="",
        url=url,
        final_url=url,
        device=device,
        throttling=Throttling.SIMULATE,
        scores=Scores(performance=performance, seo=50, accessibility=50, best_practices=50),
        audits=audits,
        measured=Measured(
            device=device, throttling=Throttling.SIMULATE, figures=measured or figures()
        ),
        vendors=tuple(vendors),
        waterfall=tuple(waterfall),
        waited=waited,
    )


def load(url: str, kind: str = "script", vendor: str | None = None, weight: int = 1000) -> Load:
    return Load(
        url=url,
        kind=kind,
        status=200,
        start_ms=0,
        end_ms=1,
        transfer_bytes=weight,
        resource_bytes=weight,
        vendor=vendor,
    )


def at(snippet: str, selector: str = "body > p", url: str = "", text: str = "") -> Detail:
    """A row that points at an element."""
    return Detail(url=url, text=text, element=Element(selector, snippet))
