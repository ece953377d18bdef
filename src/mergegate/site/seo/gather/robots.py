"""robots.txt of a page's origin: what it says by RFC 9309, and what that means for the page.

Lenient where Google's own parser is (``Dissallow``, a space for the colon), so that the verdict is
what crawlers come to; whatever was forgiven stands among the problems.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from protego import Protego

from mergegate.sandbox.fetched import Fetched
from mergegate.site.seo.crawlers import CRAWLERS, EVERYBODY, Crawler
from mergegate.site.seo.facts import Robots, RobotsFile, RobotsGroup, RobotsRule
from mergegate.site.seo.gather.place import spelt

LONGEST = 500 * 1024
"""Bytes that a crawler has to read (RFC 9309, 2.5); Google reads no more."""
_MOST_PROBLEMS = 50
_LONGEST_VALUE = 2083
"""Letters, as Google's parser has it: no address that anybody asks for is longer."""
_LONGEST_QUOTE = 60
_LINE_END = re.compile(r"\r\n|\r|\n")
_TOKEN = re.compile(r"[a-z_-]+")
_SIGNAL = re.compile(r"\s*(search|ai-input|ai-train)\s*=\s*(yes|no)\s*", re.IGNORECASE)
_MISSPELT_RULES = frozenset({"dissallow", "dissalow", "disalow", "diasllow", "disallaw"})
"""Misspelt rules that Google's parser accepts (robots.cc, ``KeyIsDisallow``)."""
_WORDS = frozenset({"user-agent", "allow", "disallow", "sitemap"})
_MISSPELT_AGENTS = frozenset({"useragent", "user agent"})
_MISSPELT_SITEMAPS = frozenset({"site-map"})
_ELSEWHERE = frozenset(
    {"clean-param", "host", "request-rate", "visit-time", "license", "content-usage", "cache-delay"}
)
"""Words that some crawler reads, or that a draft of a standard defines."""
_RETIRED = frozenset({"noindex", "nofollow", "noarchive", "nosnippet", "indexpage"})


@dataclass(slots=True)
class _Group:
    agents: list[str] = field(default_factory=list)
    rules: list[RobotsRule] = field(default_factory=list)
    signals: list[str] = field(default_factory=list)
    crawl_delay_s: float | None = None
    interrupted: bool = False
    """Whether a line that is neither agent nor rule stands in it, and no rule yet."""


@dataclass(slots=True)
class _Reading:
    """One file while it is read."""

    groups: list[_Group] = field(default_factory=list)
    sitemaps: dict[str, None] = field(default_factory=dict)
    problems: list[tuple[int, str]] = field(default_factory=list)

    def object(self, line: int, what: str) -> None:
        """Note what is wrong with ``line``."""
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append((line, what))

    @property
    def group(self) -> _Group | None:
        """The group that rules are added to."""
        return self.groups[-1] if self.groups else None


def read_robots(body: bytes) -> RobotsFile:
    """Any bytes will do; of those beyond 500 KiB nothing is read."""
    reading = _Reading()
    for line, told in _lines(_text(body, reading)):
        _take(reading, line, *_record(reading, line, told))
    return RobotsFile(
        groups=tuple(map(_frozen, reading.groups)),
        sitemaps=tuple(reading.sitemaps),
        problems=tuple(reading.problems),
    )


def agent_token(agent: str) -> str:
    """The name in a ``User-agent`` line, in small letters; ``*`` stands for all crawlers.

    Crawlers read letters, ``-`` and ``_`` up to the first other sign (RFC 9309, 2.2.1). Empty when
    it names no crawler.
    """
    if agent == "*" or re.match(r"\*\s", agent):
        return "*"
    found = _TOKEN.match(agent)
    return found[0] if found else ""


def _text(body: bytes, reading: _Reading) -> str:
    if len(body) > LONGEST:
        size = f"{len(body) // 1024} KiB"
        reading.object(0, f"It is {size} or longer, and crawlers read the first 500 KiB alone.")
    if body.startswith(b"\xef\xbb\xbf"):
        reading.object(1, "It begins with a byte order mark, which some crawlers stumble over.")
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        reading.object(0, "It is UTF-16; robots.txt has to be UTF-8.")
        return body[:LONGEST].decode("utf-16", "replace")
    return body[:LONGEST].decode("utf-8", "replace").removeprefix("\ufeff")


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, without comments, and their numbers, from 1."""
    for number, line in enumerate(_LINE_END.split(text), start=1):
        told = line.partition("#")[0].strip(" \t\x00")
        if told:
            yield number, told


def _record(reading: _Reading, line: int, told: str) -> tuple[str, str]:
    """Key, in small letters, and value; no key where a line has neither colon nor two words."""
    key, colon, value = told.partition(":")
    if colon:
        return key.strip().lower(), value.strip()
    words = told.split()
    if len(words) == 2 and words[0].lower() in _WORDS:
        reading.object(line, "This line has no colon, and not every crawler forgives it.")
        return words[0].lower(), words[1]
    return "", told


def _take(reading: _Reading, line: int, key: str, value: str) -> None:
    key = _spelt(reading, line, key)
    match key:
        case "user-agent":
            _take_agent(reading, line, value)
        case "allow" | "disallow":
            _take_rule(reading, RobotsRule(allow=key == "allow", pattern=value, line=line))
        case "sitemap":
            _take_sitemap(reading, line, value)
        case _:
            _take_other(reading, line, key, value)


def _spelt(reading: _Reading, line: int, key: str) -> str:
    """``key`` as it was meant, where crawlers take it for that."""
    for misspelt, meant in (
        (_MISSPELT_RULES, "disallow"),
        (_MISSPELT_AGENTS, "user-agent"),
        (_MISSPELT_SITEMAPS, "sitemap"),
    ):
        if key in misspelt:
            reading.object(line, f"“{key}” is misspelt, and not every crawler forgives it.")
            return meant
    return key


def _take_agent(reading: _Reading, line: int, value: str) -> None:
    agent = value.lower()[:_LONGEST_VALUE]
    _judge_agent(reading, line, agent)
    group = reading.group
    if group is None or group.rules:
        group = _Group()
        reading.groups.append(group)
    elif group.interrupted:
        reading.object(
            line,
            "Only rules end a group: crawlers read this line as part of the group above it.",
        )
        group.interrupted = False
    group.agents.append(agent)


def _judge_agent(reading: _Reading, line: int, agent: str) -> None:
    token = agent_token(agent)
    if not agent:
        reading.object(line, "This User-agent line names nobody.")
    elif not token:
        reading.object(line, f"No crawler knows itself by “{_quoted(agent)}”.")
    elif "," in agent:
        reading.object(line, f"One line names one crawler: only “{_quoted(token)}” counts here.")
    elif "*" in agent[1:] or (token == "*" and agent != "*"):
        reading.object(line, "A star stands for every crawler alone, not for part of a name.")


def _take_rule(reading: _Reading, rule: RobotsRule) -> None:
    group = reading.group
    if group is None:
        reading.object(rule.line, "No User-agent line stands before this rule: nobody follows it.")
        return
    if len(rule.pattern) > _LONGEST_VALUE:
        reading.object(rule.line, "This rule is too long for crawlers to read.")
        return
    _judge_pattern(reading, rule)
    group.rules.append(rule)


def _judge_pattern(reading: _Reading, rule: RobotsRule) -> None:
    pattern = rule.pattern
    if re.match(r"https?://", pattern, re.IGNORECASE):
        reading.object(rule.line, "Rules match paths: one that begins with http matches nothing.")
    elif pattern and pattern[0] not in "/*":
        reading.object(
            rule.line, f"“{_quoted(pattern)}” does not begin with a slash: it matches nothing."
        )
    elif "$" in pattern[:-1]:
        reading.object(rule.line, "“$” means the end at the end of a rule alone.")


def _take_sitemap(reading: _Reading, line: int, value: str) -> None:
    if not _is_address(value):
        reading.object(line, "Sitemap wants a whole address, with https:// and host.")
    else:
        reading.sitemaps[value] = None


def _is_address(value: str) -> bool:
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    return (
        parts.scheme.lower() in {"http", "https"}
        and bool(parts.hostname)
        and len(value) <= _LONGEST_VALUE
    )


def _take_other(reading: _Reading, line: int, key: str, value: str) -> None:
    """What is no part of RFC 9309; it never ends a group (2.2.4)."""
    group = reading.group
    if key == "crawl-delay":
        _take_delay(reading, group, line, value)
    elif key == "content-signal":
        _take_signal(reading, group, line, value)
    elif key in _RETIRED:
        reading.object(
            line,
            f"Search engines do not read “{key}” here; it belongs into the page's robots meta.",
        )
    elif key not in _ELSEWHERE:
        said = f"“{_quoted(key)}” is no word of robots.txt." if key else "This line has no colon."
        reading.object(line, f"{said} Crawlers pass over it.")
    if group is not None and not group.rules:
        group.interrupted = True


def _take_delay(reading: _Reading, group: _Group | None, line: int, value: str) -> None:
    if group is None:
        reading.object(line, "No User-agent line stands before this one: nobody follows it.")
    elif not re.fullmatch(r"\d{1,6}(\.\d{1,6})?", value):
        reading.object(line, "Crawl-delay wants a number of seconds.")
    else:
        group.crawl_delay_s = float(value)
        if any(agent_token(agent) == "googlebot" for agent in group.agents):
            reading.object(line, "Google does not read Crawl-delay.")


def _take_signal(reading: _Reading, group: _Group | None, line: int, value: str) -> None:
    if group is None:
        reading.object(line, "No User-agent line stands before this one: it speaks to nobody.")
    elif not all(map(_SIGNAL.fullmatch, value.split(","))):
        reading.object(
            line, "Content-Signal wants search, ai-input or ai-train, each with =yes or =no."
        )
    else:
        group.signals.append(value[:_LONGEST_VALUE])


def _frozen(group: _Group) -> RobotsGroup:
    return RobotsGroup(
        agents=tuple(group.agents),
        rules=tuple(group.rules),
        crawl_delay_s=group.crawl_delay_s,
        signals=tuple(group.signals),
    )


def _quoted(text: str) -> str:
    """The text on one line, shortened; renderers escape it."""
    shown = "".join(letter if letter.isprintable() else "�" for letter in text)
    return shown if len(shown) <= _LONGEST_QUOTE else f"{shown[: _LONGEST_QUOTE - 1]}…"


_ROBOTS = "/robots.txt"


@dataclass(frozen=True, slots=True)
class Ruling:
    """What holds for one crawler and one address."""

    allowed: bool
    rule: RobotsRule | None
    """The rule that decides; None where none matches."""
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
    """The crawler's token, and the names that robots.txt may use for it, the first one first."""
    names = [crawler.token.lower(), crawler.falls_back_to.lower(), EVERYBODY]
    return crawler.token, [name for name in names if name]


def _spoken_to(groups: Sequence[RobotsGroup]) -> dict[str, dict[int, None]]:
    """The groups for each name, in their order: all of the first name that has any count."""
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
