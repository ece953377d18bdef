"""An audit on a host: asked for, read in either shape, and held to the same rules as one here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mergegate.core.errors import EngineFailed
from mergegate.core.plans import Tool
from mergegate.core.render.escape import terminal
from mergegate.core.render.formats import Format, Surface
from mergegate.remote.command import SHORT_AUDIT_FORMATS, Remote, answered
from mergegate.remote.host import Order
from mergegate.site.audit.budget import Budget, Figures
from mergegate.site.audit.facts import Area
from mergegate.site.audit.report import AuditReport
from mergegate.site.audit.run import AuditRequest
from mergegate.site.audit.wire import budget as wire
from mergegate.site.audit.wire.reading import AuditAnswer
from mergegate.site.audit.wire.result import read_either
from mergegate.site.deployment.outcome import Audited, SiteOutcome, SiteRules, judged
from mergegate.site.deployment.run import audited
from mergegate.terminal.output import Output, write

_MOST_LINES = 50
_SURE_RUNS = 3
_UNTOLD = Figures(lcp=0, tbt=0, cls=0, fcp=0, transfer_bytes=0, script_bytes=0, request_count=0)
"""Placeholder where a host tells no figures; no rule reads it, and no report shows it."""


@dataclass(frozen=True, slots=True)
class RemoteAudit:
    """What a host answered."""

    found: AuditReport | AuditAnswer
    content: bytes
    name: str
    """The name of the host."""

    @property
    def budget(self) -> Budget:
        """What `--save-budget` writes; raises EngineFailed where the host tells none."""
        if self.found.budget is None:
            raise EngineFailed(
                f"{self.name} answers without a budget", remedy="Leave --save-budget out."
            )
        return self.found.budget

    def write(self, wanted: Sequence[Output], known: Mapping[str, Format[AuditReport]]) -> None:
        """Every output; raises EngineFailed for those that the host tells too little for."""
        if isinstance(self.found, AuditReport):
            for one in wanted:
                write(self.found, one, answered(known, self.content))
            return
        short = {
            "console": Format("txt", _text),
            "json": Format("json", lambda *_: self.content.decode()),
        }
        for one in wanted:
            if one.format in short:
                write(self.found, one, short)
        _tell_missing(wanted, self.name)

    def outcome(self, url: str, rules: SiteRules) -> SiteOutcome:
        """The site's outcome, with the verdict by ``rules`` that is drawn here."""
        found = self.found
        short = audited(found) if isinstance(found, AuditReport) else _audited(found)
        device = found.device.value if found.device else ""
        return judged(SiteOutcome(url=url, device=device, audited=short, rules=rules))


def audit_order(url: str, budget: Budget | None = None, *, nested: bool = False) -> Order:
    """A website audit, in the shape that is wanted."""
    body: dict[str, object] = {"url": url}
    if budget is not None:
        body["budget"] = wire.shape(budget).model_dump(by_alias=True)
    return Order(Tool.AUDIT, body, {"shape": "nested"} if nested else {})


def asked(request: AuditRequest, remote: Remote, *, nested: bool) -> RemoteAudit:
    """The audit as the host does it; raises as :meth:`Remote.asked`."""
    order = audit_order(request.visit.url, request.budget, nested=nested)
    found, content = remote.report_on(
        request.visit.url, order, lambda one: read_either(one, request.budget)
    )
    if found.device not in {None, request.visit.device}:
        raise EngineFailed(f"{remote.host.name} has loaded the page as another device")
    return RemoteAudit(found, content, remote.host.name)


def _tell_missing(wanted: Sequence[Output], name: str) -> None:
    missing = [one.format for one in wanted if one.format not in SHORT_AUDIT_FORMATS]
    if missing:
        raise EngineFailed(
            f"{name} tells scores and issues alone, which is too little for {', '.join(missing)}",
            remedy="Use --format console or json.",
        )


def _audited(answer: AuditAnswer) -> Audited:
    """A violation that such a host tells of is taken for certain: it does not say more."""
    violations = answer.violations
    certain = None if violations is None else tuple(replace(v, certain=True) for v in violations)
    return Audited(
        scores=answer.scores,
        figures=_UNTOLD,
        runs=_SURE_RUNS,
        violations=certain,
        issues=len(answer.issues),
    )


def _text(answer: AuditAnswer, _: Surface) -> str:
    lines = list(_lines(answer))
    more = [f"and {len(lines) - _MOST_LINES:,} more"] if len(lines) > _MOST_LINES else []
    shown = [*lines[:_MOST_LINES], *more]
    return "".join(f"{terminal(line)}\n" for line in shown)


def _lines(answer: AuditAnswer) -> Iterator[str]:
    """The whole answer as the host tells it: hostile text."""
    if answer.url:
        yield answer.url
    for area in Area:
        score = answer.scores.of(area)
        yield f"{area.value}: {'no score' if score is None else score}"
    yield answer.summary
    for over in answer.violations or ():
        yield f"over the budget: {over.key}: {_plain(over.actual)}, allowed: {_plain(over.limit)}"
    for one in answer.issues:
        yield f"{one.severity or 'issue'}: {one.title or one.id}"


def _plain(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:,.10g}"
