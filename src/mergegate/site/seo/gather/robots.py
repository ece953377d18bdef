"""robots.txt of a page's origin: what it says, and what that means for the page."""

from collections.abc import Iterator, Mapping, Sequence

from mergegate.sandbox.web.fetched import Fetched
from mergegate.site.seo.crawlers import CRAWLERS, EVERYBODY
from mergegate.site.seo.facts import Robots, RobotsRule
from mergegate.site.seo.gather.robots_file import LONGEST, read_robots
from mergegate.site.seo.gather.robots_rules import Ruling, rulings

_HOPS = 5
"""Redirects that crawlers follow; beyond them there is no robots.txt (RFC 9309, 2.3.1.2)."""
_ROUND = ("it redirects in a circle", "it redirects again and again")
_TOO_MANY_REQUESTS = 429
"""Google takes it for an error of the server, not for a missing file."""
_HEAD = 1024
_HTML = ("<!doctype html", "<html", "<head", "<body")


def robots(fetched: Fetched, url: str) -> Robots:
    """What ``fetched``, the answer to the address of robots.txt, means for the page at ``url``."""
    state = _state(fetched)
    if state != "present":
        allowed = dict.fromkeys(_tokens(), state != "unreachable")
        return Robots(fetched=fetched, state=state, allowed=allowed)
    file = read_robots(fetched.body)
    if _is_page(fetched) and not file.says_something:
        allowed = dict.fromkeys(_tokens(), True)
        return Robots(fetched=fetched, state="not robots", allowed=allowed)
    ruled = rulings(file.groups, url)
    return Robots(
        fetched=fetched,
        state=state,
        groups=file.groups,
        sitemaps=file.sitemaps,
        problems=(*file.problems, *_problems(fetched, ruled.disputed)),
        allowed={token: ruling.allowed for token, ruling in ruled.by_token.items()},
        matched=dict(_matched(ruled.by_token)),
    )


def _state(fetched: Fetched) -> str:
    """RFC 9309, 2.3.1; like Google we take half a file for an error of the server."""
    if len(fetched.answers) > _HOPS + 1 or fetched.failure in _ROUND:
        return "absent"
    if fetched.status is None or fetched.status >= 500 or fetched.status == _TOO_MANY_REQUESTS:
        return "unreachable"
    if fetched.ok and not fetched.whole and len(fetched.body) < LONGEST:
        return "unreachable"
    return "present" if fetched.ok else "absent"


def _is_page(fetched: Fetched) -> bool:
    """Whether it says of itself that it is HTML, or looks like it."""
    kind = fetched.header("content-type").partition(";")[0].strip().lower()
    head = fetched.text[:_HEAD].lstrip().lower()
    return kind in {"text/html", "application/xhtml+xml"} or head.startswith(_HTML)


def _problems(fetched: Fetched, disputed: Sequence[str]) -> Iterator[tuple[int, str]]:
    if _is_page(fetched):
        yield 0, "It is sent as a page of HTML; robots.txt has to be text/plain."
    if disputed:
        yield 0, f"Parsers do not agree about the page for {', '.join(disputed)}."


def _matched(by_token: Mapping[str, Ruling]) -> Iterator[tuple[str, RobotsRule]]:
    for token, ruling in by_token.items():
        if ruling.rule is not None:
            yield token, ruling.rule


def _tokens() -> tuple[str, ...]:
    return (EVERYBODY, *(crawler.token for crawler in CRAWLERS))
