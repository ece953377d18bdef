"""Whether robots.txt lets a crawler fetch an address, by RFC 9309, and by which line.

Which group speaks to a crawler is decided here, for protego takes ``Applebot`` for a group about
``Applebot-Extended``. What its rules mean for the address this module says, and protego is asked as
a second reader: where it says otherwise, the difference is told.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from protego import Protego

from mergegate.site.seo.crawlers import CRAWLERS, EVERYBODY, Crawler
from mergegate.site.seo.facts import RobotsGroup, RobotsRule
from mergegate.site.seo.gather.place import spelt
from mergegate.site.seo.gather.robots_file import agent_token

_ROBOTS = "/robots.txt"


@dataclass(frozen=True, slots=True)
class Ruling:
    """What holds for one crawler and one address."""

    allowed: bool
    rule: RobotsRule | None
    """The one that decides; None where none matches."""
    disputed: bool = False
    """Whether parsers in use do not agree about it."""


@dataclass(frozen=True, slots=True)
class Rulings:
    """What holds for each crawler, by its token, and for everybody else under ``*``."""

    by_token: Mapping[str, Ruling]

    @property
    def disputed(self) -> tuple[str, ...]:
        """The tokens of those about whom parsers do not agree."""
        return tuple(token for token, ruling in self.by_token.items() if ruling.disputed)


def rulings(groups: Sequence[RobotsGroup], url: str) -> Rulings:
    """One for every crawler of the table, and one for ``*``."""
    path, spoken_to = _path(url), _spoken_to(groups)
    known: dict[tuple[int, ...], Ruling] = {}
    found: dict[str, Ruling] = {}
    for token, names in ((EVERYBODY, [EVERYBODY]), *map(_names, CRAWLERS)):
        chosen = next((tuple(spoken_to[name]) for name in names if name in spoken_to), ())
        if chosen not in known:
            known[chosen] = _ruling([rule for at in chosen for rule in groups[at].rules], path)
        found[token] = known[chosen]
    return Rulings(found)


def _names(crawler: Crawler) -> tuple[str, list[str]]:
    """Its token, and by which names robots.txt may mean it, the first one first."""
    names = [crawler.token.lower(), crawler.falls_back_to.lower(), EVERYBODY]
    return crawler.token, [name for name in names if name]


def _spoken_to(groups: Sequence[RobotsGroup]) -> dict[str, dict[int, None]]:
    """Which groups speak to each name, in their order: all of the first name that has any count."""
    spoken_to: dict[str, dict[int, None]] = {}
    for number, group in enumerate(groups):
        for agent in group.agents:
            spoken_to.setdefault(agent_token(agent), {})[number] = None
    return spoken_to


def _ruling(rules: Sequence[RobotsRule], path: str) -> Ruling:
    """The longest rule counts, and of two as long the one that allows (RFC 9309, 2.2.2)."""
    if path == _ROBOTS:
        return Ruling(allowed=True, rule=None)
    longest = max(_matching(rules, path), key=lambda found: found[:2], default=None)
    rule = longest[2] if longest else None
    ours = rule is None or rule.allow
    return Ruling(allowed=ours, rule=rule, disputed=ours != _protego(rules, path))


def _matching(rules: Sequence[RobotsRule], path: str) -> Iterator[tuple[int, bool, RobotsRule]]:
    """How long each rule is that matches, whether it allows, and itself."""
    for rule in rules:
        for pattern in _patterns(rule):
            if _matches(pattern, path):
                yield len(pattern), rule.allow, rule


def _patterns(rule: RobotsRule) -> Iterator[str]:
    """The rule's, and what allowing an ``index.html`` implies, as Google has it."""
    if rule.pattern[:1] not in {"/", "*"}:
        return
    ends = rule.pattern.endswith("$")
    pattern = spelt(rule.pattern.removesuffix("$"), escape="$")
    yield f"{pattern}$" if ends else pattern
    if rule.allow and not ends and pattern.endswith("/index.html"):
        yield f"{pattern.removesuffix('index.html')}$"


def _matches(pattern: str, path: str) -> bool:
    """Whether ``path`` begins with ``pattern``: ``*`` is anything, a last ``$`` the end."""
    anchored = pattern.endswith("$")
    first, *rest = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    if not rest:
        return not anchored or len(path) == len(first)
    at = len(first)
    for part in rest[:-1] if anchored else rest:
        at = path.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return not anchored or (path.endswith(rest[-1]) and len(path) - len(rest[-1]) >= at)


def _protego(rules: Sequence[RobotsRule], path: str) -> bool:
    """Protego's word about the same rules, in a file that speaks to one crawler."""
    lines = [
        f"{'Allow' if rule.allow else 'Disallow'}: {next(_patterns(rule))}"
        for rule in rules
        if rule.pattern[:1] in {"/", "*"}
    ]
    file = Protego.parse("\n".join(["User-agent: *", *lines]))
    return file.can_fetch(f"https://example.org{path}", "anyone")


def _path(url: str) -> str:
    """Path and query of an address, in one spelling."""
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    return spelt((parts.path or "/") + query, escape="*$")
