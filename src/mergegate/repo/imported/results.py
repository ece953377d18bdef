"""One run of a SARIF document → results as ours are: rule, severity, confidence, place."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mergegate.core.data_table import read_table
from mergegate.core.finding import Aside, Place
from mergegate.core.severity import Confidence, Kind, Severity
from mergegate.repo.facts.imported import ImportedResult
from mergegate.repo.imported.document import Message, Region, Result, Rule, Run
from mergegate.repo.imported.places import Places
from mergegate.secrets.mask import mask_line, mask_text

OURS = "mergegate"
_LONGEST_TITLE, _LONGEST_MESSAGE, _LONGEST_RULE, _MOST_CWE = 120, 2000, 120, 10
_MOST_READ = 8192
"""Characters of any text; a rule's may be told again with each of its results."""
_HOLE = re.compile(r"\{(\d{1,2})\}")
_LARGEST_LINE = 10_000_000
_MOST_LINES = 100
"""The first lines of a longer place count: identity rests on every line of each."""
_IDLE = frozenset({"pass", "notApplicable"})
"""Kinds of results that tell of nothing wrong."""
_UNDECIDED = frozenset({"open", "review"})
"""Kinds of which the tool itself does not know whether they are."""
_CWE = re.compile(r"\bcwe[-/ ]?0*([1-9]\d{0,5})\b", re.IGNORECASE)
_HTTPS = re.compile(r"https://[A-Za-z0-9.-]+(?:/[A-Za-z0-9._~%#?=&+/@:;,!-]*)?")
_CONFIDENCES = {
    "very-high": Confidence.HIGH,
    "high": Confidence.HIGH,
    "medium": Confidence.MEDIUM,
    "low": Confidence.LOW,
}
_BANDS = ((9.0, Severity.CRITICAL), (7.0, Severity.HIGH), (4.0, Severity.MEDIUM))
"""CVSS's, of what is above zero; the rest is low."""
_RANKS = ((66.0, Confidence.HIGH), (33.0, Confidence.MEDIUM))
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tool:
    id: str
    kind: Kind
    name: str = ""
    """What it is called in rule ids; empty for its own."""
    level: str = ""
    """What a result is where nothing says how bad it is; SARIF's own is ``warning``."""
    by_rule: bool = False
    """Whether a rule may say that it is about quality."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Levels:
    id: str
    error: Severity
    warning: Severity
    note: Severity
    none: Severity


@cache
def _tools() -> Mapping[str, _Tool]:
    return read_table(_HERE / "tools.toml", _Tool)


@cache
def _levels() -> Mapping[str, _Levels]:
    return read_table(_HERE / "levels.toml", _Levels)


@dataclass(frozen=True, slots=True)
class RunResults:
    """What one run told."""

    tool: str
    """Name and version."""
    found: tuple[ImportedResult, ...]
    elsewhere: int
    """How many results lie in no file of the tree."""
    own: int = 0
    """How many are Mergegate's, which finds them itself."""


def read_run(run: Run, root: Path, paths: frozenset[str]) -> RunResults:
    """What ``run`` tells of the files at ``paths`` below ``root``, each result once."""
    driver = run.tool.driver
    # Masked first: a secret in small letters looks like none.
    name = _slug(mask_line(driver.name or "")) or "tool"
    version = _line(driver.version or driver.semantic_version)
    told = " ".join(filter(None, (_line(driver.name), version)))[:_LONGEST_TITLE]
    results = [one for one in run.results or () if _tells(one)]
    if name == OURS:
        return RunResults(told, (), 0, len(results))
    reader = _Reader(run, name, Places(run, root, paths))
    found = [reader.result(one) for one in results]
    kept = tuple(dict.fromkeys(one for one in found if one is not None))
    return RunResults(told, kept, sum(one is None for one in found))


def _tells(result: Result) -> bool:
    return result.kind not in _IDLE and result.baseline_state != "absent"


class _Reader:
    """Reads the results of one run."""

    def __init__(self, run: Run, name: str, places: Places) -> None:
        self._places = places
        self._tool = _tools().get(name)
        self._prefix = (self._tool and self._tool.name) or name
        self._told = _line(run.tool.driver.name) or name
        extensions = run.tool.extensions or ()
        self._rules = [one.rules or () for one in (run.tool.driver, *extensions)]
        self._by_id: dict[str, Rule] = {}
        for rules in self._rules:
            for rule in rules:
                self._by_id.setdefault(rule.id or "", rule)

    def result(self, given: Result) -> ImportedResult | None:
        """The result; None for one that lies in no file of the tree."""
        place = self._place(given)
        if place is None:
            return None
        rule = self._rule(given)
        said = {**(rule.properties or {}), **(given.properties or {})}
        weaknesses = _weaknesses(said)
        kind = self._kind(said, weaknesses)
        title, message = _words(given, rule)
        return ImportedResult(
            rule=f"{self._prefix}/{self._id(given, rule)}",
            tool=self._told[:_LONGEST_TITLE],
            title=_clip(mask_text(title), _LONGEST_TITLE),
            message=_clip(mask_text(message), _LONGEST_MESSAGE),
            severity=self._severity(given, rule, said, kind),
            confidence=_confidence(given, said),
            kind=kind,
            place=place,
            cwe=weaknesses,
            references=tuple(filter(_HTTPS.fullmatch, [(rule.help_uri or "")[:_LONGEST_MESSAGE]])),
            aside=self._aside(given),
        )

    def _place(self, given: Result) -> Place | None:
        if not given.locations:
            return Place()
        at = given.locations[0].physical_location
        if at is None:
            return Place()
        path = self._places.path(at.artifact_location)
        return None if path is None else _region(path, at.region)

    def _rule(self, given: Result) -> Rule:
        reference = given.rule
        index = given.rule_index if given.rule_index is not None else -1
        owner = 0
        if reference:
            index = reference.index if reference.index is not None else index
            of = reference.tool_component
            owner = of.index + 1 if of and of.index is not None else 0
        named = given.rule_id or (reference and reference.id) or ""
        rules: Sequence[Rule] = self._rules[owner] if 0 <= owner < len(self._rules) else ()
        if 0 <= index < len(rules):
            return rules[index]
        # The standard makes `CA1000/1` a part of the rule `CA1000`.
        parent = named.rpartition("/")[0]
        return self._by_id.get(named) or self._by_id.get(parent) or Rule(id=named or None)

    def _id(self, given: Result, rule: Rule) -> str:
        named = given.rule_id or (given.rule and given.rule.id) or rule.id or rule.name or ""
        clean = re.sub(r"[^A-Za-z0-9_.:/@+-]+", "-", named[:_MOST_READ]).strip("-/")
        return clean[:_LONGEST_RULE] or "unnamed"

    def _kind(self, said: Mapping[str, Any], weaknesses: Sequence[str]) -> Kind:
        secure = bool(weaknesses) or "security-severity" in said or "security" in _tags(said)
        if self._tool and (secure or not self._tool.by_rule):
            return self._tool.kind
        return Kind.CODE if secure else Kind.QUALITY

    def _severity(self, given: Result, rule: Rule, said: Mapping[str, Any], kind: Kind) -> Severity:
        score = _number(said.get("security-severity"))
        if score is not None:
            return _banded(score)
        configured = rule.default_configuration
        usual = (self._tool and self._tool.level) or "warning"
        level = given.level or (configured and configured.level) or usual
        if given.kind == "informational":
            level = "none"
        levels = _levels()["quality" if kind is Kind.QUALITY else "security"]
        known = {"error": levels.error, "note": levels.note, "none": levels.none}
        return known.get(level, levels.warning)

    def _aside(self, given: Result) -> Aside | None:
        """A result is suppressed where somebody did, and nobody objects (3.27.23)."""
        given_ones = given.suppressions or ()
        if not given_ones or any(one.status in {"underReview", "rejected"} for one in given_ones):
            return None
        why = next((text for one in given_ones if (text := _line(one.justification))), "")
        said = f"{self._told} counts it as suppressed{f': {why}' if why else ''}"
        # The standard wants a kind: what has none may be a comment of the change.
        in_source = any(one.kind != "external" for one in given_ones)
        return Aside(_clip(mask_text(said), _LONGEST_MESSAGE), in_source)


def _region(path: str, region: Region | None) -> Place | None:
    """The place; what is no line of any file stands for the whole."""
    start = region.start_line if region else None
    if not path or region is None or start is None or not 0 < start < _LARGEST_LINE:
        return Place(path)
    end = min(max(region.end_line or start, start), start + _MOST_LINES - 1)
    first, last = (
        min(one or 0, _LARGEST_LINE - 1) for one in (region.start_column, region.end_column)
    )
    is_range = 0 < first < last or (first > 0 and last > 0 and end > start)
    return Place(path, start, end, first, last) if is_range else Place(path, start, end)


def _words(given: Result, rule: Rule) -> tuple[str, str]:
    """What is wrong in a few words, and what else there is to say, neither twice."""
    message = _message(given.message, rule)
    named, whole = (_message(one, rule) for one in (rule.short_description, rule.full_description))
    title = _first(message)
    if not title or len(title) > _LONGEST_TITLE:
        # A rule's words may be a pattern: `{name} is not used`.
        title = named if named and "{" not in named else title or "Finding without words"
    rest = message.removeprefix(title).lstrip(".!? ")
    return title, rest or (
        whole if whole != title else ""
    ) or "The documentation of its scanner tells what to do."


def _message(message: Message | None, rule: Rule) -> str:
    if message is None:
        return ""
    text = message.text
    if text is None and message.id:
        named = (rule.message_strings or {}).get(message.id)
        text = named.text if named else None
    return _line(_filled((text or "")[:_MOST_READ], message.arguments or ()))


def _filled(text: str, arguments: Sequence[str]) -> str:
    """``text`` with the ``arguments`` in its holes, no more of it than is read."""
    if not arguments:
        return text
    said: list[str] = []
    left = _MOST_READ
    for number, part in enumerate(_HOLE.split(text)):
        said.append(_argument(int(part), arguments) if number % 2 else part)
        left -= len(said[-1])
        if left < 0:
            break
    return "".join(said)


def _argument(number: int, arguments: Sequence[str]) -> str:
    return arguments[number][:_MOST_READ] if number < len(arguments) else f"{{{number}}}"


def _line(text: str | None) -> str:
    return " ".join((text or "")[:_MOST_READ].split())


def _first(message: str) -> str:
    """The first sentence, without its full stop."""
    return re.split(r"[.!?](?:\s|$)", message, maxsplit=1)[0]


def _clip(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name[:_LONGEST_RULE].casefold()).strip("-")


def _tags(said: Mapping[str, Any]) -> list[str]:
    tags = said.get("tags")
    return [one for one in tags[:100] if isinstance(one, str)] if isinstance(tags, list) else []


def _weaknesses(said: Mapping[str, Any]) -> tuple[str, ...]:
    told = [*_tags(said), *(_texts(said.get("cwe")))]
    numbers = (match[1] for one in told if (match := _CWE.search(one[:200])))
    return tuple(dict.fromkeys(f"CWE-{number}" for number in numbers))[:_MOST_CWE]


def _texts(said: object) -> list[str]:
    listed = said[:100] if isinstance(said, list) else [said]
    return [one for one in listed if isinstance(one, str)]


def _number(said: object) -> float | None:
    try:
        number = float(said) if isinstance(said, str | int | float) else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _banded(score: float) -> Severity:
    if not score > 0:
        return Severity.INFO
    return next((severity for least, severity in _BANDS if score >= least), Severity.LOW)


def _confidence(given: Result, said: Mapping[str, Any]) -> Confidence:
    """What the tool says of it; medium where it does not say."""
    if given.kind in _UNDECIDED:
        return Confidence.LOW
    for name in ("precision", "issue_confidence", "confidence"):
        word = said.get(name)
        if isinstance(word, str) and word.casefold() in _CONFIDENCES:
            return _CONFIDENCES[word.casefold()]
    if given.rank is not None and given.rank >= 0:
        return next((sure for least, sure in _RANKS if given.rank >= least), Confidence.LOW)
    return Confidence.MEDIUM
