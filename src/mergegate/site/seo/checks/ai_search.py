"""What crawlers of assistants are told and get, and whether their answers can draw on the page.

Who may learn from a page is its owner's decision, and costs nothing here. Keeping out the crawlers
that assistants search with does: their operators say that such pages are shown less or not at all.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from mergegate.core.severity import Severity
from mergegate.sandbox.fetched import Fetched
from mergegate.site.facts.document import Document, Region
from mergegate.site.seo import urls
from mergegate.site.seo.checks import passages
from mergegate.site.seo.checks.point import RULES, examples, quoted
from mergegate.site.seo.checks.readability import is_article, main, paragraphs
from mergegate.site.seo.checks.rendering import is_shell
from mergegate.site.seo.checks.tokens import length
from mergegate.site.seo.crawlers import CRAWLERS, EVERYBODY, Crawler, Purpose, crawler
from mergegate.site.seo.facts import CrawlerAnswer, Robots, RobotsGroup, SearchFacts
from mergegate.site.seo.report import CrawlerPolicy, Point
from mergegate.site.words import counted, listed

CONTRADICTION = RULES["content-signal-contradiction"]
_USE = {Purpose.SEARCH: "search", Purpose.USER: "ai-input", Purpose.TRAINING: "ai-train"}
"""The content signal that governs each purpose of a crawler."""
_YES, _NO = frozenset({"yes"}), frozenset({"no"})
_TOKENS_SHOWN = 3
_MOST_AGENTS, _MOST_SIGNALS, _LONGEST_LINE = 200, 20, 500


@dataclass(frozen=True, slots=True)
class _Told:
    """What robots.txt says, by whom it speaks to."""

    allowed: Mapping[str, bool]
    groups: Mapping[str, Sequence[RobotsGroup]]
    """Groups by the crawler's name in small letters."""

    def answers(self, token: str, name: str) -> frozenset[str]:
        """What a crawler is answered: by the groups of its own, else by those for everybody."""
        groups = self.groups.get(token.lower()) or self.groups.get(EVERYBODY, ())
        return frozenset(value for group in groups for value in _said(group, name))


def signal_points(facts: SearchFacts) -> Iterator[Point]:
    """The contradictions, as one point."""
    robots = facts.robots
    if robots is None or robots.state != "present" or not any(one.signals for one in robots.groups):
        return
    told = _read(robots)
    found = [*_within(told), *_against_rules(told), *_escaping(told)]
    if found:
        yield CONTRADICTION.point(facts.url, f"Content-Signal: {found[0]}.", found=found)


def _read(robots: Robots) -> _Told:
    groups: dict[str, list[RobotsGroup]] = {}
    for group in robots.groups:
        for agent in group.agents:
            groups.setdefault(agent, []).append(group)
    return _Told(robots.allowed, groups)


def _within(told: _Told) -> Iterator[str]:
    """Both answers to one question to one crawler."""
    for agent in islice(told.groups, _MOST_AGENTS):
        for name in _USE.values():
            if told.answers(agent, name) >= _YES | _NO:
                whom = "everybody" if agent == EVERYBODY else quoted(agent)
                yield f"{name} is yes and no for {whom}"


def _against_rules(told: _Told) -> Iterator[str]:
    """A use that is granted to crawlers that may not fetch the page."""
    for purpose, name in _USE.items():
        shut = [
            token
            for token in _tokens(purpose)
            if told.allowed.get(token) is False and told.answers(token, name) == _YES
        ]
        if shut:
            yield f"{name}=yes holds for {_some(shut)}, who may not fetch the page"


def _escaping(told: _Told) -> Iterator[str]:
    """Crawlers with a group of their own, for whom what is said to everybody does not hold."""
    for purpose, name in _USE.items():
        free = [
            token
            for token in _tokens(purpose)
            if token.lower() in told.groups
            and told.allowed.get(token)
            and not told.answers(token, name)
        ]
        if free and told.answers(EVERYBODY, name) == _NO:
            yield f"{name}=no for everybody does not hold for {_some(free)}, named apart"


def _said(group: RobotsGroup, wanted: str) -> Iterator[str]:
    """The values of a signal; what is neither yes nor no is left out."""
    for line in group.signals[:_MOST_SIGNALS]:
        for pair in line[:_LONGEST_LINE].lower().split(","):
            name, _, value = (part.strip() for part in pair.partition("="))
            if name == wanted and value in _YES | _NO:
                yield value


def _tokens(purpose: Purpose) -> list[str]:
    return [one.token for one in CRAWLERS if one.purpose is purpose]


def _some(tokens: Sequence[str]) -> str:
    return listed(tokens[:_TOKENS_SHOWN])


NO_EVIDENCE = RULES["evidence-none"]
_LEAST_WORDS = 300
_FIGURE = re.compile(
    r"\d[\d.,]*\s?(?:%|percent|prozent|pour cent|por ciento|per cento)|\d{2,}|\d[.,]\d"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_QUOTATION = re.compile('[“„«「『][^”“»」』]{40,2000}[”“»」』]|"[^"]{40,2000}"')
_NOTE = re.compile(r"(?:\[\d{1,3}\]|\bdoi:|\bet al\.)", re.IGNORECASE)


def evidence_points(facts: SearchFacts) -> Iterator[Point]:
    """Whether an article of some length has none of the three."""
    page = facts.best
    if not is_article(page) or "blocks" in page.cut:
        return
    words = sum(length(one.text) for one in paragraphs(page))
    if words >= _LEAST_WORDS and not _has_any(page):
        yield NO_EVIDENCE.point(
            facts.url,
            f"In {words:,} words there is no figure, no quotation and no link to a source.",
        )


def _has_any(page: Document) -> bool:
    blocks = main(page)
    return any(one.tag == "blockquote" or _shows(one.text) for one in blocks) or any(
        is_source(one.href, page) for one in page.anchors if one.region is Region.MAIN
    )


def is_source(href: str, page: Document) -> bool:
    """Whether a link leads to another site."""
    return urls.is_web(href) and urls.site(href) != urls.site(page.url)


def _shows(text: str) -> bool:
    figure = _FIGURE.search(text) and _FIGURE.search(_YEAR.sub("", text))
    return bool(figure or _QUOTATION.search(text) or _NOTE.search(text))


LLMS_INVALID = RULES["llms-txt-invalid"]
_MOST_LINES = 5_000
_SHOWN = 5
_HEADING = re.compile(r"(#{1,6})\s+\S")
_ITEM = re.compile(r"[-*+]\s+\S")
_LINK = re.compile(r"[-*+]\s+\[[^\]]{1,500}\]\([^)\s]{1,2000}\)(?:\s*:.*)?\s*")
_FENCE = re.compile(r"(?:```|~~~)")
_HTML = re.compile(r"\s{0,99}<(?:!doctype|html|head|body|!--)", re.IGNORECASE)


def llms_txt_points(facts: SearchFacts) -> Iterator[Point]:
    """What is wrong with the file, as one point; without a file nothing is."""
    if facts.llms is None or not is_there(facts.llms):
        return
    flaws = list(_flaws(facts.llms.text))
    if flaws:
        yield LLMS_INVALID.point(
            facts.url,
            f"/llms.txt has {counted(len(flaws), 'flaw')}; no search engine asks for such a file.",
            evidence="; ".join(flaws[:_SHOWN]),
            count=len(flaws),
        )


def is_there(file: Fetched) -> bool:
    """Whether there is one: many sites answer any address with a page of HTML."""
    kind = file.header("content-type").lower()
    return file.ok and bool(file.text.strip()) and "html" not in kind and not _HTML.match(file.text)


def _flaws(text: str) -> Iterator[str]:
    lines = _lines(text)
    titles = [line for _, level, line in lines if level == 1]
    if not titles:
        yield "no heading of the first level names the site"
    elif lines[0][1] != 1:
        yield "something stands before the first heading"
    if len(titles) > 1:
        yield f"{len(titles)} headings of the first level"
    yield from _lists(lines)


def _lines(text: str) -> list[tuple[int, int, str]]:
    """Number, level of its heading (0 for none) and text of each line, code left out."""
    found, fenced = [], False
    for number, raw in enumerate(islice(text.lstrip("\ufeff").splitlines(), _MOST_LINES), 1):
        line = raw.strip()
        if _FENCE.match(line):
            fenced = not fenced
        elif line and not fenced:
            heading = _HEADING.match(line)
            found.append((number, len(heading[1]) if heading else 0, line))
    return found


def _lists(lines: list[tuple[int, int, str]]) -> Iterator[str]:
    """Entries below a heading of the second level that are no links."""
    listing = False
    for number, level, line in lines:
        listing = level == 2 if level else listing
        if listing and not level and _ITEM.match(line) and not _LINK.fullmatch(line):
            yield f"line {number} is no link: {quoted(line)}"


SEARCH_BLOCKED = RULES["ai-search-blocked"]
USER_BLOCKED = RULES["ai-user-blocked"]
TRAINING_BLOCKED = RULES["ai-training-blocked"]
REFUSED = RULES["ai-crawler-refused"]
OTHER_TEXT = RULES["ai-crawler-other-text"]
_KNOWN = frozenset({"OAI-SearchBot", "Claude-SearchBot", "PerplexityBot"})
"""Crawlers of the assistants that most people search with; the others weigh less."""
_TURNED_AWAY = frozenset({401, 402, 403, 406, 429, 451})
_BROKEN = 500
_ANSWERED = 200
_REQUEST = frozenset({Purpose.USER})
_TRAINING = frozenset({Purpose.TRAINING, Purpose.CONTROL})


def policies(facts: SearchFacts) -> tuple[CrawlerPolicy, ...]:
    """One entry a crawler, in the order of their table; all are allowed without a robots.txt."""
    answers = {one.token: one for one in facts.crawlers}
    return tuple(
        CrawlerPolicy(
            token=one.token,
            operator=one.operator,
            purpose=one.purpose.value,
            allowed=_may(facts.robots, one.token),
            answer=answers.get(one.token),
        )
        for one in CRAWLERS
    )


def points(facts: SearchFacts) -> Iterator[Point]:
    """What keeps the page out of answers; on a page that is no success nothing is said."""
    if not facts.page.ok:
        return
    yield from _told(facts)
    yield from _given(facts)
    yield from passages.snippet_points(facts)
    yield from signal_points(facts)
    yield from llms_txt_points(facts)
    if not is_shell(facts):
        yield from evidence_points(facts)


def _may(robots: Robots | None, token: str) -> bool:
    return robots is None or robots.allowed.get(token, True)


def _told(facts: SearchFacts) -> Iterator[Point]:
    """What robots.txt says; where it shuts out search engines too, they are told of that alone."""
    robots = facts.robots
    if robots is None or robots.state != "present" or not _may(robots, "Googlebot"):
        return
    shut = [one for one in CRAWLERS if one.for_answers and not _may(robots, one.token)]
    search = [one for one in shut if one.purpose is Purpose.SEARCH]
    if search:
        yield _blocked(facts, robots, search)
    for rule, purposes in ((USER_BLOCKED, _REQUEST), (TRAINING_BLOCKED, _TRAINING)):
        others = [one.token for one in shut if one.purpose in purposes]
        if others:
            message = f"{listed(others)} may not fetch the page."
            yield rule.point(facts.url, message, count=len(others))


def _blocked(facts: SearchFacts, robots: Robots, shut: Sequence[Crawler]) -> Point:
    tokens = [one.token for one in shut]
    lines = dict.fromkeys(
        f"line {rule.line}: Disallow: {rule.pattern}"
        for token in tokens
        if (rule := robots.matched.get(token))
    )
    return SEARCH_BLOCKED.point(
        facts.url,
        f"{listed(tokens)} may not fetch the page: it is shown less, or not at all, where their "
        "assistants search.",
        evidence=examples(list(lines)),
        snippet="".join(f"User-agent: {token}\n" for token in tokens) + "Allow: /",
        severity=None if _KNOWN.intersection(tokens) else Severity.LOW,
        source=shut[0].documentation,
        count=len(tokens),
    )


def _given(facts: SearchFacts) -> Iterator[Point]:
    """What the server does to those whom robots.txt lets in."""
    welcome = [one for one in facts.crawlers if _may(facts.robots, one.token) and _is_known(one)]
    refused = [one for one in welcome if _is_refused(one)]
    if refused:
        said = listed([f"{one.token} ({one.status})" for one in refused])
        message = (
            f"Whoever calls himself {said} is turned away, a browser is not; the real crawlers "
            "may be let in by their addresses."
        )
        yield REFUSED.point(facts.url, message, severity=_worst(refused), count=len(refused))
    other = [one.token for one in welcome if one.status == _ANSWERED and one.same is False]
    if other:
        message = f"{listed(other)} get another text than a browser does."
        yield OTHER_TEXT.point(facts.url, message, count=len(other))


def _is_refused(one: CrawlerAnswer) -> bool:
    return one.status is not None and (one.status in _TURNED_AWAY or one.status >= _BROKEN)


def _worst(refused: Sequence[CrawlerAnswer]) -> Severity:
    """The severity by purpose: exclusion from search weighs most, from training nothing."""
    purposes = {crawler(one.token).purpose for one in refused}
    if Purpose.SEARCH in purposes:
        return Severity.MEDIUM
    return Severity.LOW if Purpose.USER in purposes else Severity.INFO


def _is_known(one: CrawlerAnswer) -> bool:
    try:
        crawler(one.token)
    except KeyError:
        return False
    return True
