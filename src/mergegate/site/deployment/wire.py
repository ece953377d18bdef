"""What a change's site came to → ``site`` of a repository scan's result (ours, additive)."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from mergegate.core.wire.camel import Camel, encodable
from mergegate.core.wire.parts import Points, VerdictOut

_LONGEST = 4000
_CUT = "…"
_Text = Annotated[str, StringConstraints(max_length=_LONGEST)]
_Number = Annotated[float, Field(allow_inf_nan=False)]
_Count = Annotated[int, Field(ge=0)]
_Area = Literal["performance", "seo", "accessibility", "best-practices"]
_MOST = 100


class ScoresOut(Camel):
    """0–100 each; null where Lighthouse gave none."""

    performance: Points | None
    seo: Points | None
    accessibility: Points | None
    best_practices: Points | None


class RangeOut(Camel):
    """The least and the most over several runs."""

    lowest: _Number
    highest: _Number


class FiguresOut(Camel):
    """Milliseconds, ``cls`` without a unit, bytes and requests."""

    lcp: _Number
    tbt: _Number
    cls: _Number
    fcp: _Number
    transfer_bytes: _Count
    script_bytes: _Count
    request_count: _Count


class ViolationOut(Camel):
    """Something over the budget; ``certain`` when it is beyond the noise."""

    key: _Text
    limit: _Number | _Text
    actual: _Number | _Text
    cause: _Text
    certain: bool


class DifferenceOut(Camel):
    """One figure against the page before the change."""

    key: _Text
    before: _Number
    after: _Number
    before_range: RangeOut
    after_range: RangeOut
    verdict: Literal["better", "worse", "same", "unsure"]
    confidence: Annotated[float, Field(ge=0, le=1)]


class HighlightOut(Camel):
    """An issue or a problem in one line."""

    level: Literal["error", "warning"]
    topic: _Text
    title: _Text
    where: _Text


_Highlights = Annotated[tuple[HighlightOut, ...], Field(max_length=_MOST)]
_Gaps = Annotated[tuple[_Text, ...], Field(max_length=_MOST)]


class AuditedOut(Camel):
    """The short form of an audit."""

    scores: ScoresOut
    score_ranges: Mapping[_Area, RangeOut]
    figures: FiguresOut
    runs: _Count
    violations: Annotated[tuple[ViolationOut, ...], Field(max_length=10 * _MOST)] | None
    differences: Annotated[tuple[DifferenceOut, ...], Field(max_length=_MOST)]
    highlights: _Highlights
    issues: _Count
    gaps: _Gaps = ()


class TestedOut(Camel):
    """The short form of a browser test."""

    pages: _Count
    errors: _Count
    warnings: _Count
    highlights: _Highlights
    gaps: _Gaps = ()


class RulesOut(Camel):
    """What the verdict was drawn by: ``site`` of the policy."""

    minimum_scores: Mapping[_Area, Points]
    most_browser_errors: _Count | None
    over_budget: bool
    regressions: bool


class SiteOut(Camel):
    """``site``: what was seen of the site that the change deploys."""

    url: _Text
    device: Literal["mobile", "desktop"]
    audited: AuditedOut | None
    tested: TestedOut | None
    gaps: Annotated[tuple[_Text, ...], Field(max_length=_MOST)]
    rules: RulesOut
    verdict: VerdictOut


def shape(outcome: object) -> SiteOut:
    """``site`` of a result: what a :class:`~mergegate.site.deployment.outcome.SiteOutcome` is."""
    return SiteOut.model_validate(_plain(outcome))


def _plain(value: object) -> object:
    """Nouns as dictionaries; ``dataclasses.asdict`` cannot copy a read-only mapping.

    Texts are cut to what is read again: an event may name an address of any length.
    """
    if isinstance(value, str):
        text = str(encodable(str(value)))
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}{_CUT}"
    if is_dataclass(value):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {name: _plain(held) for name, held in value.items()}
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value
