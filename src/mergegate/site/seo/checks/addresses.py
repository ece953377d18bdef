"""How the page's own address is made: case, separators, parameters, length, depth."""

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, unquote

from mergegate.site.seo.checks.point import RULES, examples
from mergegate.site.seo.checks.urls import parts
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point

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
        yield PARAMETERS.point(url, message, evidence=examples(own), count=len(own))


def _extent(url: str, path: str) -> Iterator[Point]:
    length = len(unquote(url))
    if length > _LONGEST:
        yield LONG.point(url, f"The address has {length} characters.", evidence=url)
    depth = len([piece for piece in path.split("/") if piece])
    if depth > _DEEPEST:
        message = f"The address has {depth} parts; deep pages are often visited late."
        yield DEEP.point(url, message, evidence=path)
