"""Runs of Lighthouse and what is made of them, by hand."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count

from mergegate.core.errors import MergegateError
from mergegate.sandbox.visit import Device, Throttling, Visit
from mergegate.site.audit.facts import Area, Audited, LighthouseRun, Mode, Scores
from mergegate.site.audit.report import AuditReport, Issue, Recommendation, SiteFix
from mergegate.site.audit.run import AuditToolbox, Judgement, Taken
from mergegate.site.facts.stack import Stack, Technology
from mergegate.site.level import Level
from tests.site.audit.pages import page, some_figures

URL = "https://shop.example.org/"
STACK = Stack((Technology("Django", ("Web frameworks",), "5.1", 100, "https://djangoproject.com"),))
MORNING = dt.datetime(2026, 1, 31, 8, 0, tzinfo=dt.UTC)


def visit(url: str = URL, device: Device = Device.MOBILE) -> Visit:
    return Visit(url=url, device=device)


def run(
    performance: int | None = 70,
    *,
    url: str = URL,
    final_url: str = "",
    seo: int | None = 100,
    failed: tuple[str, ...] = (),
    vendors: tuple[str, ...] = (),
    warnings: tuple[str, ...] = (),
    **figures: float,
) -> LighthouseRun:
    """One load; ``failed`` names audits that fail, ``figures`` are those of ``some_figures``."""
    return LighthouseRun(
        version="13.5.0",
        browser="Chromium",
        url=url,
        final_url=final_url or url,
        device=Device.MOBILE,
        throttling=Throttling.SIMULATE,
        scores=Scores(performance=performance, seo=seo, accessibility=90, best_practices=100),
        audits=tuple(map(_failed, failed)),
        measured=page(vendors=vendors, of=some_figures(**figures)),
        warnings=warnings,
    )


def _failed(id: str) -> Audited:
    return Audited(
        id=id,
        title=id,
        description="",
        areas=(Area.SEO,),
        weight=1,
        mode=Mode.BINARY,
        score=0,
    )


def issue(id: str, **other: object) -> Issue:
    plain = Issue(id=id, rule=id, title=id, message="", level=Level.ERROR, area=Area.SEO, score=0)
    return replace(plain, **other)  # type: ignore[arg-type]


def _issues(one: LighthouseRun) -> tuple[Issue, ...]:
    return tuple(issue(audit.id) for audit in one.audits if audit.score == 0)


def _recommendations(*_: object) -> tuple[Recommendation, ...]:
    return ()


def _fixes(_: object, issues: Sequence[Issue], technologies: object) -> tuple[SiteFix, ...]:
    return tuple(
        SiteFix(
            id=f"fix-{one.id}", issue_ids=(one.id,), title="", explanation="", language="", code=""
        )
        for one in issues
    )


def _with_fixes(issues: Sequence[Issue], fixes: Sequence[SiteFix]) -> tuple[Issue, ...]:
    of = {id: fix.id for fix in fixes for id in fix.issue_ids}
    return tuple(replace(one, fix_id=of.get(one.id)) for one in issues)


def _summarise(report: AuditReport) -> str:
    return f"{len(report.issues)} issues."


JUDGEMENT = Judgement(_issues, _recommendations, _fixes, _with_fixes, _summarise)


class Loads:
    """Answers each load with the next of its list: a run, or an error to raise."""

    def __init__(self, **answers: list[LighthouseRun | MergegateError]) -> None:
        self._answers = answers
        self.asked: list[str] = []
        """``page`` or ``rival``, in the order of the loads."""

    def __call__(self, visited: Visit) -> Taken:
        name = "page" if visited.url == URL else "rival"
        self.asked.append(name)
        answer = self._answers[name].pop(0)
        if isinstance(answer, MergegateError):
            raise answer
        return Taken(answer, STACK)


def toolbox(measure: Callable[[Visit], Taken]) -> AuditToolbox:
    return AuditToolbox(
        measure=measure,
        judgement=JUDGEMENT,
        now=map(_minute, count()).__next__,
        random=lambda: bytes(range(16)),
    )


def _minute(number: int) -> dt.datetime:
    return MORNING + dt.timedelta(minutes=number)
