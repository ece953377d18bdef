"""Comments that silence a tool: which there are, what of ours they speak of, when that counts."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from mergegate.core.data_table import read_lists, read_table
from mergegate.core.finding import Finding
from mergegate.core.identity import normalised
from mergegate.core.severity import Confidence, Kind, Severity
from mergegate.repo.facts.code import Marker


class Reach(StrEnum):
    """Which lines a directive speaks of."""

    LINE = "line"
    """Its own, or of one that stands alone the next one with code, too."""
    BELOW = "below"
    """The same, and the block that this line opens."""
    INSIDE = "inside"
    """The block that it stands in."""


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
    reach: Reach = Reach.LINE
    reason: str = ""
    """Leads to the reason behind it; without, all other words of the comment are one."""


DIRECTIVES = read_table(Path(__file__).with_name("directives.toml"), Directive, "tool")


@cache
def every_pattern() -> tuple[str, ...]:
    """What finds a directive to any tool, of security or not."""
    others = read_lists(Path(__file__).with_name("other_directives.toml"))["patterns"]
    return (*(one.pattern for one in DIRECTIVES.values()), *others)


@cache
def _about() -> dict[str, frozenset[str]]:
    lists = read_lists(Path(__file__).with_name("foreign_rules.toml"))
    return {name: frozenset(about) for name, about in lists.items()}


_LONGEST_STATEMENT = 12
"""Lines; what spans more is a block, of which a word inside does not speak."""


def silences(marker: Marker, finding: Finding) -> bool:
    """Whether the comment speaks of the finding: it names its rule, or no rule and its kind."""
    directive, place = DIRECTIVES.get(marker.tool), finding.place
    first, last = marker.first or marker.line, marker.last or marker.line
    if directive is None or last < place.start_line or place.end_line < first:
        return False
    named = re.findall(directive.names, marker.what) if directive.names else []
    if not named:
        ours = directive.ours.partition("{")[0]
        is_block = place.end_line - place.start_line >= _LONGEST_STATEMENT
        begins = first <= place.start_line <= last
        is_of_kind = finding.kind in directive.silences and finding.rule_id.startswith(ours)
        return is_of_kind and (begins or not is_block)
    return any(_is_about(name, directive, finding) for name in named)


def _is_about(name: str, directive: Directive, finding: Finding) -> bool:
    if finding.rule_id in (name.rpartition(".")[2], directive.ours.format(name)):
        return True
    about = _about().get(re.sub(r"^S(?=\d)", "B", name.rpartition(".")[2]), frozenset())
    return finding.kind in directive.silences and not about.isdisjoint(
        (finding.rule_id, *finding.cwe)
    )


Silenced = Mapping[str, Sequence[Marker]]
"""The in-line suppressions of each file that holds any."""
Said = tuple[str, str, str, str]
"""Whom a comment silences, with which words, why, and over which code."""
Standing = Mapping[str, frozenset[Said]]
"""What in-line suppressions of the base say of each finding there, by its id."""


def honoured(finding: Finding, level: str, silenced: Silenced) -> Iterator[Marker]:
    """The comments on ``finding`` that ``inline-suppressions: level`` lets count, once they stand.

    What is certain, a critical finding or a secret, takes more than a comment with a reason.
    """
    here = silenced.get(finding.place.file, ())
    is_certain = finding.confidence is Confidence.HIGH and (
        finding.severity is Severity.CRITICAL or finding.kind is Kind.SECRET
    )
    for marker in here if level != "show" else ():
        accepted = level == "honour" or (marker.reason and not is_certain)
        if accepted and silences(marker, finding):
            yield marker


def standing(findings: Iterable[Finding], level: str, silenced: Silenced) -> Standing:
    """What the comments of a base say of its ``findings``, as far as it counts."""
    told = {
        one.id: frozenset(said(marker, one) for marker in honoured(one, level, silenced))
        for one in findings
    }
    return {id: comments for id, comments in told.items() if comments}


def said(marker: Marker, finding: Finding) -> Said:
    """What one comment says of one finding: another word of it, or of the code, is another."""
    return marker.tool, marker.what, marker.reason, normalised(finding.snippet)


def is_reasoned(finding: Finding, silenced: Silenced) -> bool:
    """Whether the comment that the finding itself is about gives its reason."""
    here = silenced.get(finding.place.file, ())
    told = [one for one in here if one.line == finding.place.start_line]
    return bool(told) and all(one.reason for one in told if DIRECTIVES[one.tool].silences)
