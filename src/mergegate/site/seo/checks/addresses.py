"""How the page's own address is made and reached: case, separators, length, depth, redirects."""

import re
from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import parse_qsl, unquote

from mergegate.core.severity import Severity
from mergegate.sandbox.fetched import Answer
from mergegate.site.seo.checks.point import RULES, examples, leads_in, quoted
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point
from mergegate.site.seo.urls import alike, is_secure, parts, site

UPPERCASE = RULES["url-uppercase"]
UNDERSCORES = RULES["url-underscores"]
SESSION = RULES["url-session-id"]
PARAMETERS = RULES["url-parameters"]
LONG = RULES["url-long"]
DEEP = RULES["url-deep"]
SPACES = RULES["url-spaces"]
_MOST_PARAMETERS = 3
_LONGEST = 200
_DEEPEST = 6
_CAPITAL = re.compile(r"[A-Z]")
_SESSION_NAMES = frozenset(
    {"sid", "sessionid", "session_id", "phpsessid", "jsessionid", "aspsessionid", "cfid", "cftoken"}
)
_SESSION_PATH = re.compile(r";(?:jsessionid|phpsessid|sid)=", re.IGNORECASE)
_CAMPAIGN = re.compile(r"(?:utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|ref)", re.IGNORECASE)
"""Campaign parameters, which the scanned address may have been copied with."""


def points(facts: SearchFacts) -> Iterator[Point]:
    """What is wrong with the address that the redirects ended at; any script is fine."""
    url = facts.url
    path = unquote(parts(url).path)
    yield from _spelling(url, path)
    yield from _query(url)
    yield from _extent(url, path)


def _spelling(url: str, path: str) -> Iterator[Point]:
    if _CAPITAL.search(path):
        yield UPPERCASE.point(url, evidence=path)
    if "_" in path:
        yield UNDERSCORES.point(url, evidence=path)
    if " " in path:
        yield SPACES.point(url, evidence=path)


def _query(url: str) -> Iterator[Point]:
    names = [name for name, _ in parse_qsl(parts(url).query, keep_blank_values=True)]
    sessions = [name for name in names if name.lower() in _SESSION_NAMES]
    if sessions or _SESSION_PATH.search(url):
        yield SESSION.point(url, evidence=examples(sessions) or parts(url).path)
    own = [name for name in names if not _CAMPAIGN.fullmatch(name)]
    if len(own) > _MOST_PARAMETERS:
        message = f"{len(own)} parameters make many addresses of few pages."
        yield PARAMETERS.point(url, message, found=own)


def _extent(url: str, path: str) -> Iterator[Point]:
    length = len(unquote(url))
    if length > _LONGEST:
        yield LONG.point(url, f"The address has {length} characters.", evidence=url)
    depth = len([piece for piece in path.split("/") if piece])
    if depth > _DEEPEST:
        message = f"The address has {depth} parts; deep pages are often visited late."
        yield DEEP.point(url, message, evidence=path)


_FEW, _MANY = 2, 5
"""Redirects: from the first number on they are a chain; Google asks for fewer than the second."""
_TEMPORARY = frozenset({302, 303, 307})

CHAIN = RULES["redirect-chain"]
TEMPORARY = RULES["redirect-temporary"]
DOWNGRADE = RULES["redirect-insecure"]
META_REFRESH = RULES["meta-refresh"]
RELOAD = RULES["meta-reload"]
BY_SCRIPT = RULES["redirect-by-script"]
_REFRESH = re.compile(
    r"\s*(\d{0,9})(?:\.\d*)?\s*(?:[;,\s]\s*(?:url\s*=)?\s*[\"']?(.*))?", re.IGNORECASE | re.DOTALL
)
_LONGEST_REFRESH = 1_000
_LANGUAGE_PATH = re.compile(r"/[a-z]{2}(?:[-_][a-z]{2})?(?:/.*)?", re.IGNORECASE)


def redirect_points(facts: SearchFacts) -> Iterator[Point]:
    """What lies between the address that was asked for and what is seen."""
    yield from _of_server(facts)
    yield from _refreshes(facts)
    yield from _by_script(facts)


def _of_server(facts: SearchFacts) -> Iterator[Point]:
    answers, url = facts.page.answers, facts.url
    hops = answers[:-1]
    if len(hops) >= _FEW:
        yield CHAIN.point(
            url,
            f"{len(hops)} redirects lead to the page; each costs visitors time, and crawlers give "
            "up after some.",
            evidence=" → ".join(one.url for one in answers),
            severity=Severity.MEDIUM if len(hops) >= _MANY else None,
            count=len(hops),
        )
    temporary = [hop for hop, then in pairwise(answers) if _is_move(hop, then)]
    if temporary:
        yield TEMPORARY.point(url, found=[f"{hop.url} ({hop.status})" for hop in temporary])
    if any(is_secure(hop.url) and not is_secure(then.url) for hop, then in pairwise(answers)):
        yield DOWNGRADE.point(url, evidence=" → ".join(one.url for one in answers))


def _is_move(hop: Answer, then: Answer) -> bool:
    """Whether a temporary redirect stands where a lasting one belongs.

    A choice of language at the door is meant to be temporary, and so is the way to a log-in or to
    another site.
    """
    if hop.status not in _TEMPORARY or site(hop.url) != site(then.url):
        return False
    chosen = parts(hop.url).path in {"", "/"} and _LANGUAGE_PATH.fullmatch(parts(then.url).path)
    return not chosen and not leads_in(then.url)


def _refreshes(facts: SearchFacts) -> Iterator[Point]:
    given = [
        one.content
        for one in facts.best.metas
        if one.kind == "http-equiv" and one.name == "refresh"
    ]
    for content in (*given, facts.page.header("refresh"))[:1]:
        if content and (read := _REFRESH.fullmatch(content[:_LONGEST_REFRESH])):
            yield _refresh(facts, content, int(read[1] or 0), (read[2] or "").strip(" \"'"))


def _refresh(facts: SearchFacts, content: str, seconds: int, target: str) -> Point:
    url = facts.url
    if not target:
        message = f"It does so every {seconds} s; readers lose their place."
        return RELOAD.point(url, message, evidence=content)
    when = "at once" if seconds == 0 else f"after {seconds} s"
    lasting = "a permanent" if seconds == 0 else "a temporary"
    return META_REFRESH.point(
        url,
        f"It goes on to {quoted(target)} {when}; search engines take that for {lasting} redirect.",
        evidence=content,
    )


def _by_script(facts: SearchFacts) -> Iterator[Point]:
    rendered, url = facts.rendered, facts.url
    if rendered is None or rendered.failure or not rendered.final_url:
        return
    if not alike(rendered.final_url, url):
        message = f"In a browser the page ends at {quoted(rendered.final_url)}."
        yield BY_SCRIPT.point(url, message, evidence=rendered.final_url)
