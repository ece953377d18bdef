"""What an article says of who wrote it and when, to machines and to readers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import chain, islice

from mergegate.site.facts.document import Document, Region
from mergegate.site.seo.checks import readability
from mergegate.site.seo.checks.things import Thing
from mergegate.site.seo.facts import SearchFacts

_AUTHOR_METAS = frozenset({"author", "article:author", "parsely-author", "dc.creator"})
_PUBLISHED_METAS = frozenset({"article:published_time", "og:article:published_time"})
_MODIFIED_METAS = frozenset({"article:modified_time", "og:updated_time"})
_ISO = re.compile(r"([12]\d{3})-?([01]\d)-?([0-3]\d)")
_YEAR = re.compile(r"(?:19|20|25)\d\d(?!\d)|[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]")
"""Of our calendar or Buddha's; in other digits any number may be one."""
_AGO = re.compile(
    r"\b(?:ago|yesterday|today|gestern|heute|hier|aujourd|ayer|hoy|ieri|oggi|gisteren|vandaag"
    r"|ontem|hoje|temu|wczoraj|sedan|siden|назад|вчера|сегодня)\b|\bvor \d|\bil y a \d|\bhace \d"
    r"|\bhá \d|\d \w{1,20} fa\b|\d\s?(?:日|天|分|時間|시간|일)",
    re.IGNORECASE,
)
"""Times that are told from now."""
_BYLINE = re.compile(
    r"(?:(?:written|posted|published|reviewed|geschrieben|veröffentlicht|écrit|publié|escrito"
    r"|publicado|scritto|pubblicato|geschreven)\s+)?"
    r"(?:(?:by|von|par|por|di|door|af|av|autor(?:in)?:?|author:?|auteur:?|autore:?|автор:?)\s+"
    r"|(?:文|作者|著者)\s?[:：]\s?)[^\W\d_]",
    re.IGNORECASE,
)
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
    """Who wrote the page, by structured data, ``meta``, or what a library read; each once."""
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
