"""How dates, addresses, numbers and ratings of structured data are written."""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from mergegate.site.seo.checks.point import RULES, Rule, examples
from mergegate.site.seo.checks.things import Thing
from mergegate.site.seo.checks.urls import parts
from mergegate.site.seo.report import Point
from mergegate.site.words import counted

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
            yield rule.point(url, message, evidence=examples(broken), count=len(broken))


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
