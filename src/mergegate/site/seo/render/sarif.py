"""An SEO analysis as SARIF: a result a finding, at the page and its element."""

from mergegate.site.render.sarif_log import Hit, Spot, log
from mergegate.site.seo.render import rows
from mergegate.site.seo.report import Point, SeoReport


def render(report: SeoReport) -> str:
    """The log; for viewers and stores of findings, see :mod:`mergegate.site.render`."""
    hits = [_hit(one) for one in report.points]
    return log("seo", report, hits, report.skipped, {"score": report.score})


def _hit(one: Point) -> Hit:
    return Hit(
        id=one.id,
        rule=one.rule,
        level=rows.level(one),
        title=one.title,
        text=" ".join(part for part in (one.message, one.remedy) if part),
        topic=one.theme.value,
        spots=(Spot(url=one.url, selector=one.selector),),
        reference=one.source,
        properties=(
            ("severity", one.severity.label),
            ("ground", one.ground.value),
            ("count", one.count),
        ),
    )
