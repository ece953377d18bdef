"""robots.txt of a page's origin: what it says, and what that means for the page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from protego import Protego

from mergegate.sandbox.fetched import Fetched
from mergegate.site.seo.crawlers import CRAWLERS, EVERYBODY, Crawler
from mergegate.site.seo.facts import Robots, RobotsGroup, RobotsRule
from mergegate.site.seo.gather.place import spelt
from mergegate.site.seo.gather.robots_file import LONGEST, agent_token, read_robots

_ROBOTS = "/robots.txt"


@dataclass(frozen=True, slots=True)
class Ruling:
    """What holds for one crawler and one address."""

    allowed: bool
    rule: RobotsRule | None
    """The one that decides; None where none matches."""
    disputed: bool = False
    """Whether parsers in use do not agree about it."""


def rulings(groups: Sequence[RobotsGroup], url: str) -> Mapping[str, Ruling]:
    """What holds for each crawler, by its token, and for everybody else under ``*``."""
    path, spoken_to = _path(url), _spoken_to(groups)
    known: dict[tuple[int, ...], Ruling] = {}
    found: dict[str, Ruling] = {}
    for token, names in ((EVERYBODY, [EVERYBODY]), *map(_names, CRAWLERS)):
        chosen = next((tuple(spoken_to[name]) for name in names if name in spoken_to), ())
        if chosen not in known:
            known[chosen] = _ruling([rule for at in chosen for rule in groups[at].rules], path)
        found[token] = known[chosen]
    return found


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
    if _is_page(fetched) and not (file.groups or file.sitemaps):
        allowed = dict.fromkeys(_tokens(), True)
        return Robots(fetched=fetched, state="not robots", allowed=allowed)
    ruled = rulings(file.groups, url)
    disputed = [token for token, ruling in ruled.items() if ruling.disputed]
    return Robots(
        fetched=fetched,
        state=state,
        groups=file.groups,
        sitemaps=file.sitemaps,
        problems=(*file.problems, *_problems(fetched, disputed)),
        allowed={token: ruling.allowed for token, ruling in ruled.items()},
        matched={token: ruling.rule for token, ruling in ruled.items() if ruling.rule},
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


def _tokens() -> tuple[str, ...]:
    return (EVERYBODY, *(crawler.token for crawler in CRAWLERS))
