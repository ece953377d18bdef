"""The rules reference of the documentation: ``mergegate rules --format markdown``."""

from collections.abc import Sequence
from itertools import groupby

from mergegate.core.rule import RuleCard

_HEAD = """# Rules

Made by `mergegate rules --format markdown`. `mergegate explain RULE` tells each in full.
"""


def rules_page(cards: Sequence[RuleCard]) -> str:
    """One table a part of the scan, in Markdown."""
    ordered = sorted(cards, key=lambda card: (card.aspect, card.id))
    parts = [_part(aspect, list(group)) for aspect, group in groupby(ordered, _aspect)]
    return "\n".join([_HEAD, *parts])


def _aspect(card: RuleCard) -> str:
    return card.aspect.value


def _part(aspect: str, cards: Sequence[RuleCard]) -> str:
    rows = [
        f"| `{card.id}` | {severity(card)} | {', '.join(card.cwe)} | {_cell(card.title)} |"
        for card in cards
    ]
    heading = f"## {aspect.capitalize() if aspect != 'iac' else 'Infrastructure as code'}"
    table = ["| Rule | Severity | Weakness | What it finds |", "|---|---|---|---|", *rows]
    return "\n".join([heading, "", f"{len(cards)} rules.", "", *table, ""])


def severity(card: RuleCard) -> str:
    """The severity's word; a check's depends on what is found."""
    return card.severity.label if card.severity is not None else "varies"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
