"""What to change, rule by rule, as ``remedies.toml`` has it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.data_table import read_table


@dataclass(frozen=True, slots=True)
class Remedy:
    """What puts right what one rule finds."""

    rule: str
    order: str
    """A step, without a full stop: what the suggestion is called."""
    text: str
    """How to do it."""


REMEDIES: Mapping[str, Remedy] = read_table(
    Path(__file__).with_name("remedies.toml"), Remedy, key="rule"
)
_UNKNOWN = Remedy(
    "",
    "Put the marked elements right",
    "The reference says what the rule asks for and shows examples.",
)


def remedy(rule: str) -> Remedy:
    """The remedy of ``rule``; of a rule without one of ours, that the reference says more."""
    return REMEDIES.get(rule, _UNKNOWN)
