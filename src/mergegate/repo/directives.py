"""Comments that silence a tool: which there are, and what of ours they speak of."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mergegate.core.data_table import read_lists, read_table
from mergegate.core.finding import Finding
from mergegate.core.severity import Kind
from mergegate.repo.facts.code import Marker


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive:
    """What silences one tool."""

    tool: str
    pattern: str
    silences: tuple[Kind, ...] = ()
    """The kinds of our findings that it speaks of."""
    names: str = ""
    """Finds the rules that it names; it then speaks of no others."""
    ours: str = "{}"
    """How our rule is called that is one of the tool's."""


DIRECTIVES = read_table(Path(__file__).with_name("directives.toml"), Directive, "tool")


@cache
def _weaknesses() -> dict[str, frozenset[str]]:
    lists = read_lists(Path(__file__).with_name("foreign_rules.toml"))
    return {name: frozenset(weaknesses) for name, weaknesses in lists.items()}


def silences(marker: Marker, finding: Finding) -> bool:
    """Whether the comment speaks of the finding: it names its rule, or no rule and its kind."""
    directive = DIRECTIVES.get(marker.tool)
    if directive is None:
        return False
    named = re.findall(directive.names, marker.what) if directive.names else []
    if not named:
        ours = directive.ours.partition("{")[0]
        return finding.kind in directive.silences and finding.rule_id.startswith(ours)
    return any(_is_about(name, directive, finding) for name in named)


def _is_about(name: str, directive: Directive, finding: Finding) -> bool:
    if finding.rule_id in (name.rpartition(".")[2], directive.ours.format(name)):
        return True
    known = _weaknesses().get(re.sub(r"^S(?=\d)", "B", name), frozenset())
    return finding.kind in directive.silences and not known.isdisjoint(finding.cwe)
