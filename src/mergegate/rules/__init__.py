"""Our semgrep rules: one folder a language, one file a rule, and the catalogue made of them."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from mergegate.model.rule import RuleCard
from mergegate.model.severity import Aspect, Category, Confidence, Severity

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Every rule as semgrep reads it and as people read it."""

    document: str
    """One JSON document with all rules, sorted by id; what semgrep-core is given."""
    cards: Mapping[str, RuleCard]
    revision: str
    """Changes when any rule does."""
    languages: frozenset[str]
    """Languages at least one rule is written for."""


@cache
def catalogue() -> Catalogue:
    """The rules shipped in this package."""
    rules = sorted(
        (rule for path in sorted(_FOLDER.glob("*/*.yaml")) for rule in _read(path)),
        key=lambda rule: str(rule["id"]),
    )
    document = json.dumps({"rules": rules}, sort_keys=True, separators=(",", ":"))
    cards = {card.id: card for card in map(_card, rules)}
    languages = frozenset(name for card in cards.values() for name in card.languages)
    return Catalogue(document, cards, hashlib.sha256(document.encode()).hexdigest(), languages)


def _read(path: Path) -> list[dict[str, Any]]:
    # Our own files, and half a thousand of them: libyaml is ten times as fast.
    return list(yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)["rules"])


def _card(rule: Mapping[str, Any]) -> RuleCard:
    facts = rule["metadata"]
    category = Category(facts["category"])
    return RuleCard(
        id=rule["id"],
        title=facts["title"],
        message=" ".join(rule["message"].split()),
        severity=Severity.named(facts["severity"]),
        confidence=Confidence[facts["confidence"].upper()],
        category=category,
        aspect=Aspect.IAC if category is Category.IAC else Aspect.CODE,
        cwe=tuple(facts.get("cwe", ())),
        references=tuple(facts.get("references", ())),
        languages=tuple(rule["languages"]),
        covered_by=tuple(facts.get("covered-by", ())),
    )
