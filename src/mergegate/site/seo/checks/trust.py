"""Whether readers and machines can tell who stands behind the page: experience, expertise, trust.

Source: Google's "Creating helpful, reliable, people-first content" asks who, how and why; none of
it is a single ranking factor. Authors and dates are asked of articles alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import chain, islice
from urllib.parse import unquote

from mergegate.core.data_table import read_table
from mergegate.site.facts.document import Document, Region
from mergegate.site.seo import urls
from mergegate.site.seo.checks import readability
from mergegate.site.seo.checks.point import RULES, quoted
from mergegate.site.seo.checks.rendering import is_shell
from mergegate.site.seo.checks.schema_org import FAMILY, Thing
from mergegate.site.seo.checks.tokens import PATTERNS, Haystack, folded, tokens
from mergegate.site.seo.facts import DATA, SearchFacts
from mergegate.site.seo.report import Point
from mergegate.site.words import listed

_AUTHOR_METAS = frozenset({"author", "article:author", "parsely-author", "dc.creator"})
_PUBLISHED_METAS = frozenset({"article:published_time", "og:article:published_time"})
_MODIFIED_METAS = frozenset({"article:modified_time", "og:updated_time"})
_ISO = re.compile(r"([12]\d{3})-?([01]\d)-?([0-3]\d)")
_YEAR = re.compile(r"(?:19|20|25)\d\d(?!\d)|[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]")
"""Matches a Gregorian or Buddhist year; in other digits any number may be one."""
_AGO = PATTERNS["ago"]
"""Times that are told from now."""
_BYLINE = PATTERNS["byline"]
_SHORT = 120
"""Letters of a line that tells who or when."""
_CREDENTIALS = (
    "jobTitle", "description", "sameAs", "url", "affiliation", "worksFor", "alumniOf",
    "hasCredential", "honorificSuffix", "award", "knowsAbout",
)  # fmt: skip
_MOST = 200


@dataclass(frozen=True, slots=True)
class Dates:
    """The days that a page names to machines."""

    published: tuple[date, ...] = ()
    modified: tuple[date, ...] = ()


def authors(facts: SearchFacts) -> tuple[str, ...]:
    """The page's authors by structured data, ``meta``, or what a library read; each once."""
    page = facts.best
    told = (_called(one, page) for one in _writers(page))
    metas = (one.content for one in page.metas if one.name in _AUTHOR_METAS)
    return tuple(dict.fromkeys(filter(None, (*told, *metas, *facts.reading.authors))))


def has_byline(page: Document) -> bool:
    """Whether the page names or links its author to readers, as far as that can be told."""
    return links_author(page) or any(
        _BYLINE.match(one.text) for one in page.blocks if len(one.text) <= _SHORT
    )


def has_credentials(page: Document) -> bool:
    """Whether structured data or a link tells more of an author than a name."""
    people = [one for one in readability.things(page) if "Person" in one.types]
    known = (*people, *(one for one in _writers(page) if isinstance(one, Thing)))
    return links_author(page) or any(one.has(name) for one in known for name in _CREDENTIALS)


def links_author(page: Document) -> bool:
    """Whether a link says that it leads to the author."""
    return any("author" in one.rels for one in page.anchors) or bool(page.linked("author"))


def dates(page: Document) -> Dates:
    """What structured data and ``meta`` say; what is no date is left out."""
    return Dates(
        published=tuple(_days(page, "datePublished", _PUBLISHED_METAS)),
        modified=tuple(_days(page, "dateModified", _MODIFIED_METAS)),
    )


def shows_date(page: Document) -> bool:
    """Whether readers see any date: a ``time``, a year, or a time told from now.

    What stands in the footer is the date of something else.
    """
    if page.times:
        return True
    texts = [one.text for one in page.blocks if one.region is not Region.FOOTER]
    lines = [text for text in texts if len(text) <= _SHORT]
    return bool(_YEAR.search("\n".join(texts)) or _AGO.search("\n".join(lines)))


def day(text: str) -> date | None:
    """The day that an ISO 8601 date begins with; None when there is none."""
    found = _ISO.match(text.strip())
    try:
        return date(int(found[1]), int(found[2]), int(found[3])) if found else None
    except ValueError:
        return None


def _writers(page: Document) -> tuple[str | Thing, ...]:
    return tuple(
        one
        for thing in readability.articles(page)
        for one in (*thing.values("author"), *thing.values("creator"))
    )


def _called(writer: str | Thing, page: Document) -> str:
    """The name; of one that is described elsewhere what it is called there, or its address."""
    if isinstance(writer, str):
        return writer.strip()
    address = next(iter(writer.texts("@id")), "")
    same = (one for one in readability.things(page) if address and address in one.texts("@id"))
    names = (name for one in (writer, *same) for name in one.texts("name"))
    return next(names, address)


def _days(page: Document, name: str, metas: frozenset[str]) -> Iterator[date]:
    told = (text for thing in readability.articles(page) for text in thing.texts(name))
    written = (one.content for one in page.metas if one.name in metas)
    for text in islice(chain(told, written), _MOST):
        if found := day(text):
            yield found


_PHRASES = {
    name: tuple(tokens(phrase) for phrase in words.split(";"))
    for name, words in read_table(DATA / "site_pages.toml", str).items()
}
_MOST_LINKS = 2_000
_MOST_TEXT, _MOST_PATH = 80, 120
"""Letters; longer ones tell a story, not the name of a page."""


def named(page: Document) -> frozenset[str]:
    """Which of ``about``, ``contact``, ``privacy`` and ``imprint`` the page links to, or is."""
    said = Haystack(" | ".join(dict.fromkeys(_names(page))))
    return frozenset(
        name for name, phrases in _PHRASES.items() if any(said.holds(one) for one in phrases)
    )


def _names(page: Document) -> Iterator[str]:
    yield _path(page.url)
    # Such links stand at the end of a page more often than not.
    for one in islice(reversed(page.anchors), _MOST_LINKS):
        if len(one.text) <= _MOST_TEXT:
            yield one.text
        yield _path(one.href)


def _path(url: str) -> str:
    path = urls.parts(url).path
    return unquote(path).replace("_", " ") if len(path) <= _MOST_PATH else ""


NO_AUTHOR = RULES["author-missing"]
UNKNOWN_AUTHOR = RULES["author-unknown"]
NO_DATE = RULES["date-missing"]
DATE_UNSEEN = RULES["date-not-visible"]
DATE_FUTURE = RULES["date-in-future"]
DATE_ORDER = RULES["date-order"]
DATES_DIFFER = RULES["dates-differ"]
STALE = RULES["content-old"]
NOBODY = RULES["site-owner-missing"]
NO_PRIVACY = RULES["privacy-missing"]
NO_IMPRINT = RULES["imprint-missing"]
NO_ORGANISATION = RULES["organization-data-missing"]
RATING_UNSEEN = RULES["rating-not-visible"]
INSECURE = RULES["page-insecure"]
WEIGHTY = RULES["expertise-not-shown"]
_OLD = timedelta(days=3 * 365)
_ONE_MOMENT = timedelta(days=1)
"""The tolerance between dates: two time zones may give one moment two days."""
_OWNER = frozenset({"about", "contact", "imprint"})
_PERSONAL = frozenset({"email", "tel"})
_NOT_ASKED = frozenset({"hidden", "submit", "button", "search", "reset", "image"})
_PERSONAL_NAMES = re.compile(
    r"^(?:e-?mail|phone|telefon|tel)|e-?mail$|first_?name|last_?name|vorname|nachname|birth"
)
_LONGEST_NAME = 100
_ORGANISATIONS = frozenset({"Organization", "LocalBusiness", "Person"})
_FIGURES = ("ratingValue", "ratingCount", "reviewCount")
_SHOWN, _MOST_FIGURES = 3, 100
_RATED = PATTERNS["rated"]
_TOPICS = {
    name: frozenset(tokens(words))
    for name, words in read_table(DATA / "weighty_topics.toml", str).items()
}
_WEIGHTY_SHARE, _WEIGHTY_WORDS = 0.01, 4
"""The least share of a page's words, and the least number of different words."""
_OPENING = 20_000
"""Letters: headings and the beginning of the text tell what it is about."""


def points(facts: SearchFacts) -> Iterator[Point]:
    """What keeps readers and machines from trusting the page."""
    url = facts.url
    if not facts.local and urls.parts(url).scheme == "http":
        yield INSECURE.point(url)
    if is_shell(facts):
        return
    if readability.is_article(facts.best):
        yield from _author(facts)
        yield from _date(facts)
    yield from _owner(facts)
    yield from _ratings(facts)


def _author(facts: SearchFacts) -> Iterator[Point]:
    page, url = facts.best, facts.url
    names = authors(facts)
    known = has_credentials(page)
    if not names and not has_byline(page):
        yield NO_AUTHOR.point(url)
    if not known and (topic := _weighty(page)):
        message = f"It speaks of {topic}, and no author's competence is told."
        yield WEIGHTY.point(url, message, place=topic)
    elif names and not known and not _is_linked(names, page):
        message = f"No link and no data tell who {quoted(names[0])} is."
        yield UNKNOWN_AUTHOR.point(url, message, evidence=names[0])


def _is_linked(names: tuple[str, ...], page: Document) -> bool:
    wanted = {folded(name).strip() for name in names}
    return any(folded(one.text).strip() in wanted for one in page.anchors)


def _weighty(page: Document) -> str:
    """The topic of a page that a mistake on would hurt its readers; empty for none."""
    words = tokens(readability.said(page)[:_OPENING])
    for topic, known in _TOPICS.items():
        found = [word for word in words if word in known]
        if len(set(found)) >= _WEIGHTY_WORDS and len(found) >= _WEIGHTY_SHARE * len(words):
            return topic
    return ""


def _date(facts: SearchFacts) -> Iterator[Point]:
    page, url = facts.best, facts.url
    told, shown = dates(page), shows_date(page)
    given = (*told.published, *told.modified)
    if given and not shown:
        yield DATE_UNSEEN.point(url, f"Structured data says {given[0]}, the text no date.")
    elif not given and not shown and not facts.reading.published:
        yield NO_DATE.point(url)
    yield from _contradictions(told, url)
    if given and facts.now:
        yield from _age(max(given), datetime.fromisoformat(facts.now).date(), url)


def _contradictions(told: Dates, url: str) -> Iterator[Point]:
    if not told.published:
        return
    first, last = min(told.published), max(told.published)
    if told.modified and first - max(told.modified) > _ONE_MOMENT:
        updated = max(told.modified)
        yield DATE_ORDER.point(url, f"Published on {first}, updated on {updated}.")
    if last - first > _ONE_MOMENT:
        days = listed([str(one) for one in sorted(set(told.published))[:_SHOWN]])
        yield DATES_DIFFER.point(url, f"It was published on {days}, as it says.", evidence=days)


def _age(last: date, today: date, url: str) -> Iterator[Point]:
    if last - today > _ONE_MOMENT:
        yield DATE_FUTURE.point(url, f"It says {last}; that day is still to come.")
    elif today - last > _OLD:
        yield STALE.point(url, f"Its last date is {last}.", evidence=str(last))


def _owner(facts: SearchFacts) -> Iterator[Point]:
    page, url = facts.best, facts.url
    linked, described = named(page), _describes_owner(page)
    if page.anchors and not described and not linked & _OWNER:
        yield NOBODY.point(url)
    if "privacy" not in linked and _asks_for_data(page):
        yield NO_PRIVACY.point(url)
    if "imprint" not in linked and readability.language(facts) == "de" and not facts.local:
        yield NO_IMPRINT.point(url)
    if not described and urls.parts(url).path in {"", "/"}:
        yield NO_ORGANISATION.point(url)


def _describes_owner(page: Document) -> bool:
    types = (name for one in readability.things(page) for name in one.types)
    return any(FAMILY.get(name) in _ORGANISATIONS for name in types)


def _asks_for_data(page: Document) -> bool:
    fields = (field for form in page.forms for field in form.inputs)
    return any(
        field.type in _PERSONAL or _PERSONAL_NAMES.search(field.name[:_LONGEST_NAME].lower())
        for field in fields
        if field.type not in _NOT_ASKED
    )


def _ratings(facts: SearchFacts) -> Iterator[Point]:
    page, url = facts.best, facts.url
    rated = [one for one in readability.things(page) if "AggregateRating" in one.types]
    texts = (text for one in rated for name in _FIGURES for text in one.texts(name))
    values = list(islice(texts, _MOST_FIGURES))
    if not values or "text" in page.cut or _RATED.search(folded(page.text)):
        return
    if not any(one in page.text or one.replace(".", ",") in page.text for one in values):
        said = listed([quoted(one) for one in values[:_SHOWN]])
        yield RATING_UNSEEN.point(url, f"Structured data says {said}, the text nothing of it.")
