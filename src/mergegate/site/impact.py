"""Findings that are milder than axe and Lighthouse have them: they block, or hinder, no visitor."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.data_table import read_table


@dataclass(frozen=True, slots=True)
class Mild:
    """An entry of ``impact.toml`` or of ``advice.toml``."""

    rule: str
    why: str
    """For whom it is there nonetheless; of advice, what makes it harmless."""
    pattern: str = ""
    """Searched in the tool's reason; empty: whatever the reason."""


def _read(name: str) -> Mapping[str, Mild]:
    return read_table(Path(__file__).with_name(name), Mild, key="rule")


MILD = _read("impact.toml")
ADVICE = _read("advice.toml")


def keeps_nobody_out(rule: str, reasons: Iterable[str]) -> bool:
    """Whether a breach of ``rule`` is mild at each element, by its ``reasons``, one an element.

    Where the reason counts and none is known it is not: silence never passes.
    """
    return _fits(MILD.get(rule), reasons)


def is_advice(rule: str, reasons: Iterable[str]) -> bool:
    """Whether a breach of ``rule`` hinders nobody at any element; unknown reasons as above."""
    return _fits(ADVICE.get(rule), reasons)


def _fits(mild: Mild | None, reasons: Iterable[str]) -> bool:
    said = list(reasons)
    if mild is None or not mild.pattern:
        return mild is not None
    return bool(said) and all(re.search(mild.pattern, reason.strip()) for reason in said)
