"""Our semgrep rules: one folder a language, one file a rule, and the catalogue made of them.

What rules of a language share is in ``shared.yaml``.
"""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from mergegate.core.compiled import Knowledge
from mergegate.core.data_table import read_table
from mergegate.core.rule import OUTSIDE, Rule, milder_by
from mergegate.core.severity import Aspect, Category, Confidence, Kind, Severity
from mergegate.repo.rules.gates import Gate, gated

_FOLDER = Path(__file__).parent
GATES = _FOLDER / "gates.toml"
SHARED = "shared.yaml"
"""Lists of a rule's parts, by the name that it says after ``shared``."""
_ALONE = "where no manifest and no import of the repository names a library that it is true of"
_SENTENCE_END = re.compile(r"(?<=[.?!]) (?=[A-Z`\"'(])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Canary:
    """A file with a known flaw: where it is not found, nothing was searched."""

    language: str
    """The language of the flaw."""
    rule: str
    """The id of the rule that finds it."""
    text: str
    """Where ``<input>`` stands for what a caller sends: else our own gate would find the flaw."""
    input: str = ""
    host: str = ""
    """The kind of text that the flaw stands inside; empty where it is a file of its own."""

    @property
    def content(self) -> bytes:
        """The file."""
        return self.text.replace("<input>", self.input).encode()


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Every rule as semgrep reads it and as people read it."""

    written: tuple[Mapping[str, Any], ...]
    """The rules as they are written, sorted by id."""
    rules: Mapping[str, Rule]
    """The rules by id."""
    revision: str
    """Changes when any rule does."""
    languages: Mapping[str, frozenset[Aspect]]
    """Languages at least one rule is written for, and what their rules are about."""
    canaries: Mapping[str, Canary]
    """One for each language, by its name."""
    hosts: Mapping[str, Canary]
    """One for each kind of text that may hold code of another language, by the kind's name."""

    def document(self, languages: Collection[str], words: Set[str] | None = None) -> str:
        """One JSON document with the rules for ``languages``; what semgrep-core is given.

        Where ``words`` are all those of the searched files, rules that need others are left out.
        """
        gates = gate_table()
        wanted = [
            gated(rule, gates.get(rule["id"]))
            for rule in self.written
            if not set(languages).isdisjoint(rule["languages"])
            if words is None or rule["id"] not in gates or gates[rule["id"]].is_open(words)
        ]
        return json.dumps({"rules": wanted}, sort_keys=True, separators=(",", ":"))


@cache
def catalogue() -> Catalogue:
    """The rules shipped in this package."""
    written = WRITTEN.said()
    rules = {rule.id: rule for rule in map(_rule, written)}
    about: dict[str, frozenset[Aspect]] = defaultdict(frozenset)
    for rule in rules.values():
        for name in rule.languages:
            about[name] |= {rule.aspect}
    canaries = read_table(_FOLDER / "canaries.toml", Canary, "language")
    hosts = read_table(_FOLDER / "hosts.toml", Canary, "host")
    return Catalogue(tuple(written), rules, WRITTEN.revision, dict(about), canaries, hosts)


@cache
def gate_table() -> Mapping[str, Gate]:
    """What keeps semgrep from files that hold nothing of a rule, by the rule's id."""
    return read_table(GATES, Gate, "rule")


def parsed(files: Mapping[str, bytes]) -> list[dict[str, Any]]:
    """The rules in the contents of files, sorted by id, with what those beside them share."""
    # Our own files, and half a thousand of them: libyaml is ten times as fast.
    read = {
        name: yaml.load(text, Loader=yaml.CSafeLoader)
        for name, text in files.items()
        if name.endswith(".yaml")
    }
    shared = read.pop(SHARED, {})
    rules = (said["rules"] for said in read.values())
    whole = (_whole(rule, shared) for rule in chain.from_iterable(rules))
    return sorted(whole, key=lambda rule: str(rule["id"]))


WRITTEN = Knowledge(_FOLDER, ("*/*.yaml", SHARED, GATES.name), parsed)
"""The rules as they are written."""


def _whole(part: Any, shared: Mapping[str, list[Any]]) -> Any:
    """A rule, or a part of one, with what it shares written out."""
    if isinstance(part, dict):
        return {key: _whole(value, shared) for key, value in part.items()}
    if isinstance(part, list):
        return [one for item in part for one in _items(item, shared)]
    return part


def _items(item: Any, shared: Mapping[str, list[Any]]) -> list[Any]:
    is_name = isinstance(item, dict) and item.keys() == {"shared"}
    return shared[item["shared"]] if is_name else [_whole(item, shared)]


def _rule(written: Mapping[str, Any]) -> Rule:
    facts = written["metadata"]
    category = Category(facts["category"])
    by_purpose = {to: Severity.named(one) for to, one in facts.get("by-purpose", {}).items()}
    # What is wrong is the first sentence, what to do the rest.
    wrong, *remedy = _SENTENCE_END.split(" ".join(written["message"].split()), maxsplit=1)
    milder = {Severity.MEDIUM: _ALONE} if "only-with" in facts else {}
    milder[Severity.INFO] = OUTSIDE
    return Rule(
        id=written["id"],
        title=facts["title"],
        explanation=wrong,
        remedy="".join(remedy),
        severity=Severity.named(facts["severity"]),
        milder=milder_by(by_purpose, milder),
        confidence=Confidence[facts["confidence"].upper()],
        category=category,
        aspect=Aspect.IAC if category is Category.IAC else Aspect.CODE,
        kind=Kind.IAC if category is Category.IAC else Kind.CODE,
        cwe=tuple(facts.get("cwe", ())),
        references=tuple(facts.get("references", ())),
        languages=tuple(written["languages"]),
        engine="semgrep",
        covered_by=tuple(facts.get("covered-by", ())),
        only_with=facts.get("only-with", ""),
        by_purpose=by_purpose,
    )
