"""Reports of both site tools: a realistic one, a quiet one, a hostile one, one too large."""

import base64
from dataclasses import replace

from mergegate.core.report import EngineRun, EngineStatus
from mergegate.sandbox.visit import Device, Throttling
from mergegate.site.audit.budget import (
    NOT_IN_BUDGET,
    VENDOR,
    Budget,
    Figures,
    Key,
    Measured,
    Spread,
    Violation,
)
from mergegate.site.audit.facts import Area, Detail, Frame, Load, Scores, Vendor
from mergegate.site.audit.report import (
    AuditReport,
    Difference,
    Duel,
    Issue,
    Range,
    Recommendation,
    SiteFix,
)
from mergegate.site.browser_test.facts import LinkState, PageVisit, Screenshot, StackFrame, Vitals
from mergegate.site.browser_test.report import BrowserReport, Kind, Problem, Suggestion
from mergegate.site.facts.stack import Technology
from mergegate.site.level import Element, Level
from tests.repo.report.samples import HOSTILE

URL = "https://shop.example.org/"
JPEG = base64.b64decode("/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////2Q==")
FRAME = f"data:image/jpeg;base64,{base64.b64encode(JPEG).decode()}"
FIGURES = Figures(
    lcp=3120.0,
    tbt=410.0,
    cls=0.05,
    fcp=1400.0,
    transfer_bytes=1_820_400,
    script_bytes=640_000,
    request_count=48,
)
LIMITS = Figures(
    lcp=2500.0,
    tbt=400.0,
    cls=0.1,
    fcp=1800.0,
    transfer_bytes=1_900_000,
    script_bytes=700_000,
    request_count=50,
)
ALLOWED = Figures(
    lcp=3432.0,
    tbt=510.0,
    cls=0.1,
    fcp=1600.0,
    transfer_bytes=2_002_440,
    script_bytes=704_000,
    request_count=53,
)
MEASURED = Measured(device=Device.MOBILE, throttling=Throttling.SIMULATE, figures=FIGURES)
ENGINES = (
    EngineRun(name="lighthouse", version="13.5.0", duration_ms=15_200),
    EngineRun(name="chromium", version="156.0.8078.79", duration_ms=16_700),
    EngineRun(name="egress", reason="hosts contacted: 3"),
)
IMAGE_ALT = Issue(
    id="7268bd3947de5f94",
    rule="image-alt",
    title="Image elements do not have [alt] attributes",
    message="Informative elements should aim for short, descriptive alternate text.",
    level=Level.ERROR,
    area=Area.ACCESSIBILITY,
    score=0,
    points=9.9,
    details=(
        Detail(
            element=Element("main > img.hero", '<img class="hero" src="/hero.jpg">', "hero"),
            text="Element has no alt attribute",
        ),
    ),
    rows=14,
    references=("https://dequeuniversity.com/rules/axe/4.13/image-alt",),
    fix_id="459ac28dcf49f6e5",
)
BOOTUP = Issue(
    id="c0673347bc124461",
    rule="bootup-time",
    title="JavaScript takes long to run",
    message="Split bundles, and load what is not needed at once with `import()`.",
    level=Level.WARNING,
    area=Area.PERFORMANCE,
    score=50,
    display_value="1.8 s",
    details=(
        Detail(
            url="https://shop.example.org/app.js",
            line=12,
            text="parseMenu",
            wasted_ms=1006.0,
            wasted_bytes=120_000,
            total_bytes=240_000,
        ),
        Detail(url="https://ads.example.net/tag.js", wasted_ms=761.0, vendor="Ads Inc."),
    ),
    rows=2,
    savings={"TBT": 650.0},
    wasted_bytes=120_000,
)
DUEL = Duel(
    against="https://base.example.org/",
    runs=5,
    differences=(
        Difference(
            key=Key.CLS,
            before=0.05,
            after=0.05,
            before_range=Range(0.05, 0.05),
            after_range=Range(0.05, 0.05),
            verdict="same",
            confidence=0.0,
        ),
        Difference(
            key=Key.LCP,
            before=2200.0,
            after=3120.0,
            before_range=Range(2100, 2300),
            after_range=Range(3000, 3300),
            verdict="worse",
            confidence=0.994,
        ),
        Difference(
            key=Area.SEO,
            before=88,
            after=92,
            before_range=Range(88, 88),
            after_range=Range(92, 92),
            verdict="better",
            confidence=0.99,
        ),
        Difference(
            key=Key.TBT,
            before=390.0,
            after=410.0,
            before_range=Range(310, 460),
            after_range=Range(330, 500),
            verdict="unsure",
            confidence=0.61,
        ),
    ),
    new_vendors=("Ads Inc.",),
    gone_vendors=("Chat Ltd.",),
    new_issues=("c0673347bc124461",),
    fixed_issues=("ffffffffffffffff",),
)
WATERFALL = (
    Load(
        url=URL,
        kind="document",
        status=200,
        start_ms=2.0,
        end_ms=180.0,
        transfer_bytes=14_200,
        resource_bytes=61_000,
    ),
    Load(
        url="https://ads.example.net/tag.js?id=7",
        kind="script",
        status=200,
        start_ms=190.0,
        end_ms=420.0,
        transfer_bytes=96_000,
        resource_bytes=240_000,
        vendor="Ads Inc.",
    ),
    Load(
        url="https://shop.example.org/stock",
        kind="xhr",
        status=-1,
        start_ms=430.0,
        end_ms=500.0,
        transfer_bytes=0,
        resource_bytes=0,
    ),
    Load(
        url="https://shop.example.org/hero.jpg",
        kind="image",
        status=404,
        start_ms=200.0,
        end_ms=610.0,
        transfer_bytes=501,
        resource_bytes=400,
    ),
)


def quick() -> AuditReport:
    """One run without a budget, of a page that does nothing wrong."""
    return AuditReport(
        id="aud_1",
        url=URL,
        final_url=URL,
        device=Device.MOBILE,
        throttling=Throttling.SIMULATE,
        scores=Scores(performance=98, seo=100, accessibility=None, best_practices=96),
        summary="Performance 98 (good). Nothing has to be done.",
        measured=MEASURED,
        budget=Budget(Device.MOBILE, ALLOWED),
        engines=ENGINES,
        created_at="2026-11-20T09:14:02.000Z",
        completed_at="2026-11-20T09:14:19.000Z",
        tool_version="0.1.0",
    )


def shop() -> AuditReport:
    """Five runs of a page that is over its budget, against the page before the change."""
    return replace(
        quick(),
        url="https://shop.example.org/home",
        scores=Scores(performance=61, seo=92, accessibility=88, best_practices=96),
        score_ranges={Area.PERFORMANCE: Range(58, 64), Area.SEO: Range(92, 92)},
        issues=(IMAGE_ALT, BOOTUP),
        recommendations=(
            Recommendation(
                id="551fad6e18b9d5d6",
                title="Shorten the work of scripts on the main thread",
                message="Load what can wait after the page. Begin with /app.js (1006 ms).",
                area=Area.PERFORMANCE,
                impact="high",
                issue_ids=("c0673347bc124461",),
                savings={"TBT": 650.0},
            ),
            Recommendation(
                id="8d6f6af8507d59aa",
                title="Describe images to those who do not see them",
                message="Say in `alt` what the image tells.",
                area=Area.ACCESSIBILITY,
                impact="medium",
            ),
        ),
        fixes=(
            SiteFix(
                id="459ac28dcf49f6e5",
                issue_ids=("7268bd3947de5f94",),
                title="Say what images tell",
                explanation="An image that only decorates gets an empty alt.",
                language="html",
                code='<img class="hero" src="/hero.jpg"\n\talt="WHAT THE IMAGE TELLS">',
                technology="Next.js",
            ),
        ),
        summary="Performance 61 (needs improvement). Found: 1 error and 1 warning.",
        technologies=(
            Technology("Next.js", ("JavaScript frameworks",), "15.1", 100, "https://nextjs.org"),
            Technology("nginx", ("Web servers",), "", 75, "http://plain.example.org"),
        ),
        spread=Spread(
            runs=5,
            lowest=replace(FIGURES, lcp=2980.0, tbt=330.0),
            highest=replace(FIGURES, lcp=3300.0, tbt=500.0),
            vendors=frozenset({"Ads Inc."}),
        ),
        violations=(
            Violation(key=Key.TBT, limit=400.0, actual=410.0, certain=False),
            Violation(
                key=Key.LCP,
                limit=2500.0,
                actual=3120.0,
                cause="https://shop.example.org/hero.jpg",
                certain=True,
            ),
            Violation(
                key=VENDOR,
                limit=NOT_IN_BUDGET,
                actual="Ads Inc.",
                cause="https://ads.example.net/tag.js?id=7",
                certain=True,
            ),
        ),
        held_to=Budget(Device.MOBILE, LIMITS),
        duel=DUEL,
        vendors=(
            Vendor(
                name="Ads Inc.",
                category="ad",
                homepage="https://ads.example.net/",
                requests=3,
                transfer_bytes=96_000,
                main_thread_ms=761.0,
            ),
        ),
        filmstrip=(Frame(375, FRAME), Frame(1500, FRAME)),
        waterfall=WATERFALL,
        warnings=("The page was redirected.",),
        runs=5,
    )


def hostile() -> AuditReport:
    """Every text that a page can choose is hostile."""
    bad = f"https://evil.example.org/{HOSTILE}"
    detail = Detail(
        url=bad, line=1, element=Element(HOSTILE, HOSTILE, HOSTILE), text=HOSTILE, vendor=HOSTILE
    )
    issue = replace(
        IMAGE_ALT,
        title=HOSTILE,
        message=HOSTILE,
        display_value=HOSTILE,
        details=(detail, replace(detail, url="javascript:alert(1)")),
        references=("javascript:alert(1)", bad),
    )
    report = shop()
    return replace(
        report,
        url=bad,
        final_url=bad,
        summary=HOSTILE,
        issues=(issue, replace(issue, id="b2", level=Level.WARNING, area=Area.SEO)),
        recommendations=tuple(
            replace(one, title=HOSTILE, message=HOSTILE) for one in report.recommendations
        ),
        fixes=tuple(
            replace(one, title=HOSTILE, explanation=HOSTILE, code=HOSTILE, technology=HOSTILE)
            for one in report.fixes
        ),
        technologies=(Technology(HOSTILE, (HOSTILE,), HOSTILE, 50, "javascript:alert(1)"),),
        violations=(
            Violation(key=Key.LCP, limit=1.0, actual=2.0, cause=bad, certain=True),
            Violation(key=VENDOR, limit=NOT_IN_BUDGET, actual=HOSTILE, cause=bad),
        ),
        duel=replace(DUEL, against=bad, new_vendors=(HOSTILE,), gone_vendors=(HOSTILE,)),
        vendors=(Vendor(name=HOSTILE, category=HOSTILE, homepage="javascript:alert(1)"),),
        filmstrip=(
            Frame(1, f'{FRAME}" onerror="alert(1)'),
            Frame(2, "data:image/svg+xml;base64,PHN2Zz4="),
            Frame(3, "https://evil.example.org/x.jpg"),
        ),
        waterfall=(replace(WATERFALL[0], url=bad, kind=HOSTILE, vendor=HOSTILE),),
        warnings=(HOSTILE,),
        engines=(
            EngineRun(name="lighthouse", version=HOSTILE, status=EngineStatus.FAILED, reason=bad),
        ),
    )


def huge() -> AuditReport:
    """As much of everything as a page might bring about."""
    long = "&<" * 5_000
    detail = Detail(url=f"https://a.example.org/{long}", element=Element(long, long), text=long)
    issues = tuple(
        replace(IMAGE_ALT, id=f"{n}", title=long, message=long, details=(detail,) * 50, rows=9_999)
        for n in range(400)
    )
    frame = f"{FRAME}{'A' * 400_000}"
    return replace(
        shop(),
        summary=long,
        issues=issues,
        recommendations=shop().recommendations * 200,
        fixes=tuple(replace(shop().fixes[0], id=f"f{n}", code=long * 2) for n in range(200)),
        warnings=(long,) * 500,
        vendors=tuple(Vendor(name=f"{n}{long}") for n in range(500)),
        technologies=tuple(Technology(f"{n}{long}") for n in range(500)),
        waterfall=WATERFALL * 1_000,
        filmstrip=(Frame(1, frame),) * 40,
    )


SCRIPT_ERROR = Problem(
    id="dc82bff0e17a2b964e72716f",
    kind=Kind.SCRIPT,
    rule="uncaught-error",
    level=Level.ERROR,
    message="ReferenceError: cart is not defined",
    page=URL,
    pages=(URL, "https://shop.example.org/about"),
    evidence="at https://shop.example.org/app.js:8:153",
    url="https://shop.example.org/app.js",
    frames=(
        StackFrame("https://shop.example.org/app.js", 8, 153, "total"),
        StackFrame("https://shop.example.org/app.js", 2, 1),
    ),
    count=3,
    remedy="Test for it first, as in `if (cart) cart.total()`.",
)
DEAD_LINK = Problem(
    id="c83d4c24672c9ffbd3358533",
    kind=Kind.LINK,
    rule="dead-link",
    level=Level.ERROR,
    message="The link “Lookbook” leads nowhere: /gone (not found)",
    page=URL,
    pages=(URL,),
    selector="html > body > nav > a:nth-of-type(4)",
    selectors=("html > body > nav > a:nth-of-type(4)",),
    evidence='answers 404; <a href="/gone">',
    url="https://shop.example.org/gone",
    status=404,
    state=LinkState.DEAD,
    remedy="Redirect the old address, or remove the link.",
)
CONTRAST = Problem(
    id="92d1d376a1008da3d87ebbad",
    kind=Kind.ACCESSIBILITY,
    rule="heading-order",
    level=Level.WARNING,
    message="Heading levels should only increase by one",
    page=URL,
    pages=(URL,),
    selector="h3",
    selectors=("h3",),
    vendor="Ads Inc.",
    reference="https://dequeuniversity.com/rules/axe/4.14/heading-order?application=axeAPI",
)


def clean() -> BrowserReport:
    """A site in which nothing is wrong."""
    return BrowserReport(
        id="bt_1",
        url=URL,
        visits=(PageVisit(url=URL, final_url=URL, status=200, title="Shop", load_ms=640),),
        found=1,
        links={LinkState.ALIVE: 6},
        summary="1 page visited. Nothing to put right.",
        engines=(EngineRun(name="chromium", version="156.0.8078.79", duration_ms=4_000),),
        created_at="2026-11-20T09:14:02.000Z",
        completed_at="2026-11-20T09:14:19.000Z",
        tool_version="0.1.0",
    )


def broken() -> BrowserReport:
    """A site with problems of several lists, on two pages, and a third that does not answer."""
    shots = (
        Screenshot(URL, "desktop", JPEG, boxed=("h3",)),
        Screenshot(URL, "mobile", JPEG),
    )
    visit = PageVisit(
        url=URL,
        final_url=URL,
        status=200,
        title="Shop",
        vitals=Vitals(lcp=660.0, inp=240.0, fcp=640.0, ttfb=18.0, cls=0.3),
        screenshots=shots,
        load_ms=640,
    )
    about = replace(visit, url="https://shop.example.org/about", screenshots=(), title="About")
    gone = PageVisit(
        url="https://shop.example.org/gone",
        final_url="https://shop.example.org/gone",
        status=404,
        failure="it answers 404",
    )
    return replace(
        clean(),
        visits=(visit, about, gone),
        found=8,
        problems=(SCRIPT_ERROR, DEAD_LINK, CONTRAST),
        links={LinkState.ALIVE: 6, LinkState.DEAD: 1, LinkState.UNCHECKED: 2},
        notes=("The time was up before every page was visited.",),
        gaps=("The time was up before every page was visited.",),
        vitals=visit.vitals,
        suggestions=(
            Suggestion(
                title="Fix the errors that scripts throw",
                message="3 times on 2 pages. Test first: `if (cart) cart.total()`.",
                problem_ids=(SCRIPT_ERROR.id,),
            ),
        ),
        summary="3 pages visited of 8. Found: 2 errors and 1 warning.",
    )


def hostile_test() -> BrowserReport:
    """Every text that a page can choose is hostile."""
    bad = f"https://evil.example.org/{HOSTILE}"
    report = broken()
    return replace(
        report,
        url=bad,
        visits=tuple(
            replace(
                one,
                url=bad,
                final_url=bad,
                title=HOSTILE,
                failure=HOSTILE,
                notes=(HOSTILE,),
                screenshots=(Screenshot(bad, HOSTILE, JPEG), Screenshot(bad, "mobile", b"<svg>")),
            )
            for one in report.visits[:1]
        ),
        problems=tuple(
            replace(
                one,
                message=HOSTILE,
                page=bad,
                pages=(bad, f"{bad}2"),
                selector=HOSTILE,
                selectors=(HOSTILE, f"{HOSTILE}2"),
                evidence=HOSTILE,
                url="javascript:alert(1)",
                vendor=HOSTILE,
                frames=(StackFrame(bad, 1, 1, HOSTILE),) * 2,
                remedy=HOSTILE,
                reference="javascript:alert(1)",
            )
            for one in report.problems
        ),
        notes=(HOSTILE,),
        gaps=(HOSTILE,),
        suggestions=(Suggestion(title=HOSTILE, message=HOSTILE),),
        summary=HOSTILE,
    )


def huge_test() -> BrowserReport:
    """As much of everything as a site might bring about."""
    long = "&<" * 5_000
    problem = replace(
        DEAD_LINK,
        message=long,
        evidence=long,
        selectors=(long,) * 50,
        pages=tuple(f"https://shop.example.org/{n}{long}" for n in range(50)),
        remedy=long,
    )
    shot = Screenshot(URL, "desktop", JPEG + b"A" * 400_000)
    return replace(
        broken(),
        visits=tuple(replace(broken().visits[0], screenshots=(shot, shot)) for _ in range(60)),
        problems=tuple(replace(problem, id=f"{n}") for n in range(2_000)),
        notes=(long,) * 100,
        gaps=(long,) * 100,
        suggestions=(Suggestion(title=long, message=long),) * 200,
        summary=long,
    )
