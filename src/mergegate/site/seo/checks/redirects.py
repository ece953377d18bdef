"""How the page is reached: redirects of the server, of the page, and of its scripts."""

import re
from collections.abc import Iterator
from itertools import pairwise

from mergegate.core.severity import Severity
from mergegate.sandbox.fetched import Answer
from mergegate.site.seo.checks.point import RULES, examples, leads_in, quoted
from mergegate.site.seo.checks.urls import alike, is_secure, parts, site
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point

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
    r"\s*(\d{0,9})(?:\.\d*)?\s*(?:[;,\s]\s*(?:url\s*=)?\s*[\"']?(.*))?",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_REFRESH = 1_000
_LANGUAGE_PATH = re.compile(r"/[a-z]{2}(?:[-_][a-z]{2})?(?:/.*)?", re.IGNORECASE)


def points(facts: SearchFacts) -> Iterator[Point]:
    """What lies between the address that was asked for and what is seen."""
    yield from _of_server(facts)
    yield from _refreshes(facts)
    yield from _by_script(facts)


def _of_server(facts: SearchFacts) -> Iterator[Point]:
    answers, url = facts.page.answers, facts.page.final_url
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
        said = examples([f"{hop.url} ({hop.status})" for hop in temporary])
        yield TEMPORARY.point(url, evidence=said, count=len(temporary))
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
    url = facts.page.final_url
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
    rendered, url = facts.rendered, facts.page.final_url
    if rendered is None or rendered.failure or not rendered.final_url:
        return
    if not alike(rendered.final_url, url):
        message = f"In a browser the page ends at {quoted(rendered.final_url)}."
        yield BY_SCRIPT.point(url, message, evidence=rendered.final_url)
