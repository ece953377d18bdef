"""Whether search engines may and can take the page up: status, robots, what Search Console says."""

import re
from collections.abc import Iterator

from mergegate.core.severity import Severity
from mergegate.site.seo.checks.directives import Directive, moment, says, told
from mergegate.site.seo.checks.point import GOOGLE, Rule, is_entrance, quoted
from mergegate.site.seo.checks.readability import said
from mergegate.site.seo.checks.tokens import length
from mergegate.site.seo.checks.urls import is_preview, parts
from mergegate.site.seo.facts import Robots, SearchConsole, SearchFacts
from mergegate.site.seo.report import Point, Theme
from mergegate.site.words import counted, cut, listed

_ROBOTS_META = f"{GOOGLE}/crawling-indexing/robots-meta-tag"
_ROBOTS_TXT = "https://www.rfc-editor.org/rfc/rfc9309"
_STATUS = f"{GOOGLE}/crawling-indexing/http-network-errors"
_SOFT_404 = f"{_STATUS}#soft-404-errors"
_ENGINES = {"Googlebot": "Google", "Bingbot": "Bing"}
_AGENTS = {"googlebot": "Google", "bingbot": "Bing", "msnbot": "Bing"}

STATUS_NOT_OK = Rule(
    id="status-not-ok",
    theme=Theme.INDEXING,
    severity=Severity.CRITICAL,
    title="The page does not answer with success",
    remedy="Answer 200 for a page that exists, and redirect with 301 where it has moved.",
    source=_STATUS,
)
NOINDEX = Rule(
    id="noindex",
    theme=Theme.INDEXING,
    severity=Severity.CRITICAL,
    title="The page asks not to be indexed",
    remedy="Remove noindex, if people should find this page.",
    source=_ROBOTS_META,
)
NOINDEX_UNSEEN = Rule(
    id="noindex-unseen",
    theme=Theme.INDEXING,
    severity=Severity.HIGH,
    title="noindex stands where no crawler may read it",
    remedy="Allow the page in robots.txt, so that crawlers can see its noindex; or drop noindex.",
    source=f"{GOOGLE}/crawling-indexing/block-indexing",
)
NOFOLLOW = Rule(
    id="nofollow-page",
    theme=Theme.INDEXING,
    severity=Severity.MEDIUM,
    title="No link of the page is followed",
    remedy="Remove nofollow, and mark the links that are paid or not trusted one by one.",
    source=_ROBOTS_META,
)
CONFLICT = Rule(
    id="robots-conflict",
    theme=Theme.INDEXING,
    severity=Severity.LOW,
    title="Directives for crawlers contradict each other",
    remedy="Keep one of the two; the stricter one wins until then.",
    source=_ROBOTS_META,
)
MISSPELT = Rule(
    id="robots-misspelt",
    theme=Theme.INDEXING,
    severity=Severity.MEDIUM,
    title="A directive for crawlers is misspelt",
    remedy="Spell the directive as it is documented, or drop it if the page should be found.",
    source=_ROBOTS_META,
)
EXPIRED = Rule(
    id="unavailable-after-past",
    theme=Theme.INDEXING,
    severity=Severity.CRITICAL,
    title="The page has expired for search engines",
    remedy="Remove unavailable_after, or give a date to come.",
    source=_ROBOTS_META,
)
NO_DATE = Rule(
    id="unavailable-after-unreadable",
    theme=Theme.INDEXING,
    severity=Severity.LOW,
    title="unavailable_after has no date",
    remedy="Give a date by RFC 822, RFC 850 or ISO 8601; without one the directive is ignored.",
    source=_ROBOTS_META,
)
BLOCKED = Rule(
    id="blocked-by-robots",
    theme=Theme.INDEXING,
    severity=Severity.CRITICAL,
    title="robots.txt forbids the page",
    remedy="Allow the address in the group of robots.txt that forbids it; the longer rule wins.",
    source=_ROBOTS_TXT,
)
UNREACHABLE = Rule(
    id="robots-unreachable",
    theme=Theme.INDEXING,
    severity=Severity.HIGH,
    title="robots.txt cannot be read",
    remedy="Answer 200 with robots.txt, or 404 when there is none; after an error of the server "
    "crawlers must take everything for forbidden.",
    source=f"{_ROBOTS_TXT}#section-2.3.1.4",
)
NOT_ROBOTS = Rule(
    id="robots-not-text",
    theme=Theme.INDEXING,
    severity=Severity.LOW,
    title="A page of HTML stands at /robots.txt",
    remedy="Answer 404 at /robots.txt, or put a plain text file there.",
    source=f"{GOOGLE}/crawling-indexing/robots/robots_txt",
)
ROBOTS_PROBLEMS = Rule(
    id="robots-problems",
    theme=Theme.INDEXING,
    severity=Severity.LOW,
    title="robots.txt has lines that crawlers do not understand",
    remedy="Correct or remove these lines.",
    source=f"{GOOGLE}/crawling-indexing/robots/robots_txt",
)
SOFT_404 = Rule(
    id="soft-404",
    theme=Theme.INDEXING,
    severity=Severity.MEDIUM,
    title="Addresses that do not exist answer with success",
    remedy="Answer 404 for what does not exist, instead of a page or a redirect to one.",
    source=_SOFT_404,
)
LOOKS_MISSING = Rule(
    id="page-looks-missing",
    theme=Theme.INDEXING,
    severity=Severity.HIGH,
    title="The page says that it is missing, and answers with success",
    remedy="Answer 404 or 410 for a page that is gone; otherwise change its title.",
    source=_SOFT_404,
)
NOT_INDEXED = Rule(
    id="google-has-not-indexed",
    theme=Theme.INDEXING,
    severity=Severity.HIGH,
    title="Google has not indexed the page",
    remedy="Open URL inspection in Search Console: it tells what to change.",
    source="https://support.google.com/webmasters/answer/9012289",
)
_OPPOSITES = (("index", "noindex"), ("all", "noindex"), ("follow", "nofollow"), ("all", "nofollow"))
_SPELT = {"noindex", "nofollow", "nosnippet", "noarchive", "noimageindex", "notranslate"}
_NO_LETTERS = re.compile(r"[^a-z]+")
_MISSING_TITLE = re.compile(
    r"(?:error\s*)?(?:404|410)(?:\s*error)?(?:\W+(?:page |file )?not found)?"
    r"|(?:the )?(?:requested )?(?:page|file|site) (?:was |could )?not (?:be )?found"
    r"|not found|page introuvable|seite nicht gefunden|página no encontrada"
    r"|pagina non trovata|pagina niet gevonden|página não encontrada",
    re.IGNORECASE,
)
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
    robots, url = facts.robots, facts.page.final_url
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
        yield NOT_ROBOTS.point(url, "It is read as robots.txt, and none of its lines is a rule.")
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
    url = facts.page.final_url
    given = _all(facts)
    if noindex := says(given, "noindex"):
        yield _noindexed(facts, noindex)
    elif nofollow := says(given, "nofollow"):
        yield NOFOLLOW.point(
            url, "nofollow stands for the whole page.", evidence=nofollow[0].written
        )
    yield from _contradictions(given, url)
    yield from _misspelt(given, url)
    for one in says(given, "unavailable_after"):
        yield from _expiry(one, facts)


def _all(facts: SearchFacts) -> tuple[Directive, ...]:
    """Those of the page as it was sent and as it is rendered: crawlers heed both."""
    sent = told(facts.document, facts.page)
    return tuple(dict.fromkeys((*sent, *told(facts.best, None))))


def _noindexed(facts: SearchFacts, noindex: tuple[Directive, ...]) -> Point:
    url, first = facts.page.final_url, noindex[0]
    if facts.robots and _blocked(facts.robots):
        message = "robots.txt keeps crawlers from reading noindex: the address may still be listed."
        return NOINDEX_UNSEEN.point(url, message, evidence=first.written)
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
    url, when = facts.page.final_url, moment(one.value)
    if when is None:
        message = f"{quoted(one.value)} cannot be read as a date."
        yield NO_DATE.point(url, message, evidence=one.written)
    elif (now := moment(facts.now)) and when < now:
        message = f"unavailable_after names {when:%Y-%m-%d}: since then the page is not shown."
        yield EXPIRED.point(url, message, evidence=one.written)


def _missing_pages(facts: SearchFacts) -> Iterator[Point]:
    url, nonsense = facts.page.final_url, facts.nonsense
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
    meant = _MISSING_PATH.search(parts(facts.page.final_url).path)
    if meant or not _MISSING_TITLE.fullmatch(first) or length(said(facts.best)) > _SAYS_MORE:
        return ""
    return title


def _console(facts: SearchFacts) -> Iterator[Point]:
    console: SearchConsole | None = facts.console
    if console is None or console.failure or console.verdict not in {"FAIL", "NEUTRAL"}:
        return
    message = f"Search Console says {quoted(console.coverage or console.verdict)} of the page."
    yield NOT_INDEXED.point(facts.page.final_url, message, evidence=console.coverage)
