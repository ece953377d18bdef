"""Read robots.txt as RFC 9309 says, line numbers kept, and say what is wrong with it.

Lenient where Google's own parser is (``Dissallow``, a space for the colon), so that the verdict is
what crawlers come to; whatever was forgiven stands among the problems.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from mergegate.site.seo.facts import RobotsFile, RobotsGroup, RobotsRule

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
"""Those that Google's parser forgives (robots.cc, ``KeyIsDisallow``)."""
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
        """The one that rules go to."""
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
    """What of a ``User-agent`` line, in small letters, counts; ``*`` for everybody, else a name.

    Crawlers read letters, ``-`` and ``_`` up to the first other sign (RFC 9309, 2.2.1). Empty when
    it names nobody.
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
    """Those that say something, without comments, and their numbers, from 1."""
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
    """Short and on one line; those who show it make it harmless."""
    shown = "".join(letter if letter.isprintable() else "�" for letter in text)
    return shown if len(shown) <= _LONGEST_QUOTE else f"{shown[: _LONGEST_QUOTE - 1]}…"
