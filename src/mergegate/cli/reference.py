"""The rules reference of the documentation: ``mergegate rules --format markdown``."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from mergegate.core.rule import OUTSIDE, Rule

_HEAD = """# Rules

Made by `mergegate rules --format markdown`. The severity is the worst that a rule finds, and what
it may be elsewhere follows; outside production code nearly all is for information.
`mergegate explain RULE` tells each in full.
"""


def rules_page(rules: Iterable[Rule]) -> str:
    """One table a part of the scan, in Markdown."""
    ordered = sorted(rules, key=lambda rule: (rule.aspect, rule.id))
    parts = [_part(aspect, list(group)) for aspect, group in groupby(ordered, _aspect)]
    return "\n".join([_HEAD, *parts])


def _aspect(rule: Rule) -> str:
    return rule.aspect.value


def _part(aspect: str, rules: Sequence[Rule]) -> str:
    rows = [
        f"| `{rule.id}` | {_severity(rule)} | {', '.join(rule.cwe)} | {_cell(rule.title)} |"
        for rule in rules
    ]
    heading = f"## {aspect.capitalize() if aspect != 'iac' else 'Infrastructure as code'}"
    table = ["| Rule | Severity | Weakness | What it finds |", "|---|---|---|---|", *rows]
    return "\n".join([heading, "", f"{len(rules)} rules.", "", *table, ""])


def _severity(rule: Rule) -> str:
    """``high``, or ``high (or low, info)`` where a finding in production code can be milder."""
    milder = [one.label for one, when in rule.milder.items() if when != OUTSIDE]
    return f"{rule.severity.label} (or {', '.join(milder)})" if milder else rule.severity.label


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
