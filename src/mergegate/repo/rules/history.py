"""Since which version a rule finds what it finds: what an upgrade brings is told as such."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from packaging.version import InvalidVersion, Version

from mergegate import __version__
from mergegate.core.data_table import read_table
from mergegate.core.errors import UsageError

HISTORY = Path(__file__).with_name("history.toml")
NEXT = "next"
"""What stands for the version that is not cut yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleHistory:
    """One rule over time."""

    rule: str
    since: str
    """The version that brought it."""
    meaning: str
    """A digest of what it finds and how that weighs, as far as this is data."""
    changed: str = ""
    """The last version since which it finds more or rates it higher; empty where none does."""

    @property
    def last(self) -> str:
        """The version whose findings of it are those of today."""
        return self.changed or self.since


@cache
def history() -> Mapping[str, RuleHistory]:
    """Every rule's history, by its id."""
    return read_table(HISTORY, RuleHistory, "rule")


def version_of_rules(named: str) -> str:
    """``named``, where it is a version; raises UsageError for anything else."""
    try:
        return str(Version(named.removeprefix("v")))
    except InvalidVersion as error:
        raise UsageError(
            f"{named!r} is no version of Mergegate", remedy="Write one as 0.1.0."
        ) from error


def previous(version: str = __version__, known: Mapping[str, RuleHistory] | None = None) -> str:
    """The last version before the minor one of ``version`` that changed a rule; empty for none."""
    now, rules = Version(version).release[:2], history() if known is None else known
    dated = {one for rule in rules.values() for one in (rule.since, rule.last) if one != NEXT}
    before = [one for one in map(Version, dated) if one.release[:2] < now]
    return str(max(before)) if before else ""


def is_later(rule: str, version: str, known: Mapping[str, RuleHistory] | None = None) -> bool:
    """Whether ``version`` does not have the rule, or not as it is today.

    A rule without a history is one that an engine brought. One of another scanner, ``tool/rule``,
    comes with no version of ours.
    """
    if "/" in rule:
        return False
    found = (history() if known is None else known).get(rule)
    return found is None or found.last == NEXT or Version(found.last) > Version(version)
