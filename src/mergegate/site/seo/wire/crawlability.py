"""``crawlability`` of the API's SEO scan result: whether and how crawlers get to the page."""

from typing import Annotated, Any, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from mergegate.core.wire.camel import Camel, optional
from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.site.facts.document import Document
from mergegate.site.seo.facts import (
    CrawlerAnswer,
    Rendered,
    Robots,
    RobotsRule,
    SearchFacts,
    Sitemap,
)
from mergegate.site.seo.report import CrawlerPolicy, PageData, SeoReport
from mergegate.site.seo.wire.shapes import Count

_KINDS = frozenset({"urlset", "index", "text"})
_MOST_SITEMAPS = 100
"""The most sitemaps listed of those that robots.txt names; a hostile one names thousands."""
_NOTHING = "there was no answer"


class RobotsRuleOut(Camel):
    """The rule of robots.txt that decided."""

    allow: bool
    pattern: str
    line: Count


class RobotsProblemOut(Camel):
    """Something wrong with robots.txt; ``line`` 0 is the whole file."""

    line: Count
    problem: str


class RobotsOut(Camel):
    """``robots``: robots.txt of the page's origin."""

    url: str
    state: Literal["present", "absent", "unreachable", "not robots"]
    status: int | None
    sitemaps: Annotated[tuple[str, ...], Field(description="That it names, at most 100.")]
    problems: tuple[RobotsProblemOut, ...]

    @classmethod
    def _fields_of(cls, value: Robots) -> dict[str, Any]:
        found = super()._fields_of(value.fetched) | super()._fields_of(value)
        return found | {"sitemaps": value.sitemaps[:_MOST_SITEMAPS]}

    def _made(self) -> dict[str, Any]:
        return {"fetched": _fetched(self.url, self.status)}


class SitemapOut(Camel):
    """An element of ``sitemaps``: one that was fetched."""

    url: str
    source: Annotated[str, Field(description="What names it.")]
    status: int | None
    kind: Annotated[
        Literal["urlset", "index", "text", ""], Field(description="Empty when it is none.")
    ]
    entries: Count
    lists_page: bool
    page_lastmod: str
    problems: tuple[str, ...]

    @classmethod
    def _fields_of(cls, value: Sitemap) -> dict[str, Any]:
        found = super()._fields_of(value.fetched) | super()._fields_of(value)
        return found | {"kind": value.kind if value.kind in _KINDS else ""}

    def _made(self) -> dict[str, Any]:
        return {"fetched": _fetched(self.url, self.status)}


class CrawlerOut(Camel):
    """An element of ``crawlers``: what one crawler is told and gets."""

    token: str
    operator: str
    purpose: Literal["search", "training", "user", "control"]
    allowed: Annotated[bool, Field(description="By robots.txt.")]
    rule: Annotated[
        RobotsRuleOut | None, Field(description="What decided; null where no rule matched.")
    ]
    asked: Annotated[bool, Field(description="Whether the page was asked for under its name.")]
    status: Annotated[int | None, Field(description="What the server answered to that name.")]
    same: Annotated[
        bool | None,
        Field(
            alias="sameText",
            description="Whether it got what a browser gets; null when that cannot be told.",
        ),
    ]
    failure: Annotated[str, Field(description="Why the server did not answer to that name.")] = ""

    @classmethod
    def _fields_of(cls, value: tuple[CrawlerPolicy, RobotsRule | None]) -> dict[str, Any]:
        policy, rule = value
        answer = policy.answer or CrawlerAnswer(token=policy.token, status=None)
        found = super()._fields_of(answer) | super()._fields_of(policy)
        return found | {"rule": rule, "asked": policy.answer is not None}

    def _made(self) -> dict[str, Any]:
        answer = CrawlerAnswer(
            token=self.token, status=self.status, same=self.same, failure=self.failure
        )
        return {"answer": answer if self.asked else None}


class VariantOut(Camel):
    """An element of ``variants``: another spelling of the page's address."""

    url: str
    status: int | None
    final_url: str = Field(alias="leadsTo")


class RenderingOut(Camel):
    """``rendering``: what scripts bring; present when the page was rendered."""

    failure: Annotated[str, Field(description="Why it was not; then the rest is as it was sent.")]
    words_sent: Count
    words_rendered: Count
    links_sent: Count
    links_rendered: Count
    title_sent: str
    description_sent: str
    headings_sent: Count
    headings_rendered: Count
    schema_types_sent: tuple[str, ...]

    @classmethod
    def _fields_of(cls, value: SeoReport) -> dict[str, Any]:
        rendered, seen, sent = value.facts.rendered, value.page, value.sent_page or value.page
        return {
            "failure": rendered.failure if rendered else "",
            "words_sent": sent.words,
            "words_rendered": seen.words,
            "links_sent": sent.internal_links + sent.external_links,
            "links_rendered": seen.internal_links + seen.external_links,
            "title_sent": sent.title,
            "description_sent": sent.description,
            "headings_sent": sent.heading_count,
            "headings_rendered": seen.heading_count,
            "schema_types_sent": sent.schema_types,
        }


class CrawlabilityOut(Camel):
    """``crawlability``: whether and how crawlers get to the page."""

    indexable: Annotated[
        bool, Field(description="False when a documented, critical finding keeps it out of search.")
    ]
    reasons: Annotated[tuple[str, ...], Field(description="Why it is not.")]
    redirect_chain: Annotated[
        tuple[str, ...], Field(description="Every address on the way, the page's own last.")
    ]
    redirect_statuses: Annotated[
        tuple[int, ...], Field(description="What each of them answered, in the same order.")
    ] = ()
    robots: Annotated[RobotsOut | None, Field(description="Null when it was not asked for.")]
    sitemaps: tuple[SitemapOut, ...]
    sitemaps_named: Annotated[
        Count, Field(description="By robots.txt and by indexes, those that were read included.")
    ] = 0
    in_sitemap: bool
    crawlers: tuple[CrawlerOut, ...]
    canonical_status: Annotated[
        int | None, Field(description="What the canonical address answers, when it is another.")
    ]
    variants: tuple[VariantOut, ...]
    unknown_address_status: Annotated[
        int | None, Field(description="What an address that nobody made answers; 404 is right.")
    ]
    llms_txt_status: Annotated[
        int | None, Field(description="Of /llms.txt, which no search engine asks for.")
    ]
    llms_txt_type: Annotated[
        str, Field(description="Its `Content-Type`: some sites answer any address with a page.")
    ] = ""
    rendering: RenderingOut | SkipJsonSchema[None] = optional("Present when it was rendered.")
    notes: Annotated[tuple[str, ...], Field(description="What could not be looked at.")]

    @classmethod
    def _fields_of(cls, value: SeoReport) -> dict[str, Any]:
        facts, reasons = value.facts, tuple(one.title for one in value.hidden_by)
        rules = facts.robots.matched if facts.robots else {}
        return super()._fields_of(facts) | {
            "indexable": not reasons,
            "reasons": reasons,
            "redirect_chain": tuple(one.url for one in facts.page.answers),
            "redirect_statuses": tuple(one.status for one in facts.page.answers),
            "in_sitemap": any(one.lists_page for one in facts.sitemaps),
            "crawlers": tuple((one, rules.get(one.token)) for one in value.crawlers),
            "canonical_status": facts.canonical.status if facts.canonical else None,
            "unknown_address_status": facts.nonsense.status if facts.nonsense else None,
            "llms_txt_status": facts.llms.status if facts.llms else None,
            "llms_txt_type": facts.llms.header("content-type") if facts.llms else "",
            "rendering": value if facts.rendered else None,
        }

    def facts(self, url: str, page: PageData, **more: Any) -> SearchFacts:
        """What of the facts is told; the documents are empty, for a report has their figures."""
        return self.build(
            SearchFacts,
            page=self._way(url, page.status),
            document=Document(url=page.url),
            rendered=self._rendered(page),
            robots=self._robots(),
            sitemaps_told=self.sitemaps_named,
            crawlers=(),
            llms=self._llms(),
            nonsense=_answered("", self.unknown_address_status),
            canonical=_answered(page.canonical, self.canonical_status),
            variants=tuple(_fetched(one.url, one.status, one.final_url) for one in self.variants),
            **more,
        )

    def _way(self, url: str, status: int | None) -> Fetched:
        """Hosts of before tell no statuses but the last."""
        if status is None:
            return Fetched(url=url, failure=_NOTHING)
        chain, statuses = self.redirect_chain, self.redirect_statuses
        if not statuses:
            chain, statuses = chain[-1:] or (url,), (status,)
        hops = zip(chain, statuses, strict=True)
        return Fetched(url=url, answers=tuple(Answer(url=at, status=it) for at, it in hops))

    def _rendered(self, page: PageData) -> Rendered | None:
        if self.rendering is None:
            return None
        document = Document(url=page.url)
        return Rendered(document=document, final_url=page.url, failure=self.rendering.failure)

    def _robots(self) -> Robots | None:
        if self.robots is None:
            return None
        told = {one.token: one for one in self.crawlers}
        return self.robots.build(
            Robots,
            allowed={name: one.allowed for name, one in told.items()},
            matched={name: one.rule.build(RobotsRule) for name, one in told.items() if one.rule},
        )

    def _llms(self) -> Fetched | None:
        if self.llms_txt_status is None:
            return None
        headers = (("content-type", self.llms_txt_type),)
        answer = Answer(url="", status=self.llms_txt_status, headers=headers)
        return Fetched(url="", answers=(answer,))


def _answered(url: str, status: int | None) -> Fetched | None:
    return None if status is None else _fetched(url, status)


def _fetched(url: str, status: int | None, ended: str = "") -> Fetched:
    if status is None:
        return Fetched(url=url, failure=_NOTHING)
    return Fetched(url=url, answers=(Answer(url=ended or url, status=status),))
