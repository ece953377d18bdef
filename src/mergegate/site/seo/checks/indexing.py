"""Whether search engines may and can take the page up: status, robots, what Search Console says."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from mergegate.core.severity import Severity
from mergegate.sandbox.fetched import Fetched
from mergegate.site.facts.document import Document
from mergegate.site.seo.checks.point import RULES, is_entrance, quoted
from mergegate.site.seo.checks.readability import said
from mergegate.site.seo.checks.tokens import PATTERNS, length
from mergegate.site.seo.facts import Robots, SearchConsole, SearchFacts
from mergegate.site.seo.report import Point
from mergegate.site.seo.urls import is_preview, parts
from mergegate.site.words import counted, cut, listed

SEARCH_ENGINES = frozenset({"googlebot", "bingbot", "msnbot"})
"""Search engines whose own directives count beside those for all crawlers."""
_WITH_VALUE = frozenset(
    {"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"}
)
_NONE = ("noindex", "nofollow")
"""What ``none`` stands for."""
_DATE_PARTS = 3
"""Most pieces that the commas of a date cut it into."""
_AGENT = re.compile(r"[A-Za-z][\w.-]{1,60}")


@dataclass(frozen=True, slots=True)
class Directive:
    """One word for crawlers."""

    name: str
    """The directive in small letters; ``none`` is expanded to what it stands for."""
    value: str = ""
    """The text after the colon."""
    agent: str = ""
    """The crawler that it is for, in small letters; empty for all crawlers."""
    where: str = ""
    """``meta`` or ``header``."""
    written: str = ""
    """The whole element or header it stands in."""


def told(document: Document, fetched: Fetched | None) -> tuple[Directive, ...]:
    """Every directive for everybody or for a search engine; elements first, then headers."""
    return tuple(
        one
        for one in (*_of_metas(document), *_of_headers(fetched))
        if not one.agent or one.agent in SEARCH_ENGINES
    )


def says(directives: tuple[Directive, ...], name: str) -> tuple[Directive, ...]:
    """The directives called ``name``."""
    return tuple(one for one in directives if one.name == name)


def is_noindexed(document: Document, fetched: Fetched | None) -> bool:
    """Whether a page asks not to be in any index."""
    return any(not one.agent for one in says(told(document, fetched), "noindex"))


def moment(text: str) -> datetime | None:
    """The time that ``unavailable_after`` names: RFC 822, RFC 850 or ISO 8601; else None."""
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            found = read(text.strip())
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    return None


def _of_metas(document: Document) -> Iterator[Directive]:
    for meta in document.metas:
        if meta.kind == "name" and meta.name in {"robots", *SEARCH_ENGINES}:
            agent = "" if meta.name == "robots" else meta.name
            written = f'<meta name="{meta.name}" content="{meta.content}">'
            yield from _words(meta.content, agent, "meta", written)


def _of_headers(fetched: Fetched | None) -> Iterator[Directive]:
    for value in fetched.final.all("x-robots-tag") if fetched and fetched.final else ():
        agent, rest = _agent(value)
        yield from _words(rest, agent, "header", f"X-Robots-Tag: {value}")


def _agent(value: str) -> tuple[str, str]:
    """``googlebot: noindex`` → its parts; a directive with a value is for everybody."""
    name, colon, rest = value.partition(":")
    name = name.strip().lower()
    if colon and _AGENT.fullmatch(name) and name not in _WITH_VALUE:
        return name, rest
    return "", value


def _words(text: str, agent: str, where: str, written: str) -> Iterator[Directive]:
    pieces = [piece.strip() for piece in text.split(",")]
    while pieces:
        name, _, value = (part.strip() for part in pieces.pop(0).partition(":"))
        name = name.lower()
        if name == "unavailable_after":
            value = _whole_date(value, pieces)
        for one in _NONE if name == "none" else (name,) if name else ():
            yield Directive(one, value, agent, where, written)


def _whole_date(start: str, pieces: list[str]) -> str:
    """The value with as many of the next pieces as a date needs, which are taken away."""
    for taken in range(min(_DATE_PARTS, len(pieces) + 1)):
        value = ", ".join([start, *pieces[:taken]])
        if moment(value):
            del pieces[:taken]
            return value
    return start


_ENGINES = {"Googlebot": "Google", "Bingbot": "Bing"}
_AGENTS = {"googlebot": "Google", "bingbot": "Bing", "msnbot": "Bing"}

STATUS_NOT_OK = RULES["status-not-ok"]
NOINDEX = RULES["noindex"]
NOINDEX_UNSEEN = RULES["noindex-unseen"]
NOFOLLOW = RULES["nofollow-page"]
CONFLICT = RULES["robots-conflict"]
MISSPELT = RULES["robots-misspelt"]
EXPIRED = RULES["unavailable-after-past"]
NO_DATE = RULES["unavailable-after-unreadable"]
BLOCKED = RULES["blocked-by-robots"]
UNREACHABLE = RULES["robots-unreachable"]
NOT_ROBOTS = RULES["robots-not-text"]
ROBOTS_PROBLEMS = RULES["robots-problems"]
SOFT_404 = RULES["soft-404"]
LOOKS_MISSING = RULES["page-looks-missing"]
NOT_INDEXED = RULES["google-has-not-indexed"]
_OPPOSITES = (("index", "noindex"), ("all", "noindex"), ("follow", "nofollow"), ("all", "nofollow"))
_SPELT = {"noindex", "nofollow", "nosnippet", "noarchive", "noimageindex", "notranslate"}
_NO_LETTERS = re.compile(r"[^a-z]+")
_MISSING_TITLE = PATTERNS["missing-title"]
_TITLE_PARTS = re.compile(r"\s+[|–—·:»-]\s+")
_MISSING_PATH = re.compile(r"(?<!\d)(?:404|410)(?!\d)|not[-_]?found", re.IGNORECASE)
_SAYS_MORE = 150
"""Words in the main part of a page that is about something, were it about the error itself."""
_LONGEST_TITLE = 200
_LONGEST_FAILURE = 200
_PROBLEMS_SHOWN = 3


def points(facts: SearchFacts) -> Iterator[Point]:
    """What keeps the page out of the index; on a page that is no success nothing else counts."""
    if not facts.page.ok:
        yield _no_success(facts)
        return
    yield from _robots_txt(facts)
    yield from _directives(facts)
    yield from _missing_pages(facts)
    yield from _console(facts)


def _no_success(facts: SearchFacts) -> Point:
    page = facts.page
    failed = f"does not answer: {cut(page.failure, _LONGEST_FAILURE)}"
    said = f"answers {page.status}" if page.status else failed
    return STATUS_NOT_OK.point(
        page.final_url, f"The page {said}; search engines drop what does not answer with 200."
    )


def _robots_txt(facts: SearchFacts) -> Iterator[Point]:
    robots, url = facts.robots, facts.url
    if robots is None:
        return
    if robots.state == "unreachable":
        status = robots.fetched.status
        said = f"answers {status}" if status else "does not answer"
        message = f"robots.txt {said}: crawlers then stay away from the site."
        # Without an answer it may be that only we got none.
        yield UNREACHABLE.point(url, message, severity=None if status else Severity.MEDIUM)
    elif blocked := _blocked(robots):
        yield _forbidden(robots, blocked, url)
    if robots.state == "not robots":
        yield NOT_ROBOTS.point(url)
    yield from _lines(robots, url)


def _blocked(robots: Robots) -> list[str]:
    """The search engines that robots.txt turns away."""
    return [token for token in _ENGINES if robots.allowed.get(token) is False]


def _forbidden(robots: Robots, blocked: list[str], url: str) -> Point:
    rule = robots.matched.get(blocked[0])
    engines = listed([_ENGINES[token] for token in blocked])
    told = f"line {rule.line}: Disallow: {rule.pattern}" if rule else ""
    at = f" (line {rule.line})" if rule else ""
    return BLOCKED.point(
        url,
        f"robots.txt{at} forbids {engines} to fetch the page; its text will not be found.",
        evidence=told,
        snippet=f"Allow: {parts(url).path or '/'}",
        severity=Severity.CRITICAL if "Googlebot" in blocked else Severity.HIGH,
    )


def _lines(robots: Robots, url: str) -> Iterator[Point]:
    if not robots.problems or robots.state != "present":
        return
    shown = [f"line {line}: {what}" if line else what for line, what in robots.problems]
    number = counted(len(robots.problems), "problem")
    yield ROBOTS_PROBLEMS.point(
        url,
        f"robots.txt has {number}; crawlers pass over what they do not know.",
        evidence="; ".join(shown[:_PROBLEMS_SHOWN]),
        count=len(robots.problems),
    )


def _directives(facts: SearchFacts) -> Iterator[Point]:
    url = facts.url
    given = _all(facts)
    if noindex := says(given, "noindex"):
        yield _noindexed(facts, noindex)
    elif nofollow := says(given, "nofollow"):
        yield NOFOLLOW.point(url, evidence=nofollow[0].written)
    yield from _contradictions(given, url)
    yield from _misspelt(given, url)
    for one in says(given, "unavailable_after"):
        yield from _expiry(one, facts)


def _all(facts: SearchFacts) -> tuple[Directive, ...]:
    """The directives of the page as sent and as rendered: crawlers heed both."""
    return tuple(dict.fromkeys((*told(facts.document, facts.page), *told(facts.best, None))))


def _noindexed(facts: SearchFacts, noindex: tuple[Directive, ...]) -> Point:
    url, first = facts.url, noindex[0]
    if facts.robots and _blocked(facts.robots):
        return NOINDEX_UNSEEN.point(url, evidence=first.written)
    everybody = any(not one.agent for one in noindex)
    whom = "Search engines" if everybody else _AGENTS[first.agent]
    stands = "the X-Robots-Tag header" if first.where == "header" else "a meta element"
    message = f"{whom} must leave the page out: noindex stands in {stands}."
    severity = Severity.HIGH
    if everybody or first.agent == "googlebot":
        severity = Severity.CRITICAL
    if first.where == "header" and is_preview(url):
        severity = Severity.INFO
        message += " That is right for a preview, if the public host does not send it."
    return NOINDEX.point(url, message, evidence=first.written, severity=severity)


def _contradictions(given: tuple[Directive, ...], url: str) -> Iterator[Point]:
    names = {one.name for one in given if not one.agent}
    for loose, strict in _OPPOSITES:
        if loose in names and strict in names:
            both = dict.fromkeys(says(given, name)[0].written for name in (loose, strict))
            message = f"{loose} and {strict} are both given; {strict} wins."
            yield CONFLICT.point(url, message, place=strict, evidence="; ".join(both))


def _misspelt(given: tuple[Directive, ...], url: str) -> Iterator[Point]:
    for one in given:
        meant = _NO_LETTERS.sub("", one.name)
        if one.name not in _SPELT and meant in _SPELT:
            yield MISSPELT.point(
                url,
                f"{quoted(one.name)} is no directive; {meant} was probably meant.",
                place=meant,
                evidence=one.written,
                snippet=one.written.replace(one.name, meant),
            )


def _expiry(one: Directive, facts: SearchFacts) -> Iterator[Point]:
    url, when = facts.url, moment(one.value)
    if when is None:
        message = f"{quoted(one.value)} cannot be read as a date."
        yield NO_DATE.point(url, message, evidence=one.written)
    elif (now := moment(facts.now)) and when < now:
        message = f"unavailable_after names {when:%Y-%m-%d}: since then the page is not shown."
        yield EXPIRED.point(url, message, evidence=one.written)


def _missing_pages(facts: SearchFacts) -> Iterator[Point]:
    url, nonsense = facts.url, facts.nonsense
    if title := _says_missing(facts):
        message = f"Its title is {quoted(title)}, its status {facts.page.status}."
        yield LOOKS_MISSING.point(url, message, evidence=title)
    # Development servers of apps answer every address with the app; the public host will not.
    if nonsense and nonsense.ok and not facts.local and not is_entrance(nonsense):
        moved = " after a redirect" if len(nonsense.answers) > 1 else ""
        yield SOFT_404.point(
            url,
            f"An address that nobody made answers {nonsense.status}{moved}: crawlers cannot tell "
            "which pages exist.",
            evidence=nonsense.url,
        )


def _says_missing(facts: SearchFacts) -> str:
    """The title of the page, when all that it says before the site's name is that it is gone.

    Not of the page that the site keeps for that (``/404.html``), nor of one that explains it.
    """
    title = facts.best.title[:_LONGEST_TITLE]
    first = _TITLE_PARTS.split(title)[0].strip(" .!…")
    meant = _MISSING_PATH.search(parts(facts.url).path)
    if meant or not _MISSING_TITLE.fullmatch(first) or length(said(facts.best)) > _SAYS_MORE:
        return ""
    return title


def _console(facts: SearchFacts) -> Iterator[Point]:
    console: SearchConsole | None = facts.console
    if console is None or console.failure or console.verdict not in {"FAIL", "NEUTRAL"}:
        return
    message = f"Search Console says {quoted(console.coverage or console.verdict)} of the page."
    yield NOT_INDEXED.point(facts.url, message, evidence=console.coverage)
