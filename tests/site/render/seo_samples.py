"""Reports of SEO analyses: a realistic one, a quiet one, a hostile one, one too large."""

import struct
import zlib
from dataclasses import replace
from types import MappingProxyType

from mergegate.core.report import EngineRun
from mergegate.core.severity import Severity
from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.site.facts.document import Document
from mergegate.site.seo.facts import (
    CrawlerAnswer,
    QueryRow,
    Rendered,
    Robots,
    RobotsRule,
    SearchConsole,
    SearchFacts,
    Sitemap,
)
from mergegate.site.seo.report import (
    CrawlerPolicy,
    Gap,
    Ground,
    KeywordAnalysis,
    PageData,
    Passage,
    Point,
    Proposal,
    Recommendation,
    Recoverable,
    ResultPreview,
    SeoReport,
    SharePreview,
    Theme,
)
from tests.repo.report.samples import HOSTILE

URL = "https://tea.example.org/guides/green-tea"
RIVAL = "https://leaves.example.net/green-tea-guide"
_GOOGLE = "https://developers.google.com/search/docs"


def png(width: int, height: int, shade: int = 0x6A) -> bytes:
    """A picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checked = kind + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = zlib.compress((b"\0" + bytes([shade]) * width) * height, 9)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", header),
            chunk(b"IDAT", pixels),
            chunk(b"IEND", b""),
        )
    )


def point(
    rule: str,
    theme: Theme,
    severity: Severity,
    title: str,
    message: str,
    ground: Ground = Ground.DOCUMENTED,
    remedy: str = "",
    snippet: str = "",
    evidence: str = "",
    selector: str = "",
) -> Point:
    """A point at the sample's page."""
    return Point(
        id=f"{rule}-0123",
        theme=theme,
        rule=rule,
        severity=severity,
        ground=ground,
        title=title,
        message=message,
        url=URL,
        remedy=remedy,
        snippet=snippet,
        evidence=evidence,
        selector=selector,
        source=f"{_GOOGLE}/appearance/title-link",
    )


POINTS = (
    point(
        "text-after-scripts",
        Theme.INDEXING,
        Severity.HIGH,
        "Most of the text needs scripts",
        "812 of 861 words (94%) only appear after scripts have run; crawlers of assistants do not "
        "see them.",
        Ground.STUDIED,
        "Send the text with the page: render on the server, or when it is built.",
        evidence="Pour water at 75 degrees, Two minutes, no more and 31 more",
    ),
    point(
        "title-long",
        Theme.PAGE,
        Severity.MEDIUM,
        "The title is too long",
        "It is about 742 px wide; a result has room for 600.",
        remedy="Shorten the title to what matters, its first words first.",
        evidence="How to brew green tea without bitterness | Guides | The Tea House of Everybody",
        selector="head > title",
    ),
    point(
        "description-missing",
        Theme.PAGE,
        Severity.MEDIUM,
        "No description",
        "Search engines pick text of their own.",
        remedy="Describe the page in one or two sentences.",
        snippet='<meta name="description" content="…">',
    ),
    point(
        "image-alt-missing",
        Theme.IMAGES,
        Severity.LOW,
        "Images without alternative text",
        "3 of 9 images have no alt attribute.",
        remedy="Say in a few words what each shows.",
        selector="main > figure:nth-of-type(2) > img",
    ),
    point(
        "author-unknown",
        Theme.TRUST,
        Severity.LOW,
        "Nobody signs the article",
        "Neither a byline nor structured data names an author.",
        Ground.HEURISTIC,
        "Name who wrote it.",
    ),
    point(
        "training-blocked",
        Theme.AI_SEARCH,
        Severity.INFO,
        "Crawlers for training are kept out",
        "robots.txt closes the page to GPTBot: a choice of yours that costs no visibility.",
    ),
)
DATA = PageData(
    url=URL,
    status=200,
    redirects=1,
    first_byte_ms=184,
    html_bytes=48_200,
    wire_bytes=11_900,
    rendered=True,
    title="How to brew green tea without bitterness | Guides | The Tea House of Everybody",
    title_px=742,
    headings=((1, "How to brew green tea"), (2, "Water"), (2, "Time")),
    heading_count=3,
    canonical=URL,
    robots=("max-image-preview:large",),
    language="en",
    text_language="en",
    viewport="width=device-width, initial-scale=1",
    hreflang=(("de", "https://tea.example.org/de/gruentee"),),
    social=(("og:title", "How to brew green tea"), ("og:image", "https://tea.example.org/t.png")),
    words=861,
    paragraphs=24,
    internal_links=38,
    external_links=4,
    nofollow_links=1,
    images=9,
    images_without_alt=3,
    schema_types=("Article", "BreadcrumbList"),
    published="2026-03-02",
)
_ROBOTS = Robots(
    fetched=Fetched(
        url="https://tea.example.org/robots.txt",
        answers=(Answer(url="https://tea.example.org/robots.txt", status=200),),
    ),
    state="present",
    sitemaps=("https://tea.example.org/sitemap.xml",),
    problems=((7, "an unknown directive"),),
    allowed=MappingProxyType({"Googlebot": True, "GPTBot": False, "OAI-SearchBot": True}),
    matched=MappingProxyType({"GPTBot": RobotsRule(allow=False, pattern="/", line=12)}),
)
_SITEMAP = Sitemap(
    fetched=Fetched(
        url="https://tea.example.org/sitemap.xml",
        answers=(Answer(url="https://tea.example.org/sitemap.xml", status=200),),
    ),
    source="robots.txt",
    kind="urlset",
    entries=1_204,
    lists_page=True,
)
_CONSOLE = SearchConsole(
    property="sc-domain:example.org",
    start="2026-08-22",
    end="2026-11-19",
    rows=(
        QueryRow(query="green tea", clicks=40, impressions=9_000, ctr=0.0044, position=3.2),
        QueryRow(query="brew green tea", clicks=310, impressions=1_900, ctr=0.163, position=1.8),
    ),
    clicks=402,
    impressions=12_400,
    verdict="PASS",
    coverage="Submitted and indexed",
    google_canonical=URL,
    last_crawl="2026-11-18T04:12:09Z",
)
FACTS = SearchFacts(
    page=Fetched(
        url="https://tea.example.org/green-tea",
        answers=(
            Answer(url="https://tea.example.org/green-tea", status=301),
            Answer(url=URL, status=200, headers=(("content-type", "text/html"),), took_ms=184),
        ),
    ),
    document=Document(url=URL),
    rendered=Rendered(document=Document(url=URL)),
    robots=_ROBOTS,
    sitemaps=(_SITEMAP,),
    nonsense=Fetched(url=f"{URL}x", answers=(Answer(url=f"{URL}x", status=404),)),
    social_image=Fetched(
        url="https://tea.example.org/t.png",
        answers=(Answer(url="https://tea.example.org/t.png", status=200),),
        body=png(240, 126),
    ),
    console=_CONSOLE,
    now="2026-11-22T09:14:02Z",
)


def crawler(
    token: str, purpose: str, operator: str, *, allowed: bool = True, status: int | None = None
) -> CrawlerPolicy:
    """One that may come, and was answered alike where it asked."""
    answer = CrawlerAnswer(token=token, status=status, same=status == 200) if status else None
    return CrawlerPolicy(
        token=token, operator=operator, purpose=purpose, allowed=allowed, answer=answer
    )


def tea() -> SeoReport:
    """A guide with a bit of everything."""
    return SeoReport(
        id="seo_019aa",
        url="https://tea.example.org/green-tea",
        score=63,
        facts=FACTS,
        points=POINTS,
        keywords=(
            KeywordAnalysis(
                keyword="green tea",
                count=21,
                words=861,
                density=4.9,
                in_title=True,
                in_description=False,
                in_h1=True,
                in_headings=2,
                in_first_paragraph=True,
                in_url=True,
                in_alt=3,
                in_anchors=5,
            ),
            KeywordAnalysis(
                keyword="sencha",
                count=0,
                words=861,
                density=0.0,
                in_title=False,
                in_description=False,
                in_h1=False,
                in_headings=0,
                in_first_paragraph=False,
                in_url=False,
                in_alt=0,
                in_anchors=0,
                advice=("Write about sencha, or leave it to another page.",),
            ),
        ),
        passages=(
            Passage(
                heading="Water",
                text="Green tea wants water of 70 to 80 degrees: boiling water draws out the "
                "tannins that make it bitter, and burns what is sweet in the leaf.",
                words=27,
            ),
        ),
        crawlers=(
            crawler("Googlebot", "search", "Google"),
            crawler("OAI-SearchBot", "search", "OpenAI", status=403),
            crawler("ChatGPT-User", "user", "OpenAI", status=200),
            crawler("GPTBot", "training", "OpenAI", allowed=False, status=200),
            crawler("CCBot", "training", "Common Crawl", status=200),
            crawler("Google-Extended", "control", "Google"),
        ),
        recommendations=(
            Recommendation(
                title="Send the text with the page: render on the server, or when it is built",
                message="Most of the text needs scripts: 812 of 861 words only appear after them.",
                point_ids=("text-after-scripts-0123",),
                gain=15,
            ),
            Recommendation(
                title="Shorten the title to what matters, its first words first",
                message="The title is too long: a result has room for 600 px.",
                point_ids=("title-long-0123",),
                gain=6,
            ),
        ),
        competitor=replace(FACTS, console=None),
        competitor_score=81,
        competitor_points=POINTS[3:5],
        competitor_gaps=(
            Gap(kind="term", what="sencha", ours="0", theirs="14"),
            Gap(kind="schema", what="HowTo", ours="absent", theirs="present"),
            Gap(kind="depth", what="words", ours="861", theirs="1,930"),
        ),
        deductions=((Theme.INDEXING, 15, 15), (Theme.PAGE, 12, 12), (Theme.IMAGES, 12, 10)),
        page=DATA,
        sent_page=replace(
            DATA, rendered=False, words=49, heading_count=0, headings=(), images=2, schema_types=()
        ),
        competitor_page=replace(DATA, url=RIVAL, words=1_930),
        results=(
            ResultPreview(
                device="desktop",
                title="How to brew green tea without bitterness | Guides | The Tea …",
                title_cut=True,
                description="Green tea wants water of 70 to 80 degrees: boiling water draws out "
                "the tannins that make it bitter, and burns what is sweet in the leaf.",
                place="tea.example.org › guides › green-tea",
            ),
            ResultPreview(
                device="mobile",
                title="How to brew green tea without bitterness | Guides | The Tea House …",
                title_cut=True,
                description="Green tea wants water of 70 to 80 degrees: boiling water draws out "
                "the tannins that make …",
                description_cut=True,
                place="tea.example.org › guides › green-tea",
            ),
        ),
        shares=(
            SharePreview(
                network="Open Graph",
                large=True,
                title="How to brew green tea",
                description="Water at 75 degrees, two minutes.",
                host="tea.example.org",
                image="https://tea.example.org/t.png",
            ),
            SharePreview(
                network="X",
                large=False,
                title="How to brew green tea",
                description="Water at 75 degrees, two minutes.",
                host="tea.example.org",
                image="https://tea.example.org/t.png",
            ),
        ),
        proposals=(
            Proposal(
                kind="title",
                text="How to brew green tea",
                taken_from="the main heading",
                snippet="<title>How to brew green tea</title>",
            ),
        ),
        queries=(
            Recoverable(row=_CONSOLE.rows[0], expected_ctr=0.103, clicks=887.0),
            Recoverable(row=_CONSOLE.rows[1], expected_ctr=0.177, clicks=26.0),
        ),
        skipped=("There was no time left for the other addresses of the page.",),
        summary="The score is 63 of 100 (needs improvement). Found: 1 high, 2 medium, 1 low and "
        "1 info; what costs most is indexing with 15 points, and 1 hint from experience that the "
        "score leaves out. Do this first: send the text with the page, which gains 15 points. "
        "“sencha” does not stand on the page. By estimate 913 clicks could be recovered, most for "
        "“green tea”.",
        engines=(
            EngineRun(name="fetch", version="0.1.0", duration_ms=2_300),
            EngineRun(name="chromium", version="156.0.8078.79", duration_ms=1_900),
            EngineRun(name="search-console", duration_ms=700),
            EngineRun(name="egress", reason="hosts contacted: 3"),
        ),
        created_at="2026-11-22T09:14:02Z",
        completed_at="2026-11-22T09:14:09Z",
        tool_version="0.1.0",
    )


def well_made() -> SeoReport:
    """Nothing is wrong, and nothing more was asked for."""
    return replace(
        tea(),
        score=100,
        facts=replace(FACTS, rendered=None, console=None),
        points=(),
        keywords=(),
        recommendations=(),
        competitor=None,
        competitor_score=None,
        competitor_points=(),
        competitor_gaps=(),
        deductions=(),
        sent_page=None,
        competitor_page=None,
        proposals=(),
        queries=(),
        skipped=(),
        summary="The score is 100 of 100 (good). Nothing was found to put right.",
    )


def hidden() -> SeoReport:
    """A page that asks not to be found."""
    noindex = point(
        "noindex",
        Theme.INDEXING,
        Severity.CRITICAL,
        "The page asks not to be indexed",
        "A robots element says noindex.",
        evidence='<meta name="robots" content="noindex">',
    )
    return replace(
        tea(),
        score=30,
        points=(noindex, *POINTS),
        summary="The score is 30 of 100 (poor). Search engines cannot show the page: The page asks "
        "not to be indexed. Do this first: remove noindex.",
    )


def hostile() -> SeoReport:
    """Every text of the page does its worst."""
    bad = replace(
        POINTS[0],
        title=HOSTILE,
        message=HOSTILE,
        evidence=HOSTILE,
        selector=HOSTILE,
        remedy=HOSTILE,
        snippet=HOSTILE,
        source=HOSTILE,
        url=f"https://tea.example.org/{HOSTILE}",
    )
    whole = tea()
    return replace(
        whole,
        url=f"https://tea.example.org/{HOSTILE}",
        facts=replace(
            FACTS,
            page=replace(
                FACTS.page, answers=(Answer(url=f"https://tea.example.org/{HOSTILE}", status=200),)
            ),
            console=replace(_CONSOLE, property=HOSTILE, coverage=HOSTILE, google_canonical=HOSTILE),
            social_image=replace(FACTS.page, body=b'<svg onload="alert(1)"/>'),
        ),
        points=(bad, *POINTS),
        keywords=tuple(replace(one, keyword=HOSTILE, advice=(HOSTILE,)) for one in whole.keywords),
        passages=(Passage(heading=HOSTILE, text=HOSTILE, words=3),),
        crawlers=tuple(
            replace(
                one,
                token=HOSTILE,
                operator=HOSTILE,
                answer=CrawlerAnswer(token=HOSTILE, status=None, failure=HOSTILE),
            )
            for one in whole.crawlers
        ),
        recommendations=(Recommendation(title=HOSTILE, message=HOSTILE, gain=2),),
        competitor_gaps=(Gap(kind=HOSTILE, what=HOSTILE, ours=HOSTILE, theirs=HOSTILE),),
        page=_bad_page(DATA),
        competitor_page=_bad_page(DATA),
        results=tuple(
            replace(one, title=HOSTILE, description=HOSTILE, place=HOSTILE) for one in whole.results
        ),
        shares=tuple(
            replace(one, title=HOSTILE, description=HOSTILE, host=HOSTILE, image=HOSTILE)
            for one in whole.shares
        ),
        proposals=(
            Proposal(kind="title", text=HOSTILE, taken_from="the main heading", snippet=HOSTILE),
        ),
        queries=tuple(replace(one, row=replace(one.row, query=HOSTILE)) for one in whole.queries),
        skipped=(HOSTILE,),
        summary=HOSTILE,
    )


def huge() -> SeoReport:
    """More than fits, each text long."""
    whole, long = tea(), "lang " * 2_000
    points = tuple(
        replace(one, id=f"{one.rule}-{number}", message=long, evidence=long, snippet=long)
        for number in range(200)
        for one in POINTS
    )
    return replace(
        whole,
        points=points,
        recommendations=tuple(replace(one, message=long) for one in whole.recommendations) * 40,
        passages=(replace(whole.passages[0], text=long),) * 500,
        competitor_gaps=tuple(
            replace(one, what=f"{long}{n}") for one in whole.competitor_gaps for n in range(200)
        ),
        queries=whole.queries * 400,
        crawlers=whole.crawlers * 60,
        skipped=(long,) * 300,
        summary=long,
    )


def _bad_page(page: PageData) -> PageData:
    return replace(
        page,
        url=HOSTILE,
        title=HOSTILE,
        description=HOSTILE,
        headings=((1, HOSTILE),),
        canonical=HOSTILE,
        robots=(HOSTILE,),
        language=HOSTILE,
        schema_types=(HOSTILE,),
        published=HOSTILE,
        authors=(HOSTILE,),
    )
