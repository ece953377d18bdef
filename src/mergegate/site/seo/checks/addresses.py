"""How the page's own address is made: case, separators, parameters, length, depth."""

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, unquote

from mergegate.core.severity import Severity
from mergegate.site.seo.checks.point import GOOGLE, Rule, examples
from mergegate.site.seo.checks.urls import parts
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Ground, Point, Theme

_SOURCE = f"{GOOGLE}/crawling-indexing/url-structure"

UPPERCASE = Rule(
    id="url-uppercase",
    theme=Theme.PAGE,
    severity=Severity.LOW,
    ground=Ground.HEURISTIC,
    title="Capitals in the address",
    remedy="Write addresses in small letters: with capitals they are other addresses.",
    source=_SOURCE,
)
UNDERSCORES = Rule(
    id="url-underscores",
    theme=Theme.PAGE,
    severity=Severity.LOW,
    title="Underscores in the address",
    remedy="Separate words by hyphens in new addresses; leave old ones as they are.",
    source=_SOURCE,
)
SESSION = Rule(
    id="url-session-id",
    theme=Theme.PAGE,
    severity=Severity.MEDIUM,
    title="A session's number in the address",
    remedy="Keep sessions in a cookie: every visitor makes another address of the same page.",
    source=_SOURCE,
)
PARAMETERS = Rule(
    id="url-parameters",
    theme=Theme.PAGE,
    severity=Severity.LOW,
    title="Many parameters in the address",
    remedy="Shorten the address by the parameters that do not change the page.",
    source=_SOURCE,
)
LONG = Rule(
    id="url-long",
    theme=Theme.PAGE,
    severity=Severity.LOW,
    ground=Ground.HEURISTIC,
    title="A long address",
    remedy="Leave out of the address what does not help to tell pages apart.",
    source=_SOURCE,
)
DEEP = Rule(
    id="url-deep",
    theme=Theme.PAGE,
    severity=Severity.INFO,
    ground=Ground.HEURISTIC,
    title="The page lies deep",
    remedy="Link to the page from pages near the home page.",
    source=_SOURCE,
)
SPACES = Rule(
    id="url-spaces",
    theme=Theme.PAGE,
    severity=Severity.LOW,
    ground=Ground.HEURISTIC,
    title="Blanks in the address",
    remedy="Separate words by hyphens.",
    source=_SOURCE,
)
_MOST_PARAMETERS = 3
_LONGEST = 200
_DEEPEST = 6
_CAPITAL = re.compile(r"[A-Z]")
_SESSION_NAMES = frozenset(
    {"sid", "sessionid", "session_id", "phpsessid", "jsessionid", "aspsessionid", "cfid", "cftoken"}
)
_SESSION_PATH = re.compile(r";(?:jsessionid|phpsessid|sid)=", re.IGNORECASE)
_CAMPAIGN = re.compile(r"(?:utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|ref)", re.IGNORECASE)
"""Parameters that whoever scans may have come with."""


def points(facts: SearchFacts) -> Iterator[Point]:
    """What is wrong with the address that the redirects ended at; any script is fine."""
    url = facts.page.final_url
    path = unquote(parts(url).path)
    yield from _spelling(url, path)
    yield from _query(url)
    yield from _extent(url, path)


def _spelling(url: str, path: str) -> Iterator[Point]:
    if _CAPITAL.search(path):
        message = "Search engines take every spelling for a page of its own."
        yield UPPERCASE.point(url, message, evidence=path)
    if "_" in path:
        message = "Google asks for hyphens: they part words for people and search engines."
        yield UNDERSCORES.point(url, message, evidence=path)
    if " " in path:
        yield SPACES.point(url, "Blanks are written as %20, and break when copied.", evidence=path)


def _query(url: str) -> Iterator[Point]:
    names = [name for name, _ in parse_qsl(parts(url).query, keep_blank_values=True)]
    sessions = [name for name in names if name.lower() in _SESSION_NAMES]
    if sessions or _SESSION_PATH.search(url):
        message = "Each visit of a crawler sees another address with the same page."
        yield SESSION.point(url, message, evidence=examples(sessions) or parts(url).path)
    own = [name for name in names if not _CAMPAIGN.fullmatch(name)]
    if len(own) > _MOST_PARAMETERS:
        message = f"{len(own)} parameters make many addresses of few pages."
        yield PARAMETERS.point(url, message, evidence=examples(own), count=len(own))


def _extent(url: str, path: str) -> Iterator[Point]:
    length = len(unquote(url))
    if length > _LONGEST:
        yield LONG.point(url, f"The address has {length} characters.", evidence=url)
    depth = len([piece for piece in path.split("/") if piece])
    if depth > _DEEPEST:
        message = f"The address has {depth} parts; deep pages are often visited late."
        yield DEEP.point(url, message, evidence=path)
