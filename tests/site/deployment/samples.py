"""What the site of a change came to, as a renderer gets it."""

from types import MappingProxyType

from mergegate.site.audit.budget import NOT_IN_BUDGET, VENDOR, Figures, Key, Violation
from mergegate.site.audit.facts import Area, Scores
from mergegate.site.audit.report import Difference, Range
from mergegate.site.deployment.outcome import (
    Audited,
    Highlight,
    SiteOutcome,
    SiteRules,
    Tested,
    judged,
)
from mergegate.site.level import Level

FIGURES = Figures(
    lcp=3120.0,
    tbt=410.0,
    cls=0.31,
    fcp=1400.0,
    transfer_bytes=1_820_400,
    script_bytes=640_000,
    request_count=48,
)
AUDITED = Audited(
    scores=Scores(performance=61, seo=92, accessibility=88, best_practices=96),
    score_ranges=MappingProxyType({Area.PERFORMANCE: Range(58.0, 64.0), Area.SEO: Range(92, 92)}),
    figures=FIGURES,
    runs=3,
    violations=(
        Violation(
            key=Key.LCP,
            limit=2500.0,
            actual=3120.0,
            cause="https://shop.example.org/img/hero.jpg",
            certain=True,
        ),
        Violation(key=Key.CLS, limit=0.1, actual=0.31, certain=False),
        Violation(key=VENDOR, limit=NOT_IN_BUDGET, actual="Ads Inc.", certain=True),
    ),
    differences=(
        Difference(
            key=Key.LCP,
            before=2200.0,
            after=3120.0,
            before_range=Range(2100, 2300),
            after_range=Range(3000, 3300),
            verdict="worse",
            confidence=0.99,
        ),
        Difference(
            key=Area.SEO,
            before=92,
            after=92,
            before_range=Range(92, 92),
            after_range=Range(92, 92),
            verdict="same",
            confidence=0.0,
        ),
    ),
    highlights=(
        Highlight(
            level=Level.ERROR,
            topic="accessibility",
            title="Image elements do not have [alt] attributes",
            where="main > img.hero",
        ),
    ),
    issues=12,
)
TESTED = Tested(
    pages=5,
    errors=2,
    warnings=3,
    highlights=(
        Highlight(
            level=Level.ERROR,
            topic="jsErrors",
            title="Uncaught TypeError: cart is undefined",
            where="https://shop.example.org/cart",
        ),
    ),
)
RULES = SiteRules(
    minimum_scores=MappingProxyType({Area.PERFORMANCE: 80}),
    most_browser_errors=0,
    over_budget=True,
    regressions=True,
)
SLOW_SITE = judged(
    SiteOutcome(
        url="https://shop.example.org/",
        audited=AUDITED,
        tested=TESTED,
        rules=RULES,
    )
)
SILENT_SITE = judged(
    SiteOutcome(
        url="https://shop.example.org/",
        gaps=("https://shop.example.org/ does not answer",),
        rules=RULES,
    )
)
