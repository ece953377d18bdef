"""Structured data that machines can use, and others."""

import json
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from mergegate.core.severity import Severity
from mergegate.site.facts.document import JsonLd
from mergegate.site.seo.checks import structured
from mergegate.site.seo.checks.schema_org import DEMANDS, FAMILY, PARTS
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Theme
from tests.site.seo.checks.well_made import changed, found, rules, site, with_body, with_json_ld

CONTEXT = "https://schema.org"
OFFER = {"@type": "Offer", "price": 19.9, "priceCurrency": "EUR", "availability": "InStock"}
RATING = {"@type": "AggregateRating", "ratingValue": "4.4", "ratingCount": 89}
PRODUCT = {
    "@type": "Product",
    "name": "Tea pot",
    "image": "https://example.org/pot.jpg",
    "description": "Holds half a litre",
    "brand": {"@type": "Brand", "name": "Tea house"},
    "offers": OFFER,
}
WITHOUT_BRAND = {name: value for name, value in PRODUCT.items() if name != "brand"}
WITHOUT_OFFER = {name: value for name, value in PRODUCT.items() if name != "offers"}
GROUP = {"name": "Tea pots", "productGroupID": "pots"}
EVENT = {
    "@type": "Event",
    "name": "Tasting",
    "startDate": "2026-12-01T19:00:00+01:00",
    "endDate": "2026-12-01T21:00",
    "description": "Five teas",
    "image": ["https://example.org/tasting.jpg"],
    "location": {"@type": "Place", "name": "Tea house", "address": "Quay 1"},
}
JOB = {
    "@type": "JobPosting",
    "title": "Brewer",
    "description": "Brews tea",
    "datePosted": "2026-11-01",
    "validThrough": "2026-12-24",
    "baseSalary": {"@type": "MonetaryAmount", "currency": "EUR"},
    "employmentType": "FULL_TIME",
    "hiringOrganization": {"@type": "Organization", "name": "Tea house"},
    "jobLocation": {"@type": "Place", "address": {"@type": "PostalAddress"}},
}
VIDEO = {
    "@type": "VideoObject",
    "name": "Brewing",
    "thumbnailUrl": "https://example.org/t.jpg",
    "uploadDate": "2026-11-01",
    "contentUrl": "https://example.org/v.mp4",
    "description": "How leaves unfold",
    "duration": "PT1M33S",
}
RECIPE = {
    "@type": "Recipe",
    "name": "Iced tea",
    "image": "https://example.org/iced.jpg",
    "author": "Ines Marin",
    "recipeIngredient": ["tea"],
    "recipeInstructions": "Cool it.",
    "totalTime": "PT2H",
}
BUSINESS = {
    "@type": "CafeOrCoffeeShop",
    "name": "Tea house",
    "address": {"@type": "PostalAddress", "streetAddress": "Quay 1"},
    "telephone": "+49 1",
    "openingHours": "Mo-Fr 9-18",
    "url": "https://example.org/",
}
APP = {
    "@type": "WebApplication",
    "name": "Tea timer",
    "applicationCategory": "Lifestyle",
    "operatingSystem": "Any",
    "offers": OFFER,
    "aggregateRating": RATING,
}
TEXT_OF_FAQ = "How to brew green tea without bitterness"


def trail(*entries: dict[str, object]) -> dict[str, object]:
    items = [{"@type": "ListItem", **entry} for entry in entries]
    return {"@type": "BreadcrumbList", "itemListElement": items}


def faq(*questions: str) -> dict[str, object]:
    answer = {"@type": "Answer", "text": "Yes."}
    asked = [{"@type": "Question", "name": one, "acceptedAnswer": answer} for one in questions]
    return {"@type": "FAQPage", "mainEntity": asked}


def data(*things: object, context: object = CONTEXT) -> SearchFacts:
    """The page with these things in its graph."""
    return with_json_ld(json.dumps({"@context": context, "@graph": list(things)}))


def but(thing: Mapping[str, object], without: str = "", **more: object) -> SearchFacts:
    """The page with ``thing``, one property taken away, others set."""
    return data({name: value for name, value in {**thing, **more}.items() if name != without})


REQUIRED, RECOMMENDED = ["structured-required-missing"], ["structured-recommended-missing"]
CASES: dict[str, tuple[SearchFacts, list[str]]] = {
    "complete things": (data(PRODUCT, EVENT, JOB, VIDEO, RECIPE, BUSINESS, APP), []),
    "unreadable": (
        with_json_ld('{"@context": "https://schema.org",\n "@type": }'),
        ["json-ld-unreadable"],
    ),
    "empty": (with_json_ld(""), ["json-ld-unreadable"]),
    "no context": (with_json_ld(json.dumps(PRODUCT)), ["json-ld-no-context"]),
    "no context, and incomplete": (
        with_json_ld('{"@type": "Product", "name": "Pot"}'),
        ["json-ld-no-context", *RECOMMENDED, *REQUIRED],
    ),
    "a list of blocks": (
        with_json_ld(
            json.dumps([{"@context": CONTEXT, **PRODUCT}, {"@context": CONTEXT, **EVENT}])
        ),
        [],
    ),
    "old context": (data(PRODUCT, context="http://schema.org/"), []),
    "context with a vocabulary": (data(PRODUCT, context={"@vocab": "https://schema.org/"}), []),
    "another vocabulary": (
        data({"name": "x"}, context="https://www.w3.org/ns/activitystreams"),
        [],
    ),
    "no type": (data({"name": "Pot"}), ["json-ld-no-type"]),
    "only a reference": (data({"@id": "https://example.org/#pot"}), []),
    "type in small letters": (but(PRODUCT, **{"@type": "product"}), ["structured-type-misspelt"]),
    "type with its address": (but(PRODUCT, **{"@type": "https://schema.org/Product"}), []),
    "a type that is not judged": (data({"@type": "HowTo", "name": "Brew"}), []),
    "two types": (but(PRODUCT, "name", **{"@type": ["Product", "Thing"]}), REQUIRED),
    "product without offer": (but(PRODUCT, "offers"), REQUIRED),
    "product with a review for an offer": (
        but(
            PRODUCT,
            "offers",
            review={
                "@type": "Review",
                "author": "A. Reader",
                "reviewRating": {"@type": "Rating", "ratingValue": 4},
            },
        ),
        [],
    ),
    "variants": (
        data({"@type": "ProductGroup", **GROUP, "hasVariant": [PRODUCT, WITHOUT_BRAND]}),
        [],
    ),
    "variants on pages of their own": (
        data(
            {
                "@type": "ProductGroup",
                **GROUP,
                "hasVariant": [
                    {"url": "https://example.org/red"},
                    {"@type": "Product", "url": "https://example.org/green"},
                ],
            }
        ),
        [],
    ),
    "a variant without offer": (
        data({"@type": "ProductGroup", **GROUP, "hasVariant": WITHOUT_OFFER}),
        REQUIRED,
    ),
    "variants without a name for them all": (
        data({"@type": "ProductGroup", "productGroupID": "p", "hasVariant": [PRODUCT]}),
        REQUIRED,
    ),
    "an old way to write schema.org": (
        but(PRODUCT, "offers", **{"@type": "http://www.schema.org/Product"}),
        REQUIRED,
    ),
    "product without brand": (but(PRODUCT, "brand"), RECOMMENDED),
    "described twice": (
        data({"@id": "#p", **PRODUCT}, {"@id": "#p", "@type": "Product", "sku": "7"}),
        [],
    ),
    "described by two scripts": (
        with_json_ld(
            json.dumps(
                [
                    {"@context": CONTEXT, "@id": "#p", "@type": "Product", "offers": OFFER},
                    {"@context": CONTEXT, "@id": "#p", "@type": "Product", "name": "Pot"},
                ]
            )
        ),
        RECOMMENDED,
    ),
    "offer elsewhere, with its type": (
        but(PRODUCT, offers={"@type": "Offer", "@id": "#offer"}),
        [],
    ),
    "rating of nobody yet": (but(PRODUCT, aggregateRating={**RATING, "ratingValue": 0}), []),
    "rating below its scale": (
        but(PRODUCT, aggregateRating={**RATING, "ratingValue": 1, "worstRating": 2}),
        ["structured-rating-out-of-range"],
    ),
    "offer elsewhere": (but(PRODUCT, offers={"@id": "#offer"}), []),
    "offer without price": (but(PRODUCT, offers={**OFFER, "price": ""}), REQUIRED),
    "offers together": (
        but(PRODUCT, offers={"@type": "AggregateOffer", "lowPrice": 9}),
        REQUIRED,
    ),
    "price with currency": (
        but(PRODUCT, offers={**OFFER, "price": "19,90 €"}),
        ["structured-number-invalid"],
    ),
    "currency as a sign": (
        but(PRODUCT, offers={**OFFER, "priceCurrency": "€"}),
        ["structured-currency-invalid"],
    ),
    "rating without count": (
        but(PRODUCT, aggregateRating={"@type": "AggregateRating", "ratingValue": 4}),
        REQUIRED,
    ),
    "rating beyond five": (
        but(PRODUCT, aggregateRating={**RATING, "ratingValue": 9.1}),
        ["structured-rating-out-of-range"],
    ),
    "rating of ten": (
        but(PRODUCT, aggregateRating={**RATING, "ratingValue": 9.1, "bestRating": "10"}),
        [],
    ),
    "rating with a comma": (but(PRODUCT, aggregateRating={**RATING, "ratingValue": "4,4"}), []),
    "rating of nothing": (data(RATING), REQUIRED),
    "rating of something": (data({**RATING, "itemReviewed": {"@type": "Thing", "name": "x"}}), []),
    "rating of oneself": (but(BUSINESS, aggregateRating=RATING), ["structured-self-review"]),
    "event without place": (but(EVENT, "location"), REQUIRED),
    "event at a place without address": (
        but(EVENT, location={"@type": "Place", "name": "Tea house"}),
        REQUIRED,
    ),
    "event online": (
        but(EVENT, location={"@type": "VirtualLocation", "url": "https://example.org/live"}),
        [],
    ),
    "event on a written day": (
        but(EVENT, startDate="1 December 2026"),
        ["structured-date-invalid"],
    ),
    "event on no day": (but(EVENT, startDate="2026-02-30"), ["structured-date-invalid"]),
    "event in a month": (but(EVENT, startDate="2026-12"), []),
    "job without place": (but(JOB, "jobLocation"), REQUIRED),
    "job at a place without address": (
        but(JOB, jobLocation={"@type": "Place", "name": "Tea house"}),
        REQUIRED,
    ),
    "job at a place described elsewhere": (but(JOB, jobLocation={"@id": "#here"}), []),
    "job from home": (
        but(JOB, "jobLocation", applicantLocationRequirements={"@type": "Country", "name": "DE"}),
        [],
    ),
    "job without salary": (but(JOB, "baseSalary"), RECOMMENDED),
    "video without picture": (but(VIDEO, "thumbnailUrl"), REQUIRED),
    "video embedded": (but(VIDEO, "contentUrl", embedUrl="https://example.org/embed"), []),
    "video in words": (but(VIDEO, duration="1:33"), ["structured-date-invalid"]),
    "video in seconds": (but(VIDEO, duration=93), []),
    "recipe without picture": (but(RECIPE, "image"), REQUIRED),
    "relative image": (but(RECIPE, image="/iced.jpg"), ["structured-url-relative"]),
    "image elsewhere": (but(RECIPE, image={"@id": "#photo"}), []),
    "business without address": (but(BUSINESS, "address"), REQUIRED),
    "app without rating": (but(APP, "aggregateRating"), REQUIRED),
    "course without description": (
        data({"@type": "Course", "name": "Tea", "provider": {"@id": "#us"}}),
        REQUIRED,
    ),
    "organization without logo": (
        data({"@type": "NGO", "name": "Tea house", "url": "https://example.org/"}),
        RECOMMENDED,
    ),
    "publisher without logo": (
        data(
            {
                "@type": "NewsArticle",
                "headline": "Tea",
                "image": "https://example.org/a.jpg",
                "datePublished": "2026-11-01",
                "author": {"@type": "Person", "name": "Ines Marin"},
                "publisher": {"@type": "Organization", "name": "Tea house"},
            }
        ),
        [],
    ),
    "article without author": (
        data(
            {
                "@type": "BlogPosting",
                "headline": "Tea",
                "datePublished": "2026-11-01",
                "image": "https://example.org/a.jpg",
            }
        ),
        RECOMMENDED,
    ),
    "website": (data({"@type": "WebSite", "name": "Tea", "url": "https://example.org/"}), []),
    "website without name": (data({"@type": "WebSite", "url": "https://example.org/"}), REQUIRED),
    "person without name": (data({"@type": "Person", "url": "https://example.org/i"}), REQUIRED),
    "trail": (
        data(
            trail(
                {"position": 1, "item": {"@id": "https://example.org/a", "name": "A"}},
                {"position": 2, "name": "B"},
            )
        ),
        [],
    ),
    "trail of ten": (
        data(
            trail(
                *(
                    {"position": n, "name": "A", "item": "https://example.org/"}
                    for n in range(1, 12)
                )
            )
        ),
        [],
    ),
    "trail without names": (
        data(trail({"position": 1, "item": "https://example.org/a"}, {"position": 2, "name": "B"})),
        REQUIRED,
    ),
    "trail without address": (
        data(trail({"position": 1, "name": "A"}, {"position": 2, "name": "B"})),
        ["structured-breadcrumb-order"],
    ),
    "trail from zero": (
        data(
            trail(
                {"position": 0, "name": "A", "item": "https://example.org/"},
                {"position": 1, "name": "B"},
            )
        ),
        ["structured-breadcrumb-order"],
    ),
    "questions that are shown": (data(faq(TEXT_OF_FAQ)), []),
    "questions that are not": (data(faq("Is coffee better?")), ["structured-hidden-faq"]),
    "question without answer": (
        data({"@type": "FAQPage", "mainEntity": {"@type": "Question", "name": TEXT_OF_FAQ}}),
        REQUIRED,
    ),
    "microdata, complete": (
        with_body(
            '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Pot</b>'
            '<b itemprop="description">Holds tea</b><b itemprop="brand">Tea house</b>'
            '<link itemprop="image" href="/pot.jpg">'
            '<p itemprop="offers" itemscope itemtype="https://schema.org/Offer">'
            '<meta itemprop="price" content="19.90"><meta itemprop="priceCurrency" content="EUR">'
            '<link itemprop="availability" href="https://schema.org/InStock"></p></div>'
        ),
        [],
    ),
    "microdata without offer": (
        with_body(
            '<div itemscope itemtype="http://schema.org/Product"><b itemprop="name">Pot</b>'
            '<b itemprop="description">Holds tea</b><b itemprop="brand">Tea house</b>'
            '<link itemprop="image" href="/pot.jpg"></div>'
        ),
        REQUIRED,
    ),
    "RDFa without address": (
        with_body(
            '<div vocab="https://schema.org/" typeof="Restaurant"><b property="name">Tea</b>'
            '<b property="telephone">1</b><b property="openingHours">Mo 9-18</b>'
            '<a property="url" href="/tea">Tea house</a></div>'
        ),
        REQUIRED,
    ),
    "another microdata vocabulary": (
        with_body(
            '<div itemscope itemtype="https://example.org/Product"><b itemprop="x">y</b></div>'
        ),
        [],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_points_of_structured_data_are_exactly_these(name: str) -> None:
    facts, expected = CASES[name]
    assert rules(facts) == expected


def test_what_cannot_be_read_tells_the_line() -> None:
    [point] = found(with_json_ld('{"@context": "https://schema.org",\n "@type": }'))
    assert point.message == "Block 1 of JSON-LD: expecting value in line 3."


def test_what_is_missing_is_named_with_an_example_and_the_page_that_asks_for_it() -> None:
    [point] = found(but(PRODUCT, "offers"))
    assert point.message == (
        "Product (JSON-LD) lacks offers, review or aggregateRating: required for rich results."
    )
    assert point.snippet.startswith('"offers": {"@type": "Offer"')
    assert point.source.endswith("/structured-data/product-snippet")


def test_things_of_a_kind_that_lack_the_same_are_one_point() -> None:
    [point] = found(data(*({**PRODUCT, "offers": {"@type": "Offer"}} for _ in range(30))))[1:]
    assert point.count == 30
    assert point.message.startswith("Product › offers (JSON-LD, 30 times) lacks")


def test_what_google_has_retired_is_worth_little() -> None:
    [point] = found(data({"@type": "FAQPage", "name": "Questions"}))
    assert (point.severity, point.source) == (Severity.LOW, "https://schema.org/FAQPage")


def test_every_kind_has_a_demand_and_every_example_is_json() -> None:
    assert set(FAMILY.values()) <= set(DEMANDS) | set(PARTS)
    points = (point for facts, _ in CASES.values() for point in found(facts))
    for snippet in filter(None, (point.snippet for point in points)):
        if snippet.startswith('"'):
            json.loads(f"{{{snippet}}}")


def test_bottomless_data_is_read_as_far_as_it_is_bounded() -> None:
    deep: dict[str, object] = {"@type": "Product", "name": "Pot"}
    for _ in range(25):
        deep = {"@type": "Product", "name": "Pot", "isRelatedTo": [deep]}
    assert rules(data(deep)) == [*RECOMMENDED, *REQUIRED]


NAMES = some.sampled_from(
    ["@context", "@type", "@id", "@graph", "@value", "name", "offers", "review", "mainEntity",
     "startDate", "ratingValue", "bestRating", "itemListElement", "position", "item", "url"]
)  # fmt: skip
TEXTS = some.sampled_from([CONTEXT, *FAMILY, "2026-13-01", "4,4", "/x", "P", ""]) | some.text()
ANYTHING = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False) | TEXTS,
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(NAMES, inner, max_size=6),
    max_leaves=25,
)


@settings(max_examples=200, deadline=None)
@given(ANYTHING)
def test_no_structured_data_makes_a_check_fail(value: object) -> None:
    document = replace(site().document, json_ld=(JsonLd(data=value),))
    for point in structured.points(replace(site(), document=document)):
        assert point.theme is Theme.STRUCTURED_DATA


def test_questions_are_not_missed_in_a_text_that_was_cut() -> None:
    long = changed(("</article>", f"<p>{'tea ' * 130_000}</p></article>"))
    assert "structured-hidden-faq" not in rules(_with_faq(long))


def _with_faq(html: str) -> SearchFacts:
    block = json.dumps({"@context": CONTEXT, **faq("Is coffee better?")})
    return site(html.replace("</body>", f'<script type="application/ld+json">{block}</script>'))
