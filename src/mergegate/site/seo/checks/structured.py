"""Whether what the page describes by schema.org can be read, is complete, and is true."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain

from mergegate.site.facts.document import Document, JsonLd
from mergegate.site.seo.checks.point import GOOGLE, RULES, Rule, examples, quoted
from mergegate.site.seo.checks.schema_org import (
    DEMANDS,
    EXAMPLES,
    FAMILY,
    PARTS,
    AnyOf,
    Demand,
    Thing,
    described,
    inside,
    is_of_schema_org,
    nodes,
)
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point
from mergegate.site.seo.urls import parts
from mergegate.site.words import counted, listed

DATE = RULES["structured-date-invalid"]
RELATIVE = RULES["structured-url-relative"]
NUMBER = RULES["structured-number-invalid"]
CURRENCY = RULES["structured-currency-invalid"]
RATING = RULES["structured-rating-out-of-range"]
_DATES = frozenset(
    {
        "datePublished", "dateModified", "dateCreated", "uploadDate", "datePosted", "validThrough",
        "startDate", "endDate", "priceValidUntil", "expires", "foundingDate", "birthDate",
    }
)  # fmt: skip
_SPANS = frozenset({"duration", "totalTime", "prepTime", "cookTime", "timeRequired"})
_ADDRESSES = frozenset({"url", "image", "logo", "thumbnailUrl", "contentUrl", "embedUrl", "sameAs"})
_NUMBERS = frozenset({"price", "lowPrice", "highPrice", "ratingCount", "reviewCount"})
_DATE = re.compile(
    r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(?:[01]\d|2[0-4])(?::?[0-5]\d(?::?[0-6]\d(?:[.,]\d{1,9})?)?)?"
    r"(?:Z|[+-]\d{2}(?::?\d{2})?)?)?)?)?"
)
_SPAN = re.compile(
    r"P(?=\w)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+(?:\.\d+)?D)?(?:T(?:\d+(?:\.\d+)?[HMS])+)?"
)
_SAID = (
    (DATE, "not by ISO 8601"),
    (RELATIVE, "without https:// and host"),
    (NUMBER, "with more than digits and a point"),
    (CURRENCY, "other than three capitals"),
)
_PLAIN_NUMBER = re.compile(r"\d{1,15}(?:\.\d{1,10})?")
_CURRENCY = re.compile(r"[A-Z]{3}")
_LONGEST_VALUE = 200
_WORST, _BEST = 1.0, 5.0
"""What a scale is taken for, unless it says otherwise."""


def wrong(every: Sequence[Thing], url: str) -> Iterator[Point]:
    """What machines cannot read of the values of all things, those held by others among them."""
    yield from _values(every, url)
    yield from _ratings(every, url)


def _values(every: Sequence[Thing], url: str) -> Iterator[Point]:
    """Dates, addresses, numbers and currencies that are written wrongly; one point a kind."""
    found: dict[str, list[str]] = {}
    for thing in every:
        for name, values in thing.properties.items():
            for value in values:
                if isinstance(value, str) and (rule := _wrong(thing, name, value.strip())):
                    found.setdefault(rule.id, []).append(f"{name}: {value}")
    for rule, what in _SAID:
        if broken := found.get(rule.id):
            message = f"{counted(len(broken), 'value')} {what}: {examples(broken)}."
            yield rule.point(url, message, found=broken)


def _wrong(thing: Thing, name: str, value: str) -> Rule | None:
    """The rule that a value breaks."""
    if not value:
        return None
    if name in _DATES or (name in _SPANS and not value.isdigit()):
        reads = _is_date(value) if name in _DATES else _SPAN.fullmatch(value[:_LONGEST_VALUE])
        return None if reads else DATE
    if name in _ADDRESSES and thing.syntax == "JSON-LD":
        return RELATIVE if value.startswith(("/", "./", "../")) or _is_bare(value) else None
    if name in _NUMBERS:
        return None if _PLAIN_NUMBER.fullmatch(value[:_LONGEST_VALUE]) else NUMBER
    if name == "priceCurrency":
        return None if _CURRENCY.fullmatch(value) else CURRENCY
    return None


def _is_date(value: str) -> bool:
    read = _DATE.fullmatch(value[:_LONGEST_VALUE])
    if not read:
        return False
    try:
        date(int(read[1]), int(read[2] or 1), int(read[3] or 1))
    except ValueError:
        return False
    return True


def _is_bare(value: str) -> bool:
    """Whether it is a path or host without a scheme, not a text in place of an address."""
    return not parts(value).scheme and "/" in value and " " not in value


def _ratings(every: Sequence[Thing], url: str) -> Iterator[Point]:
    for thing in every:
        value = _number(thing, "ratingValue", None)
        if value is None:
            continue
        best = _number(thing, "bestRating", _BEST) or _BEST
        # Nobody has rated yet, where 0 stands on a scale that does not say where it begins.
        worst = _number(thing, "worstRating", None)
        if value > best or (worst is not None and value < worst):
            scale = f"from {_WORST if worst is None else worst:g} to {best:g}"
            message = f"A rating of {value:g} stands on a scale {scale}."
            yield RATING.point(url, message, selector=thing.selector)


def _number(thing: Thing, name: str, otherwise: float | None) -> float | None:
    text = next(iter(thing.texts(name)), "").strip().replace(",", ".")
    return float(text) if _PLAIN_NUMBER.fullmatch(text[:_LONGEST_VALUE]) else otherwise


REQUIRED = RULES["structured-required-missing"]
RECOMMENDED = RULES["structured-recommended-missing"]
_ANYTHING = '"…"'


@dataclass(frozen=True, slots=True)
class _Judged:
    """A thing, and what is asked of it."""

    where: str
    """Such as ``Product › offers``."""
    thing: Thing
    demand: Demand
    alone: bool
    """Whether it stands by itself."""

    def missing(self, rule: Rule) -> tuple[AnyOf, ...]:
        """What it lacks by this rule."""
        wanted = self.demand.recommended
        if rule is REQUIRED:
            wanted = self.demand.required + (self.demand.alone if self.alone else ())
        return tuple(names for names in wanted if not any(map(self.thing.has, names)))


def lacking(things: tuple[Thing, ...], url: str) -> Iterator[Point]:
    """One point a kind of thing and set of what it lacks; types without a demand are left alone."""
    for rule in (REQUIRED, RECOMMENDED):
        count: Counter[tuple[str, tuple[AnyOf, ...]]] = Counter()
        first: dict[tuple[str, tuple[AnyOf, ...]], _Judged] = {}
        for one in (judged for thing in things for judged in _judged(thing)):
            if missing := one.missing(rule):
                count[one.where, missing] += 1
                first.setdefault((one.where, missing), one)
        for key, one in first.items():
            yield _lack(rule, one, key[1], count[key], url)


def _judged(thing: Thing) -> Iterator[_Judged]:
    for name in thing.types:
        family = FAMILY.get(name, "")
        demand = DEMANDS.get(family) or PARTS.get(family)
        # A part says nothing by itself, unless it can name what it belongs to.
        if demand and (family in DEMANDS or demand.alone):
            yield from _with_parts(_Judged(name, thing, demand, alone=True))


def _with_parts(whole: _Judged) -> Iterator[_Judged]:
    yield whole
    for name in whole.demand.within:
        for part in whole.thing.things(name):
            demand = next((PARTS[FAMILY[one]] for one in part.types if _is_part(one)), None)
            if demand:
                yield from _with_parts(
                    _Judged(f"{whole.where} › {name}", part, demand, alone=False)
                )


def _is_part(name: str) -> bool:
    return FAMILY.get(name) in PARTS


def _lack(rule: Rule, one: _Judged, missing: tuple[AnyOf, ...], count: int, url: str) -> Point:
    names = listed([_either(some) for some in missing])
    thing, demand = one.thing, one.demand
    many = f", {count} times" if count > 1 else ""
    return rule.point(
        url,
        f"{one.where} ({thing.syntax}{many}) lacks {names}: {_cost(rule, demand)}.",
        place=f"{one.where} {names}",
        selector=thing.selector,
        evidence=examples(thing.texts("name") or thing.texts("headline") or thing.texts("@id")),
        snippet=_example(missing) if thing.syntax == "JSON-LD" else "",
        source=demand.source,
        severity=demand.severity if rule is REQUIRED else None,
        count=count,
    )


def _either(names: AnyOf) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _cost(rule: Rule, demand: Demand) -> str:
    if rule is RECOMMENDED:
        return "recommended for rich results"
    google = demand.source.startswith(GOOGLE)
    return "required for rich results" if google else "without it the markup says nothing"


def _example(missing: tuple[AnyOf, ...]) -> str:
    first = (names[0].partition(".")[0] for names in missing)
    return ",\n".join(f'"{name}": {EXAMPLES.get(name, _ANYTHING)}' for name in first)


UNREADABLE = RULES["json-ld-unreadable"]
NO_CONTEXT = RULES["json-ld-no-context"]
NO_TYPE = RULES["json-ld-no-type"]
TYPE_MISSPELT = RULES["structured-type-misspelt"]
BREADCRUMB = RULES["structured-breadcrumb-order"]
HIDDEN_FAQ = RULES["structured-hidden-faq"]
SELF_REVIEW = RULES["structured-self-review"]
_KNOWN = {name.casefold(): name for name in FAMILY}
_BUSINESSES = frozenset({"LocalBusiness", "Organization"})
_LETTERS = re.compile(r"\w+")


def points(facts: SearchFacts) -> Iterator[Point]:
    """What is wrong with the structured data of the page as a visitor gets it."""
    page, url = facts.best, facts.url
    for number, script in enumerate(page.json_ld):
        yield from _block(script, url, number)
    things = described(page)
    yield from _misspelt(things, url)
    yield from lacking(things, url)
    yield from wrong([one for thing in things for one in inside(thing)], url)
    yield from _trails(things, url)
    yield from _questions(things, page, url)
    yield from _of_oneself(things, url)


def _block(script: JsonLd, url: str, number: int) -> Iterator[Point]:
    place, at = str(number), script.selector
    if script.error:
        message = f"Block {number + 1} of JSON-LD: {script.error}."
        yield UNREADABLE.point(url, message, place=place, selector=at, evidence=script.text)
        return
    for block in script.data if isinstance(script.data, list) else [script.data]:
        if not isinstance(block, dict):
            continue
        context = block.get("@context")
        if not context:
            message = f"Block {number + 1} of JSON-LD has no @context."
            yield NO_CONTEXT.point(url, message, place=place, selector=at, evidence=script.text)
        if is_of_schema_org(context or "schema.org"):
            yield from _untyped(block, url, number, at)


def _untyped(block: object, url: str, number: int, selector: str) -> Iterator[Point]:
    for node in nodes(block):
        if "@type" not in node and set(node) - {"@context", "@id", "@graph"}:
            message = f"An object in block {number + 1} of JSON-LD has no @type."
            names = ", ".join(list(node)[:5])
            yield NO_TYPE.point(url, message, place=str(number), selector=selector, evidence=names)


def _misspelt(things: tuple[Thing, ...], url: str) -> Iterator[Point]:
    for name in dict.fromkeys(chain.from_iterable(one.types for one in things)):
        meant = _KNOWN.get(name.casefold())
        if meant and name != meant:
            message = f"{quoted(name)} is no type of schema.org; {meant} is one."
            snippet = f'"@type": "{meant}"'
            yield TYPE_MISSPELT.point(url, message, place=meant, evidence=name, snippet=snippet)


def _trails(things: tuple[Thing, ...], url: str) -> Iterator[Point]:
    for number, thing in enumerate(one for one in things if "BreadcrumbList" in one.types):
        entries = [one for one in thing.things("itemListElement") if "ListItem" in one.types]
        told = [next(iter(one.texts("position")), "") for one in entries]
        wanted = [str(position) for position in range(1, len(entries) + 1)]
        if all(told) and sorted(told, key=_order) != wanted:
            message = f"The entries have the positions {examples(told)}."
            yield BREADCRUMB.point(url, message, place=str(number), selector=thing.selector)
        elif any(not one.has("item") for one in sorted(entries, key=_position)[:-1]):
            message = "An entry before the last one has no address."
            yield BREADCRUMB.point(url, message, place=str(number), selector=thing.selector)


def _position(thing: Thing) -> tuple[int, str]:
    return _order(next(iter(thing.texts("position")), ""))


def _order(position: str) -> tuple[int, str]:
    return len(position), position


def _questions(things: tuple[Thing, ...], page: Document, url: str) -> Iterator[Point]:
    asked = [
        name
        for thing in things
        if "FAQPage" in thing.types
        for question in thing.things("mainEntity")
        for name in question.texts("name")
    ]
    if not asked or "text" in page.cut:
        return
    shown = _letters(page.text)
    hidden = [name for name in asked if _letters(name) not in shown]
    if len(hidden) * 2 > len(asked):
        message = f"{len(hidden)} of {len(asked)} questions are not in the text of the page."
        yield HIDDEN_FAQ.point(url, message, found=hidden)


def _letters(text: str) -> str:
    return " ".join(_LETTERS.findall(text.casefold()))


def _of_oneself(things: tuple[Thing, ...], url: str) -> Iterator[Point]:
    for thing in things:
        own = next((name for name in thing.types if FAMILY.get(name) in _BUSINESSES), "")
        if own and (thing.has("aggregateRating") or thing.has("review")):
            message = f"{own} is rated on its own page."
            yield SELF_REVIEW.point(url, message, place=own, selector=thing.selector)
